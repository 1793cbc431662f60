/** Contract 10.1, 10.2, 10.3, 10.4, 10.5, 10.6 and 10.14: credentials and what they may do. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { outcome } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let operator: { operatorToken: string };

beforeAll(async () => {
  tenant = await newTenant();
  operator = { operatorToken: tenant.operatorToken };
});

/** What GET /api/blogs answers to an Authorization header. */
const withHeader = (value: string) =>
  outcome("/api/blogs", { headers: { Authorization: value, "CF-Connecting-IP": crypto.randomUUID() } });

const basic = (text: string): string => `Basic ${btoa(text)}`;

describe("scheme apiKey", () => {
  it("Authorization is Basic followed by base64 of <API_KEY>", async () => {
    expect(await withHeader(`Basic ${btoa(tenant.apiKey)}`)).toBe("200");
  });

  it("the key secret is used as the user name: a colon and an empty password may follow", async () => {
    expect(await withHeader(basic(`${tenant.apiKey}:`))).toBe("200");
    expect(await withHeader(basic(`${tenant.apiKey}:password`))).toBe("401 credentials_invalid");
    expect(await withHeader(basic(`user:${tenant.apiKey}`))).toBe("401 credentials_invalid");
  });

  it("the scheme's name has no case, and neither padding nor spaces matter", async () => {
    const key = btoa(tenant.apiKey);
    const forms = [
      `basic ${key}`,
      `BASIC ${key}`,
      `bAsIc   ${key}`,
      ` Basic ${key} `,
      `Basic ${key.replace(/=+$/, "")}`,
    ];
    for (const form of forms) expect(await withHeader(form), form).toBe("200");
  });
});

describe("scheme accessToken", () => {
  it("Authorization is Token <ACCESS_TOKEN>", async () => {
    expect(await withHeader(`Token ${tenant.operatorToken}`)).toBe("200");
    expect(await withHeader(`TOKEN  ${tenant.operatorToken}`)).toBe("200");
  });

  it("an operator access token has every scope of its organization", async () => {
    const { _id } = await newArticle(tenant, { published: false });
    const blog = `?blogId=${tenant.blogId}`;
    for (const path of [`/api/articles${blog}`, `/api/articles/${_id}`, "/api/blogs", `/api/contacts${blog}`]) {
      expect(await outcome(path, { as: operator })).toBe("200");
    }
    const email = `${crypto.randomUUID()}@example.com`;
    const writes = [
      ["/api/articles", { blogId: tenant.blogId }],
      ["/api/blogs", { name: "x" }],
      ["/api/contacts", { blogId: tenant.blogId, email }],
    ] as const;
    for (const [path, body] of writes) expect(await outcome(path, { as: operator, body })).toBe("200");
  });
});

describe("keys", () => {
  it("API keys are created by the user; their form is epk_, 32 or more characters and a checksum", async () => {
    expect(tenant.apiKey).toMatch(/^epk_[0-9A-Za-z]{38,}$/);
    expect(tenant.operatorToken).toMatch(/^ept_[0-9A-Za-z]{38,}$/);
    expect(await newKey(operator, [])).not.toBe(await newKey(operator, []));
  });

  it("only a SHA-256 of a secret is stored", async () => {
    const { results } = await env.DB.prepare("select * from credentials").all();
    expect(results.length).toBeGreaterThan(1);
    const text = JSON.stringify(results);
    expect(text).not.toContain(tenant.apiKey);
    expect(text).not.toContain(tenant.operatorToken);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(tenant.apiKey)));
    expect(text).toContain(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  });

  it("a key belongs to one organization", async () => {
    const other = await newTenant();
    expect(await sendJson(200, "/api/blogs", { as: { apiKey: other.apiKey } })).toMatchObject([{ _id: other.blogId }]);
  });

  it("a key may be pinned to one blog, of its own organization", async () => {
    const other = await newTenant();
    const body = { name: "pinned", blogId: other.blogId };
    expect(await outcome("/api/apikeys", { as: operator, body })).toBe("403 blog_forbidden");
    const apiKey = await newKey(operator, ["blogs:read"], { blogId: tenant.blogId });
    expect(await sendJson(200, "/api/blogs", { as: { apiKey } })).toMatchObject([{ _id: tenant.blogId }]);
  });

  it("new keys start read-only: articles:read, blogs:read, topics:read", async () => {
    const { secret, scopes } = await sendJson<{ secret: string; scopes: string[] }>(200, "/api/apikeys", {
      as: operator,
      body: { name: "default" },
    });
    expect(scopes.sort()).toEqual(["articles:read", "blogs:read", "topics:read"]);
    const as = { apiKey: secret };
    expect(await outcome("/api/blogs", { as })).toBe("200");
    expect(await outcome(`/api/articles?blogId=${tenant.blogId}`, { as })).toBe("200");
    expect(await outcome("/api/articles", { as, body: {} })).toBe("403 scope_missing");
    expect(await outcome("/api/blogs", { as, body: { name: "x" } })).toBe("403 scope_missing");
    expect(await outcome(`/api/contacts?blogId=${tenant.blogId}`, { as })).toBe("403 scope_missing");
  });
});

