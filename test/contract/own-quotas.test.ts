/** Contract 14.16: an organization can have quotas of its own, which hold at once and exactly. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { Quota } from "../../src/domain/quotas.ts";
import { newId } from "../../src/lib/ids.ts";
import { fanOut } from "../../src/store/webhooks/system-outbox.ts";
import { runTransaction } from "../../src/store/core/sql.ts";
import { changeQuotas } from "../../src/store/people/system-administration.ts";
import { removeRevisions } from "../../src/store/articles/system-revisions.ts";
import { signedIn, unescaped } from "../helpers/console.ts";
import { historyOf, storedStates } from "../helpers/history.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const give = (given: Partial<Quota>, isReset = false) =>
  runTransaction(env.DB, { changed: changeQuotas(tenant.organizationId, given, isReset, new Date()) });

const post = (path: string, body: object, as: object = tenant) => send(path, { as, body });

it("holds for articles, above and below what the deployment allows, and ends with a reset", async () => {
  const one = { ORGANIZATION_ARTICLES: "1" } as unknown as Partial<Env>;
  const create = (bindings?: Partial<Env>) =>
    send("/api/articles", { as: { apiKey: tenant.apiKey }, body: { title: "a" }, ...(bindings && { bindings }) });
  await give({ articles: 2 });
  expect((await create(one)).status).toBe(200);
  expect((await create(one)).status).toBe(200);
  const { detail } = await refusalOf(await create(), "quota_exceeded");
  expect(detail).toBe("The organization has 2 of 2 articles. Delete some first.");
  await give({}, true);
  expect((await create()).status).toBe(200);
});

it("holds for texts and contacts, and what was set before stays", async () => {
  const as = { apiKey: tenant.apiKey };
  const article = await newArticle(tenant, { content: "abc" });
  await give({ articleBytes: 40 });
  await give({ contacts: 1 });
  await refusalOf(await post("/api/articles", { _id: article._id, content: "a".repeat(100) }, as), "quota_exceeded");
  await sendJson(200, "/api/contacts", { as, body: { email: "a@example.com" } });
  const { detail } = await refusalOf(await post("/api/contacts", { email: "b@example.com" }, as), "quota_exceeded");
  expect(detail).toContain("1 of 1 contacts");
});

it("holds for keys and webhooks, and the refusal says the number", async () => {
  const as = { operatorToken: tenant.operatorToken };
  await give({ credentials: 2, subscriptions: 0 });
  const key = await refusalOf(await post("/api/apikeys", { name: "x", scopes: [] }, as), "credential_limit");
  expect(key.detail).toContain("at most 2 API keys");
  const url = `${env.RECEIVER.url}/ok/${newId()}`;
  const hook = await refusalOf(await post("/api/webhooksubscriptions", { url }, as), "subscription_limit");
  expect(hook.detail).toContain("at most 0 webhook subscriptions");
});

it("holds for the events and deliveries of a day", async () => {
  const as = { operatorToken: tenant.operatorToken };
  const { _id } = await sendJson<{ _id: string }>(200, "/api/webhooksubscriptions", {
    as,
    body: { url: `${env.RECEIVER.url}/ok/${newId()}` },
  });
  await env.DB.prepare("update organizations set day = ?2, day_events = 3, day_deliveries = 5 where id = ?1")
    .bind(tenant.organizationId, new Date().toISOString().slice(0, 10))
    .run();
  await give({ eventsPerDay: 4, deliveriesPerDay: 5 });
  const ping = await refusalOf(await send(`/api/webhooksubscriptions/${_id}/ping`, { as, body: {} }), "delivery_limit");
  expect(ping.detail).toContain("used up its 5 webhook deliveries");
  await newArticle(tenant);
  const { detail } = await refusalOf(
    await post("/api/articles", { title: "b" }, { apiKey: tenant.apiKey }),
    "event_limit",
  );
  expect(detail).toContain("used up its 4 changes");
  const { organizationId } = tenant;
  await fanOut(env.DB, { organizationId }, new Date(), { deliveriesPerDay: 1_000_000 });
  const waiting = env.DB.prepare("delete from waiting_outboxes where organization_id = ? returning deliveries");
  expect(await waiting.bind(organizationId).first()).toEqual({ deliveries: 1 });
});

it("holds for former states", async () => {
  const { _id } = await newArticle(tenant);
  const { update } = historyOf({ apiKey: tenant.apiKey }, _id);
  await update({ content: "another" });
  await give({ revisionBytes: 0 });
  await removeRevisions(env.DB, new Date(), { revisionBytes: 1e12 });
  expect(await storedStates(_id)).toEqual([]);
});

it("is what the usage shows, and is in the audit log", async () => {
  await give({ articles: 7, ideasPerDay: 8 });
  const as = { operatorToken: tenant.operatorToken };
  const usage = await sendJson<object>(200, "/api/usage", { as });
  expect(usage).toMatchObject({ articles: { limit: 7 }, ideasPerDay: { limit: 8 }, contacts: { limit: 100_000 } });
  const [entry] = await sendJson<object[]>(200, "/api/audit", { as });
  expect(entry).toMatchObject({ action: "organization.quotas", actor: { kind: "service" } });
  const { browser } = await signedIn(tenant.organizationId, "owner");
  expect(unescaped((await browser.get("/console/audit")).text)).toContain("changed the quotas of the organization");
});
