/** The full text index: in step with every commit, and made whole by the cron. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { computeMark } from "../../src/store/articles/search-index.ts";
import { indexDueArticles } from "../../src/store/articles/system-search-index.ts";
import { generated } from "../helpers/generating.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { seedArticles } from "../helpers/counting.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

/** After each test, whatever it did: no row is left behind, none is missing, and all are of their article's version. */
afterEach(async () => {
  await indexDueArticles(env.DB);
  const broken = await env.DB.prepare(
    `select a.id, a.indexed_version, a.version, t.rowid as "row" from articles a
       left join article_text t on t.rowid = a.search_id
     where a.indexed_version is not a.version or t.rowid is null
     union all select null, null, null, t.rowid from article_text t
     where not exists (select 1 from articles a where a.search_id = t.rowid)`,
  ).all();
  expect(broken.results).toEqual([]);
  await env.DB.prepare("insert into article_text (article_text) values ('integrity-check')").run();
});

const as = () => ({ apiKey: tenant.apiKey });

const found = async (query: string, more = ""): Promise<string[]> => {
  const path = `/api/search?query=${encodeURIComponent(query)}${more}`;
  return (await sendJson<ArticleBody[]>(200, path, { as: as() })).map(({ _id }) => _id);
};

const save = (body: object, status = 200, headers: Record<string, string> = {}) =>
  sendJson<ArticleBody>(status, "/api/articles", { as: as(), body, headers });

const waiting = async (): Promise<number> =>
  (
    await env.DB.prepare("select count(*) as n from articles where indexed_version is not version").first<{
      n: number;
    }>()
  )?.n ?? -1;

/** Does what changes articles while their index cannot be written: it is behind afterwards, until the cron's next run. */
async function withoutIndex(work: () => Promise<void>): Promise<void> {
  await env.DB.prepare("alter table article_text rename to article_text_away").run();
  try {
    await work();
  } finally {
    await env.DB.prepare("alter table article_text_away rename to article_text").run();
  }
}

