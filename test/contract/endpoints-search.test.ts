/** Contract 9.1, 9.2, 9.3, 9.4: GET /api/search. */
import { beforeAll, describe, expect, it } from "vitest";
import { encodeFoundCursor } from "../../src/domain/cursor.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { newId } from "../../src/lib/ids.ts";
import { counted } from "../helpers/counting.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { refusalOf } from "../helpers/refusals.ts";

type Found = Omit<ArticleBody, "content" | "coverUrl"> & { snippet: string };

const pathOf = (query: string, more = ""): string => `/api/search?query=${encodeURIComponent(query)}${more}`;

const search = (tenant: Tenant, query: string, more = ""): Promise<Found[]> =>
  sendJson(200, pathOf(query, more), { as: { apiKey: tenant.apiKey } });

const titles = async (tenant: Tenant, query: string, more = ""): Promise<string[]> =>
  (await search(tenant, query, more)).map(({ title }) => title);

describe("what is found", () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await newTenant();
    const texts: Partial<ArticleBody>[] = [
      { title: "Slow mornings in Porto", description: "Six walks", content: "Begin at the river, by the first ferry." },
      {
        title: "Ferries",
        description: "All lines",
        content: "Porto has one line. Wi-Fi on board. Node.js 24.1 is out.",
      },
      { title: "Café Größe", description: "", content: "Die Straße nach Århus. Ελληνικά: ο δρόμος." },
      { title: "東京の朝", description: "", content: "私は東京都に住んでいます。カフェで朝ごはんを食べる。" },
      { title: "กรุงเทพ", description: "", content: "ฉันรักกรุงเทพมหานคร" },
      { title: "हिन्दी लेख", description: "", content: "यह हिन्दी में लिखा गया है" },
      { title: "서울 산책", description: "", content: "서울에서 걷기 좋은 길" },
      { title: "Invisible", description: "", content: "hy\u00adphen and zero\u200bwidth, joined\u2060up \u2764\ufe0f" },
      { title: "Keycaps", description: "", content: "Step 1\ufe0f\u20e3 of 2\ufe0f\u20e3" },
      { title: "كتـــاب", description: "", content: "هذا كتـاب جميل" },
      { title: "क्\u200dष", description: "", content: "" },
    ];
    for (const text of texts) await newArticle(tenant, text);
  });

  it.each([
    ["porto", ["Slow mornings in Porto", "Ferries"]],
    ["PORTO ferry", ["Slow mornings in Porto"]],
    ["ferr", ["Ferries", "Slow mornings in Porto"]],
    ["fe rry", []],
    ["walks river", ["Slow mornings in Porto"]],
    ['"first ferry"', ["Slow mornings in Porto"]],
    ['"ferry first"', []],
    ['"first fer"', []],
    ['"first ferry', ["Slow mornings in Porto"]],
    ["wi-fi", ["Ferries"]],
    ["wifi", []],
    ["fi wi", ["Ferries"]],
    ["node.js 24.1", ["Ferries"]],
    ["cafe", ["Café Größe"]],
    ["CAFÉ", ["Café Größe"]],
    ["cafe\u0301", ["Café Größe"]],
    ["große", ["Café Größe"]],
    ["grosse", ["Café Größe"]],
    ["strasse", ["Café Größe"]],
    ["STRASSE", ["Café Größe"]],
    ["arhus", ["Café Größe"]],
    ["δρομοσ", ["Café Größe"]],
    ["東京", ["東京の朝"]],
    ["京都に", ["東京の朝"]],
    ["京東", []],
    ["ｶﾌｪ", ["東京の朝"]],
    ["朝ごはん", ["東京の朝"]],
    ["กรุง", ["กรุงเทพ"]],
    ["รัก กรุงเทพ", ["กรุงเทพ"]],
    ["हिन्दी", ["हिन्दी लेख"]],
    ["서울", ["서울 산책"]],
    ["hyphen", ["Invisible"]],
    ["hy\u00adphen", ["Invisible"]],
    ["zerowidth", ["Invisible"]],
    ["zero\u200bwidth", ["Invisible"]],
    ["joinedup", ["Invisible"]],
    ["step 1", ["Keycaps"]],
    ["step 1\ufe0f\u20e3", ["Keycaps"]],
    ["2 keycaps", ["Keycaps"]],
    ["كتاب", ["كتـــاب"]],
    ["كـتـاب", ["كتـــاب"]],
    ["क्ष", ["क्\u200dष"]],
    ["क्\u200dष", ["क्\u200dष"]],
  ])("%s", async (query, expected) => {
    expect(await titles(tenant, query)).toEqual(expected);
  });

  it("shows the article without its content, and the passage with what matches", async () => {
    const [found] = await search(tenant, "first ferr");
    expect(found).toEqual({
      _id: expect.any(String),
      blogId: tenant.blogId,
      title: "Slow mornings in Porto",
      description: "Six walks",
      slug: "slow-mornings-in-porto",
      locale: "en",
      published: true,
      creationTime: expect.any(String),
      lastEditTime: expect.any(String),
      snippet: "Begin at the river, by the **first** **ferry**.",
    });
  });

  it("words that come of one character are marked once", async () => {
    const own = await newTenant();
    await newArticle(own, { title: "Signs", content: "Take ½ of it. ﷺ stands for a sentence." });
    expect((await search(own, "1 2"))[0]?.snippet).toContain("Take **½** of it.");
    expect((await search(own, "ﷺ"))[0]?.snippet).toContain("**ﷺ** stands");
    expect((await search(own, '1 "2 of"'))[0]?.snippet).toContain("Take **½ of** it.");
  });

  it("a passage is short, says where it leaves something out, and holds no marks of its own", async () => {
    const content = `${"before *it* all\n".repeat(100)}the **needle** stands here ${"after ".repeat(100)}`;
    const own = await newTenant();
    await newArticle(own, { title: "Haystack", content });
    const [found] = await search(own, "needle");
    expect(found?.snippet).toMatch(/^… .*the \*\*needle\*\* stands here .* …$/);
    expect(found?.snippet.replaceAll("**", "")).not.toContain("*");
    expect(found?.snippet.length).toBeLessThan(300);
  });
});

