/** Contract 18.11, 18.12: working copies, and how one is published. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { historyOf, updatesOf } from "../helpers/history.ts";
import { headerOf, outcome } from "../helpers/outcome.ts";
import { quiet } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { usageOf } from "../helpers/usage.ts";

type Copy = ArticleBody & { changed: string[]; articleChanged: boolean; publishTime?: string };

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const create = async (fields: Partial<ArticleBody> = {}) => {
  const article = await newArticle(tenant, fields);
  const { path, save, ...rest } = historyOf(as, article._id);
  return {
    article,
    path,
    ...rest,
    save: async (members: object, headers = {}) => {
      const response = await save(members, { headers });
      expect(response.status, await response.clone().text()).toBe(200);
      return { copy: await response.json<Copy>(), etag: headerOf(response, "ETag") };
    },
    publish: (body: object = {}, headers = {}) => outcome(`${path}/draft/publish`, { as, body, headers }),
  };
};

/** Everything of an article that others can see or are told: its row, its index, its events, waiting purges. */
async function traces(id: string): Promise<unknown> {
  await quiet();
  const queries = [
    "select * from articles where id = ?1",
    `select * from article_text_terms where doc = (select search_id from articles where id = ?1) order by term, col, offset`,
    "select id from events where data ->> '_id' = ?1",
    "select * from purges where ?1 <> ''",
  ];
  const found = await env.DB.batch(queries.map((query) => env.DB.prepare(query).bind(id)));
  // A save may keep a state, whose number is the article's.
  return found.map(({ results }) => results.map((row) => ({ ...(row as object), revision: null })));
}

