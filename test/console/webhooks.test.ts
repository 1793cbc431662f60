/** Webhook subscriptions and the log of their deliveries in the console. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { signBody } from "../../src/background/webhooks/signature.ts";
import { signedIn, unescaped, type Browser, type Page } from "../helpers/console.ts";
import { sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { deliveriesOf, received, receiverUrl, settled, subscribe, subscriptionNow } from "../helpers/webhooks.ts";

const HOOKS = "/console/webhooks";
const NEW = `${HOOKS}/new`;

let tenant: Tenant;
let browser: Browser;
beforeAll(async () => {
  tenant = await newTenant("Hooks & Co");
  ({ browser } = await signedIn(tenant.organizationId, "admin"));
});

/** What D1 has of an organization's subscriptions. */
const stored = async ({ organizationId } = tenant) =>
  (
    await env.DB.prepare("select * from webhook_subscriptions where organization_id = ? order by id")
      .bind(organizationId)
      .all<{ id: string; url: string; events: string; blog_id: string | null; active: number }>()
  ).results;

const storedAt = async (url: string) => (await stored()).filter((row) => row.url === url);

const setStreak = (id: string, streak: number) =>
  env.DB.prepare("update webhook_subscriptions set failure_streak = ? where id = ?").bind(streak, id).run();

function secretOn({ text, status }: Page): string {
  const [, secret] = /<input id="secret"[^>]* value="([^"]+)"/.exec(text) ?? [];
  if (status !== 200 || secret === undefined) throw new Error(`${status}: no secret on ${text}`);
  return secret;
}

const ticked = (text: string): string[] =>
  [...text.matchAll(/<input type="checkbox" name="events" value="([^"]+)" checked/g)].map(([, kind = ""]) => kind);

/** A form as the page would send it. */
const form = (more: object = {}) => ({ _organization: tenant.organizationId, _key: newId(), ...more });

/** The version that a page's form was made for. */
const versionIn = (page: string): string => /name="version" value="([^"]+)"/.exec(page)?.[1] ?? "";

describe("a new webhook", () => {
  it("is sent what was asked for, signed with the secret that was shown once", async () => {
    const name = newId();
    const url = receiverUrl("ok", name);
    const page = await browser.submit(NEW, NEW, {
      url,
      blogId: tenant.blogId,
      events: ["contact.created", "blog.created"],
    });
    const secret = secretOn(page);
    const [row] = await storedAt(url);
    expect(row).toMatchObject({ blog_id: tenant.blogId, active: 1 });
    expect(JSON.parse(row?.events ?? "")).toEqual(["contact.created", "blog.created"]);
    const path = `${HOOKS}/${row?.id}`;
    expect((await browser.submit(path, `${path}/ping`)).status).toBe(303);
    const [ping] = await received(name);
    const [, time] = /^t=(\d+),/.exec(ping?.headers["x-service-signature"] ?? "") ?? [];
    expect(ping?.headers["x-service-signature"]).toBe(await signBody(secret, Number(time), ping?.body ?? ""));

    const list = await browser.get(HOOKS);
    const shown = await browser.get(path);
    for (const { text } of [list, shown]) expect(text).not.toContain(secret);
    expect(unescaped(list.text)).toContain(url);
    expect(list.text).toMatch(/<td[^>]*>Hooks &amp; Co<\/td>/);
    expect(ticked(shown.text)).toEqual(["blog.created", "contact.created"]);
  });

  it("has a name if it is given one, by which every page calls it and the API, too", async () => {
    const url = receiverUrl("ok", newId());
    secretOn(await browser.submit(NEW, NEW, { url, blogId: "", name: " The <site> " }));
    const [row] = await storedAt(url);
    const path = `${HOOKS}/${row?.id}`;
    for (const place of [HOOKS, path, `${path}/delete`]) {
      expect((await browser.get(place)).text, place).toContain("The &lt;site&gt;");
    }
    const as = { operatorToken: tenant.operatorToken };
    const api = `/api/webhooksubscriptions/${row?.id}`;
    expect(await sendJson(200, api, { as })).toMatchObject({ name: "The <site>", url });
    expect(await sendJson(200, api, { as, method: "PUT", body: { name: "Renamed" } })).toMatchObject({
      name: "Renamed",
    });
    await browser.submit(path, path, { name: "", url });
    expect(await sendJson(200, api, { as })).toMatchObject({ name: "", url });
    expect((await browser.get(path)).text).toContain(`<h1 dir="auto">${new URL(url).host}</h1>`);
  });

  it.each(["http://example.com/", "https://10.0.0.1/", "no url", ""])("is not sent to %j, and says so", async (url) => {
    const before = await stored();
    const { status, text } = await browser.submit(NEW, NEW, { url, blogId: tenant.blogId, events: "article.deleted" });
    expect(status).toBe(400);
    expect(text).toContain('id="url-error"');
    expect(text).toContain(`value="${url}"`);
    expect(text).toContain(`<option value="${tenant.blogId}" selected`);
    expect(ticked(text)).toEqual(["article.deleted"]);
    expect(await stored()).toEqual(before);
  });
});

