/** Contract 10.1, 10.2, 10.3, 10.4, 10.5 and 10.6: credentials and what they may do. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newSecret } from "../../src/domain/secrets.ts";
import { SCOPES, type Scope } from "../../src/domain/principal.ts";
import { headerOf, outcome } from "../helpers/outcome.ts";
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

  it("the scheme's name has no case", async () => {
    expect(await withHeader(basic(tenant.apiKey).replace("Basic", "basic"))).toBe("200");
    expect(await withHeader(basic(tenant.apiKey).replace("Basic", "BASIC"))).toBe("200");
  });
});

describe("scheme accessToken", () => {
  it("Authorization is Token <ACCESS_TOKEN>", async () => {
    expect(await withHeader(`Token ${tenant.operatorToken}`)).toBe("200");
    expect(await withHeader(`token ${tenant.operatorToken}`)).toBe("200");
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

describe("invalid credentials are 401 and never treated as anonymous", () => {
  it.each([
    ["a scheme alone", "Basic"],
    ["another scheme", "Bearer abc"],
    ["no base64", "Basic ###"],
    ["nonsense", basic("nonsense")],
    ["the prefix alone", basic("epk_")],
    ["two tokens", "Token a b"],
  ])("%s", async (_, header) => {
    const headers = { Authorization: header, "CF-Connecting-IP": crypto.randomUUID() };
    const published = await newArticle(tenant);
    expect(await outcome(`/api/articles/${published._id}`, { headers })).toBe("401 credentials_invalid");
    expect(await outcome(`/api/articles?blogId=${tenant.blogId}`, { headers })).toBe("401 credentials_invalid");
    expect(await outcome("/api/blogs", { headers })).toBe("401 credentials_invalid");
  });

  it("a key under the scheme of tokens, and a token under that of keys", async () => {
    expect(await withHeader(`Token ${tenant.apiKey}`)).toBe("401 credentials_invalid");
    expect(await withHeader(basic(tenant.operatorToken))).toBe("401 credentials_invalid");
    for (const header of [`Token ${tenant.apiKey}`, basic(tenant.operatorToken), `Bearer ${tenant.apiKey}`]) {
      const response = await send("/api/blogs", { headers: { Authorization: header } });
      expect(await response.json()).toMatchObject({ detail: expect.stringContaining("Basic base64(KEY)") });
    }
  });

  it("a well-formed secret that nobody was given", async () => {
    expect(await withHeader(basic((await newSecret("key")).secret))).toBe("401 credentials_invalid");
    expect(await withHeader(`Token ${(await newSecret("token")).secret}`)).toBe("401 credentials_invalid");
  });

  it("carries WWW-Authenticate, as missing ones do", async () => {
    for (const as of [{}, { apiKey: "nonsense" }]) {
      const response = await send("/api/blogs", { as });
      expect(response.status).toBe(401);
      expect(headerOf(response, "WWW-Authenticate")).toMatch(/Basic realm=/);
    }
  });

  it("a mistyped secret is refused from its checksum, before any storage is touched", async () => {
    const at = 10;
    const other = tenant.apiKey.charAt(at) === "x" ? "y" : "x";
    const mistyped = tenant.apiKey.slice(0, at) + other + tenant.apiKey.slice(at + 1);
    await env.DB.prepare("alter table credentials rename to credentials_gone").run();
    try {
      expect(await withHeader(basic(mistyped))).toBe("401 credentials_invalid");
      expect(await withHeader(basic(tenant.apiKey))).toMatch(/^50/);
    } finally {
      await env.DB.prepare("alter table credentials_gone rename to credentials").run();
    }
    expect(await withHeader(basic(tenant.apiKey))).toBe("200");
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

  it("a revoked key stops working at once, and so does one that has expired", async () => {
    const body = { name: "short", expirationTime: new Date(Date.now() + 3_600_000).toISOString() };
    const key = await sendJson<{ _id: string; secret: string }>(200, "/api/apikeys", { as: operator, body });
    expect(await withHeader(basic(key.secret))).toBe("200");
    const past = new Date(Date.now() - 1000).toISOString();
    await env.DB.prepare("update credentials set expiration_time = ? where id = ?").bind(past, key._id).run();
    expect(await withHeader(basic(key.secret))).toBe("401 credentials_invalid");
    const second = await sendJson<{ _id: string; secret: string }>(200, "/api/apikeys", {
      as: operator,
      body: { name: "x" },
    });
    await sendJson(200, `/api/apikeys/${second._id}`, { as: operator, method: "DELETE" });
    expect(await withHeader(basic(second.secret))).toBe("401 credentials_invalid");
  });
});

describe("each key carries a set of per-resource scopes: a request lacking the required one is 403", () => {
  const body = { blogId: "x", name: "x", email: "x" };
  const protectedBy: [Scope, string, string][] = [
    ["articles:read", "GET", "/api/articles?blogId=x"],
    ["articles:read", "GET", "/api/articles/x"],
    ["articles:write", "POST", "/api/articles"],
    ["articles:write", "DELETE", "/api/articles/x"],
    ["blogs:read", "GET", "/api/blogs"],
    ["blogs:write", "POST", "/api/blogs"],
    ["blogs:write", "PUT", "/api/blogs/x"],
    ["contacts:read", "GET", "/api/contacts?blogId=x"],
    ["contacts:write", "POST", "/api/contacts"],
  ];

  it.each(protectedBy)("%s: %s %s", async (scope, method, path) => {
    const all = {
      apiKey: await newKey(
        operator,
        SCOPES.filter((other) => other !== scope),
      ),
    };
    const alone = { apiKey: await newKey(operator, [scope]) };
    const asked = method === "POST" || method === "PUT" ? { method, body } : { method };
    expect(await outcome(path, { as: all, ...asked })).toBe("403 scope_missing");
    expect(await outcome(path, { as: alone, ...asked })).not.toContain("scope_missing");
  });

  it("the scope is asked for before anything else is said about the request", async () => {
    const as = { apiKey: await newKey(operator, []) };
    expect(await outcome("/api/articles", { as, body: "{" })).toBe("403 scope_missing");
    expect(await outcome("/api/articles", { as })).toBe("403 scope_missing");
  });
});

describe("who reaches what", () => {
  it("webhook subscription endpoints accept only an operator access token", async () => {
    const path = "/api/webhooksubscriptions";
    const body = { url: "https://example.com/hook" };
    expect(await outcome(path, { as: { apiKey: tenant.apiKey } })).toBe("403 operator_required");
    expect(await outcome(path, { as: { apiKey: tenant.apiKey }, body })).toBe("403 operator_required");
    expect(await outcome(path, { as: operator })).toBe("200");
    expect(await outcome(path, { as: operator, body })).toBe("200");
  });

  it("article reads (list and get) accept anonymous callers, who see only published articles", async () => {
    const own = await newTenant();
    const article = await newArticle(own);
    const draft = await newArticle(own, { published: false });
    expect(await sendJson(200, `/api/articles?blogId=${own.blogId}`)).toEqual([article]);
    expect(await sendJson(200, `/api/articles/${article._id}`)).toEqual(article);
    expect(await outcome(`/api/articles/${draft._id}`)).toBe("404 not_found");
  });

  it.each([
    ["GET", "/api/blogs"],
    ["POST", "/api/articles"],
    ["DELETE", "/api/articles/x"],
    ["POST", "/api/blogs"],
    ["PUT", "/api/blogs/x"],
    ["GET", "/api/contacts?blogId=x"],
    ["POST", "/api/contacts"],
    ["GET", "/api/webhooksubscriptions"],
    ["POST", "/api/webhooksubscriptions"],
    ["GET", "/api/apikeys"],
    ["POST", "/api/accesstokens"],
    ["GET", "/api/audit"],
  ])("nothing else does: %s %s is 401 without credentials", async (method, path) => {
    expect(await outcome(path, { method })).toBe("401 credentials_missing");
  });
});

describe("tenant isolation: an organization's key cannot read or change another organization's resources", () => {
  it("articles, blogs, contacts, subscriptions, credentials and audit", async () => {
    const [owner, other] = [await newTenant("Theirs"), await newTenant()];
    const draft = await newArticle(owner, { published: false });
    const theirs = { operatorToken: owner.operatorToken };
    const contact = { blogId: owner.blogId, email: "ada@example.com" };
    await sendJson(200, "/api/contacts", { as: theirs, body: contact });
    const [key] = await sendJson<{ _id: string }[]>(200, "/api/apikeys", { as: theirs });
    for (const as of [{ apiKey: other.apiKey }, { operatorToken: other.operatorToken }]) {
      expect(await sendJson(200, `/api/articles?blogId=${owner.blogId}`, { as })).toEqual([]);
      expect(await outcome(`/api/articles/${draft._id}`, { as })).toBe("404 not_found");
      expect(await outcome("/api/articles", { as, body: { _id: draft._id, title: "x" } })).toBe("404 not_found");
      expect(await outcome("/api/articles", { as, body: { blogId: owner.blogId } })).toBe("403 blog_forbidden");
      expect(await outcome(`/api/articles/${draft._id}`, { as, method: "DELETE" })).toBe("404 not_found");
      const put = { as, method: "PUT", body: { name: "x" } };
      expect(await outcome(`/api/blogs/${owner.blogId}`, put)).toBe("403 blog_forbidden");
      expect(await outcome(`/api/contacts?blogId=${owner.blogId}`, { as })).toBe("403 blog_forbidden");
      expect(await outcome("/api/contacts", { as, body: contact })).toBe("403 blog_forbidden");
    }
    const as = { operatorToken: other.operatorToken };
    expect(await outcome(`/api/apikeys/${key?._id}`, { as, method: "DELETE" })).toBe("404 not_found");
    const mine = JSON.stringify(await sendJson(200, "/api/audit", { as }));
    expect(mine).not.toContain(draft._id);
    expect(await sendJson(200, `/api/articles/${draft._id}`, { as: theirs })).toEqual(draft);
    expect(await sendJson(200, "/api/blogs", { as: theirs })).toMatchObject([{ name: "Theirs" }]);
  });
});
