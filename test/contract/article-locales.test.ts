/** Contract 3.3: articles and blogs have no locale that is a word for paths of a blog's site. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { articleLocale, locale } from "../../src/operations/fields.ts";
import { connected, fail } from "../helpers/mcp-connected.ts";
import { wrongFields } from "../helpers/outcome.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

it.each(["archive", "authors", "Authors", "SEARCH", "sitemap", "feeds"])(
  "%s is refused, wherever it is given",
  async (tag) => {
    const { _id } = await newArticle(tenant);
    const { blogId } = tenant;
    const put = { as, method: "PUT" };
    expect(await wrongFields("/api/articles", { as, body: { blogId, title: "x", locale: tag } })).toEqual(["locale"]);
    expect(await wrongFields("/api/articles", { as, body: { _id, locale: tag } })).toEqual(["locale"]);
    expect(await wrongFields(`/api/articles/${_id}/draft`, { ...put, body: { locale: tag } })).toEqual(["locale"]);
    const topic = { blogId, topic: "Walks", locale: tag };
    expect(await wrongFields("/api/articles/generate", { as, body: topic })).toEqual(["locale"]);
    const locales = { name: "x", locales: ["en", tag] };
    expect(await wrongFields("/api/blogs", { as, body: locales })).toEqual(["locales.1"]);
    expect(await wrongFields(`/api/blogs/${blogId}`, { ...put, body: locales })).toEqual(["locales.1"]);
  },
);

it("agents are told so, too", async () => {
  const refused = await fail(await connected(tenant), "create_article", { title: "x", locale: "authors" });
  expect(JSON.stringify(refused)).toContain("are reserved for paths of a blog's site");
});

describe("what there is already", () => {
  it("stays readable, and can be given another", async () => {
    const { _id, slug } = await newArticle(tenant);
    await env.DB.prepare("update articles set locale = 'authors' where id = ?").bind(_id).run();
    const query = `blogId=${tenant.blogId}&locale=authors`;
    expect(await sendJson(200, `/api/articles/${slug}?${query}`)).toMatchObject({ _id, locale: "authors" });
    expect(await sendJson<ArticleBody[]>(200, `/api/articles?${query}`)).toMatchObject([{ _id }]);
    await sendJson(200, "/api/articles", { as, body: { _id, title: "Edited" } });
    expect(await sendJson(200, "/api/articles", { as, body: { _id, locale: "pt" } })).toMatchObject({ locale: "pt" });
  });
});

it("languages are none of these words", () => {
  for (const tag of ["en", "tag", "pt-BR", "arc", "x-archive", "archived"]) {
    expect(articleLocale.safeParse(tag)).toEqual(locale.safeParse(tag));
  }
});