describe("the order", () => {
  it("a match in the title counts more than one in the description, and that more than one in the content", async () => {
    const tenant = await newTenant();
    const filler = "other words stand here so that the texts are of about one length ";
    await newArticle(tenant, { title: "Content", content: `${filler} lighthouse`, description: filler });
    await newArticle(tenant, { title: "Description", content: filler, description: `${filler} lighthouse` });
    await newArticle(tenant, { title: "Lighthouse", content: filler, description: filler });
    for (let n = 0; n < 5; n++) await newArticle(tenant, { title: `Other ${n}`, content: filler });
    expect(await titles(tenant, "lighthouse")).toEqual(["Lighthouse", "Description", "Content"]);
  });

  it("does not depend on how often a word occurs: the newest comes first", async () => {
    const tenant = await newTenant();
    await newArticle(tenant, { title: "Often", content: "zebra zebra zebra yak" });
    await newArticle(tenant, { title: "Once", content: "zebra yak" });
    for (let n = 0; n < 5; n++) await newArticle(tenant, { title: `Y ${n}`, content: "yak yak" });
    expect(await titles(tenant, "zebra yak")).toEqual(["Once", "Often"]);
    const apiKey = await newKey({ operatorToken: tenant.operatorToken }, ["articles:read"], { blogId: tenant.blogId });
    expect(await titles({ ...tenant, apiKey }, "zebra yak")).toEqual(["Once", "Often"]);
  });
});

describe("narrowed", () => {
  it("by blog, locale and publication", async () => {
    const tenant = await newTenant();
    const as = { operatorToken: tenant.operatorToken };
    const second = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Second" } });
    const write = (fields: Partial<ArticleBody>) => newArticle(tenant, { content: "kiwi", ...fields });
    await write({ title: "First" });
    await write({ title: "Erster", locale: "de" });
    await write({ title: "Brasil", locale: "pt-BR" });
    await write({ title: "Draft", published: false });
    await write({ title: "Second", blogId: second._id });
    expect((await titles(tenant, "kiwi")).sort()).toEqual(["Brasil", "Draft", "Erster", "First", "Second"]);
    expect(await titles(tenant, "kiwi", `&blogId=${second._id}`)).toEqual(["Second"]);
    expect(await titles(tenant, "kiwi", "&locale=de")).toEqual(["Erster"]);
    expect(await titles(tenant, "kiwi", "&locale=PT-br")).toEqual(["Brasil"]);
    expect(await titles(tenant, "kiwi", "&locale=pt")).toEqual([]);
    expect(await titles(tenant, "kiwi", "&published=false")).toEqual(["Draft"]);
    expect(await titles(tenant, "kiwi", `&published=true&locale=en&blogId=${tenant.blogId}`)).toEqual(["First"]);
  });

  it("a key that is pinned to a blog finds its articles only", async () => {
    const tenant = await newTenant();
    const as = { operatorToken: tenant.operatorToken };
    const second = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Second" } });
    await newArticle(tenant, { title: "First", content: "kiwi" });
    await newArticle(tenant, { title: "Second", content: "kiwi", blogId: second._id });
    const apiKey = await newKey(as, ["articles:read"], { blogId: second._id });
    const found = await sendJson<Found[]>(200, pathOf("kiwi"), { as: { apiKey } });
    expect(found.map(({ title }) => title)).toEqual(["Second"]);
  });
});