describe("in step with every commit", () => {
  it("a creation, an update of one text, and a deletion", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", description: "yellow", content: "A hard fruit" });
    expect(await found("quince yellow fruit")).toEqual([_id]);
    await save({ _id, title: "Medlar" });
    expect(await found("quince")).toEqual([]);
    expect(await found("medlar yellow fruit")).toEqual([_id]);
    await save({ _id, content: "Eaten bletted", description: "" });
    expect(await found("fruit")).toEqual([]);
    expect(await found("yellow")).toEqual([]);
    expect(await found("medlar bletted")).toEqual([_id]);
    await sendJson(200, `/api/articles/${_id}`, { as: as(), method: "DELETE" });
    expect(await found("medlar")).toEqual([]);
    expect(await waiting()).toBe(0);
  });

  it("a publication, and a move to another locale, without touching the texts", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", published: false });
    await save({ _id, published: true });
    expect(await found("quince", "&published=true")).toEqual([_id]);
    expect(await found("quince", "&published=false")).toEqual([]);
    await save({ _id, locale: "de", slug: "quitte" });
    expect(await found("quince", "&locale=de")).toEqual([_id]);
    expect(await found("quince", "&locale=en")).toEqual([]);
    await save({ _id, coverUrl: "https://images.example.com/a.jpg" });
    expect(await found("quince", "&locale=de&published=true")).toEqual([_id]);
  });

  it("a generation", async () => {
    const { article } = await generated(tenant);
    expect(await found(article.title, "&published=true")).toEqual([article._id]);
  });

  it("what is refused changes nothing in it", async () => {
    const { _id, slug } = await newArticle(tenant, { title: "Quince" });
    await save({ blogId: tenant.blogId, title: "Never stored", slug }, 409);
    await save({ _id, title: "Medlar" }, 412, { "If-Match": `"${newId()}"` });
    await save({ _id, title: "Medlar", blogId: newId() }, 400);
    const other = await newTenant();
    expect((await send("/api/articles", { as: { apiKey: other.apiKey }, body: { _id, title: "Medlar" } })).status).toBe(
      404,
    );
    expect((await send(`/api/articles/${_id}`, { as: { apiKey: other.apiKey }, method: "DELETE" })).status).toBe(404);
    expect(await found("medlar")).toEqual([]);
    expect(await found("never stored")).toEqual([]);
    expect(await found("quince")).toEqual([_id]);
  });

  it("where it cannot be written, an article with all its texts is not either; with some, it is indexed later", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", content: "hard" });
    await withoutIndex(async () => {
      for (const body of [
        { blogId: tenant.blogId, title: "Lost" },
        { _id, title: "Medlar", description: "", content: "soft" },
      ]) {
        expect((await send("/api/articles", { as: as(), body })).status).toBeGreaterThanOrEqual(500);
      }
      await save({ _id, title: "Pear" });
    });
    expect(await found("quince hard")).toEqual([_id]);
    expect(await waiting()).toBe(1);
    await indexDueArticles(env.DB);
    expect(await found("pear hard")).toEqual([_id]);
    const articles = await sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as: as() });
    expect(articles.map(({ title }) => title)).toEqual(["Pear"]);
  });

  it("where it is behind, no search of a site or of published articles shows a draft", async () => {
    const { _id } = await newArticle(tenant, { title: "Quince", content: "A quince is hard" });
    const next = await newArticle(tenant, { title: "Quince jam", locale: "de" });
    await withoutIndex(async () => {
      await save({ _id, published: false, title: "Not for readers yet" });
      await save({ _id: next._id, locale: "fr" });
    });
    const { vanityId } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${tenant.blogId}`, { as: as() });
    const page = await (await send(`/${vanityId}/search?q=quince`)).text();
    expect([page.includes("Search"), page.includes("Not for readers yet")]).toEqual([true, false]);
    expect(await found("quince", "&published=true")).toEqual([next._id]);
    expect(await found("quince", "&locale=de")).toEqual([]);
    expect(await found("quince")).toEqual([next._id, _id]);
    expect(await sendJson(200, `/blogs/${tenant.blogId}/search?q=quince&locale=de`)).toEqual([]);
  });

  it("one Korean syllable finds the words that begin with it, as particles follow nouns without a space", async () => {
    const { _id } = await newArticle(tenant, { title: "책을 읽다" });
    expect([await found("책"), await found("을"), await found("읽")]).toEqual([[_id], [], [_id]]);
  });

  it("a repeated call with its Idempotency-Key leaves one row", async () => {
    const headers = { "Idempotency-Key": newId() };
    const first = await save({ blogId: tenant.blogId, title: "Quince" }, 200, headers);
    expect(await save({ blogId: tenant.blogId, title: "Quince" }, 200, headers)).toEqual(first);
    expect(await found("quince")).toEqual([first._id]);
  });

  it("writes at once leave the texts of the last one", async () => {
    const { _id } = await newArticle(tenant, { title: "Start" });
    const names = Array.from({ length: 8 }, (_, n) => `wort${n}`);
    await Promise.all(names.map((name) => save({ _id, title: name, content: name })));
    const stored = await sendJson<ArticleBody>(200, `/api/articles/${_id}`, { as: as() });
    for (const name of names) expect(await found(`"${name}"`), name).toEqual(stored.title === name ? [_id] : []);
  });

  it("the largest article there can be", async () => {
    const content = `begin ${"あ".repeat(340_000)} end`;
    const { _id } = await newArticle(tenant, { title: "Large", content });
    expect(await found("begin")).toEqual([_id]);
  });
});

it("two organizations share a mark where the last eight digits of their ids are equal modulo 36^6 only", () => {
  const markOfEnding = (ending: number) =>
    computeMark(`${newId().slice(0, -8)}${ending.toString(16).padStart(8, "0")}`);
  expect(markOfEnding(1)).toMatch(/^[0-9a-z]{6}$/);
  expect(markOfEnding(0xffffffff)).toMatch(/^[0-9a-z]{6}$/);
  expect(markOfEnding(1 + 36 ** 4)).not.toBe(markOfEnding(1));
  expect(markOfEnding(1 + 36 ** 5)).not.toBe(markOfEnding(1));
  expect(markOfEnding(1 + 36 ** 6)).toBe(markOfEnding(1));
});

describe("the cron", () => {
  it("indexes what something else wrote, and what was there before", async () => {
    const ids = await seedArticles(tenant, 45);
    expect(await found("content")).toEqual([]);
    expect(await waiting()).toBe(45);
    expect(await indexDueArticles(env.DB)).toBe(45);
    expect(await found("content")).toHaveLength(20);
    expect(await indexDueArticles(env.DB)).toBe(0);
    await env.DB.prepare("update articles set title = 'Quince', version = ? where id = ?").bind(newId(), ids[3]).run();
    expect(await waiting()).toBe(1);
    await indexDueArticles(env.DB);
    expect(await found("quince")).toEqual([ids[3]]);
    expect(await found("quince title")).toEqual([]);
  });

  it("an article that waits is indexed by the next change of its texts", async () => {
    const [id = "", other = ""] = await seedArticles(tenant, 2);
    await save({ _id: id, coverUrl: "https://images.example.com/a.jpg" });
    expect(await found("content")).toEqual([]);
    await save({ _id: id, title: "Quince" });
    expect(await found("quince content")).toEqual([id]);
    await save({ _id: other, title: "Medlar", description: "", content: "Soft" });
    expect(await found("medlar soft")).toEqual([other]);
    expect(await waiting()).toBe(0);
  });

  it("a deletion of one that waits leaves nothing", async () => {
    const [id = ""] = await seedArticles(tenant, 1);
    await sendJson(200, `/api/articles/${id}`, { as: as(), method: "DELETE" });
    expect(await waiting()).toBe(0);
  });

  it("takes large articles a few at a time", async () => {
    const ids = await seedArticles(tenant, 6);
    await env.DB.prepare("update articles set content = ? where blog_id = ?")
      .bind("Large words. ".repeat(75_000), tenant.blogId)
      .run();
    expect(await indexDueArticles(env.DB)).toBe(6);
    expect((await found("large")).sort()).toEqual(ids.toSorted());
  });

  it("organizations take turns: nobody waits for another one's thousand articles", async () => {
    const others = [await newTenant("Second"), await newTenant("Third")];
    await seedArticles(tenant, 600);
    for (const other of others) {
      const ids = await seedArticles(other, 2);
      const content = "Large words. ".repeat(75_000);
      await env.DB.prepare("update articles set content = ? where id = ?").bind(content, ids[0]).run();
    }
    expect(await indexDueArticles(env.DB)).toBeLessThan(600);
    for (const other of others) {
      const left = env.DB.prepare(
        "select count(*) as n from articles where organization_id = ? and indexed_version is not version",
      );
      expect(await left.bind(other.organizationId).first("n")).toBe(0);
    }
    while ((await indexDueArticles(env.DB)) > 0);
  });

  it("two runs at once index each article once", async () => {
    await seedArticles(tenant, 30);
    const [first, second] = await Promise.all([indexDueArticles(env.DB), indexDueArticles(env.DB)]);
    expect(first + second).toBe(30);
    expect(await waiting()).toBe(0);
  });
});
