/** What a search can cost: rows hold few postings of a term, however often a text repeats it, and a query few terms. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { indexDueArticles } from "../../src/store/articles/system-search-index.ts";
import { counted } from "../helpers/counting.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const as = () => ({ apiKey: tenant.apiKey });
const pathOf = (query: string) => `/api/search?query=${encodeURIComponent(query)}`;

const found = async (query: string): Promise<string[]> =>
  (await sendJson<ArticleBody[]>(200, pathOf(query), { as: as() })).map(({ title }) => title);

/** Counts the postings of an article: one for each text that has a term. */
const countPostings = ({ _id }: { readonly _id: string }): Promise<number | null> =>
  env.DB.prepare(
    "select count(*) as n from article_text_terms where doc = (select search_id from articles where id = ?) and col <> 'place'",
  )
    .bind(_id)
    .first("n");

/** What a query asks the index for, without what narrows it to the organization. */
async function termsOf(query: string): Promise<string[]> {
  const { response, ran } = await counted(pathOf(query), { as: as() });
  expect(response.status).toBe(200);
  const match = ran
    .flatMap(({ params }) => params)
    .findLast((value) => String(value).includes("{title description content source}"));
  const asked = String(match).split("{title description content source} : ")[1] ?? "";
  return Array.from(asked.matchAll(/"[^"]+"(?: \*)?/g), ([term]) => term);
}

describe("a row", () => {
  it("holds a word once, and two neighbours once, however often they are repeated", async () => {
    const repeated = await newArticle(tenant, {
      title: "a a",
      description: "a ".repeat(900),
      content: "a ".repeat(50_000),
    });
    expect(await countPostings(repeated)).toBe(6);
    expect(await found("a")).toEqual(["a a"]);
  });

  it("is found by what stands behind any number of repetitions", async () => {
    await newArticle(tenant, {
      title: "Long",
      content: `${"the boat and the sea ".repeat(8000)} the last ferry to Porto`,
    });
    expect(await found('"the last ferry to porto"')).toEqual(["Long"]);
    expect(await found('"the ferry"')).toEqual([]);
    await newArticle(tenant, { title: "長い", content: `${"東と京の都".repeat(12_000)}東京都` });
    expect(await found("東京都")).toEqual(["長い"]);
    expect(await found("都京")).toEqual([]);
  });

  it("has a phrase where each of its words follows the one before, if not all in one place", async () => {
    await newArticle(tenant, { title: "Apart", content: "Take the first ferry. That ferry leaves at six." });
    expect(await found('"the first ferry leaves"')).toEqual(["Apart"]);
    expect(await found('"first ferry that leaves"')).toEqual([]);
  });

  it("holds no more than so many bytes of different words", async () => {
    const words = Array.from({ length: 200_000 }, (_, n) => n.toString(36)).join(" ");
    const total = await countPostings(await newArticle(tenant, { title: "Different", content: words }));
    // A term has a mark of six characters, a word or a hash, and a space behind it.
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(LIMITS.searchedBytes / 11);
  });
});

describe("contract 14.10: a query", () => {
  it.each([
    ["a word thirty times", "a ".repeat(30).trim(), 1],
    ["nested phrases", [2, 3, 4].map((n) => `"${"a ".repeat(n).trim()}"`).join(" "), 2],
    ["the same phrase and other words", '"a b" "a b" b a A', 3],
    ["neighbours and their words", '"a b c d"', 7],
    ["the beginning of a word, and the word", "mango mango", 2],
  ])("asks for each term once: %s", async (_, query, count) => {
    const terms = await termsOf(query);
    expect(terms).toHaveLength(count);
    expect(new Set(terms).size).toBe(count);
  });

  it("asks for as many terms as it may have words and neighbours, at most", async () => {
    const words = Array.from({ length: LIMITS.searchWords }, (_, n) => `w${n}`);
    expect(await termsOf(words.join(" "))).toHaveLength(LIMITS.searchWords);
    expect(await termsOf(`"${words.join(" ")}"`)).toHaveLength(2 * LIMITS.searchWords - 1);
  });

  it("takes the last word as a beginning only where few occurrences begin so", async () => {
    const many = Array.from({ length: LIMITS.searchPrefixed + 1 }, (_, n) => `zz${n.toString(36)}`).join(" ");
    await newArticle(tenant, { title: "Many", content: many });
    await newArticle(tenant, { title: "Whole", content: "zz" });
    expect(await found("zz")).toEqual(["Whole"]);
    expect(await found("zzf0")).toEqual(["Many"]);
    // Neither do the words of others count.
    const other = await newTenant();
    await newArticle(other, { title: "Few", content: "zzebra" });
    tenant = other;
    expect(await found("zz")).toEqual(["Few"]);
  });
});

it("articles that wait to be indexed again are found meanwhile", async () => {
  const { _id } = await newArticle(tenant, { title: "Quince" });
  await env.DB.prepare("update articles set indexed_version = null where id = ?").bind(_id).run();
  expect(await found("quince")).toEqual(["Quince"]);
  expect(await indexDueArticles(env.DB)).toBeGreaterThan(0);
  expect(await found("quince")).toEqual(["Quince"]);
});
