/** Contract 9.5: the translations of a blog, slug by slug: GET /api/blogs/{blogId}/locales. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { headerOf, outcome } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type SlugBody = {
  slug: string;
  articles: { _id: string; locale: string; title: string; published: boolean; lastEditTime: string; stale: boolean }[];
  missing: string[];
};

const pathOf = (tenant: Tenant, query = ""): string => `/api/blogs/${tenant.blogId}/locales${query}`;

const compared = (tenant: Tenant, query = ""): Promise<SlugBody[]> =>
  sendJson(200, pathOf(tenant, query), { as: tenant });

const setLocales = (tenant: Tenant, locales: string[]) =>
  sendJson(200, `/api/blogs/${tenant.blogId}`, { as: tenant, method: "PUT", body: { locales } });

/** An article as if it had been edited last in this minute of an hour long ago. */
async function edited(tenant: Tenant, minute: number, fields: Partial<ArticleBody>): Promise<ArticleBody> {
  const article = await newArticle(tenant, fields);
  await editedAt(article._id, minute);
  return article;
}

async function editedAt(id: string, minute: number): Promise<void> {
  const time = new Date(Date.UTC(2026, 0, 1, 9, minute)).toISOString();
  await env.DB.prepare("update articles set last_edit_time = ? where id = ?").bind(time, id).run();
}

describe("what it shows", () => {
  it("each slug with its articles in the order of the blog's locales, and the locales that are missing", async () => {
    const tenant = await newTenant();
    await setLocales(tenant, ["pt", "en", "de"]);
    const en = await edited(tenant, 1, { slug: "porto", locale: "en", title: "Porto", published: false });
    const de = await edited(tenant, 1, { slug: "porto", locale: "de", title: "Porto, deutsch" });
    const pt = await edited(tenant, 1, { slug: "porto", locale: "pt", title: "O Porto" });
    const alone = await edited(tenant, 1, { slug: "algarve", locale: "de", title: "Algarve" });
    const shown = { lastEditTime: "2026-01-01T09:01:00.000Z", stale: false };
    expect(await compared(tenant)).toEqual([
      {
        slug: "algarve",
        articles: [{ _id: alone._id, locale: "de", title: "Algarve", published: true, ...shown }],
        missing: ["pt", "en"],
      },
      {
        slug: "porto",
        articles: [
          { _id: pt._id, locale: "pt", title: "O Porto", published: true, ...shown },
          { _id: en._id, locale: "en", title: "Porto", published: false, ...shown },
          { _id: de._id, locale: "de", title: "Porto, deutsch", published: true, ...shown },
        ],
        missing: [],
      },
    ]);
  });

  it("shows articles in locales that the blog has no more, last and never as missing", async () => {
    const tenant = await newTenant();
    for (const locale of ["fr", "en", "de", "pt"]) await newArticle(tenant, { slug: "porto", locale });
    await setLocales(tenant, ["pt", "es"]);
    const [porto] = await compared(tenant);
    expect(porto?.articles.map(({ locale }) => locale)).toEqual(["pt", "de", "en", "fr"]);
    expect(porto?.missing).toEqual(["es"]);
  });

  it("nothing of a blog without articles, and nothing of other blogs", async () => {
    const tenant = await newTenant();
    const second = await sendJson<{ _id: string }>(200, "/api/blogs", { as: tenant, body: { name: "Second" } });
    await newArticle(tenant, { blogId: second._id, slug: "porto", locale: "de" });
    expect(await compared(tenant)).toEqual([]);
    const { _id } = await newArticle(tenant, { slug: "porto" });
    const [porto, ...more] = await compared(tenant);
    expect([porto?.articles.map((article) => article._id), more]).toEqual([[_id], []]);
  });

  it("forgets what was deleted", async () => {
    const tenant = await newTenant();
    const en = await newArticle(tenant, { slug: "porto" });
    await newArticle(tenant, { slug: "porto", locale: "de" });
    await sendJson(200, `/api/articles/${en._id}`, { as: tenant, method: "DELETE" });
    expect(await compared(tenant)).toMatchObject([{ articles: [{ locale: "de", stale: false }], missing: ["en"] }]);
  });
});