describe("contract 18.11: the working copy", () => {
  it("is seen by nobody else: no event, no purge, no time, no index", async () => {
    const { article, path, save } = await create({ title: "Public", content: "As published" });
    const before = await traces(article._id);
    const publicly = await send(path);
    const { copy } = await save({
      title: "Next",
      content: "Not yet",
      slug: "elsewhere",
      publishTime: "2026-01-01T00:00:00Z",
    });
    await save({ description: "More" });
    expect(copy).toMatchObject({ articleId: article._id, title: "Next", content: "Not yet", articleChanged: false });
    expect(await traces(article._id)).toEqual(before);
    const after = await send(path);
    expect(headerOf(after, "ETag")).toBe(headerOf(publicly, "ETag"));
    expect(await after.json()).toEqual(article);
    expect(await outcome(`${path}/draft`)).toBe("401 credentials_missing");
  });

  it("is not changed by a save of what it has: its version, its audit entry and its author stay", async () => {
    const { article, path, save } = await create({ content: "As published" });
    const fields = { title: "Next", content: "New", seo: { title: "For machines" }, tags: ["Unchanged"] };
    const first = await save(fields);
    const entries = async () =>
      (
        await env.DB.prepare("select id from audit where resource_id = ? and action = 'articles.saveDraft'")
          .bind(article._id)
          .all()
      ).results;
    const before = await entries();
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    for (const again of [fields, { title: "Next" }, {}]) {
      const { copy, etag } = await save(again, "title" in again && "content" in again ? headers : {});
      expect([copy, etag]).toEqual([first.copy, first.etag]);
    }
    expect((await save(fields, headers)).etag).toBe(first.etag);
    expect(await entries()).toEqual(before);
    expect((await save({ title: "Later" }, { "If-Match": first.etag })).copy.title).toBe("Later");
    expect(await outcome(`${path}/draft`, { as })).toBe("200");
  });

  it("that equals its published article is only discarded by a publication", async () => {
    const { article, path, save, publish, list } = await create({ title: "Public", content: "Same" });
    await updatesOf(article._id);
    const before = await traces(article._id);
    for (const same of [{}, { title: "Public", content: "Same" }]) {
      await save(same);
      expect(await publish()).toBe("200");
      expect(await outcome(`${path}/draft`, { as })).toBe("404 not_found");
    }
    expect(await traces(article._id)).toEqual(before);
    expect(await list()).toEqual([]);
    await save({ title: "Other" });
    expect(await publish()).toBe("200");
    expect(await updatesOf(article._id)).toBe(1);
  });

  it("what a save or a discarding takes from it is in the history of its article, as what readers did not see", async () => {
    const { article, path, save, update, list, read } = await create({ title: "Public", content: "As published" });
    await save({ content: "Written at length" });
    await save({ content: "Written at length", tags: ["No part of a state"] });
    await save({ content: "x" });
    await save({ title: "Next" });
    expect(await outcome(`${path}/draft`, { as, method: "DELETE" })).toBe("200");
    await update({ title: "Later" });
    expect(
      (await list()).map(({ number, workingCopy, published, title, by }) => [
        number,
        workingCopy,
        published,
        title,
        by?.action,
      ]),
    ).toEqual([
      [4, false, true, "Public", "articles.create"],
      [3, true, false, "Next", "articles.saveDraft"],
      [2, true, false, "Public", "articles.saveDraft"],
      [1, true, false, "Public", "articles.saveDraft"],
    ]);
    const contents = await Promise.all([1, 2, 3, 4].map(async (number) => (await read(number)).content));
    expect(contents).toEqual(["Written at length", "x", "x", "As published"]);
    expect(await sendJson(200, `${path}?fields=createdBy`, { as })).toMatchObject({ createdBy: { kind: "key" } });
    expect(await updatesOf(article._id)).toBe(1);
    const { counted, recounted } = await usageOf(tenant.organizationId);
    expect(counted).toEqual(recounted);
  });

  it("is named by the article for callers with credentials, and changes its ETag there", async () => {
    const { path, save } = await create();
    const shown = () => send(`${path}?fields=title,workingCopy`, { as });
    const before = await shown();
    expect(await before.json()).toMatchObject({ workingCopy: null });
    const { copy } = await save({ title: "Two" });
    const after = await shown();
    expect(headerOf(after, "ETag")).not.toBe(headerOf(before, "ETag"));
    const { creationTime, lastEditTime } = copy;
    expect(await after.json()).toMatchObject({ workingCopy: { creationTime, lastEditTime } });
    expect(await outcome(`${path}?fields=workingCopy`)).toBe("400 invalid_request");
  });

  it("merges what is saved, and shows the article's fields for the rest", async () => {
    const { article, path, save, update } = await create({ title: "One", content: "Text" });
    await save({ title: "Two" });
    await save({ content: "" });
    const { copy } = await save({ coverUrl: "https://images.example.com/a.jpg" });
    expect(copy).toMatchObject({ title: "Two", content: "", slug: article.slug, by: { kind: "key" } });
    expect(copy.changed).toEqual(["title", "coverUrl", "content"]);
    const shown = await send(`${path}/draft`, { as });
    expect(await shown.json()).toEqual(copy);
    await update({ description: "Changed beside it" });
    const later = await send(`${path}/draft`, { as });
    expect(headerOf(later, "ETag")).not.toBe(headerOf(shown, "ETag"));
    expect(await later.json()).toMatchObject({ description: "Changed beside it", title: "Two", articleChanged: true });
  });

  it("accepts the fields of an update but `published`, and no time in the future", async () => {
    const { path } = await create();
    const put = (body: object) => outcome(`${path}/draft`, { as, method: "PUT", body });
    expect(await put({ published: false })).toBe("400 invalid_request");
    expect(await put({ publishTime: "2999-01-01T00:00:00Z" })).toBe("400 invalid_request");
    expect(await put({ lastEditTime: "2026-01-01T00:00:00.000Z" })).toBe("400 immutable_field");
    expect(await outcome(`${path}/draft`, { as })).toBe("404 not_found");
  });

  it("a draft has none: it is changed itself", async () => {
    const { path, etag, update } = await create({ published: false });
    const put = (headers = {}) => outcome(`${path}/draft`, { as, method: "PUT", body: { title: "Two" }, headers });
    expect(await put()).toBe("409 article_not_published");
    const before = await etag();
    await update({ title: "Three" });
    expect(await put({ "If-Match": before })).toBe("412 precondition_failed");
    expect(await sendJson(200, path, { as })).toMatchObject({ title: "Three" });
    expect(await outcome(`${path}/draft`, { as })).toBe("404 not_found");
  });

  it("of two people, the second is told: by If-Match of the article that both began with, then of the working copy", async () => {
    const { path, etag, save } = await create();
    const begun = await etag();
    const put = (ifMatch: string) =>
      outcome(`${path}/draft`, { as, method: "PUT", body: { title: "Bob" }, headers: { "If-Match": ifMatch } });
    // There is no working copy yet that it could mean.
    expect(await put("*")).toBe("412 precondition_failed");
    const first = await save({ title: "Ada" }, { "If-Match": begun });
    expect(await put(begun)).toBe("412 precondition_failed");
    const second = await save({ title: "Ada again" }, { "If-Match": await etag("/draft") });
    expect(await put(first.etag)).toBe("412 precondition_failed");
    expect(await put("*")).toBe("200");
    const third = await save({ title: "Ada once more" });
    const remove = { as, method: "DELETE" };
    expect(await outcome(`${path}/draft`, { ...remove, headers: { "If-Match": second.etag } })).toBe(
      "412 precondition_failed",
    );
    expect(await sendJson(200, `${path}/draft`, { ...remove, headers: { "If-Match": third.etag } })).toEqual({
      _id: path.split("/").at(-1),
    });
    expect(await outcome(`${path}/draft`, remove)).toBe("404 not_found");
  });

  it("counts as text of an article, and goes with it", async () => {
    const { article, path, save } = await create();
    const used = async () => {
      const { counted, recounted } = await usageOf(tenant.organizationId);
      expect(counted).toEqual(recounted);
      return counted.articleBytes;
    };
    const before = await used();
    await save({ content: "x".repeat(1000) });
    expect(await used()).toBe(before + 1000 + "{}".length);
    const bindings = { ORGANIZATION_MEGABYTES: "0" } as unknown as Partial<Env>;
    const body = { content: "x".repeat(2000) };
    expect(await outcome(`${path}/draft`, { as, method: "PUT", body, bindings })).toBe("409 quota_exceeded");
    await sendJson(200, `${path}/draft`, { as, method: "PUT", body: { content: "" }, bindings });
    await sendJson(200, `/api/articles/${article._id}`, { as, method: "DELETE" });
    expect(await used()).toBeLessThan(before);
  });
});

