/** Contract 5.9: deleting a blog, restoring it, and deleting it for good. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { makeLowestId } from "../../src/lib/ids.ts";
import { bindD1 } from "../../src/store/export/database.ts";
import { listTables } from "../../src/store/export/tables.ts";
import { emptyTrash } from "../../src/store/articles/system-trash.ts";
import { consumeImports, sweepImports, type ImportMessage } from "../../src/background/imports/consumer.ts";
import { eraseDeleted } from "../../src/background/blogs/erase.ts";
import { PARTS } from "../../src/store/blogs/system-erasing.ts";
import { removeUnownedFiles } from "../../src/background/media/files.ts";
import { databaseThat } from "../helpers/failing-database.ts";
import { ghostOf, importerOf, settled, uploadImport } from "../helpers/importing.ts";
import { newPng } from "../helpers/pictures.ts";
import { batchOf, HeldQueue } from "../helpers/relay.ts";
import { tablesWith } from "../helpers/grep.ts";
import { newFile } from "../helpers/media.ts";
import { newWorld, type World } from "../helpers/operations.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { issueKey, send, sendJson, type Credential, type Send } from "../helpers/requests.ts";
import { inMinutes, runAt } from "../helpers/schedules.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

const DAY_MS = 86_400_000;

let world: World;
let tenant: Tenant;
let as: Credential;
let name: string;
beforeEach(async () => {
  name = `Harbour${crypto.randomUUID().slice(0, 8)}`;
  world = await newWorld(name);
  ({ tenant } = world);
  as = { operatorToken: tenant.operatorToken };
});

const path = () => `/api/blogs/${tenant.blogId}`;
const remove = (of = path()) => sendJson(200, of, { as, method: "DELETE" });
type Deleted = { _id: string; deletionTime: string; dueTime: string };
const deleted = () => sendJson<Deleted[]>(200, "/api/deletedblogs", { as });
const eventsOf = async () =>
  (await sendJson<{ event: string }[]>(200, "/api/events?kinds=blog.deleted,blog.created", { as })).map(
    ({ event }) => event,
  );
const restore = () => sendJson(200, `${path()}/restore`, { as, method: "POST" });
const later = (days: number) => new Date(Date.now() + days * DAY_MS);

/** What the organization's own credentials see of the blog, as statuses and numbers. */
async function reach(): Promise<Record<string, number>> {
  const { blogId } = tenant;
  const asked: Record<string, Send> = {
    [path()]: {},
    [`${path()}/site`]: {},
    [`${path()}/redirects`]: {},
    [`${path()}/imports`]: {},
    [`/api/articles/${world.article._id}`]: {},
    [`/api/articles/${world.article.slug}`]: {},
    [`/api/articles/${world.article._id}/revisions`]: {},
    [`/api/articles/${world.edited._id}/draft`]: {},
    [`/api/tags/${world.tagId}`]: {},
    [`/api/topics/${world.topicId}`]: {},
    [`/api/topics/refreshes/${world.refreshId}`]: {},
    [`/api/contacts/${world.contactId}`]: {},
    [`/api/contacts?blogId=${blogId}`]: {},
    "/api/articles": { body: { blogId, title: name } },
    "/api/tags": { body: { blogId, name: `Tag ${crypto.randomUUID().slice(0, 8)}` } },
    "/api/topics/refresh": { body: { blogId } },
    [`/blogs/${blogId}`]: {},
  };
  const lists = ["/api/blogs", "/api/organization/articles", "/api/schedules", `/api/search?query=${name}`];
  const statuses = Object.entries(asked).map(async ([at, options]) => {
    const response = await send(at, { as, ...options });
    await response.body?.cancel();
    return [at, response.status < 400 ? 1 : 0] as const;
  });
  const counts = lists.map(async (at) => [at, (await sendJson<unknown[]>(200, at, { as })).length] as const);
  return Object.fromEntries(await Promise.all([...statuses, ...counts]));
}

