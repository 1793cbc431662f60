/** Articles from articles in the console: translating and rewriting them. */
import { beforeEach, describe, expect, it } from "vitest";
import { unescaped, type Browser } from "../helpers/console.ts";
import { choicesOf, pathOf, stored } from "../helpers/console-articles.ts";
import { memberOf } from "../helpers/console-topics.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

const FORM = "/console/articles/generate";

let tenant: Tenant;
let browser: Browser;
beforeEach(async () => {
  tenant = await newTenant("Written & Co");
  browser = await memberOf(tenant, "writer");
});

const articles = (): Promise<ArticleBody[]> =>
  sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as: { apiKey: tenant.apiKey } });

const nameLocales = (...locales: string[]) =>
  sendJson(200, `/api/blogs/${tenant.blogId}`, {
    as: { operatorToken: tenant.operatorToken },
    method: "PUT",
    body: { locales },
  });

describe("an article from an article", () => {
  it("is a translation, which shares its slug", async () => {
    await nameLocales("en", "de", "fr", "it");
    const content = "## Where\n\nBy the river, where it is quiet in the morning.";
    const coverUrl = "https://images.example.com/cover.jpg";
    const source = await newArticle(tenant, { title: "Morning walks", content, coverUrl });
    await newArticle(tenant, { title: "Promenades", slug: source.slug, locale: "fr", content });
    const path = `${FORM}?article=${source._id}`;
    const page = unescaped((await browser.get(pathOf(source))).text);
    for (const locale of ["de", "it"]) expect(page).toContain(`href="${path}&locale=${locale}"`);
    const form = await browser.get(`${path}&locale=it`);
    expect(form.text).toContain(">Morning walks</a>");
    expect(choicesOf(form, "locale")).toEqual(["it*", "de"]);
    expect(form.text).toMatch(/<button type="submit"[^>]*>Translate</);
    expect(form.text).not.toMatch(/Length|Images/);
    expect((await browser.submit(path, FORM, { keywords: "", locale: "de" })).status).toBe(303);
    await expect.poll(async () => (await articles()).length, { timeout: 20_000 }).toBe(3);
    const translation = (await articles()).find(({ locale }) => locale === "de");
    expect(translation).toMatchObject({ slug: source.slug, published: false, coverUrl });

    const taken = await browser.submit(path, FORM, { keywords: "", locale: "it", otherLocale: "fr" });
    expect(taken.status).toBe(409);
    expect(taken.text).toContain("Another article in the blog already has this slug in this language.");
  });

  it("is rewritten as a new one, and stays as it is", async () => {
    const source = await newArticle(tenant, { title: "Morning walks", content: "By the river." });
    const path = `${FORM}?article=${source._id}&locale=en`;
    expect(unescaped((await browser.get(pathOf(source))).text)).toContain(`href="${path}"`);
    const form = await browser.get(path);
    expect(form.text).toContain("Rewrite");
    expect(form.text).toMatch(/Length[\s\S]*Images/);
    expect((await browser.submit(path, FORM, { words: "300", keywords: "" })).status).toBe(303);
    await expect.poll(async () => (await articles()).length, { timeout: 20_000 }).toBe(2);
    expect(await stored(tenant, source._id)).toEqual(source);
  });
});