describe("contract 10.14: an API key", () => {
  type Key = {
    _id: string;
    secret: string;
    name: string;
    scopes: string[];
    blogId: string;
    expirationTime: string | null;
  };
  const create = (more: object) =>
    sendJson<Key>(200, "/api/apikeys", { as: operator, body: { name: "old", blogId: tenant.blogId, ...more } });
  const rotate = (id: string, body: object = {}) =>
    sendJson<Key>(200, `/api/apikeys/${id}/rotate`, { as: operator, body });
  const change = (id: string, body: object) =>
    sendJson<Key>(200, `/api/apikeys/${id}`, { as: operator, method: "PUT", body });
  const listed = async (id: string) =>
    (await sendJson<Key[]>(200, "/api/apikeys", { as: operator })).find(({ _id }) => _id === id);
  const reads = ({ secret }: Key) => outcome(`/api/articles?blogId=${tenant.blogId}`, { as: { apiKey: secret } });

  it("gets another name and other scopes, with the same secret", async () => {
    const key = await create({ scopes: ["articles:read", "articles:write"] });
    const body = { blogId: tenant.blogId, title: "By a key", publishTime: "2020-01-01T00:00:00Z" };
    const write = () => outcome("/api/articles", { as: { apiKey: key.secret }, body });
    expect(await write()).toBe("200");
    expect(await change(key._id, { name: "new" })).toMatchObject({ name: "new", scopes: key.scopes });
    expect(await change(key._id, { scopes: ["articles:read"] })).not.toHaveProperty("secret");
    expect(await listed(key._id)).toMatchObject({ name: "new", scopes: ["articles:read"], blogId: tenant.blogId });
    expect([await write(), await reads(key)]).toEqual(["403 scope_missing", "200"]);
  });

  it("that is rotated works beside its successor, until the overlap is over", async () => {
    const old = await create({ scopes: ["articles:read"] });
    const before = Date.now();
    const key = await rotate(old._id);
    expect(key).toMatchObject({ name: "old", scopes: ["articles:read"], blogId: tenant.blogId, expirationTime: null });
    expect([key._id === old._id, await reads(key), await reads(old)]).toEqual([false, "200", "200"]);
    const end = Date.parse((await listed(old._id))?.expirationTime ?? "") - before;
    expect(end).toBeGreaterThanOrEqual(86_400_000);
    expect(end).toBeLessThan(86_400_000 + 60_000);
    const next = await rotate(key._id, { overlapSeconds: 0 });
    expect([await reads(next), await reads(key)]).toEqual(["200", "401 credentials_invalid"]);
    expect(await outcome(`/api/apikeys/${key._id}/rotate`, { as: operator, body: {} })).toBe("404 not_found");
  });

  it("hands over what it has scheduled, deletes and shows, also at the limit of keys", async () => {
    const old = await create({ scopes: ["articles:read", "articles:write"] });
    const as = { apiKey: old.secret };
    const [scheduled, deleted] = [await newArticle({ ...tenant, ...as }), await newArticle({ ...tenant, ...as })];
    const body = { unpublishTime: new Date(Date.now() + 3_600_000).toISOString() };
    await sendJson(200, `/api/articles/${scheduled._id}/schedule`, { as, method: "PUT", body });
    const { token } = await sendJson<{ token: string }>(200, `/api/articles/${scheduled._id}/previews`, {
      as,
      body: {},
    });
    await sendJson(200, `/api/articles/${deleted._id}/deletion`, { as, method: "PUT" });
    const keys = await env.DB.prepare(
      "select count(*) as n from credentials where organization_id = ?1 and coalesce(expiration_time, '9') > ?2",
    )
      .bind(tenant.organizationId, new Date().toISOString())
      .first<number>("n");
    const bindings = { ORGANIZATION_CREDENTIALS: String(keys) } as unknown as Partial<Env>;
    const path = `/api/apikeys/${old._id}/rotate`;
    expect(await outcome(path, { as: operator, body: {}, bindings })).toBe("409 credential_limit");
    const next = await sendJson<Key>(200, path, { as: operator, body: { overlapSeconds: 0 }, bindings });
    const { results } = await env.DB.prepare(
      "select actor_id from schedules where article_id = ?1 union all select actor_id from deletions where article_id = ?2",
    )
      .bind(scheduled._id, deleted._id)
      .all();
    expect(results).toEqual([{ actor_id: next._id }, { actor_id: next._id }]);
    expect((await send(`/previews/${token}`)).status).toBe(200);
  });

  it("that expires needs to know when its successor does, and an end that is sooner stays", async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const old = await create({ expirationTime: soon });
    expect(await outcome(`/api/apikeys/${old._id}/rotate`, { as: operator, body: {} })).toBe("400 invalid_request");
    expect(await rotate(old._id, { expirationTime: null })).toMatchObject({ expirationTime: null });
    expect((await listed(old._id))?.expirationTime).toBe(soon);
    expect(
      await outcome(`/api/apikeys/${old._id}/rotate`, {
        as: operator,
        body: { expirationTime: "2020-01-01T00:00:00Z" },
      }),
    ).toBe("400 invalid_request");
  });
});
