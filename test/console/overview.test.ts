/** The console's first page. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { signedIn, unescaped, type Browser } from "../helpers/console.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { settled, subscribe } from "../helpers/webhooks.ts";

const HOUR = 3_600_000;

/** The hour of all tests, in which they began: another one may begin in the middle of them. */
const CURRENT_HOUR = Math.floor(Date.now() / HOUR);

/** The beginning of the hour so many hours ago. */
const hourAgo = (hours: number): string => new Date((CURRENT_HOUR - hours) * HOUR).toISOString();

const count = (organizationId: string, hours: number, succeeded: number, failed: number) =>
  env.DB.prepare("insert into delivery_hours (organization_id, hour, succeeded, failed) values (?, ?, ?, ?)")
    .bind(organizationId, hourAgo(hours), succeeded, failed)
    .run();

/** What D1 counted for an organization since a time. */
async function countedSince(organizationId: string, time: string): Promise<string> {
  const sum = await env.DB.prepare(
    "select sum(succeeded) as succeeded, sum(failed) as failed from delivery_hours where organization_id = ? and hour >= ?",
  )
    .bind(organizationId, time)
    .first<{ succeeded: number; failed: number }>();
  return `${sum?.succeeded.toLocaleString("en")} succeeded, ${sum?.failed.toLocaleString("en")} failed`;
}

async function overviewOf(browser: Browser): Promise<string> {
  const { status, text } = await browser.get("/console");
  if (status !== 200) throw new Error(`${status} ${text}`);
  return unescaped(text);
}

/** The rows of the chart's table: hour, succeeded, failed. */
const tableOf = (text: string): string[][] =>
  [
    ...text.matchAll(
      /<th scope="row"><time datetime="([^"]+)".*?<td class="number"[^>]*>(\d+)<.*?<td class="number"[^>]*>(\d+)</g,
    ),
  ].map(([, ...cells]) => cells.map(String));

const titlesOf = (text: string): string[] =>
  [...text.matchAll(/class="title" href="\/console\/articles\/[^"]+" dir="auto">([^<]*)</g)].map(
    ([, title = ""]) => title,
  );

describe("where there is nothing yet", () => {
  it("an owner is shown the first steps, and nothing else", async () => {
    const organizationId = newId();
    await env.DB.prepare("insert into organizations (id, name, creation_time) values (?, 'Empty', ?)")
      .bind(organizationId, new Date().toISOString())
      .run();
    const text = await overviewOf((await signedIn(organizationId)).browser);
    expect(text).toContain("Get started");
    for (const path of ["/console/blogs/new", "/console/keys/new", "/console/webhooks/new"]) {
      expect(text).toContain(`<a href="${path}"`);
    }
    expect(text).toContain("No deliveries in the last 24 hours.");
    expect(text).not.toContain('<svg class="bars"');

    const reader = await overviewOf((await signedIn(organizationId, "reader")).browser);
    expect(reader).toContain("Get started");
    for (const path of ["/console/blogs/new", "/console/keys/new", "/console/webhooks/new"]) {
      expect(reader).not.toContain(`<a href="${path}"`);
    }
  });

  it("the steps are ticked as they are done, and end with the last that the role may take", async () => {
    const tenant = await newTenant("Beginning");
    const { browser } = await signedIn(tenant.organizationId);
    const writer = (await signedIn(tenant.organizationId, "writer")).browser;
    const doneIn = (text: string) => text.split('<li class="done">').length - 1;
    const first = await overviewOf(browser);
    expect(first).toContain(`/console/articles/new?blog=${tenant.blogId}`);
    // The blog, and the key with which tests write.
    expect(doneIn(first)).toBe(2);
    expect(doneIn(await overviewOf(writer))).toBe(1);
    await newArticle(tenant, { published: false });
    expect(doneIn(await overviewOf(browser))).toBe(3);
    const look = { as: { operatorToken: tenant.operatorToken }, method: "PUT", body: { font: "serif" } };
    await sendJson(200, `/api/blogs/${tenant.blogId}/site`, look);
    const looked = await overviewOf(browser);
    expect(looked).toContain(`/console/blogs/${tenant.blogId}/site`);
    expect(doneIn(looked)).toBe(4);
    expect(await overviewOf(writer)).not.toContain("Get started");
    const as = { operatorToken: tenant.operatorToken };
    await sendJson(200, "/api/webhooksubscriptions", { as, body: { url: "https://hooks.example.com/" } });
    expect(await overviewOf(browser)).not.toContain("Get started");
  });
});

