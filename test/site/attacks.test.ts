/** Contract 21.5 and 21.6: what hostile writers, menus and requests get from a site, and which host shows what. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { getContrast, PAPER, makeShades } from "../../src/domain/accent.ts";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import worker from "../../src/worker.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

const BASE = "https://press.example.com";

let tenant: Tenant;
let other: Tenant;
let vanityId: string;

const settings = (body: object) =>
  sendJson(200, `/api/blogs/${tenant.blogId}/site`, { as: { apiKey: tenant.apiKey }, method: "PUT", body });
const write = (of: Tenant, fields: object) => newArticle(of, fields as Partial<ArticleBody>);
const page = async (path: string): Promise<string> => (await send(`/${vanityId}${path}`)).text();

/** Asks a deployment that has an address of its own and a domain for its sites. */
async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const context = createExecutionContext();
  const bindings = { ...env, BASE_URL: BASE, SITE_DOMAIN: "blogs.example.com" };
  const response = await worker.fetch(new Request(url, { redirect: "manual", ...init }), bindings, context);
  await waitOnExecutionContext(context);
  return response;
}

beforeAll(async () => {
  [tenant, other] = [await newTenant("Harbour"), await newTenant("Mountain")];
  vanityId = `harbour-${tenant.blogId.slice(-8)}`;
  await sendJson(200, `/api/blogs/${tenant.blogId}`, {
    as: { apiKey: tenant.apiKey },
    method: "PUT",
    body: { vanityId },
  });
  await write(tenant, { title: "Public", slug: "public", content: "Open to everybody", tags: ["Seen"] });
  await write(tenant, {
    title: "Secretdraft",
    slug: "secret",
    content: "Secretword",
    tags: ["Unseen"],
    published: false,
  });
  await write(other, { title: "Foreigntitle", slug: "foreign", content: "Secretword" });
});

describe("tenancy", () => {
  it("shows no draft, no working copy and nothing of another organization, on any page", async () => {
    const as = { apiKey: tenant.apiKey };
    const { _id } = await write(tenant, { title: "Copied", slug: "copied", content: "Old" });
    const copy = { title: "Newcopy", content: "Copyword" };
    await sendJson(200, `/api/articles/${_id}/draft`, { as, method: "PUT", body: copy });
    const paths = ["", "/en/copied", "/en/secret", "/en/foreign", "/tags/unseen", "/tags/seen", "/archive", "/nothing"];
    const searches = ["Secretword", "Copyword", "Foreigntitle", "Secretdraft"].map((word) => `/search?q=${word}`);
    for (const path of [...paths, ...searches]) {
      const text = (await page(path)).replaceAll(/value="[^"]*"|“[^”]*”/g, "");
      expect(text, path).not.toMatch(/Secretdraft|Secretword|Newcopy|Copyword|Foreigntitle/);
    }
    expect((await send(`/${vanityId}/en/secret`)).status).toBe(404);
    expect((await send(`/${vanityId}/tags/unseen`)).status).toBe(404);
  });
});

