/** Contract 21.3: which translations an article's page names to search engines. */
import { expect, it } from "vitest";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";

it("those that are to be found at their own addresses, while readers find them all", async () => {
  const tenant = await newTenant("Alternates");
  const as = { apiKey: tenant.apiKey };
  const { vanityId } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${tenant.blogId}`, { as });
  const write = (locale: string, seo?: object) =>
    newArticle(tenant, { title: locale, slug: "one", locale, ...(seo && { seo }) } as Partial<ArticleBody>);
  const named = async (locale: string) => {
    const text = await (await send(`/${vanityId}/${locale}/one`)).text();
    const values = (begin: string) =>
      [...text.matchAll(new RegExp(`<${begin}[^>]*? hreflang="([^"]*)"`, "g"))].map(([, value]) => String(value));
    return { machines: values('link rel="alternate"'), readers: values("a href").toSorted() };
  };
  await write("en");
  const german = await write("de", { noindex: true });
  await write("fr", { canonicalUrl: "https://elsewhere.example/un" });
  const readers = ["de", "en", "fr"];
  expect(await named("en")).toEqual({ machines: [], readers });
  await write("pt", { canonicalUrl: `${ORIGIN}/${vanityId}/pt/one`, title: "Um" });
  expect(await named("en")).toEqual({ machines: ["en", "pt", "x-default"], readers: [...readers, "pt"] });
  expect((await named("de")).machines).toEqual([]);
  expect((await named("fr")).machines).toEqual([]);
  await sendJson(200, "/api/articles", { as, body: { _id: german._id, seo: { noindex: false } } });
  expect((await named("pt")).machines).toEqual(["de", "en", "pt", "x-default"]);
});
