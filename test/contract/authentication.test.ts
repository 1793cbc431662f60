/** Contract 10.1, 10.2, 10.3, 10.4, 10.5 and 10.6: credentials and what they may do. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { outcome } from "../helpers/outcome.ts";
import { sendJson } from "../helpers/requests.ts";
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
