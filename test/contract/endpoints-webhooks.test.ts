/** Contract 11.1, 11.2, 13.1: webhook subscriptions. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import {
  kindsOf,
  receiverUrl,
  received,
  subscribe,
  type Subscribed,
  type SubscriptionBody,
} from "../helpers/webhooks.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

const PATH = "/api/webhooksubscriptions";
const KINDS = ["article.created", "article.updated", "article.deleted", "blog.created", "contact.created"];
const HOOK = { url: "https://example.com/hook" };

let tenant: Tenant;
let as: { operatorToken: string };

beforeAll(async () => {
  tenant = await newTenant();
  as = { operatorToken: tenant.operatorToken };
});

/** A subscription as every answer but that of its creation shows it. */
function shown(subscribed: Subscribed): SubscriptionBody & { name: string } {
  const { secret: _, ...subscription } = subscribed;
  return { ...subscription, name: "" };
}

describe("GET /api/webhooksubscriptions", () => {
  it("200: array of webhook subscriptions, secrets omitted", async () => {
    const own = await newTenant();
    const operator = { operatorToken: own.operatorToken };
    expect(await sendJson(200, PATH, { as: operator })).toEqual([]);
    const created = [
      await subscribe(own),
      await subscribe(own, "ok", { blogId: own.blogId, events: ["blog.created"] }),
    ];
    expect(await sendJson(200, PATH, { as: operator })).toEqual(created.map(shown));
  });
});

describe("POST /api/webhooksubscriptions", () => {
  it("url string (required), blogId string (optional), events array (optional; empty array means all events)", async () => {
    expect(await sendJson(200, PATH, { as, body: HOOK })).toMatchObject({ ...HOOK, blogId: null, events: [] });
    const body = { ...HOOK, blogId: tenant.blogId, events: ["article.deleted", "contact.created"] };
    expect(await sendJson(200, PATH, { as, body })).toMatchObject(body);
    expect(await wrongFields(PATH, { as, body: { events: [] } })).toEqual(["url"]);
    expect(await wrongFields(PATH, { as, body: { ...HOOK, blogId: 1 } })).toEqual(["blogId"]);
    expect(await wrongFields(PATH, { as, body: { ...HOOK, events: ["unknown"] } })).toEqual(["events.0"]);
    expect(await wrongFields(PATH, { as, body: { ...HOOK, active: false } })).toEqual(["active"]);
  });
});

describe("PUT /api/webhooksubscriptions/{webhookSubscriptionId}", () => {
  const put = (id: string, body: unknown, operator = as) =>
    [`${PATH}/${id}`, { as: operator, method: "PUT", body }] as const;

  it("editable fields are url, events and active; 200: the updated subscription, secret omitted", async () => {
    const created = await subscribe(tenant);
    const body = { url: "https://example.com/other", events: ["article.updated"], active: false };
    const updated = await sendJson<SubscriptionBody>(200, ...put(created._id, body));
    expect(updated).toEqual({
      ...shown(created),
      ...body,
      deactivationTime: expect.any(String),
      lastEditTime: expect.any(String),
    });
    expect(await sendJson(200, PATH, { as })).toContainEqual(updated);
  });

  it("only the fields that are sent change", async () => {
    const created = await subscribe(tenant, "ok", { events: ["blog.created"] });
    const url = "https://example.com/moved";
    const updated = await sendJson<SubscriptionBody>(200, ...put(created._id, { url }));
    expect(updated).toEqual({ ...shown(created), url, lastEditTime: expect.any(String) });
  });

  it("a changed url is where the next event goes, with the same secret", async () => {
    const own = await newTenant();
    const { _id } = await subscribe(own);
    const name = newId();
    await sendJson(200, ...put(_id, { url: receiverUrl("ok", name) }, { operatorToken: own.operatorToken }));
    await newArticle(own);
    expect(await received(name)).toHaveLength(1);
  });

  it("secret, organization and blog cannot be changed: each is 400 and named", async () => {
    const other = await newTenant();
    const created = await subscribe(tenant);
    const attempts = { secret: "whsec_x", organization: other.organizationId, blogId: tenant.blogId };
    for (const [member, value] of Object.entries(attempts)) {
      const change = { url: "https://example.com/not-this", [member]: value };
      expect(await outcome(...put(created._id, change))).toBe("400 immutable_field");
      expect(await wrongFields(...put(created._id, change))).toEqual([member]);
    }
    expect(await sendJson(200, PATH, { as })).toContainEqual(shown(created));
  });
});

describe("DELETE /api/webhooksubscriptions/{webhookSubscriptionId}", () => {
  it("200: deleted, for good", async () => {
    const created = await subscribe(tenant);
    const path = `${PATH}/${created._id}`;
    expect(await sendJson(200, path, { as, method: "DELETE" })).toEqual({ _id: created._id });
    expect(await sendJson(200, PATH, { as })).not.toContainEqual(shown(created));
    expect(await outcome(path, { as, method: "DELETE" })).toBe("404 not_found");
  });
});

describe("one subscription", () => {
  it("is shown without its secret, with a version for If-Match that ends with a change", async () => {
    const created = await subscribe(tenant);
    const path = `${PATH}/${created._id}`;
    const response = await send(path, { as });
    expect(await response.json()).toEqual(shown(created));
    const headers = { "If-Match": response.headers.get("ETag") ?? "" };
    const put = { as, method: "PUT", body: { active: false }, headers };
    expect(await outcome(path, put)).toBe("200");
    expect(await outcome(path, put)).toBe("412 precondition_failed");
    expect(await outcome(`${PATH}/${newId()}`, { as })).toBe("404 not_found");
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
});

describe("organization and the identifier", () => {
  it("a whole subscription can be sent back as it was read", async () => {
    const { secret: _, name: __, ...read } = await subscribe(tenant, "ok", { blogId: tenant.blogId });
    expect(await sendJson(200, `${PATH}/${read._id}`, { as, method: "PUT", body: read })).toMatchObject({
      _id: read._id,
      url: read.url,
      active: true,
    });
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
