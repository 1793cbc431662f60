/** Contract 21.1: each page has one address, and what is nearly that, or was it, leads there. */
import { beforeAll, expect, it } from "vitest";
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
