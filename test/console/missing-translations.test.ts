/** Locales as a choice, and the missing translations of an article, made at once. */
import { expect, test } from "vitest";
import { LIST, pathOf, writing } from "../helpers/console-articles.ts";
import { hiddenFields } from "../helpers/console.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

const MISSING = `${LIST}/matrix/missing`;

const nameLocales = ({ blogId, operatorToken }: Tenant, ...locales: string[]) =>
  sendJson(200, `/api/blogs/${blogId}`, { as: { operatorToken }, method: "PUT", body: { locales } });

const listed = ({ blogId, apiKey }: Tenant): Promise<ArticleBody[]> =>
  sendJson(200, `/api/articles?blogId=${blogId}`, { as: { apiKey } });

test("all missing translations are made as drafts, each with its result, and none twice", async () => {
  const { tenant, browser } = await writing();
  await nameLocales(tenant, "en", "de", "fr", "it");
  const source = await newArticle(tenant, { title: "Walks & more", content: "By the river.", description: "Slow" });
  const path = `${MISSING}?article=${source._id}`;
  for (const place of [`${LIST}/matrix`, pathOf(source)]) {
    expect((await browser.get(place)).text, place).toContain(`href="${path}"`);
  }
  const asked = await browser.get(path);
  expect(asked.text).toMatch(/name="locales" value="de" checked/);
  const form = { ...hiddenFields(asked.text, MISSING), locales: ["de", "fr", "it"], way: "copy" };
  await newArticle(tenant, { slug: source.slug, locale: "fr", title: "Promenades" });
  const done = await browser.post(MISSING, form);
  expect(done.text).toContain("2 drafts of");
  expect(done.text).toMatch(/French \(fr\).*It already exists\./s);
  const made = (await listed(tenant)).filter(({ locale }) => ["de", "it"].includes(locale));
  for (const each of made) {
    expect(each).toMatchObject({
      slug: source.slug,
      title: "Walks & more",
      content: "By the river.",
      published: false,
    });
  }
  await browser.post(MISSING, form);
  expect(await listed(tenant)).toHaveLength(4);
  expect((await browser.get(path)).text).toContain("The article has translations in all languages of");
});

test("they can begin empty, or be translated by the model; without a choice nothing is made", async () => {
  const { tenant, browser } = await writing();
  await nameLocales(tenant, "en", "de", "fr");
  const source = await newArticle(tenant, { title: "Morning walks", content: "By the river, where it is quiet." });
  const path = `${MISSING}?article=${source._id}`;
  const none = await browser.submit(path, MISSING, { way: "copy", locales: [] });
  expect([none.status, none.text.includes("Choose at least one language.")]).toEqual([400, true]);
  await browser.submit(path, MISSING, { way: "empty", locales: ["de"] });
  const translated = await browser.submit(path, MISSING, { way: "translate", locales: ["fr"] });
  expect(translated.text).toContain("1 draft of");
  const of = new Map((await listed(tenant)).map((each) => [each.locale, each]));
  expect(of.get("de")).toMatchObject({ title: "Morning walks", content: "", published: false });
  expect(of.get("fr")).toMatchObject({ slug: source.slug, published: false });
  expect(of.get("fr")?.content).not.toBe(source.content);
});
