/** Contract 12.1, 12.2, 12.3 and 2.3: errors, and what is refused. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/domain/errors.ts";
import { newId } from "../../src/lib/ids.ts";
import { headerOf, outcome, problemOf } from "../helpers/outcome.ts";
import type { Problem } from "../helpers/refusals.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let operator: { operatorToken: string };

beforeAll(async () => {
  tenant = await newTenant();
  operator = { operatorToken: tenant.operatorToken };
});

/** Runs work while a statement's effect lasts. */
async function while_(change: string, undo: string, work: () => Promise<void>): Promise<void> {
  await env.DB.prepare(change).run();
  try {
    await work();
  } finally {
    await env.DB.prepare(undo).run();
  }
}

describe("the error body", () => {
  it("has RFC 9457's members, the code and the request's id; errors where fields are wrong", async () => {
    const response = await send("/api/articles", { as: tenant, body: { title: 1 } });
    expect(response.status).toBe(400);
    const body = await response.json<Problem>();
    expect(Object.keys(body)).toEqual(["type", "title", "status", "code", "detail", "requestId", "errors"]);
    expect(body).toMatchObject({
      title: ERRORS.invalid_request.title,
      status: 400,
      code: "invalid_request",
      requestId: headerOf(response, "X-Request-Id"),
      errors: [{ path: "title", message: expect.any(String) }],
    });
    expect(Object.keys(await problemOf("/api/blogs"))).not.toContain("errors");
  });

  it.each([
    ["/api/topics/research", "POST", { sources: [{}] }, "sources.0.kind: is required"],
    [
      "/api/topics/research",
      "POST",
      { sources: [{ kind: "rss" }] },
      "sources.0.kind: must be one of feed, hackernews, discourse, reddit, stackexchange, lobsters, lemmy",
    ],
    [`/api/topics/${newId()}`, "PATCH", {}, "status: is required"],
    ["/api/blogs?limt=2", "GET", undefined, 'limt: is not a known query parameter: did you mean "limit"?'],
    ["/api/blogs?limit=2&=1", "GET", undefined, "=: is not a known query parameter"],
    ["/api/articles?updatedSince=2026-11-01", "GET", undefined, "updatedSince: is not a known query parameter"],
    ["/api/articles?title=x", "POST", {}, "title: belongs in the body"],
    ["/api/blogs", "POST", { name: "x", vanityID: "x" }, 'vanityID: is not a known field: did you mean "vanityId"?'],
    ["/api/articles/a-slug", "DELETE", undefined, "There is no such article. Use its `_id`, not its slug."],
    ["/api/articles", "POST", { _id: "a-slug" }, "There is no such article. Use its `_id`, not its slug."],
  ])("says what to do: %s %s %j", async (path, method, body, detail) => {
    expect(await problemOf(path, { as: tenant, method, ...(body && { body }) })).toMatchObject({ detail });
  });

  // That the page has a place for each code: test/docs/reference.test.ts. It is a file, which the Worker does not serve here.
  it("type is a URL on the service's own docs that explains the code", async () => {
    const { type, code } = await problemOf("/api/blogs");
    expect(type).toBe(`https://edgepress.test/docs/errors#${code}`);
  });

  it("contract 2.8: every response carries X-Request-Id, each its own", async () => {
    const paths = ["/api/blogs", `/api/articles?blogId=${tenant.blogId}`, "/nowhere", "/openapi.json", "/healthz"];
    const asked = [...paths.map((path) => send(path)), send("/api/blogs", { method: "OPTIONS" })];
    const ids = (await Promise.all(asked)).map((response) => headerOf(response, "X-Request-Id"));
    expect(new Set(ids).size).toBe(paths.length + 1);
  });
});

describe("each status", () => {
  const cases: [ErrorCode, string, () => Send][] = [
    ["invalid_request", "/api/articles", () => ({ as: tenant, body: { title: 1 } })],
    ["invalid_json", "/api/articles", () => ({ as: tenant, body: "{" })],
    ["invalid_cursor", "/api/articles?blogId=x&cursor=x", () => ({})],
    ["target_not_allowed", "/api/webhooksubscriptions", () => ({ as: operator, body: { url: "ftp://example.com" } })],
    ["credentials_missing", "/api/blogs", () => ({})],
    ["credentials_invalid", "/api/blogs", () => ({ as: { apiKey: "x" } })],
    ["operator_required", "/api/audit", () => ({ as: tenant })],
    ["blog_forbidden", "/api/contacts?blogId=x", () => ({ as: tenant })],
    ["not_found", "/blogs/unknown", () => ({})],
    ["route_not_found", "/api/unknown", () => ({})],
    ["method_not_allowed", "/api/blogs", () => ({ method: "DELETE" })],
    ["precondition_failed", "/api/articles", () => ({ as: tenant, body: {}, headers: { "If-Match": '"x"' } })],
    ["unsupported_media_type", "/api/articles", () => ({ as: tenant, method: "POST" })],
    ["body_too_large", "/api/articles", () => ({ as: tenant, body: { content: "x".repeat(2 * 1024 * 1024) } })],
  ];

  it.each(cases)("of %s is that of the table: %s", async (code, path, options) => {
    expect(await outcome(path, options())).toBe(`${ERRORS[code].status} ${code}`);
  });

  it("409: a slug that is taken in its blog and locale, a vanityId that is taken", async () => {
    const article = await newArticle(tenant);
    const body = { blogId: tenant.blogId, slug: article.slug };
    expect(await outcome("/api/articles", { as: tenant, body })).toBe("409 slug_taken");
    const [blog] = await sendJson<{ vanityId: string }[]>(200, "/api/blogs", { as: tenant });
    const again = { name: "x", vanityId: blog?.vanityId };
    expect(await outcome("/api/blogs", { as: tenant, body: again })).toBe("409 vanity_id_taken");
  });
});

describe("when the service itself fails", () => {
  it("a 500 never shows an internal message", async () => {
    await while_(
      "alter table articles rename column title to title_gone",
      "alter table articles rename column title_gone to title",
      async () => {
        for (const options of [{}, { as: tenant }]) {
          const response = await send(`/api/articles?blogId=${tenant.blogId}`, options);
          const text = await response.text();
          expect(response.status).toBe(500);
          expect(JSON.parse(text)).toMatchObject({ code: "internal", status: 500 });
          expect(text).not.toMatch(/column|SQL|D1|title_gone/);
        }
      },
    );
    expect(await outcome(`/api/articles?blogId=${tenant.blogId}`)).toBe("200");
  });

  it("503 with a remedy in detail where the database has no schema", async () => {
    await while_(
      "alter table articles rename to articles_gone",
      "alter table articles_gone rename to articles",
      async () => {
        const problem = await problemOf(`/api/articles?blogId=${tenant.blogId}`);
        expect(problem).toMatchObject({ status: 503, code: "not_ready", detail: expect.stringContaining("npm run") });
      },
    );
    await while_(
      "alter table d1_migrations rename to migrations_gone",
      "alter table migrations_gone rename to d1_migrations",
      async () => expect(await outcome("/healthz")).toBe("503 not_ready"),
    );
    expect(await outcome("/healthz")).toBe("200");
  });
});
