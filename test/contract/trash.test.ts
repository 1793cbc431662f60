/** Contract 18.27 and 18.28: deleted articles, which can be restored, and are then gone for good. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import type { TrashedValue } from "../../src/operations/trash.ts";
import { emptyTrash } from "../../src/store/articles/system-trash.ts";
import { removeDeletedWords } from "../../src/store/articles/system-search-index.ts";
import { eraseDeleted } from "../../src/background/blogs/erase.ts";
import { removeUnownedFiles } from "../../src/background/media/files.ts";
import { DAY_MS } from "../../src/lib/time.ts";
import { newId } from "../../src/lib/ids.ts";
import { auditOf, eventsOf, historyOf } from "../helpers/history.ts";
import { tablesWith } from "../helpers/grep.ts";
import { newFile } from "../helpers/media.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});

const remove = (id: string) => sendJson(200, `/api/articles/${id}`, { as, method: "DELETE" });
const restore = (id: string, body: object = {}) => send(`/api/trash/${id}/restore`, { as, method: "POST", body });
const listed = (query = "") => sendJson<TrashedValue[]>(200, `/api/trash${query}`, { as });
const purge = (id: string) => send(`/api/trash/${id}`, { as, method: "DELETE" });
const empty = (now = new Date(), most = parseSettings(env).quota) => emptyTrash(env.DB, now, most);
const statusOf = async (image: string) => (await send(`/media/${image}`)).status;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

const rowsOf = async (table: string, id: string, column = "article_id") =>
  (await env.DB.prepare(`select * from ${table} where ${column} = ? order by 1, 2`).bind(id).all()).results;
const usage = (of = tenant) =>
  env.DB.prepare(
    "select articles, article_bytes, revision_bytes, media_bytes, trash_articles, trash_bytes from organizations where id = ?",
  )
    .bind(of.organizationId)
    .first();

/** An article with everything that an article can have. */
async function newWhole() {
  const { _id } = await newArticle(tenant, { title: "Ferries", slug: `ferries-${newId()}`, content: "The first text" });
  const { update, save } = historyOf(as, _id);
  await update({ slug: `boats-${newId()}`, tags: ["Ships", "Rivers"], authors: ["Ana"], content: "The second text" });
  await update({ title: "Boats", seo: { title: "Ships" } });
  await save({ title: "Boats and ships", content: "Not yet public" });
  await newFile(tenant.organizationId, _id);
  return _id;
}

const FIELDS =
  "_id,title,description,content,slug,locale,coverUrl,published,creationTime,publishTime,tags,authors,seo,html,createdBy,origin";

