/** Contract 2.6, 2.7: HEAD, OPTIONS, 405 with Allow, unknown routes, cross-origin reads. */
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { newFile } from "../helpers/media.ts";
import { newWorld } from "../helpers/operations.ts";
import { headerOf, outcome } from "../helpers/outcome.ts";
import { subscribe } from "../helpers/webhooks.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { spread } from "../helpers/sample.ts";
import { newArticle, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

/** The methods of each path, as Allow names them. */
const METHODS: Record<string, string[]> = {
  "/api/articles": ["GET", "HEAD", "POST"],
  "/api/articles/{articleId}": ["GET", "HEAD", "DELETE"],
  "/api/articles/{articleId}/edits": ["POST"],
  "/api/articles/generate": ["GET", "HEAD", "POST", "DELETE"],
  "/api/generations": ["GET", "HEAD", "POST"],
  "/api/generations/{generationId}": ["GET", "HEAD"],
  "/api/generations/{generationId}/resume": ["POST"],
  "/api/topics": ["GET", "HEAD"],
  "/api/topics/{topicId}": ["GET", "HEAD", "PATCH"],
  "/api/topics/refresh": ["GET", "HEAD", "PATCH", "POST"],
  "/api/topics/research": ["GET", "HEAD", "PATCH", "POST"],
  "/api/topics/refreshes/{refreshId}": ["GET", "HEAD"],
  "/api/search": ["GET", "HEAD"],
  "/api/trash": ["GET", "HEAD"],
  "/api/trash/{articleId}": ["DELETE"],
  "/api/trash/{articleId}/restore": ["POST"],
  "/media/{mediaId}": ["GET", "HEAD"],
  "/api/blogs": ["GET", "HEAD", "POST"],
  "/api/blogs/{blogId}": ["GET", "HEAD", "PUT", "DELETE"],
  "/api/deletedblogs": ["GET", "HEAD"],
  "/api/deletedblogs/{blogId}": ["DELETE"],
  "/api/blogs/{blogId}/restore": ["POST"],
  "/api/blogs/{blogId}/locales": ["GET", "HEAD"],
  "/blogs": ["GET", "HEAD"],
  "/blogs/{blogId}": ["GET", "HEAD"],
  "/api/contacts": ["GET", "HEAD", "POST"],
  "/api/webhooksubscriptions": ["GET", "HEAD", "POST"],
  "/api/webhooksubscriptions/{id}": ["GET", "HEAD", "PUT", "DELETE"],
  "/api/webhooksubscriptions/{id}/deliveries": ["GET", "HEAD"],
  "/api/webhooksubscriptions/{id}/ping": ["POST"],
  "/api/deliveries/hours": ["GET", "HEAD"],
  "/api/apikeys": ["GET", "HEAD", "POST"],
  "/api/apikeys/{id}": ["PUT", "DELETE"],
  "/api/accesstokens": ["GET", "HEAD", "POST"],
  "/api/accesstokens/{id}": ["DELETE"],
  "/api/me": ["GET", "HEAD"],
  "/api/audit": ["GET", "HEAD"],
  "/openapi.json": ["GET", "HEAD"],
  "/healthz": ["GET", "HEAD"],
  "/{vanityId}": ["GET", "HEAD"],
  "/{vanityId}/archive": ["GET", "HEAD"],
};

const PATHS = Object.entries(METHODS).map(([path, methods]) => [path, methods] as const);
const ORIGIN = { Origin: "https://reader.example" };

let tenant: Tenant;
let article: ArticleBody;
let ids: Record<string, string> = {};

beforeAll(async () => {
  const world = await newWorld();
  ({ tenant, article } = world);
  // The path of a generation names an article, too.
  await newArticle(tenant, { slug: "generate" });
  ids = {
    topicId: world.topicId,
    generationId: world.generationId,
    refreshId: world.refreshId,
    mediaId: await newFile(tenant.organizationId, article._id),
    id: (await subscribe(tenant))._id,
    vanityId: (await sendJson<{ vanityId: string }>(200, `/api/blogs/${tenant.blogId}`, { as: tenant })).vanityId,
  };
});

/** A path with identifiers in place of its names. */
const concrete = (path: string): string =>
  path
    .replace("{articleId}", article._id)
    .replace("{blogId}", tenant.blogId)
    .replace(/{(\w+)}/, (_, name: string) => ids[name] ?? "");

/** Paths of pages for readers; those with tokens are refused. */
const readerPages = () => [
  `/blogs/${tenant.blogId}/subscribe`,
  `/blogs/${tenant.blogId}/subscribe/epc_none`,
  `/blogs/${tenant.blogId}/unsubscribe/none`,
  "/previews/none",
];

const listOf = (header: string): string[] =>
  header
    .split(",")
    .map((item) => item.trim())
    .sort();

describe("OPTIONS", () => {
  it.each(spread(PATHS, 5))("%s: 204 with Allow, without credentials", async (path, methods) => {
    const response = await send(concrete(path), { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expect(listOf(headerOf(response, "Allow"))).toEqual([...methods, "OPTIONS"].sort());
  });

  it("of an unknown path is 404", async () => {
    expect(await outcome("/nowhere", { method: "OPTIONS" })).toBe("404 route_not_found");
  });

  it("of a path with another character in place of a dot is 404, as every other method", async () => {
    for (const path of ["/openapiXjson", `/blogs/${newId()}/feedXxml`]) {
      for (const method of ["OPTIONS", "POST"]) expect(await outcome(path, { method })).toBe("404 route_not_found");
      expect((await send(path)).status).toBe(404);
    }
  });
});

describe("405 with Allow", () => {
  const WRITES = ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"];

  it.each(spread(PATHS, 5))("%s: every other method", async (path, methods) => {
    const others = [...WRITES, ...(methods.includes("GET") ? [] : ["GET"])].filter((name) => !methods.includes(name));
    for (const method of others) {
      const response = await send(concrete(path), { method, as: { operatorToken: tenant.operatorToken } });
      expect({ method, status: response.status }).toEqual({ method, status: 405 });
      expect(await response.json()).toMatchObject({ code: "method_not_allowed", status: 405 });
      expect(listOf(headerOf(response, "Allow"))).toEqual([...methods, "OPTIONS"].sort());
    }
  });

  it.each(["subscribe", "subscribe/epc_none", "unsubscribe/none"])("pages for readers: %s", async (page) => {
    const path = `/blogs/${tenant.blogId}/${page}`;
    for (const [method, status] of [
      ["OPTIONS", 204],
      ["PUT", 405],
      ["DELETE", 405],
    ] as const) {
      const response = await send(path, { method });
      expect([response.status, headerOf(response, "Allow")]).toEqual([status, "GET, HEAD, POST, OPTIONS"]);
    }
  });

  it("changes nothing", async () => {
    for (const method of ["PUT", "PATCH"]) {
      await send(`/api/articles/${article._id}`, { as: tenant, method, body: { title: "Changed" } });
    }
    expect(await sendJson(200, `/api/articles/${article._id}`)).toEqual(article);
  });
});

describe("GET routes also answer HEAD: as GET does, without a body", () => {
  // These paths are that of an idea, too, but no idea has that name.
  const ideas: ReadonlySet<string> = new Set(["/api/topics/refresh", "/api/topics/research"]);
  const read = PATHS.filter(([path, methods]) => methods.includes("HEAD") && !ideas.has(path));
  it.each(spread(read, 5))("%s", async (path) => {
    const as = { operatorToken: tenant.operatorToken };
    const query = ["/api/articles", "/api/contacts", "/api/topics", "/blogs"].includes(path)
      ? `?blogId=${tenant.blogId}`
      : path === "/api/search"
        ? "?query=world"
        : "";
    const [get, head] = [
      await send(concrete(path) + query, { as }),
      await send(concrete(path) + query, { as, method: "HEAD" }),
    ];
    expect(get.status).toBe(200);
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const name of ["Content-Type", "ETag", "Cache-Control", "Link"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(headerOf(head, "X-Request-Id")).not.toBe("");
  });

  it("refusals, too", async () => {
    const head = async (path: string) => {
      const response = await send(path, { method: "HEAD" });
      return [response.status, await response.text()];
    };
    expect(await head("/api/blogs")).toEqual([401, ""]);
    expect(await head(`/api/articles/${newId()}`)).toEqual([404, ""]);
    expect(await head("/nowhere")).toEqual([404, ""]);
    expect(await head(`/api/apikeys/${newId()}`)).toEqual([405, ""]);
  });
});

describe("cross-origin reads are allowed from any origin", () => {
  it("successes and refusals, with ETag, Link, Content-Location, X-Request-Id and Retry-After exposed", async () => {
    const reads: [string, object][] = [
      [`/api/articles?blogId=${tenant.blogId}`, {}],
      [`/api/articles/${article._id}`, {}],
      [`/api/articles/${article._id}`, { as: tenant }],
      [`/blogs/${tenant.blogId}`, {}],
      ["/api/blogs", {}],
      ["/api/articles/none", {}],
      ["/nowhere", {}],
      ["/openapi.json", {}],
      [`/media/${ids["mediaId"]}`, {}],
      [`/${ids["vanityId"]}`, {}],
      ...readerPages().map((path): [string, object] => [path, {}]),
    ];
    for (const [path, options] of reads) {
      for (const method of ["GET", "HEAD"]) {
        const { headers } = await send(path, { ...options, method, headers: ORIGIN });
        expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
        const exposed = listOf(headers.get("Access-Control-Expose-Headers") ?? "");
        const readable = ["ETag", "Link", "Content-Location", "X-Request-Id", "Retry-After"];
        expect(exposed).toEqual(expect.arrayContaining(readable));
        expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
      }
    }
  });

  it("a 304, too", async () => {
    const etag = headerOf(await send(`/api/articles/${article._id}`), "ETag");
    const response = await send(`/api/articles/${article._id}`, { headers: { ...ORIGIN, "If-None-Match": etag } });
    expect([response.status, response.headers.get("Access-Control-Allow-Origin")]).toEqual([304, "*"]);
  });

  it("a preflight allows GET with credentials and conditions", async () => {
    for (const path of [`/api/articles/${article._id}`, `/media/${ids["mediaId"]}`, ...readerPages()]) {
      const asked = { "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization" };
      const response = await send(path, { method: "OPTIONS", headers: { ...ORIGIN, ...asked } });
      expect(response.status).toBe(204);
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
      const methods = listOf(headerOf(response, "Access-Control-Allow-Methods"));
      expect(methods).toEqual(path.endsWith("/subscribe") ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"]);
      const allowed = listOf(headerOf(response, "Access-Control-Allow-Headers").toLowerCase());
      expect(allowed).toEqual(expect.arrayContaining(["authorization", "if-none-match"]));
    }
  });

  it("writes are not: neither a preflight nor an answer lets a page in", async () => {
    for (const path of ["/api/articles", "/api/blogs"]) {
      const headers = { ...ORIGIN, "Access-Control-Request-Method": "POST" };
      const preflight = await send(path, { method: "OPTIONS", headers });
      expect(listOf(headerOf(preflight, "Access-Control-Allow-Methods"))).not.toContain("POST");
    }
    const only = await send(`/api/apikeys/${newId()}`, {
      method: "OPTIONS",
      headers: { ...ORIGIN, "Access-Control-Request-Method": "DELETE" },
    });
    expect(only.headers.get("Access-Control-Allow-Origin")).toBeNull();
    const write = await send("/api/articles", { as: tenant, body: {}, headers: ORIGIN });
    expect([write.status, write.headers.get("Access-Control-Allow-Origin")]).toEqual([200, null]);
  });
});