describe("a webhook", () => {
  it("is edited", async () => {
    const { _id } = await subscribe(tenant, "ok", { events: ["article.created"] });
    const [path, url] = [`${HOOKS}/${_id}`, receiverUrl("ok", newId())];
    const saved = await browser.submit(path, path, { url, events: ["blog.created", "article.deleted"] });
    expect(saved.headers.get("Location")).toBe(`${path}?done=saved`);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ url, events: ["blog.created", "article.deleted"] });
    await browser.submit(path, path, { url });
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ url, events: [] });
  });

  it("is not overwritten by who has not seen its last state; the next try is", async () => {
    const { _id } = await subscribe(tenant);
    const path = `${HOOKS}/${_id}`;
    const version = versionIn((await browser.get(path)).text);
    const [mine, theirs] = [receiverUrl("ok", newId()), receiverUrl("ok", newId())];
    expect((await browser.submit(path, path, { url: theirs })).status).toBe(303);

    const late = await browser.post(path, form({ url: mine, events: "blog.created", version }));
    expect(late.status).toBe(412);
    expect(late.text).toContain("Somebody saved changes since you opened this page.");
    expect(late.text).toContain(`value="${mine}"`);
    expect(ticked(late.text)).toEqual(["blog.created"]);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ url: theirs, events: [] });

    const base = versionIn(late.text);
    expect((await browser.post(path, form({ url: mine, events: "blog.created", version: base }))).status).toBe(303);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ url: mine, events: ["blog.created"] });
  });

  it("is pinged once by one form, and its log tells how it ended", async () => {
    const { _id } = await subscribe(tenant, "status-500");
    const path = `${HOOKS}/${_id}`;
    const sent = form();
    for (let i = 0; i < 2; i++) {
      expect((await browser.post(`${path}/ping`, sent)).headers.get("Location")).toBe(`${path}?done=pinged`);
    }
    const log = await settled(tenant, _id, 1);
    expect(log).toMatchObject([{ event: "ping", state: "failed", status: 500 }]);
    const { text } = await browser.get(path);
    expect(text).toMatch(/>ping<[^]*?badge bad">Failed<[^]*?<td[^>]*>500<[^]*?\d+ ms</);
  });

  it("is deactivated and reactivated, which clears its streak", async () => {
    const { _id } = await subscribe(tenant);
    await setStreak(_id, 7);
    const path = `${HOOKS}/${_id}`;
    const off = await browser.submit(path, `${path}/deactivate`);
    expect(off.headers.get("Location")).toBe(`${path}?done=webhook-deactivated`);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ active: false, failureStreak: 7 });
    const inactive = await browser.get(path);
    expect(inactive.text).toContain("Inactive since");
    expect(inactive.text).not.toContain(`${path}/ping`);
    expect((await browser.post(`${path}/ping`, form())).status).toBe(409);
    expect(await deliveriesOf(tenant, _id)).toEqual([]);

    const on = await browser.submit(path, `${path}/reactivate`);
    expect(on.headers.get("Location")).toBe(`${path}?done=webhook-reactivated`);
    expect(await subscriptionNow(tenant, _id)).toMatchObject({ active: true, failureStreak: 0 });
    expect((await browser.get(path)).text).not.toContain("Inactive since");
  });

  it("is deleted once that was confirmed", async () => {
    const { _id, url } = await subscribe(tenant);
    const path = `${HOOKS}/${_id}/delete`;
    expect((await browser.get(path)).text).toContain(url);
    expect(await storedAt(url)).toHaveLength(1);
    expect((await browser.submit(path, path)).headers.get("Location")).toBe("/console/webhooks?done=webhook-deleted");
    expect(await storedAt(url)).toEqual([]);
    expect((await browser.get(`${HOOKS}/${_id}`)).status).toBe(404);
  });
});

describe("what could not be sent", () => {
  it("is listed, and tried again by a button", async () => {
    expect((await browser.get(HOOKS)).text).not.toContain("Undelivered events");
    const id = newId();
    await env.DB.prepare(
      `insert into dead_letters (id, organization_id, event_id, subscription_id, kind, tries, creation_time, try_time, dead_time)
       values (?1, ?2, ?1, '', 'article.created', 10, ?3, ?3, ?3)`,
    )
      .bind(id, tenant.organizationId, new Date().toISOString())
      .run();
    const { text } = await browser.get(HOOKS);
    expect(text).toContain("Undelivered events");
    expect((await browser.submit(HOOKS, `${HOOKS}/dead-letters/${id}/retry`)).status).toBe(303);
    const query = env.DB.prepare("select tries, dead_time from dead_letters where id = ?").bind(id);
    expect(await query.first()).toEqual({ tries: 0, dead_time: null });
  });
});
