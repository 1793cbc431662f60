/** The log of a webhook's deliveries in the console: its columns, its filter, its pages. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { signedIn, unescaped, type Browser } from "../helpers/console.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { subscribe } from "../helpers/webhooks.ts";

const STATES = ["succeeded", "failed", "failed", "skipped", "unknown"] as const;
/** So many that the failed ones fill more than a page. */
const COUNT = 140;

let tenant: Tenant;
let browser: Browser;
let path: string;
/** The deliveries by their states, the newest first; each is told by its duration. */
const durations = new Map<string, number[]>();

beforeAll(async () => {
  tenant = await newTenant("Log");
  ({ browser } = await signedIn(tenant.organizationId));
  const { _id } = await subscribe(tenant);
  path = `/console/webhooks/${_id}`;
  const statements = Array.from({ length: COUNT }, (_, i) => {
    const state = STATES[i % STATES.length] ?? "open";
    durations.set(state, [i + 1000, ...(durations.get(state) ?? [])]);
    return insert(_id, i, state);
  });
  await env.DB.batch(statements.flat());
});

const timeOf = (i: number): string => new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString();

const ERRORS: Readonly<Record<string, string>> = {
  failed: "timeout",
  skipped: "subscription_changed",
  unknown: "interrupted",
};

function insert(subscriptionId: string, i: number, state: string, eventId = newId()): D1PreparedStatement[] {
  const time = timeOf(i);
  const { organizationId } = tenant;
  return [
    env.DB.prepare(
      `insert into events (id, organization_id, kind, data, creation_time, enqueue_time, fan_out_time)
       values (?, ?, 'article.created', '{}', ?, ?, ?)`,
    ).bind(eventId, organizationId, time, time, time),
    env.DB.prepare(
      `insert into deliveries (id, organization_id, event_id, subscription_id, epoch, state, status, duration_ms, error,
         creation_time, claim_time, settle_time) values (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)`,
    ).bind(
      newId(),
      organizationId,
      eventId,
      subscriptionId,
      state,
      state === "succeeded" ? 204 : null,
      i + 1000,
      ERRORS[state] ?? null,
      time,
      state === "skipped" || state === "open" ? null : time,
      time,
    ),
  ];
}

const shown = (text: string): number[] => [...text.matchAll(/>(\d+) ms</g)].map(([, ms]) => Number(ms));

const olderOf = (text: string): string | null => {
  const [, href] = /<a rel="next" href="([^"]+)"/.exec(text) ?? [];
  return href === undefined ? null : unescaped(href);
};

/** All deliveries on a page and those that follow, page by page. */
async function pagesFrom(first: string): Promise<number[][]> {
  const pages: number[][] = [];
  for (let next: string | null = first; next !== null;) {
    const { status, text } = await browser.get(next);
    if (status !== 200) throw new Error(`${next}: ${status}`);
    pages.push(shown(text));
    next = olderOf(text);
  }
  return pages;
}

describe("the log", () => {
  it("has a row for each delivery, newest first, over pages without gap or repetition", async () => {
    const pages = await pagesFrom(path);
    expect(pages.map(({ length }) => length)).toEqual([25, 25, 25, 25, 25, 15]);
    expect(pages.flat()).toEqual(Array.from({ length: COUNT }, (_, i) => 1000 + COUNT - 1 - i));
  });

  it("shows how a delivery ended", async () => {
    const { text } = await browser.get(`${path}?state=failed`);
    const [, row = ""] = text.split("<tbody>");
    const cells = [...(row.split("</tr>")[0] ?? "").matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) =>
      cell.replaceAll(/<[^>]+>/g, ""),
    );
    const [newest = 0] = durations.get("failed") ?? [];
    const time = timeOf(newest - 1000)
      .slice(0, 16)
      .replace("T", " ");
    expect(cells).toEqual(["article.created", "Failed", "–", `${newest} ms`, "timeout", time, time]);
  });

  it.each([...new Set(STATES)])("filters by the state %s, and the next page keeps the filter", async (state) => {
    const pages = await pagesFrom(`${path}?state=${state}`);
    expect(pages.flat()).toEqual(durations.get(state));
    const { text } = await browser.get(`${path}?state=${state}`);
    expect(text).toContain(`<option value="${state}" selected`);
  });

  it.each([
    [
      "skipped",
      "The webhook was changed, deactivated or deleted",
      /Sent<\/dt><dd>never</,
      "The request that was not sent.",
    ],
    ["unknown", "The event may have arrived", /Sent<\/dt><dd><time/, "The request as it was sent."],
    ["open", "", /Sent<\/dt><dd>Not yet</, "The request as it would be sent now."],
  ])("says of one that is %s why, and whether it is to be sent", async (state, why, sent, request) => {
    const { _id } = await subscribe(tenant);
    const eventId = newId();
    await env.DB.batch(insert(_id, 0, state, eventId));
    const { text } = await browser.get(`/console/webhooks/${_id}/deliveries/${eventId}`);
    expect(text).toContain(why);
    expect(text).toMatch(sent);
    expect(text).toContain(request);
  });
});

it.each(["{bad", "null"])(
  "the page of a delivery shows data that is no JSON or no object, such as %s, as it is",
  async (data) => {
    const { _id } = await subscribe(tenant);
    const id = newId();
    await env.DB.batch(insert(_id, 0, "dead", id));
    await env.DB.prepare("update events set data = ? where id = ?").bind(data, id).run();
    await env.DB.prepare(
      `insert into dead_letters (id, organization_id, event_id, subscription_id, kind, tries, creation_time, try_time)
     values (?1, ?2, ?1, ?3, 'article.created', 1, ?4, ?4)`,
    )
      .bind(id, tenant.organizationId, _id, timeOf(0))
      .run();
    const { status, text } = await browser.get(`/console/webhooks/${_id}/deliveries/${id}`);
    expect(status).toBe(200);
    expect(unescaped(text)).toMatch(data === "null" ? /"data": null/ : /"data":\{bad\}/);
    expect(text).toContain(`/console/webhooks/dead-letters/${id}/retry`);
  },
);
