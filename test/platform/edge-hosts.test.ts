/** Contract 2.1 behind a cache whose key has no host: what one host was answered is given to all others. */
import { beforeAll, describe, expect, it } from "vitest";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { newFile } from "../helpers/media.ts";
import { sendJson } from "../helpers/requests.ts";
import { EdgeCache, type Served } from "./edge-cache.ts";

const OWN = "https://press.example.com";
const OTHER = "https://evil.example";

let tenant: Tenant;
let paths: string[];
beforeAll(async () => {
  tenant = await newTenant("Hosted");
  const { _id, slug, blogId } = await newArticle(tenant, { slug: "first" });
  await newArticle(tenant, { slug: "second" });
  const file = await newFile(tenant.organizationId, _id);
  paths = [
    "/",
    "/openapi.json",
    "/healthz",
    "/robots.txt",
    "/sitemap.xml",
    "/nowhere",
    `/media/${file}`,
    "/media/none",
    `/api/articles?blogId=${blogId}`,
    `/api/articles?blogId=${blogId}&limit=1`,
    `/api/articles/${_id}`,
    `/api/articles/${slug}?blogId=${blogId}`,
    "/api/articles/none",
    "/api/articles",
    `/blogs/${blogId}`,
    "/blogs/none",
    "/api/blogs",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource/api",
    "/.well-known/openid-configuration",
    "/mcp",
    "/oauth/token",
    "/console",
    "/console/sign-in",
    "/console/sign-in?next=%2Fconsole%2Farticles",
    "/console/sign-up",
    "/console/forgot-password",
    "/console/authorize?client_id=edgepress-cli",
    "/console/nothing/at/all",
  ];
});

/** All that a client sees of an answer, without what differs by request. */
const shown = ({ status, headers, text }: Served): string => {
  const fields = [...headers].filter(([name]) => !["x-request-id", "set-cookie"].includes(name));
  return `${status} ${JSON.stringify(fields)} ${text}`.replaceAll(/"requestId":"[^"]*"/g, "");
};

describe.each([
  ["with BASE_URL", OWN],
  ["without BASE_URL", ""],
])("in a deployment %s", (_, baseUrl) => {
  const bindings = { ENVIRONMENT: "production", BASE_URL: baseUrl } as object as Partial<Env>;

  it("no answer that another host was given first names it, whatever is asked", async () => {
    const edge = new EdgeCache();
    for (const path of paths) {
      for (const method of ["GET", "HEAD"]) await edge.fetch(`${OTHER}${path}`, { bindings, method });
      const answer = await edge.fetch(`${OWN}${path}`, { bindings });
      expect(shown(answer), path).not.toContain("evil.example");
      const direct = await new EdgeCache().fetch(`${OWN}${path}`, { bindings });
      if (answer.from === "HIT") expect(shown(answer), path).toBe(shown(direct));
    }
    // Without stored responses, the test would show nothing.
    expect(edge.paths.length).toBeGreaterThanOrEqual(6);
  });

  it("headers that name a host reach nobody else", async () => {
    const edge = new EdgeCache();
    for (const header of ["X-Forwarded-Host", "X-Host", "Forwarded", "X-Original-URL", "Origin", "Referer"]) {
      for (const path of paths) await edge.fetch(path, { bindings, headers: { [header]: OTHER } });
    }
    for (const path of paths) expect(shown(await edge.fetch(path, { bindings })), path).not.toContain("evil.example");
  });
});

it("a site's own host is not answered what the service shows at the same path: another blog's site", async () => {
  const bindings = {
    ENVIRONMENT: "production",
    BASE_URL: OWN,
    SITE_DOMAIN: "blogs.example.com",
  } as object as Partial<Env>;
  const vanityId = `hosted-${tenant.blogId.slice(-8)}`;
  const as = { apiKey: tenant.apiKey };
  await sendJson(200, `/api/blogs/${tenant.blogId}`, { as, method: "PUT", body: { vanityId } });
  const edge = new EdgeCache();
  for (const path of [`/${vanityId}`, `/${vanityId}/archive`, `/${vanityId}/en/first`]) {
    await edge.fetch(`${OWN}${path}`, { bindings });
    expect(edge.paths).toContain(path);
    const answer = await edge.fetch(`https://another.blogs.example.com${path}`, { bindings });
    expect([answer.status, answer.from], path).toEqual([404, "BYPASS"]);
  }
});