describe("hostile content", () => {
  it("stays text, whatever field it is in", async () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)> ]]> </style></title> javascript:alert(1)`;
    const tag = await sendJson<{ slug: string }>(200, "/api/tags", {
      as: { apiKey: tenant.apiKey },
      body: { blogId: tenant.blogId, name: "<script>x</script>", slug: "bad" },
    });
    await write(tenant, {
      title: hostile,
      description: hostile,
      slug: "hostile",
      content: `[link](javascript:alert(1)) ${hostile}\n\n![x](javascript:alert(1))\n\n# ${hostile}`,
      tags: [tag.slug],
      authors: ["<b onclick=alert(1)>"],
      seo: { title: hostile, description: hostile, image: `https://img.example/"><script>`.replaceAll(/[<>"]/g, "") },
    });
    await settings({
      description: hostile.slice(0, 150),
      menu: [{ label: "<script>", url: "https://e.example/?a=\"'<>" }],
    });
    for (const path of ["", "/en/hostile", "/archive", `/tags/${tag.slug}`, "/search?q=script", "/nothing"]) {
      const text = await page(path);
      const scripts = text.match(/<script[^>]*>/g) ?? [];
      expect(
        scripts.every((each) => each === '<script type="application/ld+json">'),
        path,
      ).toBe(true);
      expect(text.match(/<style>/g), path).toHaveLength(1);
      expect(text).not.toMatch(/<[a-z]+[^>"]* on[a-z]+=|href="javascript:|src="javascript:/i);
    }
    await settings({ description: "", menu: [] });
  });

  it("menus, colours and addresses that could lead elsewhere are refused when they are set", async () => {
    const refused = [
      { menu: [{ label: "x", url: "//evil.example" }] },
      { menu: [{ label: "x", url: "/\\evil.example" }] },
      { menu: [{ label: "x", url: "javascript:alert(1)" }] },
      { menu: [{ label: "x", url: "data:text/html,x" }] },
      { accentColor: "red;}body{display:none" },
      { accentColor: "#12345" },
      { siteUrl: "javascript:alert(1)" },
      { logoUrl: "data:image/svg+xml,<svg/>" },
      { articlePath: "//evil.example/{slug}" },
    ];
    for (const body of refused) {
      const as = { apiKey: tenant.apiKey };
      const response = await send(`/api/blogs/${tenant.blogId}/site`, { as, method: "PUT", body });
      expect(response.status, JSON.stringify(body)).toBe(400);
    }
  });

  it("a search of 150 words looks for twelve of them, also where they are one phrase", async () => {
    const words = "one two three four five six seven eight nine ten eleven twelve";
    await write(tenant, { title: "Counted", slug: "counted", content: `${words} and no more` });
    expect(await page(`/search?q=${encodeURIComponent(`"${words} ${"x ".repeat(100)}"`)}`)).toContain("Counted</a>");
    expect(await page(`/search?q=${encodeURIComponent(`"one three ${"x ".repeat(100)}"`)}`)).not.toContain(
      "Counted</a>",
    );
  });

  it("every accent is readable in both schemes", () => {
    for (const accent of ["", "#ffffff", "#000000", "#ffff00", "#0000ff", "#808080", "#00ff7f", "nonsense"]) {
      const { light, dark } = makeShades(accent);
      expect(getContrast(light, PAPER.light), accent).toBeGreaterThanOrEqual(4.5);
      expect(getContrast(dark, PAPER.dark), accent).toBeGreaterThanOrEqual(4.5);
    }
    expect(makeShades("#0b5cad").light).toBe("#0b5cad");
  });

  it("paths that mean nothing are 404, and never lead to another host", async () => {
    const paths = [
      "//evil.example",
      "/%2F%2Fevil.example",
      "/en/%2F%2Fevil.example",
      "/en/..%2F..%2Fconsole",
      "/%ff",
      "/en/%00",
    ];
    for (const path of [...paths, `/en/${"a".repeat(5000)}`, "/xx-not-a-tag-at-all-ever/slug"]) {
      const response = await send(`/${vanityId}${path}`);
      expect(response.status, path).toBe(404);
      // Also where a path cannot be decoded.
      expect(await response.text(), path).toContain("Public");
      expect(response.headers.get("Location")).toBeNull();
    }
    for (const path of ["//evil.example/public", "/https:/evil.example/Public", "/\\evil.example/public.html"]) {
      expect((await send(`/${vanityId}${path}`)).headers.get("Location"), path).toBe(`/${vanityId}/en/public`);
    }
    for (const query of ["before=x", "before=2026-01-01T00:00:00.000Z_x", "after='--", "locale=<script>"]) {
      expect((await send(`/${vanityId}?${query}`)).status, query).toBe(200);
    }
  });
});

