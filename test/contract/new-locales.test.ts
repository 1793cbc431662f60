/** Contract 5.2: which articles add their locale to the public details of their blog: those that readers see, no draft. */
import { describe, expect, it } from "vitest";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { askedOf, generate, generated, SHORT } from "../helpers/generating.ts";
import { headerOf, wrongFields } from "../helpers/outcome.ts";

/** What anybody sees of the blog, byte by byte. */
async function shownOf({ blogId }: Tenant): Promise<string> {
  const response = await send(`/blogs/${blogId}`);
  return `${headerOf(response, "ETag")} ${await response.text()}`;
}

const localesOf = async ({ blogId }: Tenant): Promise<string[]> =>
  (await sendJson<{ locales: string[] }>(200, `/blogs/${blogId}`)).locales;

const draft = (tenant: Tenant, fields: Partial<ArticleBody>): Promise<ArticleBody> =>
  newArticle(tenant, { published: false, ...fields });

const save = (tenant: Tenant, body: object): Promise<ArticleBody> =>
  sendJson<ArticleBody>(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body });

const setLocales = (tenant: Tenant, locales: readonly string[]) =>
  sendJson(200, `/api/blogs/${tenant.blogId}`, { as: { apiKey: tenant.apiKey }, method: "PUT", body: { locales } });

describe("a draft in a new locale", () => {
  it("leaves the public details of its blog as they are, whatever is done with it", async () => {
    const tenant = await newTenant();
    const original = await newArticle(tenant, { slug: "porto", content: "Six walks." });
    const before = await shownOf(tenant);
    const { _id } = await draft(tenant, { slug: "porto", locale: "de" });
    const generates = (body: object) => generated(tenant, { body: { words: 300, published: false, ...body } });
    const steps: Record<string, () => Promise<unknown>> = {
      edited: () => save(tenant, { _id, title: "Geändert", locale: "de", published: false }),
      moved: () => save(tenant, { _id, locale: "fr" }),
      generated: () => generates({ topic: "Morning walks", locale: "pt" }),
      translated: () => generates({ articleId: original._id, locale: "it" }),
      deleted: () => send(`/api/articles/${_id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" }),
    };
    expect(await shownOf(tenant)).toBe(before);
    for (const [name, step] of Object.entries(steps)) {
      await step();
      expect(await shownOf(tenant), name).toBe(before);
    }
  });

  it("is shown to members, after the locales of the blog", async () => {
    const tenant = await newTenant();
    for (const locale of ["de", "en"]) await draft(tenant, { slug: "porto", locale });
    const path = `/api/blogs/${tenant.blogId}/locales`;
    const [porto] = await sendJson<{ articles: object[] }[]>(200, path, { as: { apiKey: tenant.apiKey } });
    expect(porto).toMatchObject({ articles: [{ locale: "en" }, { locale: "de", published: false }], missing: [] });
  });
});

describe("a locale is added to the blog by the first article that is published in it", () => {
  const ways: Record<string, (tenant: Tenant) => Promise<unknown>> = {
    "a creation": (tenant) => newArticle(tenant, { locale: "de" }),
    "a draft that is published": async (tenant) => {
      const { _id } = await draft(tenant, { locale: "de" });
      await save(tenant, { _id, published: true });
    },
    "a draft that moves and is published at once": async (tenant) => {
      const { _id } = await draft(tenant, {});
      await save(tenant, { _id, locale: "de", published: true });
    },
    "a published article that moves": async (tenant) => {
      const { _id } = await newArticle(tenant);
      await save(tenant, { _id, locale: "de" });
    },
    "a generation": (tenant) => generated(tenant, { body: { ...SHORT, locale: "de" } }),
  };

  it.each(Object.entries(ways))("%s", async (_, publish) => {
    const tenant = await newTenant();
    const before = await shownOf(tenant);
    await publish(tenant);
    expect(await localesOf(tenant)).toEqual(["en", "de"]);
    const after = await shownOf(tenant);
    expect(after).not.toBe(before);
    await draft(tenant, { locale: "de", title: "Again" });
    expect(await shownOf(tenant)).toBe(after);
  });

  it("stays when the article is a draft again, moves or is deleted", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { locale: "de" });
    await save(tenant, { _id, published: false });
    await save(tenant, { _id, locale: "fr" });
    await send(`/api/articles/${_id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" });
    expect(await localesOf(tenant)).toEqual(["en", "de"]);
  });

  it("once removed, comes back when an article is published in it, not when a published one is edited", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { locale: "de" });
    await setLocales(tenant, ["en"]);
    await save(tenant, { _id, title: "Changed", locale: "de", published: true });
    expect(await localesOf(tenant)).toEqual(["en"]);
    await save(tenant, { _id, published: false });
    await save(tenant, { _id, published: true });
    expect(await localesOf(tenant)).toEqual(["en", "de"]);
  });
});

describe("a blog of 100 locales", () => {
  const full = async (): Promise<Tenant> => {
    const tenant = await newTenant();
    await setLocales(
      tenant,
      Array.from({ length: 100 }, (_, n) => `en-x-${n}`),
    );
    return tenant;
  };

  it("holds drafts in others, and refuses to publish them", async () => {
    const tenant = await full();
    const { _id } = await draft(tenant, { locale: "de", slug: "porto" });
    await save(tenant, { _id, locale: "fr", title: "Changed" });
    const refused = (body: object) => wrongFields("/api/articles", { as: tenant, body });
    expect(await refused({ _id, published: true })).toEqual(["locale"]);
    expect(await refused({ _id, published: true, locale: "pt" })).toEqual(["locale"]);
    expect(await refused({ blogId: tenant.blogId, locale: "de", published: true })).toEqual(["locale"]);
    const published = await newArticle(tenant, { locale: "en-x-7" });
    expect(await refused({ _id: published._id, locale: "de" })).toEqual(["locale"]);
    expect(await localesOf(tenant)).toHaveLength(100);
    expect(await save(tenant, { _id, published: true, locale: "en-x-8" })).toMatchObject({ published: true });
    const taken = { as: { apiKey: tenant.apiKey }, body: { _id: published._id, slug: "porto", locale: "en-x-8" } };
    expect((await send("/api/articles", taken)).status).toBe(409);
  });

  it("has no article generated that it could not publish; a draft may be", async () => {
    const tenant = await full();
    const [paid, free] = [crypto.randomUUID(), crypto.randomUUID()];
    const body = { ...SHORT, locale: "de" };
    expect((await generate(tenant, { name: free, body })).status).toBe(400);
    expect(await askedOf(free)).toEqual([]);
    expect((await generate(tenant, { name: paid, body: { ...body, published: false } })).status).toBe(200);
    expect((await askedOf(paid)).length).toBeGreaterThan(0);
  });
});
