/** Contract 21: pages of a site that are lists, or are not there, in the languages of a blog. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let vanityId: string;

const write = (fields: object) => newArticle(tenant, { description: "", ...fields } as Partial<ArticleBody>);

async function page(path: string, status = 200): Promise<string> {
  const response = await send(`/${vanityId}${path}`);
  expect(response.status).toBe(status);
  return response.text();
}

beforeAll(async () => {
  tenant = await newTenant("Walks & maps");
  const as = { apiKey: tenant.apiKey };
  ({ vanityId } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${tenant.blogId}`, {
    as,
    method: "PUT",
    body: { locales: ["en", "de", "fa"] },
  }));
  await write({ title: "The ferry", slug: "ferry" });
  await write({ title: "Die Fähre", slug: "ferry", locale: "de" });
});

describe("a page", () => {
  it("that there is not is in the language of its path, with articles in it", async () => {
    const german = await page("/de/no-such-article", 404);
    expect(german).toContain('<html lang="de"');
    expect(german).toContain("Diese Seite gibt es nicht");
    expect(german).toContain("Die Fähre");
    expect(await page("/archive/2026?locale=de", 404)).toContain('<html lang="de"');
    for (const path of ["/fr/no-such-article", "/no-such-article", "/de-CH", "/%ff"]) {
      expect(await page(path, 404)).toContain('<html lang="en"');
    }
  });

  it("has a menu that leads to pages in its language", async () => {
    const menu = ["/", "/ferry", "/ferry#end", "/archive", "/tags/boats", "https://a.example/"];
    const body = { menu: menu.map((url) => ({ label: "To", url })) };
    await sendJson(200, `/api/blogs/${tenant.blogId}/site`, { as: { apiKey: tenant.apiKey }, method: "PUT", body });
    const links = async (path: string) =>
      [...(await page(path)).matchAll(/<a href="([^"]*)" dir="auto">To</g)].map(([, href]) => href);
    const at = `/${vanityId}`;
    const rest = [`${at}/tags/boats`, "https://a.example/"];
    expect(await links("/de")).toEqual([
      `${at}/de`,
      `${at}/ferry?locale=de`,
      `${at}/ferry?locale=de#end`,
      `${at}/archive?locale=de`,
      ...rest,
    ]);
    expect(await links("")).toEqual([at, `${at}/ferry`, `${at}/ferry#end`, `${at}/archive`, ...rest]);
    const led = await send(`${at}/ferry?locale=de`, { redirect: "manual" } as object);
    expect(led.headers.get("Location")).toBe(`${at}/de/ferry`);
  });

  it("from right to left has titles and summaries so, also where these begin with a Latin name", async () => {
    const title = "GitHub یک ویژگی تازه دارد";
    await write({ title, slug: "github", locale: "fa", description: "API تازه است.", content: "واژه" });
    await write({ title: "שלום", slug: "shalom", description: "A word", content: "word" });
    const article = await page("/fa/github");
    expect(article).toContain(`<h1 dir="rtl">${title}</h1>`);
    expect(article).toContain('<p class="stand" dir="rtl">API');
    expect(await page("/fa")).toContain('<h2 dir="rtl">');
    expect(await page("/fa")).toContain('<p dir="rtl">API');
    expect(await page("/archive?locale=fa")).toContain(`dir="rtl">${title}</a>`);
    expect(await page("/search?q=GitHub&locale=fa")).toContain('<h2 dir="rtl">');
    expect(await page("/en/shalom")).toContain('<h1 dir="auto">שלום</h1>');
  });

  it("has English words in their own direction where the site does not know the language", async () => {
    await write({ title: "کوه", slug: "mountain", locale: "fa", content: "متن" });
    for (const path of ["/fa", "/fa/mountain"]) {
      expect(await page(path)).toContain('<span lang="en" dir="auto">1 min read</span>');
    }
    expect(await page("/search?q=none&locale=fa")).toContain('<p lang="en" dir="auto">No articles found.</p>');
    expect(await page("/de/ferry")).toContain('<span dir="auto">1 Min. Lesezeit</span>');
  });

  it("has the blog's name in the name's own direction", async () => {
    expect(await page("/archive?locale=fa")).toMatch(/<a class="name" href="[^"]*" dir="auto">Walks &amp; maps</);
  });

  it("says that an article was updated only if it was after it came here", async () => {
    const { _id } = await write({ title: "Old", slug: "old", publishTime: "2020-02-01T12:00:00.000Z" });
    expect(await page("/en/old")).not.toContain("Updated");
    await env.DB.prepare("update articles set creation_time = '2025-01-01T12:00:00.000Z' where id = ?").bind(_id).run();
    expect(await page("/en/old")).toContain("Updated");
  });

  it("leads to the feed of its language", async () => {
    expect(await page("/de")).toContain(`<a href="${ORIGIN}/blogs/${tenant.blogId}/feed.xml?locale=de">Feed</a>`);
  });

  it("of all articles, by the years of the dates that they show", async () => {
    await write({ title: "راه", slug: "road", locale: "fa", publishTime: "2026-01-15T12:00:00.000Z" });
    const text = await page("/archive?locale=fa");
    expect(text).toContain('<h2 class="year">۱۴۰۴</h2>');
    expect(text).toContain(">۲۵ دی ۱۴۰۴</time>");
  });
});