describe("a deleted article", () => {
  it("is restored with its history, working copy, tags, image and previous slugs (18.27)", async () => {
    const id = await newWhole();
    const read = () => sendJson<ArticleBody>(200, `/api/articles/${id}?fields=${FIELDS}`, { as });
    const [image] = await rowsOf("media", id);
    const statusOfImage = () => statusOf(String(image?.id));
    const keep = async () => ({
      shown: await read(),
      states: await sendJson(200, `/api/articles/${id}/revisions`, { as }),
      first: await historyOf(as, id).read(1),
      rows: [await rowsOf("revisions", id), await rowsOf("media", id)],
      draft: await sendJson<{ title: string; content: string; articleChanged: boolean }>(
        200,
        `/api/articles/${id}/draft`,
        { as },
      ),
      usage: await usage(),
    });
    const before = await keep();
    const etag = await historyOf(as, id).etag();
    const formerSlug = before.first.slug;
    expect(await statusOfImage()).toBe(200);
    await remove(id);
    expect((await send(`/api/articles/${id}`, { as })).status).toBe(404);
    expect(await statusOfImage()).toBe(404);
    expect(await usage()).toMatchObject({ articles: 0, article_bytes: 0, revision_bytes: 0, trash_articles: 1 });
    const [entry] = await listed(`?blogId=${tenant.blogId}`);
    expect(entry).toMatchObject({ articleId: id, title: "Boats", published: true, deletedBy: { kind: "key" } });
    expect(Date.parse(entry?.dueTime ?? "") - Date.parse(entry?.deletionTime ?? "")).toBe(LIMITS.trashDays * DAY_MS);
    const restored = await restore(id);
    expect(restored.status).toBe(200);
    expect(restored.headers.get("ETag")).not.toBe(etag);
    expect(await keep()).toEqual(before);
    expect(before.draft).toMatchObject({ title: "Boats and ships", articleChanged: false });
    expect(await statusOfImage()).toBe(200);
    expect((await send(`/api/articles/${formerSlug}?blogId=${tenant.blogId}&moved=follow`)).status).toBe(200);
    const found = await sendJson<ArticleBody[]>(200, `/api/search?query=second&blogId=${tenant.blogId}`, { as });
    expect(found.map(({ _id }) => _id)).toContain(id);
    expect(await eventsOf(id)).toEqual([
      "article.created",
      "article.updated",
      "article.updated",
      "article.deleted",
      "article.created",
    ]);
    expect((await auditOf(id)).slice(-2)).toEqual(["articles.delete key", "trash.restore key"]);
    expect(await listed()).toEqual([]);
  });

  it("has its redirects again, unless another leads from there or to it now (18.27)", async () => {
    const { _id } = await newArticle(tenant);
    const path = `/api/blogs/${tenant.blogId}/redirects`;
    const add = (from: string, to: object) => sendJson(200, path, { as, body: { from, ...to } });
    const froms = async () =>
      (await sendJson<{ from: string }[]>(200, path, { as })).map(({ from }) => from).toSorted();
    for (const from of ["/kept", "/taken", "/led-to"]) await add(from, { articleId: _id });
    await remove(_id);
    expect(await froms()).toEqual([]);
    await add("/taken", { to: "https://example.com/" });
    await add("/new", { to: "/led-to" });
    expect((await restore(_id)).status).toBe(200);
    expect(await froms()).toEqual(["/kept", "/new", "/taken"]);
  });

  it("has its images again, whichever of the articles that show them is deleted for good (18.27)", async () => {
    const { _id, slug } = await newArticle(tenant);
    const image = await newFile(tenant.organizationId, _id);
    await env.DB.prepare("update media set bytes = 1000 where id = ?").bind(image).run();
    const german = await newArticle(tenant, { slug, locale: "de", content: `![](/media/${image})` });
    const before = await usage();
    for (const id of [_id, german._id]) await remove(id);
    expect(await statusOf(image)).toBe(404);
    expect(await usage()).toMatchObject({ media_bytes: before?.["media_bytes"] });
    expect((await restore(_id)).status).toBe(200);
    expect(await statusOf(image)).toBe(200);
    await remove(_id);
    await purge(_id);
    await empty();
    await removeUnownedFiles(env.DB, env.MEDIA, inDays(1));
    expect((await restore(german._id)).status).toBe(200);
    expect(await statusOf(image)).toBe(200);
    expect(await usage()).toMatchObject({ media_bytes: before?.["media_bytes"], trash_bytes: before?.["trash_bytes"] });
    await remove(german._id);
    await purge(german._id);
    await empty();
    await removeUnownedFiles(env.DB, env.MEDIA, inDays(1));
    expect(await usage()).toMatchObject({ media_bytes: Number(before?.["media_bytes"]) - 1000 });
    expect(await env.MEDIA.head(`${tenant.organizationId}/${image}`)).toBeNull();
  });

  it("needs another slug if an article has taken its own (18.27)", async () => {
    const { _id, slug } = await newArticle(tenant, { slug: "taken-meanwhile" });
    await remove(_id);
    await newArticle(tenant, { slug });
    await refusalOf(await restore(_id), "slug_taken");
    const restored = await restore(_id, { slug: "free" });
    expect(await restored.json()).toMatchObject({ _id, slug: "free", published: true });
    await refusalOf(await restore(_id), "not_found");
  });

  it("keeps the images that it shares, under whichever slug they are shown (18.27)", async () => {
    const { _id, slug } = await newArticle(tenant, { slug: "pictured" });
    const image = await newFile(tenant.organizationId, _id);
    await historyOf(as, _id).update({ coverUrl: `https://edgepress.test/media/${image}` });
    const german = await newArticle(tenant, { slug, locale: "de", content: `![](/media/${image})` });
    await remove(_id);
    expect(await statusOf(image)).toBe(200);
    expect((await restore(_id, { slug: `${slug}-again` })).status).toBe(200);
    await remove(german._id);
    expect(await statusOf(image)).toBe(200);
    await remove(_id);
    expect(await statusOf(image)).toBe(404);
    expect((await restore(german._id)).status).toBe(200);
    expect(await statusOf(image)).toBe(200);
    await purge(_id);
    await empty();
    await removeUnownedFiles(env.DB, env.MEDIA, inDays(1));
    expect(await statusOf(image)).toBe(200);
  });

  it("leaves its images to no article of another blog that shows them (18.27)", async () => {
    const body = { name: "Another", locales: ["en"] };
    const blog = await sendJson<{ _id: string }>(200, "/api/blogs", {
      as: { operatorToken: tenant.operatorToken },
      body,
    });
    const { _id } = await newArticle(tenant);
    const image = await newFile(tenant.organizationId, _id);
    const foreign = await newArticle({ ...tenant, blogId: blog._id }, { content: `![](/media/${image})` });
    await remove(foreign._id);
    await restore(foreign._id);
    await remove(_id);
    expect(await statusOf(image)).toBe(404);
    await remove(foreign._id);
    await purge(foreign._id);
    await empty();
    await removeUnownedFiles(env.DB, env.MEDIA, inDays(1));
    expect((await restore(_id)).status).toBe(200);
    expect(await statusOf(image)).toBe(200);
  });

  it("has the tags of its translations (18.27)", async () => {
    const { _id, slug } = await newArticle(tenant, { slug: "translated" });
    const translation = await newArticle(tenant, { slug, locale: "de" });
    await remove(_id);
    await historyOf(as, translation._id).update({ tags: ["Newer"] });
    await restore(_id);
    const { tags } = await sendJson<{ tags: { name: string }[] }>(200, `/api/articles/${_id}?fields=tags`, { as });
    expect(tags).toMatchObject([{ name: "Newer" }]);
  });

  it("that an earlier version of the service deleted gets the defaults of newer columns (18.27)", async () => {
    const id = await newWhole();
    const before = await rowsOf("revisions", id);
    await remove(id);
    await env.DB.prepare(
      "update trashed_rows set members = json_remove(members, '$.working_copy', '$.untold') where article_id = ?",
    )
      .bind(id)
      .run();
    expect((await restore(id)).status).toBe(200);
    expect(await rowsOf("revisions", id)).toEqual(before);
  });

  it("counts like a new article against the quota (18.27)", async () => {
    const full = await newTenant();
    const { _id } = await newArticle(full);
    const own = { apiKey: full.apiKey };
    await sendJson(200, `/api/articles/${_id}`, { as: own, method: "DELETE" });
    await env.DB.prepare("update organizations set articles = ? where id = ?")
      .bind(parseSettings(env).quota.articles, full.organizationId)
      .run();
    await refusalOf(await send(`/api/trash/${_id}/restore`, { as: own, method: "POST", body: {} }), "quota_exceeded");
  });
});

