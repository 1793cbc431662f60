/** Contract 11.1, 11.2: the endpoints of webhook subscriptions. The fields: webhook-subscription-resource.test.ts. */
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { outcome, wrongFields } from "../helpers/outcome.ts";
import { receiverUrl, received, subscribe, type Subscribed, type SubscriptionBody } from "../helpers/webhooks.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

const PATH = "/api/webhooksubscriptions";
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

  it("200: the created subscription including its secret, returned exactly once", async () => {
    const response = await send(PATH, { as, body: HOOK });
    expect(response.status).toBe(200);
    const { secret, ...created } = await response.json<Record<string, unknown>>();
    expect(secret).toMatch(/^whsec_/);
    const listed = await sendJson<object[]>(200, PATH, { as });
    expect(listed).toContainEqual(created);
    expect(JSON.stringify(listed)).not.toContain(secret);
  });

  it("each subscription has a secret of its own, also for the same url", async () => {
    const [one, two] = [await sendJson(200, PATH, { as, body: HOOK }), await sendJson(200, PATH, { as, body: HOOK })];
    expect(one["_id"]).not.toBe(two["_id"]);
    expect(one["secret"]).not.toBe(two["secret"]);
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