describe("hosts", () => {
  it("below the domain of sites show one blog, and neither the API nor the console", async () => {
    const host = `https://${vanityId}.blogs.example.com`;
    const front = await ask(`${host}/`);
    expect(front.status).toBe(200);
    // The key of the edge's cache has no host: what is at "/" here is another page elsewhere.
    expect(front.headers.get("Cloudflare-CDN-Cache-Control")).toBe("no-store");
    expect(front.headers.get("Cache-Control")).toMatch(/^private/);
    const text = await front.text();
    expect(text).toContain('href="/en/public"');
    expect(text).toContain(`<link rel="canonical" href="${BASE}/${vanityId}"/>`);
    expect((await ask(`${host}/en/public`)).status).toBe(200);
    for (const path of ["/api/articles", "/console", "/healthz", "/openapi.json", `/${vanityId}`, "/oauth/token"]) {
      expect((await ask(`${host}${path}`)).status, path).toBe(404);
    }
    expect((await ask(`${host}/`, { method: "POST" })).status).toBe(405);
    // "/search" would also forbid an article at "/search-and-rescue".
    expect(await (await ask(`${host}/robots.txt`)).text()).toBe(
      `User-agent: *\nDisallow: /search?\n\nSitemap: ${BASE}/blogs/${tenant.blogId}/sitemap.xml\n`,
    );
    expect((await ask("https://no-such-blog.blogs.example.com/")).status).toBe(404);
    expect((await ask("https://no-such-blog.blogs.example.com/console")).status).toBe(404);
    // The platform takes requests at several ports.
    expect(await (await ask(`https://${vanityId}.blogs.example.com:8443/`)).text()).toContain("Public");
    expect((await ask(`https://${vanityId}.blogs.example.com:8443/console`)).status).toBe(404);
    expect((await ask(`${BASE}:8443/healthz`)).status).toBe(200);
  });

  it("of the service stay what they are", async () => {
    expect(await (await ask(`${BASE}/healthz`)).json()).toMatchObject({ status: "ok" });
    expect((await ask(`${BASE}/${vanityId}`)).status).toBe(200);
    expect((await ask(`https://www.blogs.example.com/healthz`)).status).toBe(200);
    expect((await ask(`https://a.b.blogs.example.com/healthz`)).status).toBe(200);
    expect((await ask(`https://blogs.example.com.evil.example/healthz`)).status).toBe(200);
  });

  it("are not named by pages, unless the blog says so", async () => {
    const response = await ask(`${BASE}/${vanityId}`, {
      headers: { Host: "evil.example", "X-Forwarded-Host": "evil.example" },
    });
    expect(await response.text()).not.toContain("evil.example");
    expect(await (await ask(`https://evil.example/${vanityId}`)).text()).not.toContain("evil.example");
  });

  it("that a blog has proved show its site, by its own paths if that is its address", async () => {
    const row = env.DB.prepare(
      `insert into site_hosts (blog_id, host, organization_id, token, verified_time, creation_time)
       values (?, ?, ?, 'token', ?, '2026-01-01T00:00:00.000Z')`,
    );
    const { blogId, organizationId } = tenant;
    await row.bind(blogId, "proved.example", organizationId, "2026-01-01T00:00:00.000Z").run();
    await row.bind(other.blogId, "claimed.example", other.organizationId, null).run();
    await settings({ siteUrl: "https://proved.example", articlePath: "/notes/{slug}" });
    const front = await (await ask("https://proved.example/")).text();
    expect(front).toContain('<link rel="canonical" href="https://proved.example/"/>');
    expect(front).toContain('href="/notes/public"');
    const article = await ask("https://proved.example/notes/public");
    expect(article.status).toBe(200);
    expect(await article.text()).toContain('<link rel="canonical" href="https://proved.example/notes/public"/>');
    expect((await ask("https://proved.example/console")).status).toBe(404);
    // One that only claims the host is not shown there: the service itself answers.
    expect((await ask("https://claimed.example/healthz")).status).toBe(200);
    // What is said of the blog names the same address as its canonical link.
    expect(await (await ask(`${BASE}/${vanityId}`)).text()).toContain('"url":"https://proved.example"');
    const elsewhere = await (await ask(`${BASE}/${vanityId}/archive`)).text();
    expect(elsewhere).toContain('<meta name="robots" content="noindex"/>');
    await settings({ siteUrl: "", articlePath: "/{locale}/{slug}" });
  });
});