describe("stale", () => {
  const staleOf = async (tenant: Tenant) =>
    Object.fromEntries((await compared(tenant))[0]?.articles.map(({ locale, stale }) => [locale, stale]) ?? []);

  it("is what was edited before the article in the default locale", async () => {
    const tenant = await newTenant();
    const en = await edited(tenant, 5, { slug: "porto", locale: "en" });
    const de = await edited(tenant, 4, { slug: "porto", locale: "de" });
    await edited(tenant, 5, { slug: "porto", locale: "pt" });
    await edited(tenant, 6, { slug: "porto", locale: "fr" });
    // Of the same blog, of another slug: no measure for the first.
    await edited(tenant, 59, { slug: "zebra", locale: "en" });
    expect(await staleOf(tenant)).toEqual({ en: false, de: true, pt: false, fr: false });
    await editedAt(de._id, 7);
    expect(await staleOf(tenant)).toEqual({ en: false, de: false, pt: false, fr: false });
    await editedAt(en._id, 8);
    expect(await staleOf(tenant)).toEqual({ en: false, de: true, pt: true, fr: true });
  });

  it("follows an edit over the API", async () => {
    const tenant = await newTenant();
    const en = await edited(tenant, 1, { slug: "porto" });
    await edited(tenant, 2, { slug: "porto", locale: "de" });
    expect(await staleOf(tenant)).toEqual({ en: false, de: false });
    await sendJson(200, "/api/articles", { as: tenant, body: { _id: en._id, title: "Changed" } });
    expect(await staleOf(tenant)).toEqual({ en: false, de: true });
  });

  it("follows the default locale: the blog's first", async () => {
    const tenant = await newTenant();
    await edited(tenant, 1, { slug: "porto", locale: "en" });
    await edited(tenant, 2, { slug: "porto", locale: "de" });
    expect(await staleOf(tenant)).toEqual({ en: false, de: false });
    await setLocales(tenant, ["de", "en"]);
    expect(await staleOf(tenant)).toEqual({ en: true, de: false });
  });

  it("is nothing where the default locale has no article of the slug", async () => {
    const tenant = await newTenant();
    await edited(tenant, 1, { slug: "porto", locale: "de" });
    await edited(tenant, 9, { slug: "porto", locale: "pt" });
    expect(await staleOf(tenant)).toEqual({ de: false, pt: false });
  });
});

describe("slug", () => {
  it("narrows to one, in composed form; an unknown one is an empty list", async () => {
    const tenant = await newTenant();
    for (const slug of ["porto", "porto-2", "été"]) await newArticle(tenant, { slug });
    const slugsOf = async (slug: string) =>
      (await compared(tenant, `?slug=${encodeURIComponent(slug)}`)).map((item) => item.slug);
    expect(await slugsOf("porto")).toEqual(["porto"]);
    expect(await slugsOf("été".normalize("NFD"))).toEqual(["été"]);
    for (const none of ["port", "Porto", "unknown", "", "%"]) expect(await slugsOf(none), none).toEqual([]);
  });
});

describe("conditional requests", () => {
  it("answer 304 until an article or the blog's locales change", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { slug: "porto" });
    let etag = headerOf(await send(pathOf(tenant), { as: tenant }), "ETag");
    const isUnchanged = async () => {
      const response = await send(pathOf(tenant), { as: tenant, headers: { "If-None-Match": etag } });
      etag = headerOf(response, "ETag");
      return response.status === 304;
    };
    expect(await isUnchanged()).toBe(true);
    const changes: (() => Promise<unknown>)[] = [
      () => setLocales(tenant, ["en", "de"]),
      () => sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "Changed" } }),
      () => newArticle(tenant, { slug: "porto", locale: "de" }),
      () => setLocales(tenant, ["de", "en"]),
    ];
    for (const change of changes) {
      await change();
      expect(await isUnchanged()).toBe(false);
      expect(await isUnchanged()).toBe(true);
    }
  });
});

it("a slug has 200 articles in a blog at most: the next one is refused, or gets another slug where none is asked for", async () => {
  const tenant = await newTenant();
  const first = await newArticle(tenant, { slug: "porto", locale: "en" });
  await env.DB.prepare(
    `with recursive n(n) as (select 1 union all select n + 1 from n where n < 199)
     insert into articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published, version,
       creation_time, last_edit_time, content)
     select 'many-' || n, organization_id, blog_id, title, '', slug, 'en-x-n' || n, '', 0, 'v' || n, creation_time,
       last_edit_time, '' from n, articles where articles.id = ?`,
  )
    .bind(first._id)
    .run();
  const [shown] = await compared(tenant, "?slug=porto");
  expect(shown?.articles).toHaveLength(200);
  const asked = { title: "Porto", locale: "de" };
  const body = { ...asked, slug: "porto" };
  expect(await outcome("/api/articles", { as: tenant, body })).toBe("409 slug_taken");
  const other = await sendJson<ArticleBody>(200, "/api/articles", { as: tenant, body: asked });
  expect(other.slug).not.toBe("porto");
  const change = (_id: string) => ({ as: tenant, body: { _id, slug: "porto", title: "Again" } });
  expect(await outcome("/api/articles", change(other._id))).toBe("409 slug_taken");
  expect(await outcome("/api/articles", change(first._id))).toBe("200");
});
