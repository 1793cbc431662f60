/** Contract 4.7, 4.8, 4.9: the reads of articles. POST and DELETE: endpoints-articles-write.test.ts. */
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { outcome, wrongFields } from "../helpers/outcome.ts";

/** An organization with four articles, named by what they are; newest last. */
async function library() {
  const tenant = await newTenant();
  const english = await newArticle(tenant, { slug: "porto", locale: "en" });
  const german = await newArticle(tenant, { slug: "porto", locale: "de" });
  const draft = await newArticle(tenant, { slug: "draft", published: false });
  const latest = await newArticle(tenant, { slug: "latest" });
  return { tenant, english, german, draft, latest };
}

describe("GET /api/articles", () => {
  let all: Awaited<ReturnType<typeof library>>;
  let tenant: Tenant;
  beforeAll(async () => {
    all = await library();
    tenant = all.tenant;
  });

  /** What the list shows, as slugs with locales. */
  async function listed(query: string, as: object = { apiKey: tenant.apiKey }): Promise<string[]> {
    const list = await sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}${query}`, { as });
    return list.map(({ slug, locale }) => `${slug}/${locale}`);
  }

  it("lists the articles of a blog, newest first", async () => {
    expect(await listed("")).toEqual(["latest/en", "draft/en", "porto/de", "porto/en"]);
  });

  it("blogId is required", async () => {
    for (const as of [{}, { apiKey: tenant.apiKey }, { operatorToken: tenant.operatorToken }]) {
      expect(await wrongFields("/api/articles", { as })).toEqual(["blogId"]);
      expect(await wrongFields("/api/articles?blogId=", { as })).toEqual(["blogId"]);
    }
  });

  it("locale, not required, narrows the list, in any spelling of the tag", async () => {
    expect(await listed("&locale=de")).toEqual(["porto/de"]);
    expect(await listed("&locale=DE")).toEqual(["porto/de"]);
    expect(await listed("&locale=fr")).toEqual([]);
    expect(await wrongFields(`/api/articles?blogId=${tenant.blogId}&locale=no_tag`)).toEqual(["locale"]);
  });

  it("published is a boolean, not required: without it, both states", async () => {
    expect(await listed("&published=true")).toEqual(["latest/en", "porto/de", "porto/en"]);
    expect(await listed("&published=false")).toEqual(["draft/en"]);
    for (const wrong of ["yes", "1", "", "TRUE"]) {
      const path = `/api/articles?blogId=${tenant.blogId}&published=${wrong}`;
      expect(await wrongFields(path, { as: tenant })).toEqual(["published"]);
    }
  });

  it("slug, not required, selects the article of this slug in all its locales", async () => {
    expect(await listed("&slug=porto")).toEqual(["porto/de", "porto/en"]);
    expect(await listed("&slug=porto&locale=en")).toEqual(["porto/en"]);
    expect(await listed("&slug=nothing")).toEqual([]);
  });

  it("the next page is at the service's own address, whatever host was asked", async () => {
    const path = `/api/articles?blogId=${tenant.blogId}&limit=1`;
    const response = await send(path, {
      bindings: { BASE_URL: "https://press.example.com" } as unknown as Partial<Env>,
    });
    expect(response.headers.get("Link")).toMatch(/^<https:\/\/press\.example\.com\/api\/articles\?/);
  });
});

describe("GET /api/articles/{idOrSlug}", () => {
  it("returns one article by id or by slug: 200, the Article", async () => {
    const article = await newArticle(await newTenant(), { slug: "by-id-or-by-slug", content: "# Body" });
    expect(await sendJson(200, `/api/articles/${article._id}`)).toEqual(article);
    expect(await sendJson(200, "/api/articles/by-id-or-by-slug")).toEqual(article);
  });

  it("slugs of any script are found, however the path encodes them", async () => {
    const article = await newArticle(await newTenant(), { slug: "朝の-ポルト" });
    expect(await sendJson(200, `/api/articles/${encodeURIComponent("朝の-ポルト")}`)).toEqual(article);
    expect(await sendJson(200, "/api/articles/朝の-ポルト")).toEqual(article);
  });

  it("404: no such article", async () => {
    const { apiKey } = await newTenant();
    for (const as of [{}, { apiKey }]) {
      expect(await outcome(`/api/articles/${newId()}`, { as })).toBe("404 not_found");
      expect(await outcome("/api/articles/no-such-article", { as })).toBe("404 not_found");
    }
  });

  it("404: no such article, also where the name is longer than any slug", async () => {
    for (const length of [200, 201, 2048])
      expect(await outcome(`/api/articles/${"a".repeat(length)}`)).toBe("404 not_found");
  });

  it("a hidden draft answers exactly as an article that does not exist", async () => {
    const draft = await newArticle(await newTenant(), { published: false });
    const shown = async (name: string) => {
      const response = await send(`/api/articles/${name}`);
      const { requestId: _, ...body } = await response.json<Record<string, unknown>>();
      return { status: response.status, body, cache: response.headers.get("Cache-Control") };
    };
    expect(await shown(draft._id)).toEqual(await shown(newId()));
  });
});
