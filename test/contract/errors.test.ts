/** Contract 12.1, 12.2, 12.3 and 2.3: errors, and what is refused. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/domain/errors.ts";
import { newId } from "../../src/lib/ids.ts";
import { headerOf, outcome, problemOf, wrongFields } from "../helpers/outcome.ts";
import type { Problem } from "../helpers/refusals.ts";
import { subscribe } from "../helpers/webhooks.ts";
import { send, sendJson, type Send } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type Tenant } from "../helpers/tenant.ts";

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

describe("the table of conditions", () => {
  it("401: credentials missing or invalid (GET and POST /api/articles)", async () => {
    const as = { apiKey: "nonsense" };
    expect(await outcome(`/api/articles?blogId=${tenant.blogId}`, { as })).toBe("401 credentials_invalid");
    expect(await outcome("/api/articles", { as, body: {} })).toBe("401 credentials_invalid");
    expect(await outcome("/api/articles", { body: {} })).toBe("401 credentials_missing");
  });

  it("403: key lacks the required scope (articles, blogs endpoints)", async () => {
    const as = { apiKey: await newKey(operator, []) };
    expect(await outcome(`/api/articles?blogId=${tenant.blogId}`, { as })).toBe("403 scope_missing");
    expect(await outcome("/api/articles", { as, body: {} })).toBe("403 scope_missing");
    expect(await outcome("/api/blogs", { as })).toBe("403 scope_missing");
    const { detail } = await problemOf("/api/blogs", { as });
    expect(detail).toContain("blogs:read");
  });

  it("403: blog belongs to another organization (PUT /api/blogs/{blogId})", async () => {
    const other = await newTenant();
    const put = { as: tenant, method: "PUT", body: { name: "x" } };
    expect(await outcome(`/api/blogs/${other.blogId}`, put)).toBe("403 blog_forbidden");
  });

  it("404: article not found, owned by another organization, or a draft hidden from the caller", async () => {
    const [owner, other] = [await newTenant(), await newTenant()];
    const [open, draft] = [await newArticle(owner), await newArticle(owner, { published: false })];
    const remove = { as: other, method: "DELETE" };
    expect(await outcome(`/api/articles/${newId()}`)).toBe("404 not_found");
    expect(await outcome(`/api/articles/${draft._id}`)).toBe("404 not_found");
    expect(await outcome(`/api/articles/${draft._id}`, { as: other })).toBe("404 not_found");
    for (const id of [newId(), open._id, draft._id]) {
      expect(await outcome(`/api/articles/${id}`, remove)).toBe("404 not_found");
    }
  });

  it("an article of another organization answers 404 so that ids cannot be probed: as one that never was", async () => {
    const owner = await newTenant();
    const { _id } = await newArticle(owner, { published: false });
    const shape = async (id: string, options: Send) => {
      const { requestId: _, ...body } = await problemOf(`/api/articles/${id}`, options);
      return body;
    };
    for (const options of [{}, { as: tenant }, { as: tenant, method: "DELETE" }]) {
      expect(await shape(_id, options)).toEqual(await shape(newId(), options));
    }
    const update = (id: string) => problemOf("/api/articles", { as: tenant, body: { _id: id, title: "x" } });
    const [{ requestId: _, ...theirs }, { requestId: __, ...nobodys }] = [await update(_id), await update(newId())];
    expect(theirs).toEqual(nobodys);
  });
});

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
      "sources.0.kind: must be one of feed, hackernews, discourse, reddit, stackexchange, lobsters",
    ],
    [`/api/topics/${newId()}`, "PATCH", {}, "status: is required"],
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

  it("400 names each wrong field of a query, too", async () => {
    const named = await wrongFields("/api/articles?limit=x&skip=-1&published=perhaps&locale=_");
    expect(named.sort()).toEqual(["blogId", "limit", "locale", "published", "skip"]);
  });
});

describe("unknown members in a request body are refused with 400 naming them", () => {
  it.each([
    ["POST", "/api/articles", { titel: "typo", published: true }],
    ["POST", "/api/blogs", { name: "x", titel: 1 }],
    ["PUT", "/api/blogs/{blogId}", { titel: 1 }],
    ["POST", "/api/contacts", { email: "a@example.com", titel: 1 }],
    ["POST", "/api/webhooksubscriptions", { url: "https://example.com/", titel: 1 }],
    ["POST", "/api/apikeys", { name: "x", titel: 1 }],
    ["POST", "/api/accesstokens", { name: "x", titel: 1 }],
  ])("%s %s", async (method, path, body) => {
    const asked = { as: operator, method, body };
    expect(await wrongFields(path.replace("{blogId}", tenant.blogId), asked)).toEqual(["titel"]);
  });

  it("POST …/ping, which needs no body, with one that has members", async () => {
    const { _id } = await subscribe(tenant);
    const path = `/api/webhooksubscriptions/${_id}/ping`;
    expect(await outcome(path, { as: operator, body: { titel: 1 } })).toBe("400 invalid_request");
    expect(await outcome(path, { as: operator, body: {} })).toBe("202");
  });

  it("names that mean something to JavaScript are members like others", async () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const body = `{"title": "x", "${name}": {"published": true}}`;
      expect(await wrongFields("/api/articles", { as: tenant, body })).toEqual([name]);
    }
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
