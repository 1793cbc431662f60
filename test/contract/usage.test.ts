/** Contract 14.14: what an organization uses of its quotas. */
import { env } from "cloudflare:workers";
import { RATES } from "../../src/domain/rates.ts";
import { expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { getMonth } from "../../src/lib/time.ts";
import { CEILINGS } from "../../src/store/ledger.ts";
import type { OrganizationUsage } from "../../src/store/people/usage.ts";
import { signedIn, unescaped } from "../helpers/console.ts";
import { connected, succeed } from "../helpers/mcp-connected.ts";
import { issueKey, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";
import { storeAt } from "../helpers/usage.ts";

const MIB = 1024 * 1024;

it("is shown for each quota, with its limit, and is of this organization alone", async () => {
  const tenant = await newTenant();
  const other = await newTenant();
  await newArticle(other);
  const as = { operatorToken: tenant.operatorToken };
  await newArticle(tenant, { title: "é", content: "abc" });
  await sendJson(200, "/api/contacts", { as, body: { email: "a@example.com" } });
  await sendJson(200, "/api/webhooksubscriptions", { as, body: { url: `${env.RECEIVER.url}/ok/${newId()}` } });
  await issueKey(as, [], { expirationTime: "2999-01-01T00:00:00.000Z" });
  await env.DB.prepare(
    `insert into credentials (id, organization_id, kind, name, hash, hint, scopes, expiration_time, creation_time)
     values (?1, ?2, 'key', 'expired', ?1, '', '[]', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
  )
    .bind(newId(), tenant.organizationId)
    .run();
  const resetTime = new Date(Math.floor(Date.now() / 86_400_000 + 1) * 86_400_000).toISOString();
  const unlimited = { used: 0, limit: null, resetTime: getMonth(new Date(), 1).toISOString() };
  expect(await sendJson(200, "/api/usage", { as })).toEqual({
    articles: { used: 1, limit: LIMITS.articles },
    articleBytes: { used: 5, limit: LIMITS.articleMegabytes * MIB },
    answerBytes: { used: 0, limit: LIMITS.articleMegabytes * MIB },
    mediaBytes: { used: 0, limit: LIMITS.mediaMegabytes * MIB },
    revisionBytes: { used: 0, limit: LIMITS.revisionMegabytes * MIB },
    contacts: { used: 1, limit: LIMITS.contacts },
    blogs: { used: 1, limit: LIMITS.blogs },
    credentials: { used: 3, limit: LIMITS.credentials },
    subscriptions: { used: 1, limit: LIMITS.subscriptions },
    eventsPerDay: { used: 2, limit: LIMITS.eventsPerDay, resetTime },
    ideasPerDay: { used: 0, limit: LIMITS.ideasPerDay, resetTime },
    deliveriesPerDay: { used: expect.any(Number), limit: LIMITS.deliveriesPerDay, resetTime, waitingSince: null },
    requestsPerMinute: { used: null, limit: RATES.organizationCalls },
    ...Object.fromEntries(Object.values(CEILINGS).map(({ quota }) => [quota, unlimited])),
    modelTokensPerDay: { used: 0, limit: null, resetTime },
    days: [],
    months: [],
  });
});

it("follows the settings, and says since when events wait", async () => {
  const tenant = await newTenant();
  const time = "2026-11-20T09:52:59.123Z";
  await env.DB.prepare(
    "insert into waiting_outboxes (organization_id, deliveries, purged_seq, time) values (?, 1, 0, ?)",
  )
    .bind(tenant.organizationId, time)
    .run();
  const bindings = {
    ORGANIZATION_SUBSCRIPTIONS: "7",
    ORGANIZATION_DELIVERIES_PER_DAY: "123456789",
    ORGANIZATION_CREDENTIALS: "5000",
  } as unknown as Partial<Env>;
  const usage = await sendJson<OrganizationUsage>(200, "/api/usage", { as: { apiKey: tenant.apiKey }, bindings });
  expect(usage).toMatchObject({
    subscriptions: { limit: 7 },
    credentials: { limit: LIMITS.counted },
    deliveriesPerDay: { limit: 123_456_789, waitingSince: time },
  });
  await env.DB.prepare("delete from waiting_outboxes").run();
});

it("begins a day with nothing used, before anything has happened", async () => {
  const tenant = await newTenant();
  const store = await storeAt(tenant, new Date("2999-12-31T23:59:59.000Z"));
  const { eventsPerDay, deliveriesPerDay } = await store.readUsage();
  expect([eventsPerDay.used, deliveriesPerDay.used]).toEqual([0, 0]);
  expect(eventsPerDay.resetTime).toBe("3000-01-01T00:00:00.000Z");
});

it("is a tool for agents, without contacts and credentials", async () => {
  const tenant = await newTenant();
  const found = await succeed(await connected(tenant), "get_usage");
  expect(Object.keys(found)).toEqual(["articles", "articleBytes", "mediaBytes", "eventsPerDay"]);
  expect(found).toMatchObject({ articles: { used: 0, limit: LIMITS.articles } });
});

it("is a page of the console, for readers, too", async () => {
  const { organizationId, apiKey } = await newTenant();
  await sendJson(200, "/api/contacts", { as: { apiKey }, body: { email: "a@example.com" } });
  const { browser } = await signedIn(organizationId, "reader");
  const text = unescaped((await browser.get("/console/usage")).text);
  expect(text).toContain("0 of 50,000");
  expect(text).toContain("0 of 5,120 MiB");
  expect(text).toContain("Database rows written");
  expect(text).toMatch(/<meter [^>]*max="100000"[^>]*value="1"[^>]*aria-label="Events"/);
  expect(text).not.toContain("Events have been waiting");
  expect((await browser.get("/console")).text).toContain('href="/console/usage"');
});
