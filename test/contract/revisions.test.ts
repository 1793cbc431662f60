/** Contract 18.7 to 18.9: former states of articles, how they are compared, and how one is restored. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { historyOf, storedStates, updatesOf } from "../helpers/history.ts";
import { outcome } from "../helpers/outcome.ts";
import { issueToken, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { usageOf } from "../helpers/usage.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const create = async (fields: Partial<ArticleBody> = {}) => {
  const article = await newArticle(tenant, fields);
  return { article, ...historyOf(as, article._id) };
};

const PROSE = "A sentence that is written again and again.\n".repeat(200);

describe("contract 18.7: former states", () => {
  it("each change keeps the state before it, the creation and an update without a change keep none", async () => {
    const { article, update, list, read } = await create({ title: "One", content: "First" });
    expect(await list()).toEqual([]);
    await update({ title: "One" });
    expect(await list()).toEqual([]);
    const second = await update({ title: "Two", content: "Second" });
    await update({ published: false });
    const states = await list();
    expect(states.map(({ number, title, published }) => [number, title, published])).toEqual([
      [2, "Two", true],
      [1, "One", true],
    ]);
    expect(states[1]).toMatchObject({
      articleId: article._id,
      slug: article.slug,
      locale: "en",
      lastEditTime: article.lastEditTime,
      endTime: second.lastEditTime,
    });
    expect(states[0]).not.toHaveProperty("content");
    expect((await read(1)).content).toBe("First");
    expect((await read(2)).content).toBe("Second");
  });

  it("tags and authors are no part of a state: giving them keeps none", async () => {
    const { article, update, list } = await create({ title: "One" });
    await update({ tags: ["Porto"] });
    await update({ title: "One", authors: ["Ada"] });
    expect(await list()).toEqual([]);
    await update({ title: "Two", tags: ["Ferries"] });
    const [state, ...more] = await list();
    expect([state?.number, state?.title, more]).toEqual([1, article.title, []]);
    // It was made by the creation, not by what has changed tags alone.
    expect(state).toMatchObject({ by: { action: "articles.create" }, lastEditTime: article.lastEditTime });
  });

  it("says who made each state, and by what", async () => {
    const { article, update, list } = await create();
    const operator = await issueToken({ operatorToken: tenant.operatorToken });
    await sendJson(200, "/api/articles", {
      as: { operatorToken: operator.secret },
      body: { _id: article._id, title: "2" },
    });
    await update({ title: "3" });
    expect((await list()).map(({ by }) => by)).toEqual([
      { kind: "operator", id: operator._id, action: "articles.update" },
      { kind: "key", id: expect.any(String), action: "articles.create" },
    ]);
  });

  it("keeps a content once, compressed, however many states have it", async () => {
    const { article, update, read } = await create({ content: PROSE });
    for (const published of [false, true, false]) await update({ published });
    await update({ content: "short", title: "Whole" });
    await update({ content: PROSE });
    const states = await storedStates(article._id);
    expect(states.map(({ kind }) => kind)).toEqual(["null", "null", "null", "blob", "text"]);
    expect(states[3]?.bytes).toBeLessThan(PROSE.length / 10);
    for (const number of [1, 2, 3, 4]) expect((await read(number)).content).toBe(PROSE);
    expect((await read(5)).content).toBe("short");
  });

  it("keeps the longest content that hardly becomes smaller", async () => {
    const chunks = Array.from({ length: LIMITS.contentBytes / 4096 }, () =>
      btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(3072)))),
    );
    const content = chunks.join("");
    const { article, update, read } = await create({ content });
    await update({ content: "short" });
    expect((await storedStates(article._id))[0]?.bytes).toBeGreaterThan(content.length / 2);
    expect((await read(1)).content === content).toBe(true);
  });

  it("a state whose content is still the article's shows it", async () => {
    const { update, read } = await create({ content: "é ü 漢字 🙂" });
    await update({ title: "Other", content: "é ü 漢字 🙂" });
    expect((await read(1)).content).toBe("é ü 漢字 🙂");
  });

  it("keeps the newest of an article, and never reuses a number", async () => {
    // Of an organization of its own, whose storage is not counted right by this.
    const other = await newTenant();
    const article = await newArticle(other, { content: "The first" });
    const { update, list, read } = historyOf({ apiKey: other.apiKey }, article._id);
    await env.DB.prepare(
      `insert into revisions (article_id, number, organization_id, published, lasting, members, last_edit_time, end_time, content)
       select ?1, value, ?2, 1, 1, '{"title":"x"}', ?3, ?3, iif(value % 2, null, 'c' || value)
       from generate_series(1, ?4)`.replace(
        "generate_series(1, ?4)",
        "(with recursive n(value) as (select 1 union all select value + 1 from n where value < ?4) select value from n)",
      ),
    )
      .bind(article._id, other.organizationId, article.lastEditTime, LIMITS.revisions)
      .run();
    await env.DB.prepare("update articles set revision = ? where id = ?")
      .bind(LIMITS.revisions + 1, article._id)
      .run();
    await update({ title: "One more" });
    const numbers = (await list()).map(({ number }) => number);
    expect(numbers).toHaveLength(LIMITS.revisions);
    expect([numbers[0], numbers.at(-1)]).toEqual([LIMITS.revisions + 1, 2]);
    expect((await read(3)).content).toBe("c4");
    await env.DB.prepare("delete from revisions where article_id = ?").bind(article._id).run();
    await update({ title: "And one" });
    expect((await list()).map(({ number }) => number)).toEqual([LIMITS.revisions + 2]);
  });

  it("goes with the article, and counts as storage of its own", async () => {
    const { article, update } = await create({ content: PROSE });
    await update({ content: `${PROSE}more` });
    const { revisionBytes } = await sendJson<{ revisionBytes: { used: number } }>(200, "/api/usage", { as });
    expect(revisionBytes.used).toBeGreaterThan(0);
    await sendJson(200, `/api/articles/${article._id}`, { as, method: "DELETE" });
    expect(await storedStates(article._id)).toEqual([]);
    const { counted, recounted } = await usageOf(tenant.organizationId);
    expect(counted).toEqual(recounted);
  });
});

describe("contract 18.8: listing, reading and comparing", () => {
  it("compares with the article or with another state, texts by line", async () => {
    const { path, update } = await create({ title: "One", content: "a\nb\nc\n" });
    await update({ title: "Two", content: "a\nB\nc\n" });
    await update({ published: false });
    expect(await sendJson(200, `${path}/revisions/1/diff`, { as })).toMatchObject({
      from: 1,
      with: "current",
      fields: [
        { name: "title", before: "One", after: "Two" },
        { name: "published", before: true, after: false },
      ],
      content: { unified: "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", addedLines: 1, removedLines: 1 },
    });
    expect(await sendJson(200, `${path}/revisions/2/diff?with=1`, { as })).toMatchObject({
      with: 1,
      fields: [{ name: "title", before: "Two", after: "One" }],
    });
    expect(await outcome(`${path}/revisions/2/diff?with=draft`, { as })).toBe("400 invalid_request");
  });

  it("gives no lines of contents that differ too much", async () => {
    const lines = (mark: string) => Array.from({ length: LIMITS.differentLines }, (_, n) => `${mark}${n}`).join("\n");
    const { path, update } = await create({ content: lines("a") });
    await update({ content: lines("b") });
    expect(await sendJson(200, `${path}/revisions/1/diff`, { as })).toMatchObject({ content: null });
  });

  it("gives no lines of contents that have too many, even if only one differs", async () => {
    const content = "\n".repeat(LIMITS.comparedLines / 2 - 1);
    const { path, update } = await create({ content });
    await update({ content: `${content}x` });
    await update({ content: `${content}\nx` });
    expect(await sendJson(200, `${path}/revisions/1/diff?with=2`, { as })).toMatchObject({
      content: { addedLines: 1 },
    });
    expect(await sendJson(200, `${path}/revisions/1/diff`, { as })).toMatchObject({ content: null });
  });

  it("what is not there is 404, and a number has to be one", async () => {
    const { path } = await create();
    expect(await outcome(`${path}/revisions/1`, { as })).toBe("404 not_found");
    expect(await outcome(`${path}/revisions/1/diff`, { as })).toBe("404 not_found");
    expect(await outcome(`${path}/revisions/1/restore`, { as, method: "POST" })).toBe("404 not_found");
    expect(await outcome(`${path}/revisions/0`, { as })).toBe("400 invalid_request");
  });
});

describe("contract 18.9: restoring", () => {
  it("a state restored as a draft does not come back published", async () => {
    const { article, update, restore, read } = await create({ title: "Public", content: "Old", published: true });
    await update({ title: "Draft", content: "New", published: false });
    const before = await updatesOf(article._id);
    const restored = await restore(1);
    expect(restored).toMatchObject({ title: "Public", content: "Old", published: false });
    expect(await updatesOf(article._id)).toBe(before + 1);
    expect(await read(2)).toMatchObject({ title: "Draft", content: "New", published: false });
    expect(await outcome(`/api/articles/${article._id}`)).toBe("404 not_found");
  });

  it("leaves a public article public, and its publication time, but not its texts for search engines", async () => {
    const { article, path, update, restore } = await create({ title: "Draft", published: false });
    const publishTime = "2026-01-01T00:00:00.000Z";
    await update({ title: "Public", published: true, publishTime, seo: { title: "For search engines" } });
    expect(await restore(1)).toMatchObject({ title: "Draft", published: true });
    expect(await sendJson(200, `${path}?fields=publishTime,seo`, { as })).toMatchObject({
      publishTime,
      seo: { title: "" },
    });
    expect(article.published).toBe(false);
  });

  it("is an update under If-Match: a delayed one changes nothing", async () => {
    const { path, update, etag, article } = await create({ title: "One" });
    await update({ title: "Two" });
    const headers = { "If-Match": await etag() };
    await update({ published: false });
    const path1 = `${path}/revisions/1/restore`;
    expect(await outcome(path1, { as, method: "POST", headers })).toBe("412 precondition_failed");
    expect(await sendJson(200, path, { as })).toMatchObject({ title: "Two", published: false, _id: article._id });
  });

  it("is refused if another article has the slug by now, and changes nothing if nothing differs", async () => {
    const { article, path, update, restore, list } = await create({ slug: "wanted-again" });
    await update({ slug: "another-one" });
    const other = await newArticle(tenant, { slug: "wanted-again" });
    expect(await outcome(`${path}/revisions/1/restore`, { as, method: "POST" })).toBe("409 slug_taken");
    await sendJson(200, `/api/articles/${other._id}`, { as, method: "DELETE" });
    expect(await restore(1)).toMatchObject({ slug: "wanted-again" });
    const [count, updates] = [(await list()).length, await updatesOf(article._id)];
    await restore(1);
    expect([(await list()).length, await updatesOf(article._id)]).toEqual([count, updates]);
  });
});
