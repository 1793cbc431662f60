/** Contract 20.7: `fallback` on an article by its slug and on lists. */
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { encodeCursor } from "../../src/domain/cursor.ts";
import { counted, seedArticles } from "../helpers/counting.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let written: Record<string, ArticleBody>;

const key = () => ({ as: { apiKey: tenant.apiKey } });
const list = (more: string) => `/api/articles?blogId=${tenant.blogId}${more}`;
const placesOf = (found: readonly Partial<ArticleBody>[]) => found.map(({ slug, locale }) => `${slug} ${locale}`);

/** Follows a list to its end. */
async function walk(path: string, options = {}): Promise<Partial<ArticleBody>[]> {
  const all: Partial<ArticleBody>[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const response: Response = await send(next, options);
    expect(response.status).toBe(200);
    all.push(...(await response.json<Partial<ArticleBody>[]>()));
    const link: string | undefined = /<https?:\/\/[^/]*([^>]*)>/.exec(response.headers.get("Link") ?? "")?.[1];
    next = link;
  }
  return all;
}

beforeAll(async () => {
  tenant = await newTenant("Fallback");
  const locales = ["en", "pt", "pt-BR", "de"];
  await sendJson(200, `/api/blogs/${tenant.blogId}`, { ...key(), method: "PUT", body: { locales } });
  written = {};
  // The oldest first.
  for (const [slug, locale, published, tags] of [
    ["one", "en", true, ["Walks"]],
    ["one", "pt", true, ["Walks"]],
    ["one", "pt-BR", true, ["Walks"]],
    ["two", "pt", true, ["Walks"]],
    ["two", "en", true, ["Walks"]],
    ["three", "en", true, []],
    ["four", "de", true, []],
    ["five", "pt-BR", false, []],
    ["five", "en", true, []],
  ] as const) {
    const body = { title: `${slug} ${locale}`, slug, locale, published, tags } as Partial<ArticleBody>;
    written[`${slug} ${locale}`] = await newArticle(tenant, body);
  }
});

describe("an article by its slug", () => {
  const at = (slug: string, more: string) => `/api/articles/${slug}?blogId=${tenant.blogId}&${more}`;

  it.each([
    ["one", "locale=pt-BR&fallback=pt,en", "pt-BR"],
    ["two", "locale=pt-BR&fallback=pt,en", "pt"],
    ["two", "locale=pt-BR&fallback=en,pt", "en"],
    ["three", "locale=pt-BR&fallback=pt,en", "en"],
    ["three", "locale=PT-br&fallback=EN,en,pt", "en"],
  ])("%s with %s is shown in %s", async (slug, more, locale) => {
    for (const options of [{}, key()]) {
      const found = await sendJson<ArticleBody>(200, at(slug, more), options);
      expect([found.slug, found.locale]).toEqual([slug, locale]);
      expect(await sendJson<ArticleBody>(200, at(slug, `${more}&fields=locale,url`), options)).toMatchObject({
        locale,
        url: expect.stringContaining(`/${locale}/${slug}`),
      });
    }
  });

  it("is not found if it is in none of them, and drafts count for those alone who see them", async () => {
    expect((await send(at("four", "locale=pt&fallback=en"))).status).toBe(404);
    expect(await sendJson(200, at("five", "locale=pt-BR&fallback=en"))).toMatchObject({ locale: "en" });
    expect(await sendJson(200, at("five", "locale=pt-BR&fallback=en"), key())).toMatchObject({ locale: "pt-BR" });
  });

  it("without a blog is that of the blog that had the slug first in any of them", async () => {
    const later = await newTenant("Later");
    await newArticle(later, { title: "two", slug: "two", locale: "pt-BR" });
    const found = await sendJson<ArticleBody>(200, "/api/articles/two?locale=pt-BR&fallback=pt");
    expect([found.blogId, found.locale]).toEqual([tenant.blogId, "pt"]);
  });

  it("by its id has to be in one of them", async () => {
    const id = written["two pt"]?._id;
    expect((await send(`/api/articles/${id}?locale=en&fallback=de`)).status).toBe(404);
    expect(await sendJson(200, `/api/articles/${id}?locale=en&fallback=pt`)).toMatchObject({ slug: "two" });
  });

  it("leads on from a former slug in the first of the locales that had it", async () => {
    const { _id } = await newArticle(tenant, { title: "old", slug: "old", locale: "en" });
    await sendJson(200, "/api/articles", { ...key(), body: { _id, slug: "new" } });
    const gone = await sendJson<{ movedTo: object }>(404, at("old", "locale=pt&fallback=en"));
    expect(gone.movedTo).toMatchObject({ slug: "new", locale: "en" });
    expect(await sendJson(200, at("old", "locale=pt&fallback=en&moved=follow"))).toMatchObject({ slug: "new" });
    await send(`/api/articles/${_id}`, { ...key(), method: "DELETE" });
  });
});

