/** Contract 20.8: the search in a blog that everybody may make. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { renderDueArticles } from "../../src/store/articles/system-renderings.ts";
import { indexDueArticles } from "../../src/store/articles/system-search-index.ts";
import { wrongFields } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type Found = { _id: string; title: string; locale: string; slug: string; url: string; passage: string };

let tenant: Tenant;

const at = (q: string, more = "") => `/blogs/${tenant.blogId}/search?q=${encodeURIComponent(q)}${more}`;
const search = (q: string, more = "") => sendJson<Found[]>(200, at(q, more));
const titles = async (q: string, more = "") => (await search(q, more)).map(({ title }) => title);
const write = (fields: Partial<ArticleBody>) => newArticle(tenant, { description: "", content: "", ...fields });

beforeAll(async () => {
  tenant = await newTenant("Reader Search");
  await write({ title: "Ferry", content: "Timetables" });
  await write({ title: "Harbours", description: "Each ferry of the coast" });
  await write({ title: "Mornings", content: "The first ferry leaves before six." });
  await write({ title: "Evenings", content: "The last ferry leaves at ten." });
  await write({ title: "Secret ferry", published: false });
  await write({ title: "Fähre", slug: "faehre", locale: "de", content: "Die ferry heißt *Fähre*." });
});

describe("what is found", () => {
  it("published articles alone: by title, description and content, the newest first among equals", async () => {
    expect(await titles("ferry")).toEqual(["Ferry", "Harbours", "Fähre", "Evenings", "Mornings"]);
    expect(await titles("ferr", "&limit=2")).toEqual(["Ferry", "Harbours"]);
    expect(await titles('"last ferry"')).toEqual(["Evenings"]);
    expect(await titles("ferry", "&locale=de")).toEqual(["Fähre"]);
    expect(await titles("secret")).toEqual([]);
  });

  it("for callers with credentials too, who get nothing more", async () => {
    const options = { as: { apiKey: tenant.apiKey } };
    expect(await sendJson<Found[]>(200, at("secret"), options)).toEqual([]);
    expect((await send(at("ferry"), options)).headers.get("Cache-Control")).toContain("private");
  });

  it("by the blog's vanityId, with the address of each", async () => {
    const [first] = await sendJson<Found[]>(200, "/blogs/reader-search/search?q=mornings");
    expect(first).toMatchObject({
      title: "Mornings",
      locale: "en",
      url: expect.stringMatching(/\/reader-search\/en\/mornings$/),
    });
    expect(Object.keys(first ?? {}).toSorted()).toEqual([
      "_id",
      "description",
      "locale",
      "passage",
      "publishTime",
      "slug",
      "title",
      "url",
    ]);
  });

  it("nothing of other blogs, whatever they write", async () => {
    const other = await newTenant("Other");
    await newArticle(other, { title: "Ferry of others" });
    expect(await titles("others")).toEqual([]);
    const as = { operatorToken: tenant.operatorToken };
    const second = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Second" } });
    await sendJson(200, "/api/articles", { as, body: { blogId: second._id, title: "Lighthouse", published: true } });
    expect(await titles("lighthouse")).toEqual([]);
  });

  it("nothing that became a draft, also before the index follows", async () => {
    const { _id } = await write({ title: "Pelican" });
    expect(await titles("pelican")).toEqual(["Pelican"]);
    await env.DB.prepare("update articles set published = 0 where id = ?").bind(_id).run();
    expect(await titles("pelican")).toEqual([]);
  });

  it("in an order that says nothing of drafts", async () => {
    await write({ title: "A", content: "lantern lantern lantern merger" });
    await write({ title: "B", content: "merger merger merger lantern" });
    const before = await titles("merger lantern");
    for (let n = 0; n < 5; n++) await write({ title: `Draft ${n}`, content: "the merger", published: false });
    expect(await titles("merger lantern")).toEqual(before);
  });
});

describe("what readers do not see", () => {
  const HIDDEN = "target titled picture comment definition info label".split(" ").map((word) => `hidden${word}`);
  const content = [
    'The trawler[^hiddenlabel] leaves [daily](https://a.example/hiddentarget "hiddentitled").',
    "![](https://a.example/hiddenpicture.png) <!-- hiddencomment -->",
    "[unused]: https://a.example/hiddendefinition",
    "```hiddeninfo\nlet shown = 1;\n```",
    "[^hiddenlabel]: A note.",
  ].join("\n\n");
  const byWriters = async (q: string) =>
    (
      await sendJson<{ title: string }[]>(200, `/api/search?query=${encodeURIComponent(q)}`, {
        as: { apiKey: tenant.apiKey },
      })
    ).map(({ title }) => title);
  const onSite = async (q: string) =>
    (await (await send(`/reader-search/search?q=${encodeURIComponent(q)}`)).text()).includes("Trawling</a>");

  it("is found by writers alone (contract 9.1), however it was written", async () => {
    const { _id } = await write({ title: "Trawling", content });
    const hold = async () => {
      for (const q of HIDDEN)
        expect([await titles(q), await onSite(q), await byWriters(q)], q).toEqual([[], false, ["Trawling"]]);
      // The number of the footnote is no part of the word before it.
      for (const q of ['"trawler leaves daily"', "shown note"]) {
        expect([await titles(q), await onSite(q), await byWriters(q)], q).toEqual([["Trawling"], true, ["Trawling"]]);
      }
      expect(await byWriters('"example hiddentarget" trawler')).toEqual(["Trawling"]);
    };
    await hold();
    const as = { apiKey: tenant.apiKey };
    await sendJson(200, "/api/articles", { as, body: { _id, description: "Of fish" } });
    await hold();
    await sendJson(200, "/api/articles", {
      as,
      body: { _id, title: "Trawling", description: "", content: `${content}\n` },
    });
    await hold();
  });

  it("is found by nobody else once it was rendered, if it could be read until then", async () => {
    const { _id } = await write({ title: "Trawling", content: content.replaceAll("hidden", "veiled") });
    await env.DB.prepare("update article_renderings set renderer = 0, state = 'pending' where article_id = ?")
      .bind(_id)
      .run();
    await env.DB.prepare("update articles set packed = null, indexed_version = null where id = ?").bind(_id).run();
    await indexDueArticles(env.DB);
    expect(await titles("veiledtarget")).toEqual(["Trawling"]);
    await renderDueArticles(env.DB);
    await indexDueArticles(env.DB);
    expect([await titles("veiledtarget"), await byWriters("veiledtarget")]).toEqual([[], ["Trawling"]]);
  });
});

describe("letters that the editor writes by their numbers", () => {
  it("are letters, for readers and writers", async () => {
    const content = "**注意：**&#x9019;是文字。 **Hi!**&#98;ye &#x27;quote&#39; &#xd800; &#x110000;";
    await write({ title: "Notes", content });
    expect((await search("這是"))[0]?.passage).toMatch(/^注意：<mark>這是<\/mark>文字。/);
    expect(await titles("bye")).toEqual(["Notes"]);
    expect(await titles("x9019")).toEqual([]);
    const snippet = async (q: string) =>
      (
        await sendJson<{ snippet: string }[]>(200, `/api/search?query=${encodeURIComponent(q)}`, {
          as: { apiKey: tenant.apiKey },
        })
      )[0]?.snippet;
    expect(await snippet("這是")).toMatch(/^注意：\*\*這是\*\*文字。/);
    expect(await snippet("quote")).toMatch(/&#x27;\*\*quote\*\*&#39; &#xd800; &#x110000;$/);
  });
});

describe("passages", () => {
  it("are of the text as readers see it, escaped, with the matches marked", async () => {
    const [found] = await search("heißt");
    expect(found?.passage).toBe("Die ferry <mark>heißt</mark> Fähre.");
    await write({ title: "Hostile", content: `\`<script>alert("1")</script>\` & quokka ** <b>quokka</b>` });
    const [hostile] = await search("quokka");
    expect(hostile?.passage).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
    expect(hostile?.passage.replaceAll(/<\/?mark>/g, "")).not.toMatch(/[<>]/);
    expect(hostile?.passage.match(/<mark>quokka<\/mark>/g)).toHaveLength(2);
  });

  it("follow the article at once", async () => {
    const { _id } = await write({ title: "Changing", content: "wombat before" });
    const before = await send(at("wombat"));
    await sendJson(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body: { _id, content: "wombat after" } });
    const after = await send(at("wombat"));
    expect((await after.json<Found[]>())[0]?.passage).toBe("<mark>wombat</mark> after");
    expect(after.headers.get("ETag")).not.toBe(before.headers.get("ETag"));
  });
});

describe("what the edge keeps", () => {
  it("as other public reads, purged with the blog", async () => {
    const { headers } = await send(at("ferry"));
    expect(headers.get("Cache-Tag")).toBe(`blog-${tenant.blogId}`);
    expect(headers.get("Cloudflare-CDN-Cache-Control")).toContain("max-age=60");
    const again = await send(at("ferry"), { headers: { "If-None-Match": headers.get("ETag") ?? "" } });
    expect(again.status).toBe(304);
  });
});

describe("what is refused", () => {
  it.each([
    ["", ["q"]],
    ["?!", ["q"]],
    ["a".repeat(LIMITS.searchQuery + 1), ["q"]],
    [Array.from({ length: LIMITS.searchWords + 1 }, (_, n) => `word${n}`).join(" "), ["q"]],
  ])("the query %j", async (q, fields) => {
    expect(await wrongFields(at(q))).toEqual(fields);
  });

  it("FTS5's own syntax and hostile words find nothing and break nothing", async () => {
    for (const q of [
      'title:ferry" OR "a',
      "ferry* NEAR(a b)",
      "-ferry",
      "{title} : ferry",
      '"""',
      "ferry) OR (place : x",
    ]) {
      expect([200, 400]).toContain((await send(at(q))).status);
    }
  });
});
