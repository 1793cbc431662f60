/** Contract 14.17 and 14.18: what an organization uses of what costs money is counted, and it stops at a ceiling. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { parseSettings } from "../../src/env.ts";
import type { Quota } from "../../src/domain/quotas.ts";
import { newId } from "../../src/lib/ids.ts";
import { getMonth } from "../../src/lib/time.ts";
import { flushLedger } from "../../src/meter.ts";
import { runTransaction } from "../../src/store/core/sql.ts";
import { endCeilings } from "../../src/store/ledger.ts";
import { changeQuotas, resume, suspend } from "../../src/store/people/system-administration.ts";
import type { OrganizationUsage as Usage } from "../../src/store/people/usage.ts";
import { signedIn } from "../helpers/console.ts";
import { countingDatabase, type Counter } from "../helpers/counting.ts";
import { deleteAfter } from "../helpers/deletions.ts";
import { generate, generated } from "../helpers/generating.ts";
import { newMedia, newPng, pathOf, upload, type MediaBody } from "../helpers/pictures.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { consumed, HeldQueue, storeEvent } from "../helpers/relay.ts";
import { issueKey, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { kindsOf, seenBy, subscribe } from "../helpers/webhooks.ts";

let counter: Counter;
let bindings: Partial<Env>;
beforeEach(async () => {
  await flushLedger();
  counter = countingDatabase();
  const [EVENTS, DELIVERIES, DELIVERIES_SLOW, SIZES, PURGES] = Array.from(
    { length: 5 },
    () => new HeldQueue<unknown>(),
  );
  bindings = { DB: counter.db, EVENTS, DELIVERIES, DELIVERIES_SLOW, SIZES, PURGES } as unknown as Partial<Env>;
});

const ledgerOf = ({ organizationId }: Tenant) =>
  env.DB.prepare(
    `select sum(rows_written) as rowsWritten, sum(deliveries) as deliveries, sum(model_tokens) as modelTokens,
      sum(picture_operations) as pictureOperations from ledger where organization_id = ?`,
  )
    .bind(organizationId)
    .first<Record<string, number>>();

/** Hands a message of an organization to the consumer of a queue, which works through the counting database. */
const consume = (queue: string, message: object) => consumed(`edgepress-${queue}`, [message], bindings);

it("is what D1, the receiver, the model and the pictures say, and nobody else pays", async () => {
  const [tenant, other] = [await newTenant(), await newTenant()];
  const { organizationId, blogId } = tenant;
  const as = { apiKey: tenant.apiKey };
  const { name } = await subscribe(tenant);
  const paid = async () => {
    await flushLedger();
    return ledgerOf(tenant);
  };
  const before = (await paid())?.["rowsWritten"] ?? 0;
  counter.counts.rowsWritten = 0;
  for (let n = 0; n < 5; n++) {
    const body = { blogId, title: `Article ${n}`, published: true, content: "Words" };
    const { _id } = await sendJson<ArticleBody>(200, "/api/articles", { as, body, bindings });
    for (const content of ["Words.", "More words."])
      await sendJson(200, `/api/articles/${_id}/draft`, { as, method: "PUT", body: { content }, bindings });
  }
  await generated(tenant, { bindings: { ...bindings } });
  const media = await upload(tenant, await newPng(900, 90, 1, (row) => crypto.getRandomValues(row)), { bindings });
  const { _id: mediaId } = await media.json<MediaBody>();
  await consume("sizes", { mediaId, organizationId });
  await consume("events", { organizationId });
  await consume("deliveries", { organizationId });
  const found = await paid();

  const counted = counter.counts.rowsWritten;
  expect(Math.abs((found?.["rowsWritten"] ?? 0) - before - counted)).toBeLessThan(counted / 100);
  expect(found?.["deliveries"]).toBe((await seenBy(name)).length);
  expect(found?.["deliveries"]).toBeGreaterThan(4);
  const [generation] = await sendJson<{ inputTokens: number; outputTokens: number }[]>(200, "/api/generations", { as });
  expect(found?.["modelTokens"]).toBe((generation?.inputTokens ?? 0) + (generation?.outputTokens ?? 0));
  expect(found?.["modelTokens"]).toBeGreaterThan(0);
  const { objects } = await env.MEDIA.list({ prefix: `${organizationId}/${mediaId}` });
  expect(objects.length).toBeGreaterThan(1);
  expect(found?.["pictureOperations"]).toBe(objects.length - 1);
  expect((await ledgerOf(other))?.["rowsWritten"]).toBeNull();
});

