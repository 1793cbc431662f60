/** Contract 11.1: a webhook subscription. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { wrongFields } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { kindsOf, received, subscribe, type SubscriptionBody } from "../helpers/webhooks.ts";

const PATH = "/api/webhooksubscriptions";
const KINDS = ["article.created", "article.updated", "article.deleted", "blog.created", "contact.created"];

let tenant: Tenant;
let as: { operatorToken: string };

beforeAll(async () => {
  tenant = await newTenant();
  as = { operatorToken: tenant.operatorToken };
});

const put = (id: string, body: unknown) => ({ path: `${PATH}/${id}`, options: { as, method: "PUT", body } });

/** Changes a subscription; fails where that is refused. */
function change(id: string, body: unknown): Promise<SubscriptionBody> {
  const { path, options } = put(id, body);
  return sendJson<SubscriptionBody>(200, path, options);
}

describe("blogId", () => {
  it("is optional; when omitted the subscription covers the whole organization", async () => {
    const own = await newTenant();
    const { blogId, name } = await subscribe(own);
    expect(blogId).toBeNull();
    const other = await sendJson<{ _id: string }>(200, "/api/blogs", { as: own, body: { name: "Other" } });
    await newArticle(own);
    await newArticle(own, { blogId: other._id });
    expect(kindsOf(await received(name, 3)).sort()).toEqual(["article.created", "article.created", "blog.created"]);
  });
});

describe("events", () => {
  it.each([["ping"], ["article.published"], ["*"], [""], [1]])("may not contain %j", async (kind) => {
    const body = { url: "https://example.com/hook", events: ["article.created", kind] };
    expect(await wrongFields(PATH, { as, body })).toEqual(["events.1"]);
  });

  it("empty means all events, and so does leaving it out", async () => {
    const own = await newTenant();
    const [omitted, empty] = [await subscribe(own), await subscribe(own, "ok", { events: [] })];
    expect([omitted.events, empty.events]).toEqual([[], []]);
    const { _id } = await newArticle(own);
    await sendJson(200, "/api/articles", { as: own, body: { _id, title: "Changed" } });
    await sendJson(200, `/api/articles/${_id}`, { as: own, method: "DELETE" });
    await sendJson(200, "/api/blogs", { as: own, body: { name: "More" } });
    await sendJson(200, "/api/contacts", { as: own, body: { blogId: own.blogId, email: "ada@example.com" } });
    for (const { name } of [omitted, empty]) {
      expect(kindsOf(await received(name, KINDS.length)).sort()).toEqual([...KINDS].sort());
    }
  });
});

describe("active", () => {
  it("is true at first, and editable", async () => {
    const { _id, active } = await subscribe(tenant);
    expect(active).toBe(true);
    expect(await change(_id, { active: false })).toMatchObject({ active: false });
    expect(await change(_id, { active: true })).toMatchObject({ active: true });
  });
});

describe("secret", () => {
  it("is the signing secret, returned in the create response: whsec_ and base64 of 32 bytes", async () => {
    const [one, two] = [await subscribe(tenant), await subscribe(tenant)];
    expect(one.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(two.secret).not.toBe(one.secret);
  });

  it("is never returned again: not in the list, an update, a ping, the deliveries, the audit or a deletion", async () => {
    const { _id, secret } = await subscribe(tenant);
    const path = `${PATH}/${_id}`;
    const answers = [
      await send(PATH, { as }),
      await send(path, { as, method: "PUT", body: { active: true } }),
      await send(`${path}/ping`, { as, method: "POST" }),
      await send(`${path}/deliveries`, { as }),
      await send("/api/audit", { as }),
      await send(path, { as, method: "DELETE" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202, 200, 200, 200]);
    for (const answer of answers) {
      const text = await answer.text();
      expect(text).not.toContain(secret);
      expect(text).not.toContain('"secret"');
    }
  });

  it("cannot be chosen on create", async () => {
    const body = { url: "https://example.com/hook", secret: "whsec_mine" };
    expect(await wrongFields(PATH, { as, body })).toEqual(["secret"]);
  });
});

describe("organization and the identifier", () => {
  it("a whole subscription can be sent back as it was read", async () => {
    const { secret: _, name: __, ...read } = await subscribe(tenant, "ok", { blogId: tenant.blogId });
    expect(await change(read._id, read)).toMatchObject({ _id: read._id, url: read.url, active: true });
  });
});

it("13.1: the ETag changes with the streak, and an If-Match with it asks for writes only", async () => {
  const { _id: id } = await subscribe(tenant);
  const path = `${PATH}/${id}`;
  const tag = (await send(path, { as })).headers.get("ETag") ?? "";
  expect((await send(path, { as, headers: { "If-None-Match": tag } })).status).toBe(304);
  await env.DB.prepare("update webhook_subscriptions set failure_streak = 3 where id = ?").bind(id).run();
  const again = await send(path, { as, headers: { "If-None-Match": tag } });
  expect(await again.json()).toMatchObject({ failureStreak: 3 });
  const change = { as, method: "PUT", body: { active: true } };
  expect((await send(path, { ...change, headers: { "If-Match": tag } })).status).toBe(200);
  expect((await send(path, { ...change, headers: { "If-Match": again.headers.get("ETag") ?? "" } })).status).toBe(412);
});
