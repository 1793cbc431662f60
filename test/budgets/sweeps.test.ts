/** What the work of each minute reads in D1: what is to be done, and not what waits or is kept. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { makeLowestId, newId } from "../../src/lib/ids.ts";
import { DAY_MS } from "../../src/lib/time.ts";
import { emptyTrash } from "../../src/store/articles/system-trash.ts";
import { DELETIONS } from "../../src/store/articles/system-deletions.ts";
import { SCHEDULES } from "../../src/store/articles/system-schedules.ts";
import { findUnownedMedia } from "../../src/store/media/system-media.ts";
import { removeExpired } from "../../src/store/retention.ts";
import { countingDatabase, seedArticles } from "../helpers/counting.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

/** How many rows of each table an organization has. */
const KEPT = 300;
/** What a statement may read that finds nothing: the index, and what the condition compares with. */
const FEW = 10;

let tenant: Tenant;
let articleIds: readonly string[];

beforeAll(async () => {
  tenant = await newTenant();
  articleIds = await seedArticles(tenant, KEPT);
});

const at = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const ids = (): string => JSON.stringify(Array.from({ length: KEPT }, () => newId()));
const moment = () => ({ now: new Date(), quota: { eventsPerDay: LIMITS.eventsPerDay } });

it("schedules that wait cost nothing", async () => {
  await env.DB.prepare(
    `insert into schedules (article_id, organization_id, blog_id, publish_time, time_zone, due_time, actor_kind, actor_id,
       version, creation_time)
     select value, ?1, ?2, ?3, 'UTC', ?3, 'key', 'k', value, ?4 from json_each(?5)`,
  )
    .bind(tenant.organizationId, tenant.blogId, at(30), at(0), JSON.stringify(articleIds))
    .run();
  const counter = countingDatabase();
  expect(await SCHEDULES.find(counter.db, moment(), 100)).toEqual([]);
  expect(counter.counts.rowsRead).toBeLessThan(FEW);
  const later = { ...moment(), now: new Date(at(31)) };
  expect(await SCHEDULES.find(env.DB, later, 100)).toHaveLength(100);
});

it("deletions that wait cost nothing", async () => {
  await env.DB.prepare(
    `insert into deletions (article_id, organization_id, article_version, due_time, actor_kind, actor_id, version, creation_time)
     select value, ?1, value, ?2, 'user', 'u', value, ?3 from json_each(?4)`,
  )
    .bind(tenant.organizationId, at(30), at(0), JSON.stringify(articleIds))
    .run();
  const counter = countingDatabase();
  expect(await DELETIONS.find(counter.db, moment(), 100)).toEqual([]);
  expect(counter.counts.rowsRead).toBeLessThan(FEW);
  await env.DB.prepare("delete from deletions where organization_id = ?").bind(tenant.organizationId).run();
});

it("articles in the trash cost nothing until they expire", async () => {
  await env.DB.prepare(
    `insert into trash (article_id, organization_id, blog_id, title, slug, locale, published, bytes, terms, moved_slugs, actor_kind,
       actor_id, version, deletion_time, due_time)
     select value, ?1, ?2, '', value, 'en', 0, 1, '[]', '[]', 'key', 'k', value, ?3, ?4 from json_each(?5)`,
  )
    .bind(tenant.organizationId, tenant.blogId, at(0), at(30), JSON.stringify(articleIds))
    .run();
  const counter = countingDatabase();
  await emptyTrash(counter.db, new Date(), { articles: 50_000, articleBytes: 1_000_000 });
  expect(counter.counts.rowsRead).toBeLessThan(FEW);
  await env.DB.prepare("delete from trash where organization_id = ?").bind(tenant.organizationId).run();
});

it("pictures of a library cost nothing when files that nobody has are looked for", async () => {
  await env.DB.prepare(
    `insert into media (id, organization_id, media_type, creation_time, library, sha256)
     select value, ?1, 'image/png', ?2, 1, value from json_each(?3)`,
  )
    .bind(tenant.organizationId, at(-1), ids())
    .run();
  const counter = countingDatabase();
  expect(await findUnownedMedia(counter.db, new Date(), 100)).toEqual([]);
  expect(counter.counts.rowsRead).toBeLessThan(FEW);
});

it("events that are kept cost nothing when those are deleted that are not", async () => {
  await env.DB.prepare(
    `insert into events (id, organization_id, blog_id, kind, data, creation_time, enqueue_time, fan_out_time)
     select value, ?1, ?2, 'ping', '{}', ?3, ?3, ?3 from json_each(?4)`,
  )
    .bind(tenant.organizationId, tenant.blogId, at(0), ids())
    .run();
  const counter = countingDatabase();
  await removeExpired(counter.db, new Date());
  const deleting = counter.ran.find(({ text }) => text.startsWith('delete from "events"'));
  expect(deleting?.rowsRead).toBeLessThan(FEW);
});

it("deliveries that are kept cost nothing when old ones are deleted, those of a thousand subscriptions a minute", async () => {
  const [SUBSCRIPTIONS, AT_ONCE, KEPT_OF_EACH] = [1200, 1000, 5];
  const subscriptionIds = JSON.stringify(Array.from({ length: SUBSCRIPTIONS }, () => newId()));
  const old = makeLowestId(new Date(at(-8)));
  for (const eventId of [old, ...Array.from({ length: KEPT_OF_EACH }, () => newId())]) {
    await env.DB.prepare(
      `insert into deliveries (subscription_id, event_id, id, organization_id, epoch, state, creation_time, settle_time)
       select value, ?1, value, ?2, 0, 'succeeded', ?3, ?3 from json_each(?4)`,
    )
      .bind(eventId, tenant.organizationId, at(0), subscriptionIds)
      .run();
  }
  const left = async () =>
    env.DB.prepare("select count(*) as n from deliveries where event_id = ?").bind(old).first("n");
  await removeExpired(env.DB, new Date());
  expect(await left()).toBe(SUBSCRIPTIONS - AT_ONCE);
  await removeExpired(env.DB, new Date());
  expect(await left()).toBe(0);
  const counter = countingDatabase();
  await removeExpired(counter.db, new Date());
  const looking = counter.ran.filter(({ text }) => /^(with recursive found|delete from "deliveries")/.test(text));
  const read = looking.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  expect(read).toBeLessThan(KEPT_OF_EACH * AT_ONCE);
  await env.DB.prepare("delete from deliveries where organization_id = ?").bind(tenant.organizationId).run();
});

it("used ideas, which are kept for good, cost nothing when old ones are deleted", async () => {
  await env.DB.prepare(
    `insert into topics (id, organization_id, blog_id, title, summary, angle, url, source_kind, source_name, keywords, locale,
       item_title, mentions, score, status, version, creation_time, last_edit_time)
     select value, ?1, ?2, 't', '', '', 'https://example.com', 'feed', 'f', '[]', 'en', 't', '[]', 1, 'used', value, ?3, ?3
     from json_each(?4)`,
  )
    .bind(tenant.organizationId, tenant.blogId, at(-800), ids())
    .run();
  const counter = countingDatabase();
  await removeExpired(counter.db, new Date());
  const deleting = counter.ran.find(({ text }) => text.startsWith('delete from "topics"'));
  expect(deleting?.rowsRead).toBeLessThan(FEW);
});