describe("a list", () => {
  const all = ["five en", "three en", "two pt", "one pt-BR"];

  it("has at most one article of each slug, in the best locale", async () => {
    expect(placesOf(await walk(list("&locale=pt-BR&fallback=pt,en")))).toEqual(all);
    expect(placesOf(await walk(list("&locale=pt-BR&fallback=pt,en&sort=publishTime")))).toEqual(all);
    expect(placesOf(await walk(list("&locale=de&fallback=en")))).toEqual([
      "five en",
      "four de",
      "three en",
      "two en",
      "one en",
    ]);
    expect(await walk(list("&locale=fr&fallback=it"))).toEqual([]);
  });

  it("is narrowed after the choice", async () => {
    const walks = ["two pt", "one pt-BR"];
    expect(placesOf(await walk(list("&locale=pt-BR&fallback=pt,en&tag=walks")))).toEqual(walks);
    expect(placesOf(await walk(list("&locale=pt-BR&fallback=pt,en&tag=walks&sort=publishTime&limit=1")))).toEqual(
      walks,
    );
    expect(placesOf(await walk(list("&locale=pt-BR&fallback=pt,en&slug=two")))).toEqual(["two pt"]);
  });

  it("with credentials chooses among what is asked for", async () => {
    const path = list("&locale=pt-BR&fallback=pt,en&fields=slug,locale");
    expect(placesOf(await walk(path, key()))).toEqual(
      ["five pt-BR", "three en", "two pt", "one pt-BR"].toSorted(byCreation),
    );
    expect(placesOf(await walk(`${path}&published=true`, key()))).toEqual(all);
    expect(placesOf(await walk(`${path}&sort=publishTime`, key()))).toEqual(all);
    expect(placesOf(await walk(`${path}&published=false`, key()))).toEqual(["five pt-BR"]);
    const other = await newTenant("Other");
    expect(await walk(path, { as: { apiKey: other.apiKey } })).toEqual([]);
  });

  it("is shared and tagged like any other, and changes its ETag with the choice", async () => {
    const path = list("&locale=pt-BR&fallback=pt,en&slug=three");
    const before = await send(path);
    expect(before.headers.get("Cache-Tag")).toContain(tenant.blogId);
    const { _id } = await newArticle(tenant, { title: "three", slug: "three", locale: "pt" });
    const after = await send(path);
    expect(placesOf(await after.json())).toEqual(["three pt"]);
    expect(after.headers.get("ETag")).not.toBe(before.headers.get("ETag"));
    await send(`/api/articles/${_id}`, { ...key(), method: "DELETE" });
  });
});

const byCreation = (a: string, b: string) =>
  (written[b]?.creationTime ?? "").localeCompare(written[a]?.creationTime ?? "");

describe("what cannot be", () => {
  it.each([
    ["&fallback=en", "fallback"],
    ["&locale=pt&fallback=", "fallback.0"],
    ["&locale=pt&fallback=en,!!", "fallback.1"],
    [`&locale=pt&fallback=${Array.from({ length: LIMITS.fallbacks + 1 }, () => "en").join()}`, "fallback"],
    ["&locale=pt&fallback=en&skip=1", "skip"],
    ["&locale=pt&fallback=en&fallback=de", "fallback"],
  ])("%s is refused", async (more, field) => {
    const { errors } = await sendJson<{ errors: { path: string }[] }>(400, list(more));
    expect(errors.map(({ path }) => path)).toEqual([field]);
  });
});

describe("what it costs", () => {
  let large: Tenant;
  const ARTICLES = 1500;

  beforeAll(async () => {
    large = await newTenant("Large");
    // Each with a slug of its own, in turns in en, de and fr; every second three of them are drafts.
    await seedArticles(large, ARTICLES);
  });

  const cost = async (more: string) => {
    const { response, counts } = await counted(`/api/articles?blogId=${large.blogId}${more}`);
    const found = await response.json<unknown[]>();
    return { ...counts, found: found.length, hasNext: response.headers.has("Link") };
  };

  it("depends on the page, not on the list", async () => {
    const { found, roundTrips, rowsRead } = await cost("&locale=en&fallback=de,fr&limit=20");
    expect([found, roundTrips]).toEqual([20, 1]);
    // Each of the 21 rows is read in the index and by its id, kept, and read again when it is shown; and its better ones.
    expect(rowsRead).toBeLessThanOrEqual(21 * 7);
  });

  it("is bounded where nothing fits, and the list goes on", async () => {
    const none = await cost("&locale=it&fallback=pt&limit=20");
    expect([none.found, none.roundTrips, none.hasNext]).toEqual([0, 1, true]);
    expect(none.rowsRead).toBeLessThanOrEqual(LIMITS.fallbackScanned * 4);
    expect(await walk(`/api/articles?blogId=${large.blogId}&locale=it&fallback=pt`)).toEqual([]);
  });

  it("a short page leaves nothing out and shows nothing twice", async () => {
    // One article in pt among them, far from the beginning.
    const time = new Date(Date.parse("2024-01-01T00:00:00Z") + 10 * 60_000).toISOString();
    const { apiKey } = large;
    await sendJson(200, "/api/articles", {
      as: { apiKey },
      body: { blogId: large.blogId, title: "pt", slug: "pt", locale: "pt", published: true, publishTime: time },
    });
    const path = `/api/articles?blogId=${large.blogId}&locale=it&fallback=pt&sort=publishTime&fields=slug,locale`;
    expect(placesOf(await walk(path))).toEqual(["pt pt"]);
    const cursor = encodeCursor({ time, id: large.blogId }, "publishTime");
    expect((await send(`${path}&cursor=${cursor}`)).status).toBe(200);
  });
});
