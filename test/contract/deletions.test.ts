/** Contract 18.26: deletions that can be undone. */
import { createExecutionContext, createMessageBatch } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { newId } from "../../src/lib/ids.ts";
import type { DeletionValue } from "../../src/operations/deletions.ts";
import type { CronMessage } from "../../src/background/queues.ts";
import worker from "../../src/worker.ts";
import { auditOf, eventsOf } from "../helpers/history.ts";
import { runCron } from "../helpers/cron.ts";
import { deleteAfter, deletion } from "../helpers/deletions.ts";
import { newMember } from "../helpers/people.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { issueKey, send, sendJson } from "../helpers/requests.ts";
import { inMinutes, runAt, schedule } from "../helpers/schedules.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let as: { apiKey: string };
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
});
// A run carries out everything that is due.
beforeEach(() => env.DB.prepare("delete from deletions").run());

const LATER = LIMITS.undoSeconds + 1;
const pathOf = (id: string) => `/api/articles/${id}/deletion`;
const statusOf = async (id: string) => (await send(`/api/articles/${id}`)).status;
const isStored = async (id: string) =>
  (await env.DB.prepare("select 1 from articles where id = ?").bind(id).first()) !== null;
const listed = async (id: string) =>
  (await sendJson<DeletionValue[]>(200, `/api/deletions?articleId=${id}`, { as }))[0];

describe("a deletion that can be undone", () => {
  it("leaves the article as it is until its time, and then deletes it once, with its event", async () => {
    const { _id } = await newArticle(tenant);
    const asked = await deletion(as, _id);
    expect(asked).toMatchObject({ articleId: _id, state: "waiting", failure: null, deletedBy: { kind: "key" } });
    expect(Date.parse(asked.dueTime) - Date.parse(asked.creationTime)).toBe(LIMITS.undoSeconds * 1000);
    await deleteAfter(LIMITS.undoSeconds - 5);
    expect(await statusOf(_id)).toBe(200);
    expect(await eventsOf(_id)).toEqual(["article.created"]);
    const runs = await Promise.all([deleteAfter(LATER), deleteAfter(LATER), deleteAfter(LATER)]);
    expect(runs.flat()).toEqual([tenant.organizationId]);
    expect(await statusOf(_id)).toBe(404);
    expect(await eventsOf(_id)).toEqual(["article.created", "article.deleted"]);
    expect(await auditOf(_id)).toEqual(["articles.create key", "deletions.set key", "articles.delete schedule"]);
    expect(await listed(_id)).toBeUndefined();
  });

  it("is undone, and everything is as it was: publication, schedule and working copy", async () => {
    const { _id } = await newArticle(tenant);
    await schedule(as, _id, { unpublishTime: inMinutes(60) });
    await sendJson(200, `/api/articles/${_id}/draft`, { as, method: "PUT", body: { title: "Later" } });
    const read = () => send(`/api/articles/${_id}?fields=title,published,schedule,workingCopy,publishTime`, { as });
    const before = await (await read()).text();
    await deletion(as, _id);
    expect(await (await read()).text()).toBe(before);
    await sendJson(200, pathOf(_id), { as, method: "DELETE" });
    await deleteAfter(LATER);
    expect(await (await read()).text()).toBe(before);
    expect(await eventsOf(_id)).toEqual(["article.created"]);
    await refusalOf(await send(pathOf(_id), { as, method: "DELETE" }), "not_found");
  });

  /** A draft whose schedule is due at once, in the time of a run in some minutes. */
  const scheduled = async () => {
    const { _id } = await newArticle(tenant, { published: false });
    await schedule(as, _id, { publishTime: inMinutes(1) });
    return _id;
  };

  it("is not overtaken by a schedule: what was deleted does not become public, and is deleted", async () => {
    const id = await scheduled();
    await deletion(as, id);
    await runAt(inMinutes(2));
    expect(await statusOf(id)).toBe(404);
    await deleteAfter(LATER);
    expect(await isStored(id)).toBe(false);
    expect(await eventsOf(id)).toEqual(["article.created", "article.deleted"]);
  });

  it("that is asked for while a run carries out the schedule is not overtaken either", async () => {
    const id = await scheduled();
    const deleting = {
      prepare: (text: string) => env.DB.prepare(text),
      async batch(statements: D1PreparedStatement[]) {
        await deletion(as, id);
        return env.DB.batch(statements);
      },
    };
    await runAt(inMinutes(2), { getDatabase: () => deleting as unknown as D1Database });
    expect(await statusOf(id)).toBe(404);
    await deleteAfter(LATER);
    expect(await isStored(id)).toBe(false);
  });

  it.each(["undone", "failed"])("that is %s lets the schedule happen", async (end) => {
    const id = await scheduled();
    await deletion(as, id);
    await runAt(inMinutes(2));
    if (end === "undone") await sendJson(200, pathOf(id), { as, method: "DELETE" });
    else await sendJson(200, "/api/articles", { as, body: { _id: id, title: "Written meanwhile" } });
    await deleteAfter(LATER);
    await runAt(inMinutes(3));
    expect(await statusOf(id)).toBe(200);
  });

  it("cannot be undone once it has happened", async () => {
    const { _id } = await newArticle(tenant);
    await deletion(as, _id);
    await deleteAfter(LATER);
    await refusalOf(await send(pathOf(_id), { as, method: "DELETE" }), "not_found");
  });

  it("takes the version of the article: of something else than was seen, it is refused", async () => {
    const { _id } = await newArticle(tenant);
    const headers = { "If-Match": (await send(`/api/articles/${_id}`, { as })).headers.get("ETag") ?? "" };
    await sendJson(200, "/api/articles", { as, body: { _id, title: "Edited" } });
    const response = await send(pathOf(_id), { as, method: "PUT", body: {}, headers });
    await refusalOf(response, "precondition_failed");
    expect(await listed(_id)).toBeUndefined();
  });

  it("happens for both of two who ask for it, once", async () => {
    const { _id } = await newArticle(tenant);
    await Promise.all([deletion(as, _id), deletion(as, _id)]);
    await deleteAfter(LATER);
    expect(await eventsOf(_id)).toEqual(["article.created", "article.deleted"]);
  });

  it("is carried out by its own message, and by the minute's run if that is lost [a lost message]", async () => {
    const [one, two] = [await newArticle(tenant), await newArticle(tenant)];
    await deletion(as, one._id);
    await deletion(as, two._id);
    await env.DB.prepare("update deletions set due_time = ?").bind(inMinutes(-1)).run();
    const body: CronMessage = {
      part: "delete",
      due: [{ articleId: one._id, organizationId: tenant.organizationId, actorId: newId() }],
    };
    const message = { id: newId(), timestamp: new Date(), attempts: 1, body };
    await worker.queue(createMessageBatch("edgepress-cron", [message]), env, createExecutionContext());
    expect([await isStored(one._id), await isStored(two._id)]).toEqual([false, true]);
    await runCron();
    expect(await isStored(two._id)).toBe(false);
  });

  it("is asked for of many at once, and undone of them", async () => {
    const made = [await newArticle(tenant), await newArticle(tenant)];
    const articleIds = made.map(({ _id }) => _id);
    const bulk = (action: string) =>
      sendJson<{ outcome: string }[]>(200, "/api/articles/bulk", { as, body: { action, articleIds } });
    expect((await bulk("deleteLater")).map(({ outcome }) => outcome)).toEqual(["changed", "changed"]);
    expect((await bulk("keep")).map(({ outcome }) => outcome)).toEqual(["changed", "changed"]);
    await bulk("deleteLater");
    await deleteAfter(LATER);
    expect(await Promise.all(articleIds.map(isStored))).toEqual([false, false]);
  });
});