const give = ({ organizationId }: Tenant, given: Partial<Quota>) =>
  runTransaction(env.DB, { changed: changeQuotas(organizationId, given, false, new Date()) });

/** Lets an organization reach its ceiling of rows written. */
async function reachCeiling(tenant: Tenant): Promise<void> {
  await give(tenant, { rowsWrittenPerMonth: 10 });
  await newArticle(tenant);
  await flushLedger();
}

const suspensionOf = ({ organizationId }: Tenant) =>
  env.DB.prepare("select kind, creation_time as time from suspensions where organization_id = ?")
    .bind(organizationId)
    .first<{ kind: string; time: string }>();

/** All ceilings are of a former month from now on. */
const endOfMonth = () => env.DB.prepare("update suspensions set creation_time = '2026-01-01T00:00:00.000Z'").run();

it("writes stop at the ceiling, reads and deletions go on, and another organization notices nothing", async () => {
  const [tenant, other] = [await newTenant(), await newTenant()];
  const as = { apiKey: tenant.apiKey };
  const { _id, slug } = await newArticle(tenant);
  const { url } = await newMedia(as);
  const { _id: keyId } = await issueKey({ operatorToken: tenant.operatorToken }, []);
  const post = ({ apiKey }: Tenant) => send("/api/articles", { as: { apiKey }, body: { title: "a" } });
  const { _id: later } = await newArticle(tenant);
  const bulk = (status: number, action: unknown) =>
    sendJson(status, "/api/articles/bulk", {
      as,
      body: { action, articleIds: [later] },
      headers: { "Idempotency-Key": newId() },
    });
  await reachCeiling(tenant);

  const refused = await post(tenant);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  const { detail } = await refusalOf(refused, "usage_limit");
  expect(detail).toContain("its ceiling of rows written for this month");
  await refusalOf(await generate(tenant), "usage_limit");
  await refusalOf(await upload(as, await newPng(9, 9)), "usage_limit");
  for (const path of [`/api/articles/${_id}`, "/api/blogs", "/api/usage", "/api/events?wait=1"])
    expect([path, (await send(path, { as })).status]).toEqual([path, 200]);
  for (const path of [pathOf(url), `/api/articles/${slug}?blogId=${tenant.blogId}`, `/blogs/${tenant.blogId}`])
    expect([path, (await send(path)).status]).toEqual([path, 200]);
  const { browser } = await signedIn(tenant.organizationId, "reader");
  expect((await browser.get("/console/articles")).status).toBe(200);
  expect((await browser.get("/console/usage")).text).toContain("reached a ceiling of this month and is stopped");
  const headers = { "Idempotency-Key": newId() };
  await sendJson(200, `/api/articles/${_id}`, { as, method: "DELETE", headers });
  const { operatorToken } = tenant;
  await sendJson(200, `/api/apikeys/${keyId}`, { as: { operatorToken }, method: "DELETE" });
  await sendJson(200, `/api/articles/${later}/deletion`, { as, method: "PUT" });
  for (const [action, outcome] of [
    ["keep", "changed"],
    ["deleteLater", "changed"],
  ])
    expect(await bulk(200, action)).toMatchObject([{ outcome }]);
  expect(await deleteAfter(60)).toContain(tenant.organizationId);
  await sendJson(404, `/api/articles/${later}`, { as });
  await bulk(429, "publish");
  await sendJson(200, "/api/organization/export", { as: { operatorToken }, method: "POST" });
  expect((await post(other)).status).toBe(200);

  await give(tenant, { rowsWrittenPerMonth: 1e6 });
  expect((await post(tenant)).status).toBe(200);
});

