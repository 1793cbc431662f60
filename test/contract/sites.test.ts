/** Contract 3.6 and 20.1: how readers find a blog. */
import { describe, expect, it } from "vitest";
import { isVanityId } from "../../src/domain/vanity.ts";
import { env } from "cloudflare:workers";
import { routes } from "../../src/surfaces/rest/routes.ts";
import { outcome } from "../helpers/outcome.ts";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

type Site = Record<string, unknown>;
type Feed = { home_page_url: string; items: { url: string }[] };

const pathOf = ({ blogId }: Tenant): string => `/api/blogs/${blogId}/site`;

const changed = (tenant: Tenant, body: object): Promise<Site> =>
  sendJson<Site>(200, pathOf(tenant), { as: { apiKey: tenant.apiKey }, method: "PUT", body });

describe("the site of a blog", () => {
  it("has its defaults before anybody has changed it", async () => {
    const tenant = await newTenant();
    const as = { apiKey: tenant.apiKey };
    const { vanityId } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${tenant.blogId}`, { as });
    expect(await sendJson(200, pathOf(tenant), { as })).toEqual({
      blogId: tenant.blogId,
      url: `${ORIGIN}/${vanityId}`,
      enabled: true,
      description: "",
      siteUrl: "",
      articlePath: "/{locale}/{slug}",
      feedContent: "full",
      accentColor: "",
      font: "serif",
      logoUrl: "",
      menu: [],
      newsletter: "",
      lastEditTime: null,
    });
  });

  it("changes only what is sent, and leaves the blog as it is", async () => {
    const tenant = await newTenant();
    const as = { apiKey: tenant.apiKey };
    const blog = await send(`/api/blogs/${tenant.blogId}`, { as });
    await changed(tenant, { siteUrl: "https://Notes.example.com/blog/", accentColor: "#0F766E" });
    const site = await changed(tenant, { font: "sans", menu: [{ label: "About", url: "/en/about" }], enabled: false });
    expect(site).toMatchObject({
      url: "https://notes.example.com/blog",
      siteUrl: "https://notes.example.com/blog",
      accentColor: "#0f766e",
      font: "sans",
      menu: [{ label: "About", url: "/en/about" }],
      enabled: false,
    });
    expect(await sendJson(200, pathOf(tenant), { as })).toEqual(site);
    const after = await send(`/api/blogs/${tenant.blogId}`, { as });
    expect(after.headers.get("ETag")).toBe(blog.headers.get("ETag"));
    expect(await after.json()).toEqual(await blog.json());
  });

  it("is nowhere if it is off: then addresses are those of what the service still shows, and none is a 404", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { title: "Überall", slug: "überall", content: "From the edge." });
    const { url } = await changed(tenant, { enabled: false });
    expect(url).toBe(`${ORIGIN}/blogs/${tenant.blogId}/llms.txt`);
    const article = await sendJson<{ url: string }>(200, `/api/articles/${_id}?fields=url`);
    expect(article.url).toBe(`${ORIGIN}/blogs/${tenant.blogId}/articles/%C3%BCberall.md?locale=en`);
    const feed = await sendJson<Feed>(200, `/blogs/${tenant.blogId}/feed.json`);
    expect([feed.home_page_url, feed.items[0]?.url]).toEqual([url, article.url]);
    const map = await (await send(`/blogs/${tenant.blogId}/sitemap.xml`)).text();
    expect([...map.matchAll(/<loc>([^<]*)/g)].map(([, found]) => found)).toEqual([url, article.url]);
    expect(await (await send(String(url))).text()).toContain(`(${article.url}`);
    expect(await (await send(article.url)).text()).toContain("From the edge.");
    const elsewhere = { siteUrl: "https://notes.example.com" };
    expect(await changed(tenant, elsewhere)).toMatchObject({ ...elsewhere, url: elsewhere.siteUrl, enabled: false });
    const after = await sendJson<{ url: string }>(200, `/api/articles/${_id}?fields=url`);
    expect(after.url).toBe("https://notes.example.com/en/%C3%BCberall");
  });

  it("can be sent back as it was read, under its ETag", async () => {
    const tenant = await newTenant();
    const as = { apiKey: tenant.apiKey };
    for (const description of ["first", "second"]) {
      const read = await send(pathOf(tenant), { as });
      const body = { ...(await read.json<Site>()), description };
      const headers = { "If-Match": read.headers.get("ETag") ?? "" };
      expect(await outcome(pathOf(tenant), { as, method: "PUT", body, headers })).toBe("200");
      expect(await outcome(pathOf(tenant), { as, method: "PUT", body, headers })).toBe("412 precondition_failed");
    }
    const { url } = await sendJson<{ url: string }>(200, pathOf(tenant), { as });
    const body = { url: `${url}/elsewhere` };
    expect(await outcome(pathOf(tenant), { as, method: "PUT", body })).toBe("400 immutable_field");
  });

  it.each([
    { siteUrl: "ftp://example.com" },
    { siteUrl: "https://user@example.com" },
    { siteUrl: "https://example.com/?a" },
    { siteUrl: "https://example.com/#" },
    { siteUrl: "javascript:alert(1)" },
    { articlePath: "/{locale}" },
    { articlePath: "{slug}" },
    { articlePath: "/{slug}/{slug}" },
    { articlePath: "/{slug}?x={locale}" },
    { articlePath: "//evil.example/{slug}" },
    { articlePath: "/../{slug}" },
    { articlePath: "/{id}/{slug}" },
    { articlePath: "/100%/{slug}" },
    { articlePath: "/%ff/{slug}" },
    { accentColor: "red" },
    { accentColor: "#fff;}" },
    { font: "comic" },
    { feedContent: "none" },
    { menu: [{ label: "A", url: "javascript:alert(1)" }] },
    { menu: [{ label: "A", url: "//evil.example" }] },
    { menu: [{ label: "A", url: "/\\evil.example" }] },
    { menu: [{ label: "", url: "/" }] },
    { logoUrl: "/logo.png" },
    { newsletter: "two\nlines" },
    { newsletter: "x".repeat(201) },
  ])("refuses %j", async (body) => {
    const tenant = await newTenant();
    expect(await outcome(pathOf(tenant), { as: { apiKey: tenant.apiKey }, method: "PUT", body })).toBe(
      "400 invalid_request",
    );
  });

  it("asks the edge to forget what it keeps of the blog", async () => {
    const tenant = await newTenant();
    await changed(tenant, { description: "New" });
    const found = await env.DB.prepare("select tag from purges where organization_id = ?")
      .bind(tenant.organizationId)
      .all<{ tag: string }>();
    expect(found.results).toEqual([{ tag: `blog-${tenant.blogId}` }]);
  });
});

describe("vanityIds", () => {
  const SURFACES = ["console", "previews", "mcp", "oauth", "docs", "media", "healthz", "blogs", "api"];
  it("none is the beginning of a path of the service", () => {
    const first = routes.map(({ path }) => path.split("/")[1] ?? "");
    expect([...new Set([...first, ...SURFACES])].filter(isVanityId)).toEqual([]);
  });

  it("a blog keeps one that was reserved later, and may send it back", async () => {
    const tenant = await newTenant();
    const as = { apiKey: tenant.apiKey };
    const path = `/api/blogs/${tenant.blogId}`;
    expect(await outcome(path, { as, method: "PUT", body: { vanityId: "previews" } })).toBe("400 invalid_request");
    await env.DB.prepare("update blogs set vanity_id = 'previews' where id = ?").bind(tenant.blogId).run();
    const blog = await sendJson(200, path, { as });
    expect(await sendJson(200, path, { as, method: "PUT", body: { ...blog, name: "Renamed" } })).toMatchObject({
      vanityId: "previews",
      name: "Renamed",
    });
  });
});
