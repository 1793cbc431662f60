/**
 * Contract 13.5 behind a cache that keeps a 200 without caching headers for two hours: every response says what caches
 * may do, and nothing that needs a credential or a cookie is ever kept.
 */
import { beforeAll, describe, expect, it } from "vitest";
import type { LoadedRoute } from "../../src/surfaces/rest/routes.ts";
import { signedIn, unescaped } from "../helpers/console.ts";
import { newFile } from "../helpers/media.ts";
import { everyRoute, newWorld, requestOf, validInput, type World } from "../helpers/operations.ts";
import { send, type Credential, type Send } from "../helpers/requests.ts";
import { EdgeCache } from "./edge-cache.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld("Quillfeather");
});

const reads = everyRoute.filter(({ route }) => route.method === "get");

const credentialFor = ({ operation }: LoadedRoute, { tenant: { apiKey, operatorToken } }: World): Credential =>
  operation.scope === "operator" ? { operatorToken } : { apiKey };

/** What an anonymous caller is told by the service itself. */
async function toStrangers(path: string): Promise<string> {
  const response = await send(path);
  return withoutId(`${response.status} ${await response.text()}`);
}

const withoutId = (text: string): string => text.replaceAll(/"requestId":"[^"]*"/g, "");

describe("what an operation answers to a credential", () => {
  it.each(reads)("is not kept for others: $title", async ({ route }) => {
    const edge = new EdgeCache();
    const { path } = requestOf(route, validInput(route, world));
    const as = credentialFor(route, world);
    const own = await edge.fetch(path, { as });
    expect(own.status).toBe(200);
    expect(own.headers.get("Cache-Control")).toBe("private, no-store");
    expect(edge.paths).toEqual([]);
    const anonymous = await edge.fetch(path);
    expect(withoutId(`${anonymous.status} ${anonymous.text}`)).toBe(await toStrangers(path));
    // Nor does its owner get what was kept for others.
    expect((await edge.fetch(path, { as })).from).toBe("BYPASS");
  });
});

describe("the console", () => {
  /** Every page that links lead to, with the cookies of a person. */
  async function pagesOf(edge: EdgeCache, cookie: string): Promise<string[]> {
    const found = new Set(["/console"]);
    // The page of mails is for local runs.
    const trashed = [world.trashedId, world.otherTrashedId].map((id) => `/console/articles/${id}`);
    const gone = new Set(["/console/mail", ...trashed]);
    // An article without unpublished changes has the link as well, which is hidden until there are some: it leads back.
    const leadsBack = `/console/articles/${world.sourced._id}/discard`;
    let seen = "";
    for (const path of found) {
      const { status, headers, text } = await edge.fetch(path, { headers: { Cookie: cookie } });
      // Some links lead out of the console, to where readers find an article; those of events, to articles that were deleted.
      const leadsOut = /\/articles\/[^/]+\/site$/.test(path);
      expect(status, path).toBe(gone.has(path) ? 404 : leadsOut ? 302 : path === leadsBack ? 303 : 200);
      expect(headers.get("Cache-Control"), path).toBe("private, no-store");
      const links = [...text.matchAll(/<a [^>]*href="(\/console[^"#?]*)/g)].map(([, href = ""]) => unescaped(href));
      for (const link of links) found.add(link);
      seen += text;
    }
    expect(seen).toContain("Quillfeather published");
    return [...found];
  }

  it("keeps none of its pages, and shows none to whoever asks next", async () => {
    const edge = new EdgeCache();
    const { browser } = await signedIn(world.tenant.organizationId);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const pages = await pagesOf(edge, cookie);
    expect(pages.length).toBeGreaterThan(15);
    expect(edge.paths).toEqual([]);
    for (const path of pages) {
      const next = await edge.fetch(path);
      expect(next.from, path).toBe("BYPASS");
      expect(next.headers.get("Cache-Control"), path).toBe("private, no-store");
      expect(next.text, path).not.toContain("Quillfeather");
    }
    expect(edge.paths).toEqual([]);
  });

  it("keeps no page of those who are not signed in, nor its refusals", async () => {
    const edge = new EdgeCache();
    const paths = [
      "sign-in",
      "sign-up",
      "forgot-password",
      "reset-password/x",
      "invitations/x",
      "mail",
      "none",
      "articles",
    ];
    for (const path of paths) {
      const { headers } = await edge.fetch(`/console/${path}`);
      expect(headers.get("Cache-Control"), path).toBe("private, no-store");
    }
    expect(edge.paths).toEqual([]);
  });
});

describe("everything else", () => {
  /** Asks as nobody, as a key, as an operator and with a cookie; returns what the cache has kept then. */
  async function keptOf(path: string, options: Send = {}): Promise<string[]> {
    const edge = new EdgeCache();
    const { apiKey, operatorToken } = world.tenant;
    const cookies = [{ headers: { Cookie: "edgepress.session_token=x" } }];
    for (const asked of [{ as: { apiKey } }, { as: { operatorToken } }, ...cookies, {}, { method: "HEAD" }]) {
      const { headers } = await edge.fetch(path, { ...options, ...asked });
      expect(headers.get("Cache-Control"), path).not.toBeNull();
    }
    return edge.paths;
  }

  it.each([
    "/",
    "/healthz",
    "/nowhere",
    "/robots.txt",
    "/favicon.ico",
    "/mcp",
    "/oauth",
    "/oauth/token",
    "/oauth/register",
    "/.well-known/oauth-authorization-server",
    "/.well-known/nothing",
    "/api/articles",
    "/api/articles/none",
    "/api/nothing",
    "/media/none",
    "/blogs/none",
  ])("is not kept: %s", async (path) => {
    expect(await keptOf(path)).toEqual([]);
  });

  it("is kept if it is the same for everybody: published articles, images, documents", async () => {
    const { article, draft, tenant } = world;
    const image = `/media/${await newFile(tenant.organizationId, article._id)}`;
    const list = `/api/articles?blogId=${tenant.blogId}`;
    for (const path of [`/api/articles/${article._id}`, list, image, "/openapi.json"]) {
      expect(await keptOf(path), path).toEqual([path]);
    }
    const production = { ENVIRONMENT: "production", BASE_URL: "https://press.example.com" } as object as Partial<Env>;
    const metadata = "/.well-known/oauth-protected-resource/mcp";
    expect(await keptOf(metadata, { bindings: production })).toEqual([metadata]);
    expect(await keptOf(`/api/articles/${draft._id}`)).toEqual([]);
  });

  it("is never what only its owner sees: drafts of a list, asked for before and after everybody", async () => {
    const { tenant, draft, article } = world;
    const path = `/api/articles?blogId=${tenant.blogId}&fields=_id`;
    const edge = new EdgeCache();
    for (const as of [{ apiKey: tenant.apiKey }, {}, { apiKey: tenant.apiKey }, {}]) {
      const { text } = await edge.fetch(path, { as });
      expect(text).toContain(article._id);
      expect(text.includes(draft._id)).toBe("apiKey" in as);
    }
  });
});