it("deliveries wait at the ceiling, and each goes out once when it is raised", async () => {
  const tenant = await newTenant();
  const { organizationId } = tenant;
  const { name } = await subscribe(tenant);
  await give(tenant, { deliveriesPerMonth: 1 });
  const seen = async () => {
    await consume("events", { organizationId });
    for (const _ of "ab") await consume("deliveries", { organizationId });
    await flushLedger();
    return kindsOf(await seenBy(name)).length;
  };
  const quiet = { as: { apiKey: tenant.apiKey }, bindings };
  const write = () => send("/api/articles", { ...quiet, body: { blogId: tenant.blogId, title: "a", published: true } });
  await write();
  expect(await seen()).toBe(1);
  await refusalOf(await write(), "usage_limit");
  // Written before the ceiling was counted.
  for (const title of ["b", "c"]) await storeEvent(tenant, "article.updated", { title });
  expect(await seen()).toBe(1);
  await give(tenant, { deliveriesPerMonth: 100 });
  expect(await seen()).toBe(3);
  expect(await seen()).toBe(3);
});

it("a ceiling is one of the deployment, too, and ends with the month", async () => {
  const tenant = await newTenant();
  const most = { ORGANIZATION_ROWS_WRITTEN_PER_MONTH: "10" } as unknown as Partial<Env>;
  const as = { apiKey: tenant.apiKey };
  const write = () => send("/api/articles", { as, body: { title: "a" }, bindings: most });
  expect((await write()).status).toBe(200);
  await flushLedger();
  await refusalOf(await write(), "usage_limit");
  const { rowsWrittenPerMonth, months } = await sendJson<Usage>(200, "/api/usage", { as, bindings: most });
  expect(rowsWrittenPerMonth).toMatchObject({ limit: 10, used: months[0]?.rowsWritten });
  expect((await sendJson<Usage>(200, "/api/usage", { as })).rowsWrittenPerMonth.limit).toBeNull();
  const limited = parseSettings({ ...env, ...most }).quota;
  await endCeilings(env.DB, limited, new Date());
  expect((await suspensionOf(tenant))?.kind).toBe("ceiling");
  await endOfMonth();
  expect((await write()).status).toBe(200);
  await flushLedger();
  await refusalOf(await write(), "usage_limit");
  await endCeilings(env.DB, limited, getMonth(new Date(), 1));
  expect(await suspensionOf(tenant)).toBeNull();
  await reachCeiling(tenant);
  await endCeilings(env.DB, limited, new Date());
  expect((await suspensionOf(tenant))?.kind).toBe("ceiling");
  await env.DB.prepare("update organizations set quotas = null where id = ?").bind(tenant.organizationId).run();
  await endCeilings(env.DB, parseSettings(env).quota, new Date());
  expect(await suspensionOf(tenant)).toBeNull();
});

it("a suspension and a deletion win over a ceiling", async () => {
  const [tenant, other] = [await newTenant(), await newTenant()];
  for (const each of [tenant, other]) await reachCeiling(each);
  await endOfMonth();
  const { organizationId } = tenant;
  await runTransaction(env.DB, { suspended: suspend(organizationId, "Spam", new Date()) });
  const as = { operatorToken: other.operatorToken };
  await sendJson(200, "/api/organization", { as, method: "DELETE" });
  for (const each of [tenant, other]) await give(each, { rowsWrittenPerMonth: 1e6 });
  await endCeilings(env.DB, parseSettings(env).quota, getMonth(new Date(), 1));
  expect((await suspensionOf(tenant))?.kind).toBe("suspended");
  const deleted = await suspensionOf(other);
  expect(deleted?.kind).toBe("deleted");
  expect(Date.parse(deleted?.time ?? "")).toBeGreaterThan(Date.now() - 60_000);
  await runTransaction(env.DB, { resumed: resume(organizationId, new Date()) });
  expect(await suspensionOf(tenant)).toBeNull();
});