describe("a deleted blog", () => {
  it("is there for nobody, also of its organization, and is restored whole", async () => {
    const before = await reach();
    expect(Object.entries(before).filter(([, found]) => found === 0)).toEqual([]);
    expect((await send(path(), { as, method: "DELETE", headers: { "If-Match": '"other"' } })).status).toBe(412);
    await refusalOf(await send(path(), { as: { apiKey: tenant.apiKey }, method: "DELETE" }), "operator_required");
    await remove();
    expect(Object.entries(await reach()).filter(([, found]) => found > 0)).toEqual([]);
    await refusalOf(await send(path(), { as, method: "DELETE" }), "blog_forbidden");
    const [first] = await deleted();
    expect(first).toMatchObject({ _id: tenant.blogId, name });
    expect(Date.parse(first?.dueTime ?? "") - Date.parse(first?.deletionTime ?? "")).toBe(30 * DAY_MS);
    expect(await sendJson(200, `${path()}/restore`, { as, method: "POST" })).toMatchObject({
      _id: tenant.blogId,
      name,
    });
    expect(Object.entries(await reach()).filter(([, found]) => found === 0)).toEqual([]);
    expect((await deleted()).map(({ _id }) => _id)).not.toContain(tenant.blogId);
    await refusalOf(await send(`${path()}/restore`, { as, method: "POST" }), "not_found");
    expect(await eventsOf()).toEqual(["blog.deleted", "blog.created"]);
  });

  it("keeps its vanityId, and tells its own organization that it has it (contract 3.6)", async () => {
    const { vanityId } = await sendJson<{ vanityId: string }>(200, path(), { as });
    await remove();
    const create = async (key: Credential) =>
      (await refusalOf(await send("/api/blogs", { as: key, body: { name, vanityId } }), "vanity_id_taken"))["detail"];
    expect(await create(tenant)).toContain("deleted blog of your organization");
    expect(await create(await newTenant())).not.toContain("deleted");
  });

  it("does nothing of what is planned, and does it once it is restored", async () => {
    const { _id } = await newArticle(tenant, { published: false });
    const publishTime = inMinutes(1);
    await sendJson(200, `/api/articles/${_id}/schedule`, { as, method: "PUT", body: { publishTime } });
    await remove();
    await runAt(inMinutes(5));
    const published = () => env.DB.prepare("select published from articles where id = ?").bind(_id).first("published");
    expect(await published()).toBe(0);
    await sendJson(200, `${path()}/restore`, { as, method: "POST" });
    await runAt(inMinutes(5));
    expect(await published()).toBe(1);
  });

  it("is gone after 30 days, or once it is deleted for good: nothing of it is in a table, or in R2", async () => {
    const file = await newFile(tenant.organizationId, world.article._id);
    const pinned = await sendJson<{ secret: string }>(200, "/api/apikeys", {
      as,
      body: { name: "pinned", scopes: ["articles:write"], blogId: tenant.blogId },
    });
    expect(pinned.secret).not.toBe("");
    await remove();
    await eraseDeleted(env.DB, env.MEDIA, later(29.9));
    expect((await deleted()).map(({ _id }) => _id)).toContain(tenant.blogId);
    const kept = await tablesWith(name);
    expect(kept).toContain("articles");
    await eraseDeleted(env.DB, env.MEDIA, later(30.1));
    await emptyTrash(env.DB, later(30.1), parseSettings(env).quota);
    await removeUnownedFiles(env.DB, env.MEDIA, later(31));
    // The organization has the same name, of which an invitation tells. Ids stay in logs, in keys and in webhooks.
    expect(await tablesWith(name)).toEqual(["local_mails", "organizations"]);
    expect(await tablesWith(tenant.blogId)).toEqual(
      expect.not.arrayContaining([
        "articles",
        "blogs",
        "contacts",
        "events",
        "hidden_blogs",
        "media",
        "terms",
        "topics",
      ]),
    );
    expect(await env.MEDIA.head(`${tenant.organizationId}/${file}`)).toBeNull();
    expect((await env.MEDIA.list({ prefix: `imports/${tenant.organizationId}/` })).objects).toEqual([]);
    await refusalOf(await send(`${path()}/restore`, { as, method: "POST" }), "not_found");
  });

  it("leaves no table out: each with rows of a blog is emptied, or it is known why not", async () => {
    const tables = await listTables(bindD1(env.DB));
    const owners = new Set(["blogs", "articles", "topics"]);
    const left = tables.filter(
      ({ name: table, columns, parents }) =>
        columns.includes("blog_id") && !(table in PARTS) && !parents.some((parent) => owners.has(parent.table)),
    );
    expect(left.map((each) => each.name).toSorted()).toEqual([
      "audit",
      "connected_apps",
      "credentials",
      "events",
      "generations",
      "trash",
      "webhook_subscriptions",
    ]);
  });

  it("is deleted for good at once if somebody says so", async () => {
    const of = `/api/deletedblogs/${world.erasableBlogId}`;
    await remove(of);
    await refusalOf(await send(of, { as, method: "DELETE" }), "not_found");
    const texts: string[] = [];
    const prepare = (text: string) => {
      texts.push(text);
      return env.DB.prepare(text);
    };
    const db = databaseThat((statements) => env.DB.batch(statements), prepare);
    await eraseDeleted(db, env.MEDIA, new Date());
    const images = texts.find((text) => text.startsWith("update media")) ?? "";
    const plan = await env.DB.prepare(`explain query plan ${images}`).bind("o", "b").all<{ detail: string }>();
    expect(plan.results.map(({ detail }) => detail)).toEqual([expect.stringContaining("(organization_id=?)")]);
    expect(await tablesWith(`deleted-${world.erasableBlogId}`)).toEqual([]);
  });

  it("lets an import rest in the middle, and it goes on once the blog is restored", async () => {
    const queue = new HeldQueue<ImportMessage>();
    const bindings = { IMPORTS: queue } as unknown as Partial<Env>;
    const posts = ["a", "b", "c"].map((slug) => ({ id: slug, title: slug, slug, html: "<p>x</p>", status: "draft" }));
    const importer = importerOf(queue);
    const handle = async (db = importer.db) => {
      for (let body = queue.held.shift(); body !== undefined; body = queue.held.shift())
        await consumeImports({ ...importer, db }, batchOf("edgepress-imports", [body]));
    };
    const { _id } = await uploadImport(tenant, ghostOf(posts), "", { bindings });
    await handle();
    for (const [step, state, counts] of [
      ["start", "done", { created: 3, failed: 0 }],
      ["undo", "undone", { deleted: 3, kept: 0 }],
    ] as const) {
      await sendJson(200, `${path()}/imports/${_id}/${step}`, { as, method: "POST", bindings });
      let deletions = 0;
      const deleting = databaseThat(async (statements) => {
        const results = await env.DB.batch(statements);
        if (deletions++ === 0) await remove();
        return results;
      });
      await handle(deleting);
      await restore();
      await sweepImports(importer);
      await handle();
      expect(await settled(tenant, _id, state)).toMatchObject({ problem: null, counts });
    }
  });

  it("keeps nobody from uploading an image that it has, too", async () => {
    const { secret } = await issueKey(as, ["articles:write"], { blogId: tenant.blogId });
    const file = { body: await newPng(9, 5), type: "image/png" };
    const its = await sendJson<{ _id: string }>(200, "/api/media", { as: { apiKey: secret }, ...file });
    await remove();
    const { _id } = await sendJson<{ _id: string }>(200, "/api/media", { as, ...file });
    expect(_id).not.toBe(its._id);
    await restore();
  });

  it("leaves its keys without any right until it is restored, also one that waits", async () => {
    const { secret } = await issueKey(as, ["events:read", "articles:write"], { blogId: tenant.blogId });
    const pinned = { apiKey: secret };
    const file = { body: await newPng(9, 6), type: "image/png" };
    await sendJson(200, "/api/events", { as: pinned });
    const waiting = send("/api/events?after=latest&wait=20", { as: pinned });
    await scheduler.wait(500);
    await remove();
    await refusalOf(await waiting, "credentials_invalid");
    await refusalOf(await send("/api/events", { as: pinned }), "credentials_invalid");
    await refusalOf(await send("/api/media", { as: pinned, ...file }), "credentials_invalid");
    await restore();
    await sendJson(200, "/api/media", { as: pinned, ...file });
    await remove();
    await sendJson(200, `/api/deletedblogs/${tenant.blogId}`, { as, method: "DELETE" });
    await eraseDeleted(env.DB, env.MEDIA, new Date());
    await refusalOf(await send("/api/events", { as: pinned }), "credentials_invalid");
  });

  it("is 410 for a reader of the feed whose last event went with it (contract 11.17)", async () => {
    const [first] = await sendJson<{ _id: string }[]>(200, `/api/events?blogId=${tenant.blogId}`, { as });
    await remove();
    await sendJson(200, `/api/deletedblogs/${tenant.blogId}`, { as, method: "DELETE" });
    await eraseDeleted(env.DB, env.MEDIA, new Date());
    const [left] = await sendJson<{ _id: string; timestamp: number }[]>(200, "/api/events?limit=1", { as });
    const response = await send(`/api/events?after=${first?._id}`, { as });
    expect([response.status, await response.json()]).toMatchObject([
      410,
      { code: "cursor_expired", oldest: { _id: left?._id, timestamp: left?.timestamp } },
    ]);
    for (const after of [makeLowestId(new Date()).replace("-7", "-4"), makeLowestId(later(1)), tenant.organizationId])
      await refusalOf(await send(`/api/events?after=${after}`, { as }), "invalid_cursor");
  });
});
