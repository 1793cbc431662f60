/** What an organization's refreshes may cost in a day: ideas, of which each is worded by a model and kept for a year. */
import { expect, it } from "vitest";
import { RATES } from "../../src/domain/rates.ts";
import { limited } from "../helpers/limiter.ts";
import { refusalOf } from "../helpers/refusals.ts";
import {
  beginRefresh,
  consumeAtOnce,
  refreshed,
  refreshOf,
  telling,
  tenantWith,
  topicRelay,
  topicsOf,
} from "../helpers/refreshing.ts";
import { send, sendJson } from "../helpers/requests.ts";
import type { Tenant } from "../helpers/tenant.ts";

const TITLES = ["Slow ferries are back in Norway", "Night trains are late", "A harbour turns its lights off"] as const;
const OTHERS = ["Bread without salt", "Bridges of the old town", "How a lighthouse is painted"] as const;
const REASON = "is more than the organization's new ideas of a day";

const quota = { ideasPerDay: 2 };
const usedToday = async (tenant: Tenant) =>
  (await sendJson<{ ideasPerDay: { used: number } }>(200, "/api/usage", { as: tenant })).ideasPerDay.used;

it("contract 14.13: ideas beyond those of a day wait for the next one", async () => {
  const tenant = await tenantWith(telling(...TITLES));
  const [first] = await refreshed(tenant, topicRelay({ quota }));
  expect(first).toMatchObject({ state: "read", found: 3, created: 2, refused: [{ reason: REASON, count: 1 }] });
  expect([await topicsOf(tenant).then((found) => found.length), await usedToday(tenant)]).toEqual([2, 2]);
  const [again] = await refreshed(tenant, topicRelay({ quota }));
  expect(again).toMatchObject({ created: 0, refused: expect.arrayContaining([{ reason: REASON, count: 1 }]) });
  const tomorrow = () => new Date(Date.now() + 86_400_000);
  const [next] = await refreshed(tenant, topicRelay({ quota, now: tomorrow }));
  expect([next?.created, (await topicsOf(tenant)).length]).toEqual([1, 3]);
});

it("of sources that are read at once, all together create no more than that", async () => {
  const tenant = await tenantWith(telling(...TITLES), telling(...OTHERS));
  const { id, messages } = await beginRefresh(tenant);
  await consumeAtOnce(topicRelay({ quota }), messages);
  const created = (await refreshOf(tenant, id)).sources.map((source) => source.created);
  expect(created.reduce((sum, count) => sum + count, 0)).toBe(2);
  expect([(await topicsOf(tenant)).length, await usedToday(tenant)]).toEqual([2, 2]);
});

it("contract 14.5: an organization starts so many refreshes a minute, of all its blogs", async () => {
  const tenant = await tenantWith(telling(...TITLES));
  const bindings = limited({ refreshes: RATES.refreshes });
  const start = () => send("/api/topics/refresh", { as: tenant, body: { blogId: tenant.blogId }, bindings });
  for (let n = 0; n < RATES.refreshes; n++) expect((await start()).status).toBe(202);
  await refusalOf(await start(), "rate_limited");
});
