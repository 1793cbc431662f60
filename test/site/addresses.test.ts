/** Contract 21.1: each page has one address, and what is nearly that, or was it, leads there. */
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { ask, hostsOf } from "../helpers/hosts.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let at: string;

const led = async (path: string) => {
  const { status, headers } = await send(`${at}${path}`);
  return `${status} ${headers.get("Location")?.slice(at.length)}`;
};
const languages = async (path: string, element: string) =>
  [
    ...(await (await send(`${at}${path}`)).text()).matchAll(new RegExp(`<${element}[^>]*? hreflang="([^"]*)"`, "g")),
  ].map(([, tag]) => tag);

beforeAll(async () => {
  tenant = await newTenant("Addresses");
  const { vanityId } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${tenant.blogId}`, {
    as: { apiKey: tenant.apiKey },
    method: "PUT",
    body: { locales: ["en", "de", "zh-Hans", "fr"] },
  });
  at = `/${vanityId}`;
  const write = (fields: object) => newArticle(tenant, { ...fields } as Partial<ArticleBody>);
  await write({ slug: "ferry", tags: ["Boats"], authors: ["Ada"] });
  await write({ slug: "ferry", locale: "zh-Hans" });
  await write({ slug: "über", locale: "de" });
});

it.each([
  ["/EN", ""],
  ["/en", ""],
  ["/zh-hans", "/zh-Hans"],
  ["/ZH-HANS/ferry", "/zh-Hans/ferry"],
  ["/en/Ferry", "/en/ferry"],
  ["/de/%C3%9Cber", "/de/%C3%BCber"],
  ["/de/u%CC%88ber", "/de/%C3%BCber"],
  ["/Ferry", "/en/ferry"],
  ["/ferry?locale=ZH-hans", "/zh-Hans/ferry"],
  ["/Tags/BOATS?locale=zh-hans", "/tags/boats?locale=zh-Hans"],
  ["/authors/Ada", "/authors/ada"],
  ["/Archive", "/archive"],
  ["/2013/06/ferry/", "/en/ferry"],
  ["/ferry.html", "/en/ferry"],
  ["/notes/zh-hans/ferry", "/zh-Hans/ferry"],
  ["/ferry/zh-Hans", "/zh-Hans/ferry"],
  ["/über", "/de/%C3%BCber"],
])("%s leads to %s", async (path, to) => {
  expect(await led(path)).toBe(`301 ${to}`);
  expect(await led(to)).toBe("200 undefined");
});

it("the name of the blog in capitals leads to its address", async () => {
  const { status, headers } = await send(`${at.toUpperCase()}/en/ferry`);
  expect([status, headers.get("Location")]).toEqual([301, `${at}/en/ferry`]);
});

it.each([
  "/en/ferries",
  "/de/ferry",
  "/tags/ferry",
  "/authors/ferry",
  "/ferry/more",
  "/en/ferry.xml/a",
  "/2013/über/ferri",
])("%s was no article's, and is not led on", async (path) => expect(await led(path)).toBe("404 undefined"));

it("a language without published articles has no pages, and none leads to one", async () => {
  await newArticle(tenant, { slug: "ferry", locale: "fr", published: false });
  for (const path of ["/fr", "/archive?locale=fr", "/tags/boats?locale=fr", "/search?q=ferry&locale=fr", "/fr/ferry"]) {
    expect(await led(path), path).toBe("404 undefined");
  }
  for (const path of ["", "/archive", "/zh-Hans"]) {
    expect(await languages(path, 'link rel="alternate"'), path).toEqual(["en", "de", "zh-Hans", "x-default"]);
    expect(await languages(path, "a href"), path).toEqual(["en", "de", "zh-Hans"]);
  }
});

/** An isolate remembers for a minute which blog a host shows. */
const aMinuteLater = () => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
afterEach(() => vi.useRealTimers());

it("shows articles where the blog's articlePath says, however that is written", async () => {
  const owner = await newTenant("Harbour");
  const as = { apiKey: owner.apiKey };
  const change = (path: string, body: object) =>
    sendJson(200, `/api/blogs/${owner.blogId}${path}`, { as, method: "PUT", body });
  await change("", { locales: ["en", "de", "en-US"] });
  for (const locale of ["en", "de", "en-US"])
    await newArticle(owner, { title: `Ferries ${locale}`, slug: "one-ferry", locale });
  const host = await hostsOf(owner).proved();
  const textAt = async (path: string) => (await ask(`https://${host}${path}`)).text();
  const paths: [string, string][] = [
    ["/{locale}-{slug}", "/en-US-one-ferry"],
    ["/{slug}.{locale}.html", "/one-ferry.en-US.html"],
    ["/caf%C3%A9+{locale}/a%2Fb.{slug}/", "/caf%c3%a9+en-US/a%2Fb.one-ferry/"],
    // In the main language, it is the path alone.
    ["/{slug}", "/en-US/one-ferry"],
    // A text like any other, although every object in JavaScript has a property of this name.
    ["/{locale}/{slug}constructor", "/en-US/one-ferryconstructor"],
  ];
  for (const [index, [articlePath, path]] of paths.entries()) {
    await change("/site", { siteUrl: `https://${host}`, articlePath });
    aMinuteLater();
    const written = path.replace("%c3%a9", "%C3%A9");
    expect(await textAt("/en-US"), articlePath).toContain(`<a href="${written}"`);
    expect(await textAt(path), articlePath).toContain('<h1 dir="auto">Ferries en-US</h1>');
    const list = `/api/articles?blogId=${owner.blogId}&locale=en-US&fields=url`;
    expect(await sendJson(200, list)).toEqual([{ url: `https://${host}${written}` }]);
    // What were its addresses lead to the present one.
    for (const former of [
      "/en-US/one-ferry",
      "/EN-us/One-Ferry.html",
      ...paths.slice(0, index).map(([, each]) => each),
    ]) {
      if (former === path) continue;
      const { status, headers } = await ask(`https://${host}${former}`);
      expect([status, headers.get("Location")], `${former}, ${articlePath}`).toEqual([301, written]);
    }
    // A language has a front page, also where it looks like the path of an article.
    expect(await textAt("/de"), articlePath).toContain("Ferries de");
    expect((await ask(`https://${host}/nothing/at/all`)).status).toBe(404);
  }
  // An article is where feeds and site maps say, also if its slug names another page; not where it was. A search stays one.
  const { _id } = await newArticle(owner, { title: "On archive", slug: "archive" });
  await newArticle(owner, { title: "On search", slug: "search" });
  await change("/site", { articlePath: "/{slug}" });
  aMinuteLater();
  expect(await textAt("/archive")).toContain('<h1 dir="auto">On archive</h1>');
  expect(await textAt("/search")).toContain('<h1 dir="auto">On search</h1>');
  expect(await textAt("/search?q=ferries")).toContain('<a href="/one-ferry">');
  await sendJson(200, "/api/articles", { as, body: { _id, slug: "on-archive" } });
  expect(await textAt("/archive")).toContain('dir="auto">On archive</a>');
});