describe("the trash", () => {
  it("forgets the oldest articles of an organization above its quota, which has its images, too (18.28)", async () => {
    const many = await newTenant();
    const own = { apiKey: many.apiKey };
    const ids: string[] = [];
    for (const title of ["Oldest", "Older", "Newest"]) {
      const { _id } = await newArticle(many, { title });
      const image = await newFile(many.organizationId, _id);
      await env.DB.prepare("update media set bytes = 1000000 where id = ?").bind(image).run();
      await sendJson(200, `/api/articles/${_id}`, { as: own, method: "DELETE" });
      ids.push(_id);
    }
    expect(await usage(many)).toMatchObject({ media_bytes: 3_000_000 });
    const kept = async (articles: number, articleBytes: number) => {
      await empty(new Date(), { ...parseSettings(env).quota, articles, articleBytes });
      return (await sendJson<TrashedValue[]>(200, "/api/trash", { as: own })).map(({ articleId }) => articleId);
    };
    expect(await kept(3, 1_000_000)).toEqual(ids.toReversed());
    expect(await kept(2, 1_000_000)).toEqual([ids[2], ids[1]]);
    expect(await kept(2, 1)).toEqual([]);
    await removeUnownedFiles(env.DB, env.MEDIA, inDays(1));
    expect(await usage(many)).toMatchObject({ trash_articles: 0, trash_bytes: 0, media_bytes: 0 });
  });

  it("leaves nothing of an article that it has deleted for good, in the database or in R2 (18.28)", async () => {
    const marker = newId().replaceAll("-", "");
    const titled = { title: `Title ${marker}`, slug: `slug-${marker}`, description: `Description ${marker}` };
    const { _id } = await newArticle(tenant, { ...titled, content: `Text ${marker}` });
    const { update, save } = historyOf(as, _id);
    await update({ content: `Another text ${marker}`, slug: `again-${marker}` });
    await save({ title: `Working copy ${marker}` });
    const fileId = await newFile(tenant.organizationId, _id);
    await env.MEDIA.put(`${tenant.organizationId}/${fileId}`, marker);
    await remove(_id);
    expect(await findEverywhere(marker)).toEqual(["R2", "article_text_data", "events", "trash", "trashed_rows"]);
    await empty(inDays(LIMITS.trashDays - 1));
    expect(await rowsOf("trash", _id)).toHaveLength(1);
    expect((await purge(_id)).status).toBe(200);
    expect((await listed()).map(({ articleId }) => articleId)).not.toContain(_id);
    await refusalOf(await restore(_id), "not_found");
    await refusalOf(await purge(_id), "not_found");
    await empty();
    await removeDeletedWords(env.DB);
    await removeUnownedFiles(env.DB, env.MEDIA, inDays(1));
    expect(await findEverywhere(marker)).toEqual([]);
    expect(await eventsOf(_id)).toEqual(["article.created", "article.updated", "article.deleted"]);
  });

  it("hides the articles of a deleted blog, and deletes them for good with it (18.28)", async () => {
    const owner = await newTenant();
    const own = { operatorToken: owner.operatorToken };
    const { _id } = await newArticle(owner);
    await sendJson(200, `/api/articles/${_id}`, { as: own, method: "DELETE" });
    await sendJson(200, `/api/blogs/${owner.blogId}`, { as: own, method: "DELETE" });
    expect(await sendJson(200, "/api/trash", { as: own })).toEqual([]);
    await refusalOf(await send(`/api/trash/${_id}/restore`, { as: own, method: "POST", body: {} }), "not_found");
    await sendJson(200, `/api/deletedblogs/${owner.blogId}`, { as: own, method: "DELETE" });
    await eraseDeleted(env.DB, env.MEDIA, new Date());
    await empty();
    expect([await rowsOf("trash", _id), await rowsOf("trashed_rows", _id)]).toEqual([[], []]);
  });

  it("deletes an article for good by itself after 30 days (18.28)", async () => {
    const { _id } = await newArticle(tenant);
    await remove(_id);
    await empty(inDays(LIMITS.trashDays));
    expect([await rowsOf("trash", _id), await rowsOf("trashed_rows", _id)]).toEqual([[], []]);
    await refusalOf(await restore(_id), "not_found");
  });
});

/** Returns where a text is found: tables, and files. */
async function findEverywhere(text: string): Promise<string[]> {
  const files = await env.MEDIA.list({ prefix: `${tenant.organizationId}/` });
  const texts = await Promise.all(files.objects.map(async ({ key }) => (await env.MEDIA.get(key))?.text()));
  return [...(await tablesWith(text)), ...(texts.some((file) => file?.includes(text)) ? ["R2"] : [])].toSorted();
}