describe("contract 18.12: publishing a working copy", () => {
  it("gives the article its fields at once, with one event and a former state, and ends it", async () => {
    const { article, path, save, publish, read } = await create({ title: "Old", content: "Old text" });
    await save({ title: "New", content: "New text" });
    const before = await updatesOf(article._id);
    expect(await publish()).toBe("200");
    expect(await sendJson(200, path)).toMatchObject({ title: "New", content: "New text", published: true });
    expect(await updatesOf(article._id)).toBe(before + 1);
    expect(await read(1)).toMatchObject({ title: "Old", content: "Old text", published: true });
    expect(await outcome(`${path}/draft`, { as })).toBe("404 not_found");
    expect(await publish()).toBe("404 not_found");
  });

  it("is refused if the article has changed meanwhile, unless it may overwrite", async () => {
    const { path, save, publish, update } = await create({ title: "One", description: "One" });
    await save({ title: "Two" });
    await update({ description: "Changed beside it" });
    expect(await publish()).toBe("409 article_changed");
    expect(await sendJson(200, path)).toMatchObject({ title: "One" });
    expect(await publish({ overwrite: true })).toBe("200");
    expect(await sendJson(200, path)).toMatchObject({ title: "Two", description: "Changed beside it" });
  });

  it("is not outdated by tags, which leave the texts as they are", async () => {
    const { path, save, publish, update } = await create({ title: "One" });
    await save({ title: "Two" });
    await update({ tags: ["Porto"] });
    await update({ title: "One", tags: ["Porto", "Ferries"] });
    expect(await sendJson(200, `${path}/draft`, { as })).toMatchObject({ articleChanged: false });
    expect(await publish()).toBe("200");
    expect(await sendJson(200, path)).toMatchObject({ title: "Two", published: true });
  });

  it("takes the version of the working copy as If-Match", async () => {
    const { save, publish } = await create();
    const first = await save({ title: "One" });
    const second = await save({ title: "Two" });
    expect(await publish({}, { "If-Match": first.etag })).toBe("412 precondition_failed");
    expect(await publish({}, { "If-Match": second.etag })).toBe("200");
  });

  it("is refused if another article has its slug, and the working copy stays", async () => {
    const { path, save, publish } = await create();
    await newArticle(tenant, { slug: "already-taken" });
    await save({ slug: "already-taken" });
    expect(await publish()).toBe("409 slug_taken");
    expect(await sendJson(200, `${path}/draft`, { as })).toMatchObject({ slug: "already-taken" });
  });

  it("is possible with a full quota, and kept whole for its Idempotency-Key", async () => {
    const { path, save } = await create();
    await save({ content: "Longer than before" });
    const ask = { as, body: {}, headers: { "Idempotency-Key": path } };
    const bindings = { ORGANIZATION_MEGABYTES: "0" } as unknown as Partial<Env>;
    const { path: other, publish: __, ...rest } = await create();
    await rest.save({ content: "Longer than before" });
    await sendJson(200, `${other}/draft/publish`, { as, body: {}, bindings });
    const first = await sendJson(200, `${path}/draft/publish`, ask);
    const again = await send(`${path}/draft/publish`, ask);
    expect(headerOf(again, "Idempotent-Replayed")).toBe("true");
    expect(await again.json()).toEqual(first);
    expect(first).toMatchObject({ content: "Longer than before" });
  });
});