describe("pages", () => {
  it("have 20 articles at most and lead on with a cursor, each article once", async () => {
    const tenant = await newTenant();
    for (let n = 0; n < 45; n++) await newArticle(tenant, { title: `Mango ${n}`, content: "mango" });
    const seen: string[] = [];
    let path: string | undefined = pathOf("mango");
    const sizes: number[] = [];
    while (path !== undefined) {
      const response: Response = await send(path, { as: { apiKey: tenant.apiKey } });
      const page = await response.json<Found[]>();
      sizes.push(page.length);
      seen.push(...page.map(({ _id }) => _id));
      path = response.headers.get("Link")?.match(/<([^>]+)>; rel="next"/)?.[1];
    }
    expect(sizes).toEqual([20, 20, 5]);
    expect(new Set(seen).size).toBe(45);
    expect(await search(tenant, "mango", "&limit=7")).toHaveLength(7);
    expect(await search(tenant, "mango", "&limit=1000")).toHaveLength(20);
  });

  it("end with the best 200", async () => {
    const tenant = await newTenant();
    const cursor = (n: number) => `&cursor=${encodeFoundCursor(n)}`;
    await newArticle(tenant, { title: "Mango" });
    expect(await search(tenant, "mango", cursor(LIMITS.searchResults))).toEqual([]);
    expect(await search(tenant, "mango", cursor(999))).toEqual([]);
    for (const bad of [
      "x",
      "found",
      ...["found~0", "found~1000", "found~1~2", "score~1~2"].map((text) => encodeURIComponent(btoa(text))),
    ]) {
      const response = await send(pathOf("mango", `&cursor=${bad}`), { as: { apiKey: tenant.apiKey } });
      await refusalOf(response, "invalid_cursor");
    }
  });
});

describe("no query is more than words", () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await newTenant();
    await newArticle(tenant, { title: "Lemon", content: "lemon OR lime NEAR title" });
    await newArticle(tenant, { title: "Lime", content: "place" });
  });

  it.each([
    "lemon OR nothing",
    "lemon AND nothing",
    "lemon NOT lime",
    "NEAR(lemon lime, 2)",
    "title:lemon",
    "title : lemon",
    "{title content} : lemon",
    "- title : lemon",
    "^lemon",
    "lemon*",
    "le*on",
    "lemon + lime",
    '"lemon" *',
    '"lemon',
    'lemon"',
    '""lemon""',
    "'lemon'; drop table article_text; --",
    "lemon) OR (place",
    "place : p1",
    `place:"${newId()}"`,
    "0000o p1",
    "rank MATCH 'bm25(0)'",
    "\u{1F34B} lemon",
    "lem\u00ADon",
    "a b c d e f g h i j k l",
    "ﷺ",
    "ｌｅｍｏｎ",
    "lemon ".repeat(30).trim(),
  ])("%s", async (query) => {
    const response = await send(pathOf(query), { as: { apiKey: tenant.apiKey } });
    expect(response.status).toBe(200);
    for (const { title } of await response.json<Found[]>()) expect(["Lemon", "Lime"]).toContain(title);
  });

  it.each(['x"', '" OR place : "p1', "x) OR (y", "*", '"'])("a blog of the name %s is none", async (blogId) => {
    const path = pathOf("lemon", `&blogId=${encodeURIComponent(blogId)}`);
    const { response, ran } = await counted(path, { as: { apiKey: tenant.apiKey } });
    await refusalOf(response, "blog_forbidden");
    expect(ran.filter(({ text }) => text.includes("article_text"))).toEqual([]);
  });

  it("operators are words like others", async () => {
    expect(await titles(tenant, "lemon or")).toEqual(["Lemon"]);
    expect(await titles(tenant, "lemon or nothing")).toEqual([]);
    expect(await titles(tenant, "title lemon")).toEqual(["Lemon"]);
    expect(await titles(tenant, "title:lime")).toEqual([]);
  });

  it.each([
    ["nothing", "", "must not be empty"],
    ["no word", '*** "" ()', "has no word to search for"],
    ["no word, only signs that go with one", "\ufe0f \u20e3 \u0640 \u200d\u00ad \u0301", "has no word to search for"],
    ["more than twelve words", "a b c d e f g h i j k l m", "has more than 12 different words"],
    ["more than twelve words, as they are folded", 'ﷺ "ﷺ a" "ﷺ b"', "has more than 12 different words"],
    ["signs only", "\u{1F34B}!?\u0301", "has no word to search for"],
    ["10,000 words", "lemon ".repeat(10_000), "must have at most 300 characters"],
    ["NUL", "le\0mon", "must be well-formed Unicode"],
    ["a line break", "lemon\nlime", "must not contain control characters"],
  ])("%s is refused", async (_, query, message) => {
    const response = await send(pathOf(query), { as: { apiKey: tenant.apiKey } });
    const { errors } = await refusalOf(response, "invalid_request");
    expect(errors?.[0]).toMatchObject({ path: "query", message: expect.stringContaining(message) });
  });
});