describe("blogs and articles", () => {
  it("are those of the organization: the newest eight, at most five of a blog", async () => {
    const [tenant, other] = [await newTenant("Mine & Co"), await newTenant("Theirs")];
    await newArticle(other, { title: "Not yours" });
    const as = { operatorToken: tenant.operatorToken };
    const { _id: second } = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Second" } });
    for (let i = 1; i <= 6; i++) await newArticle(tenant, { title: `First ${i}`, published: i !== 6 });
    for (let i = 1; i <= 6; i++) await newArticle(tenant, { blogId: second, title: `Second ${i}` });
    for (const role of ["admin", "writer", "reader"] as const) {
      const { browser } = await signedIn(tenant.organizationId, role);
      const text = await overviewOf(browser);
      expect(titlesOf(text)).toEqual([
        "Second 6",
        "Second 5",
        "Second 4",
        "Second 3",
        "Second 2",
        "First 6",
        "First 5",
        "First 4",
      ]);
      const [, afterSix = ""] = text.split(">First 6<");
      expect(afterSix.split("</li>")[0]).toMatch(/class="badge">Draft</);
      const [, afterFive = ""] = text.split(">First 5<");
      expect(afterFive.split("</li>")[0]).toMatch(/Published<\/span>/);
      expect(text).toContain(`/console/articles?blog=${second}`);
      expect(text).not.toContain("Not yours");
      expect(text).not.toContain("Theirs");
      expect(text.includes(`href="/console/blogs/${second}"`)).toBe(role === "admin");
    }
  });
});

describe("the chart of deliveries", () => {
  let tenant: Tenant;
  let text: string;
  beforeAll(async () => {
    tenant = await newTenant("Chart");
    const other = await newTenant("Other chart");
    await count(tenant.organizationId, 30, 5000, 5000);
    await count(tenant.organizationId, 20, 1200, 3);
    await count(tenant.organizationId, 7, 0, 41);
    await count(tenant.organizationId, 2, 17, 0);
    await count(other.organizationId, 2, 900, 900);
    const { _id } = await subscribe(tenant);
    const failing = await subscribe(tenant, "status-500");
    await newArticle(tenant);
    await settled(tenant, _id, 1);
    await settled(tenant, failing._id, 1);
    text = await overviewOf((await signedIn(tenant.organizationId)).browser);
  });

  it("says in words and in its table what D1 has counted in 24 hours", async () => {
    const summary = await countedSince(tenant.organizationId, hourAgo(25));
    expect(summary).toBe("1,218 succeeded, 45 failed");
    expect(text).toContain(`<strong>${summary}</strong>`);
    expect(text).toContain(`aria-label="Deliveries by hour in the last 24 hours: ${summary}"`);
    const table = tableOf(text);
    expect(table).toHaveLength(24);
    expect(table).toContainEqual([hourAgo(20), "1200", "3"]);
    expect(table).toContainEqual([hourAgo(7), "0", "41"]);
    const hours = table.map(([hour]) => String(hour));
    expect(hours.toSorted()).toEqual(hours);
    const total = (column: number) => table.reduce((sum, row) => sum + Number(row[column]), 0);
    expect([total(1), total(2)]).toEqual([1218, 45]);
  });

  it.each(["writer", "reader"] as const)("is not for a %s, nor are the webhooks", async (role) => {
    const shown = await overviewOf((await signedIn(tenant.organizationId, role)).browser);
    expect(shown).not.toContain("Deliveries");
    expect(shown).not.toContain("/console/webhooks");
    expect(shown).toContain("An article");
  });
});

describe("webhooks in trouble", () => {
  it("are the inactive ones and those with failures in a row", async () => {
    const tenant = await newTenant("Trouble");
    const { browser } = await signedIn(tenant.organizationId);
    const [well, failing, ended] = [await subscribe(tenant), await subscribe(tenant), await subscribe(tenant)];
    expect(await overviewOf(browser)).not.toContain("Webhooks with problems");
    await env.DB.batch([
      env.DB.prepare("update webhook_subscriptions set failure_streak = 3 where id = ?").bind(failing._id),
      env.DB.prepare("update webhook_subscriptions set active = 0 where id = ?").bind(ended._id),
    ]);
    const [, troubles = ""] = (await overviewOf(browser)).split('id="troubles"');
    const rowOf = (url: string) => troubles.split("<li>").find((row) => row.includes(url)) ?? "";
    expect(rowOf(failing.url)).toContain(`/console/webhooks/${failing._id}`);
    expect(rowOf(failing.url)).toContain("3 of 20");
    expect(rowOf(failing.url)).toContain(">Active<");
    expect(rowOf(ended.url)).toContain(">Inactive<");
    expect(troubles).not.toContain(well.url);
  });
});
