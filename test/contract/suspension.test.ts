/** Contract 10.16: nobody acts for a suspended organization, its blogs are hidden, and what it had planned waits. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { eraseDeleted } from "../../src/background/blogs/erase.ts";
import { sha256 } from "../../src/lib/hash.ts";
import { newId } from "../../src/lib/ids.ts";
import { DAY_MS } from "../../src/lib/time.ts";
import { emptyTrash } from "../../src/store/articles/system-trash.ts";
import type { Writer } from "../../src/store/core/writer.ts";
import { findDue } from "../../src/store/articles/system-due.ts";
import { takeImport, findWaitingImports } from "../../src/store/imports/system-imports.ts";
import { runTransaction } from "../../src/store/core/sql.ts";
import { findLastHealth, recordHealth } from "../../src/store/edge/system-health.ts";
import { openOrganizationStore } from "../../src/store/organization.ts";
import { resume, suspend } from "../../src/store/people/system-administration.ts";
import { claimSource, findDueBlogs, takeStrandedSources } from "../../src/store/topics/system-sources.ts";
import { claimDeliveries, listWaitingLanes } from "../../src/store/webhooks/system-deliveries.ts";
import { listDueWarnings } from "../../src/store/webhooks/system-warnings.ts";
import { deletions, schedules } from "../../src/schema/schedules.ts";
import { parseSettings } from "../../src/env.ts";
import { signedIn, unescaped } from "../helpers/console.ts";
import { newImport } from "../helpers/imports.ts";
import { connected } from "../helpers/mcp-connected.ts";
import { post } from "../helpers/mcp.ts";
import { problemOf } from "../helpers/outcome.ts";
import { consumeDeliveriesOf, consumeEventsOf, storeEvent, testRelay } from "../helpers/relay.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newMedia, pathOf } from "../helpers/pictures.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { seenBy, subscribe } from "../helpers/webhooks.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const stop = (reason = "Spam") =>
  runTransaction(env.DB, { stopped: suspend(tenant.organizationId, reason, new Date()) });
const goOn = () => runTransaction(env.DB, { resumed: resume(tenant.organizationId, new Date()) });

const openStore = (actor: Writer["actor"]) =>
  openOrganizationStore({
    db: env.DB,
    organizationId: tenant.organizationId,
    pinnedBlogId: null,
    actor,
    requestId: newId(),
    now: () => new Date(),
    quota: parseSettings(env).quota,
    announce: () => undefined,
    afterwards: () => undefined,
  });

const SAYS = "The operator of the service has suspended the organization: Spam";

describe("who acts for it", () => {
  it("is refused with the reason: keys, tokens and apps, for reads and writes, also if they were known before", async () => {
    const callers = [{ apiKey: tenant.apiKey }, { operatorToken: tenant.operatorToken }];
    for (const as of callers) expect((await send("/api/blogs", { as })).status).toBe(200);
    const token = await connected(tenant);
    await stop();
    for (const as of callers) {
      for (const options of [{ as }, { as, body: { name: "a", locales: ["en"] } }]) {
        expect(await problemOf("/api/blogs", options)).toMatchObject({
          status: 403,
          code: "organization_suspended",
          detail: SAYS,
        });
      }
    }
    const answer = await post("tools/list", {}, { token });
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining(SAYS)]);
    await goOn();
    for (const as of callers) expect((await send("/api/blogs", { as })).status).toBe(200);
  });

  it("is refused within a request that was open", async () => {
    const as = { operatorToken: tenant.operatorToken };
    const [token] = await sendJson<{ _id: string }[]>(200, "/api/accesstokens", { as });
    const store = openStore({ kind: "operator", id: token?._id ?? "" });
    const create = () => store.createBlog({ name: "b", coverUrl: "", locales: ["en"], vanityId: { derived: newId() } });
    await create();
    await stop();
    await expect(create()).rejects.toMatchObject({ code: "organization_suspended", message: SAYS });
    await expect(store.requireAuthorized()).rejects.toMatchObject({ code: "organization_suspended" });
  });

  it("sees in the console why, and can go to another organization or leave", async () => {
    const { browser } = await signedIn(tenant.organizationId, "owner");
    await stop();
    const page = await browser.get("/console/articles");
    expect([page.status, unescaped(page.text)]).toEqual([403, expect.stringContaining(SAYS)]);
    expect(page.text).toContain('href="/console/organizations"');
    expect((await browser.get("/console/organizations")).status).toBe(200);
    expect((await browser.get("/console/account")).status).toBe(200);
  });
});

it("its blogs are hidden from readers until it is resumed", async () => {
  await newArticle(tenant, { slug: `hidden-${tenant.blogId}` });
  const read = async () => (await send(`/blogs/${tenant.blogId}`)).status;
  expect(await read()).toBe(200);
  await stop();
  expect(await read()).toBe(404);
  await goOn();
  expect(await read()).toBe(200);
});

it("its images are hidden, also those of no blog, and purged, also if it has no blog", async () => {
  const organization = await newTenant();
  await env.DB.prepare("delete from blogs where id = ?").bind(organization.blogId).run();
  const ofLibrary = await newMedia({ operatorToken: organization.operatorToken });
  const read = async () => (await send(pathOf(ofLibrary.url))).status;
  expect(await read()).toBe(200);
  const { organizationId } = organization;
  await runTransaction(env.DB, { stopped: suspend(organizationId, "Spam", new Date()) });
  expect(await read()).toBe(404);
  const purges = env.DB.prepare("select urgent from purges where tag = ?").bind(`images-${organizationId}`);
  expect(await purges.first()).toEqual({ urgent: 1 });
  await runTransaction(env.DB, { resumed: resume(organizationId, new Date()) });
  expect(await read()).toBe(200);
});

it("nobody joins it by an invitation until it is resumed", async () => {
  const { organizationId, operatorToken } = tenant;
  const as = { operatorToken };
  const { userId: id, email, browser } = await signedIn((await newTenant()).organizationId, "reader");
  const { link } = await sendJson<{ link: string }>(200, "/api/invitations", {
    as,
    body: { email, role: "writer" },
  });
  const { pathname } = new URL(link);
  const mails = () =>
    env.DB.prepare("select count(*) as n from local_mails where recipient = ?").bind(email).first("n");
  const before = await mails();
  await stop();
  expect((await browser.get(pathname)).status).toBe(404);
  for (const at of [pathname, `${pathname}/mail`, `${pathname}/sign-up`]) {
    expect([at, (await browser.post(at, {})).status]).toEqual([at, 404]);
  }
  expect(await mails()).toBe(before);
  const store = openStore({ kind: "person", id });
  const hash = await sha256(pathname.split("/").at(-1) ?? "");
  await expect(store.acceptInvitation(hash, { id, email })).rejects.toMatchObject({ code: "not_found" });
  const members = () =>
    env.DB.prepare("select count(*) as n from members where organization_id = ?").bind(organizationId).first("n");
  expect(await members()).toBe(0);
  await goOn();
  await store.acceptInvitation(hash, { id, email });
  expect(await members()).toBe(1);
});

it("the time for which articles and blogs can be restored stands still", async () => {
  const { organizationId, blogId } = tenant;
  const as = { operatorToken: tenant.operatorToken };
  const second = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "b", locales: ["en"] } });
  const [kept, gone] = [await newArticle(tenant), await newArticle(tenant)];
  for (const path of [`/api/articles/${kept._id}`, `/api/articles/${gone._id}`, `/api/blogs/${second._id}`])
    await sendJson(200, path, { as, method: "DELETE" });
  await sendJson(200, `/api/trash/${gone._id}`, { as, method: "DELETE" });
  const due = async (path: string) =>
    (await sendJson<{ dueTime: string }[]>(200, path, { as })).map((each) => each.dueTime);
  const all = async () =>
    [...(await due("/api/trash")), ...(await due("/api/deletedblogs"))].map((time) => Date.parse(time));
  const before = await all();
  expect(before).toHaveLength(2);
  const began = new Date();
  const later = (days: number) => new Date(began.getTime() + days * DAY_MS);
  await runTransaction(env.DB, { stopped: suspend(organizationId, "Spam", began) });
  const sweep = async (now: Date, most = parseSettings(env).quota) => {
    await emptyTrash(env.DB, now, most);
    await eraseDeleted(env.DB, env.MEDIA, now);
    const count = env.DB.prepare(
      `select (select count(*) from trash where organization_id = ?1) as trash,
         (select count(*) from blogs where organization_id = ?1) as blogs`,
    );
    return count.bind(organizationId).first();
  };
  expect(await sweep(later(40), { ...parseSettings(env).quota, articles: 0 })).toEqual({ trash: 2, blogs: 2 });
  await runTransaction(env.DB, { resumed: resume(organizationId, later(40)) });
  const after = await all();
  for (const [n, time] of before.entries())
    expect(Math.abs((after[n] ?? 0) - time - 40 * DAY_MS)).toBeLessThanOrEqual(1);
  // What was deleted for good before it was suspended, goes now.
  expect(await sweep(later(41))).toEqual({ trash: 1, blogs: 2 });
  expect(await sweep(later(71))).toEqual({ trash: 0, blogs: 1 });
  expect(await env.DB.prepare("select id from blogs where organization_id = ?").bind(organizationId).first("id")).toBe(
    blogId,
  );
});

it("is in the audit log, once for each change", async () => {
  await stop();
  await stop("Again");
  await goOn();
  await goOn();
  const as = { operatorToken: tenant.operatorToken };
  const entries = await sendJson<{ action: string; actor: { name: string } }[]>(200, "/api/audit", { as });
  expect(entries.map(({ action, actor }) => `${actor.name}: ${action}`)).toEqual([
    "The operator of the service: organization.resume",
    "The operator of the service: organization.suspend",
  ]);
});

describe("what it had planned", () => {
  it("webhooks wait, and each is sent once afterwards", async () => {
    const { name } = await subscribe(tenant);
    await storeEvent(tenant);
    await stop();
    const relay = testRelay();
    await consumeEventsOf(relay, tenant);
    await consumeDeliveriesOf(relay, tenant);
    const { organizationId } = tenant;
    const claim = () => claimDeliveries(env.DB, { organizationId, lane: "quick", token: newId() }, new Date());
    expect(await claim()).toEqual({ claimed: [], progress: false });
    const lanes = async () => (await listWaitingLanes(env.DB)).filter((lane) => lane.organizationId === organizationId);
    expect(await lanes()).toEqual([]);
    expect(await seenBy(name)).toEqual([]);
    await recordHealth(env.DB, new Date(Date.now() + 3_600_000), relay.quota);
    expect((await findLastHealth(env.DB))?.backlog.deliveries).toMatchObject({ overdue: 0 });
    await goOn();
    expect(await lanes()).toEqual([{ organizationId, lane: "quick" }]);
    await consumeDeliveriesOf(relay, tenant);
    await consumeDeliveriesOf(relay, tenant);
    expect((await seenBy(name)).length).toBe(1);
  });

  it("schedules, deletions, refreshes, imports and warnings are not due, and are afterwards", async () => {
    const { organizationId, blogId } = tenant;
    const { _id } = await newArticle(tenant, { published: false });
    const importId = await newImport(tenant, "running");
    const [past, refreshId] = ["2020-01-01T00:00:00.000Z", newId()];
    const { _id: webhook } = await subscribe(tenant);
    const run = (sql: string, ...values: string[]) =>
      env.DB.prepare(sql)
        .bind(...values)
        .run();
    await run(
      `insert into schedules (article_id, organization_id, blog_id, publish_time, time_zone, due_time, actor_kind, actor_id,
         version, creation_time) values (?1, ?2, ?3, ?4, 'UTC', ?4, 'key', 'k', 'v', ?4)`,
      _id,
      organizationId,
      blogId,
      past,
    );
    await run(
      `insert into deletions (article_id, organization_id, due_time, actor_kind, actor_id, article_version, version, creation_time)
       values (?1, ?2, ?3, 'key', 'k', 'v', 'v', ?3)`,
      (await newArticle(tenant))._id,
      organizationId,
      past,
    );
    await run("update blogs set refresh_due_time = ?2 where id = ?1", blogId, past);
    await run("update webhook_subscriptions set failure_streak = 10 where id = ?1", webhook);
    await run(
      "insert into topic_refreshes (id, organization_id, blog_id, state, creation_time) values (?1, ?2, ?3, 'running', ?4)",
      refreshId,
      organizationId,
      blogId,
      past,
    );
    await run(
      `insert into topic_refresh_sources (refresh_id, position, organization_id, source, state, enqueue_time)
       values (?1, 0, ?2, '{"kind":"feed","url":"https://example.com/f"}', 'open', ?3)`,
      refreshId,
      organizationId,
      past,
    );
    const moment = { now: new Date(), quota: parseSettings(env).quota };
    const name = { refreshId, position: 0 };
    const isMine = (of: { readonly organizationId?: string }) => of.organizationId === organizationId;
    const due = async () => ({
      schedules: (await findDue(env.DB, schedules, moment, 1000)).filter(isMine).length,
      deletions: (await findDue(env.DB, deletions, moment, 1000)).filter(isMine).length,
      refreshes: (await findDueBlogs(env.DB, new Date(), 1000)).filter(({ id }) => id === blogId).length,
      stranded: (await takeStrandedSources(env.DB, new Date(), new Date(past), 1000)).filter(
        (source) => source.refreshId === refreshId,
      ).length,
      imports: (await findWaitingImports(env.DB, new Date(), 1000)).filter((found) => found.importId === importId)
        .length,
      warnings: (await listDueWarnings(env.DB)).filter(isMine).length,
      claimed: (await claimSource(env.DB, name, new Date())) === null ? 0 : 1,
      taken: (await takeImport(env.DB, importId, new Date())) === null ? 0 : 1,
    });
    await stop();
    const none = await due();
    expect(Object.values(none)).toEqual(Object.keys(none).map(() => 0));
    await goOn();
    const all = await due();
    expect(all).toEqual(Object.fromEntries(Object.keys(all).map((kind) => [kind, 1])));
    await run("delete from imports where id = ?1", importId);
  });
});