describe("a deletion that does not happen", () => {
  const edits: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    "the article was edited": (_id) => sendJson(200, "/api/articles", { as, body: { _id, title: "Edited" } }),
    "a working copy was begun": (id) =>
      sendJson(200, `/api/articles/${id}/draft`, { as, method: "PUT", body: { title: "Edited" } }),
  };
  it.each(Object.keys(edits))("because %s meanwhile, is shown with the reason", async (name) => {
    const { _id } = await newArticle(tenant);
    await deletion(as, _id);
    await edits[name]?.(_id);
    await deleteAfter(LATER);
    await deleteAfter(LATER + 60);
    expect(await isStored(_id)).toBe(true);
    expect(await listed(_id)).toMatchObject({ state: "failed", failure: { code: "precondition_failed" } });
    expect((await auditOf(_id)).at(-1)).toBe("deletions.fail schedule");
    expect(await eventsOf(_id)).not.toContain("article.deleted");
    // Asked for again, it happens.
    await deletion(as, _id);
    await deleteAfter(LATER);
    expect(await isStored(_id)).toBe(false);
  });

  it("because the key was revoked meanwhile", async () => {
    const operator = { operatorToken: tenant.operatorToken };
    const { secret, _id: keyId } = await issueKey(operator, ["articles:write"]);
    const { _id } = await newArticle(tenant);
    await deletion({ apiKey: secret }, _id);
    await sendJson(200, `/api/apikeys/${keyId}`, { as: operator, method: "DELETE" });
    await deleteAfter(LATER);
    expect(await listed(_id)).toMatchObject({ state: "failed", failure: { code: "credentials_invalid" } });
    expect(await statusOf(_id)).toBe(200);
  });

  it.each(["removed", "reader"])("because the member is %s by then", async (what) => {
    const { userId, memberId } = await newMember(tenant.organizationId, "writer");
    const { _id } = await newArticle(tenant);
    await deletion(as, _id);
    const put = (text: string, ...values: unknown[]) => env.DB.prepare(text).bind(...values);
    await put("update deletions set actor_kind = 'user', actor_id = ? where article_id = ?", userId, _id).run();
    const change = what === "removed" ? "delete from members" : "update members set role = 'reader'";
    await put(`${change} where id = ?`, memberId).run();
    await deleteAfter(LATER);
    expect(await listed(_id)).toMatchObject({ state: "failed", failure: { code: "role_forbidden" } });
  });

  it("today, because the organization's events are used up, happens on the next day", async () => {
    const own = await newTenant();
    const { _id } = await newArticle(own);
    await deletion({ apiKey: own.apiKey }, _id);
    const quota = { ...parseSettings(env).quota, eventsPerDay: 1 };
    await deleteAfter(LATER, { quota });
    expect(await isStored(_id)).toBe(true);
    await deleteAfter(LATER + 86_400, { quota });
    expect(await isStored(_id)).toBe(false);
  });
});
