/** What an organization whose sources hang costs others: three consumers of the queue, and no place in the sweep. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Models } from "../../src/ai/model.ts";
import { limitConcurrency } from "../../src/lib/concurrency.ts";
import { claimSource, settleSource, type ClaimedSource } from "../../src/store/topics/system-sources.ts";
import type { TopicMessage } from "../../src/background/topics/relay.ts";
import { sweepTopics } from "../../src/background/topics/sweep.ts";
import {
  beginRefresh,
  consumeAtOnce,
  consumeTopicsOf,
  inMinutes,
  refreshOf,
  telling,
  tenantWith,
  topicRelay,
} from "../helpers/refreshing.ts";
import { sendJson } from "../helpers/requests.ts";
import type { Tenant } from "../helpers/tenant.ts";
import { PATIENCE } from "../helpers/webhooks.ts";

/** `max_concurrency` in wrangler.toml. */
const CONSUMERS = 10;
const AT_ONCE = 3;

const stories = (count: number) => Array.from({ length: count }, (_, n) => telling(`Tale${n} told${n}`));

async function begun(count: number) {
  const tenant = await tenantWith(...stories(count));
  return { tenant, ...(await beginRefresh(tenant)) };
}

/** Claims as many sources as there may be at the same time; they belong to invocations that hang. */
async function claimed(messages: readonly TopicMessage[]): Promise<ClaimedSource[]> {
  const claims: ClaimedSource[] = [];
  for (const message of messages)
    claims.push(...[await claimSource(env.DB, message, new Date())].filter((c) => c !== null));
  expect(claims).toHaveLength(AT_ONCE);
  return claims;
}

const settle = (claim: ClaimedSource) =>
  settleSource(env.DB, claim, { state: "unchanged", reason: null, detail: null }, new Date(Date.now() + 1000));

const stateCounts = async (tenant: Tenant, id: string): Promise<Record<string, number>> => {
  const { sources } = await refreshOf(tenant, id);
  return Object.fromEntries(
    Object.entries(Object.groupBy(sources, ({ state }) => state)).map(([state, those]) => [state, those.length]),
  );
};

/** Sweeps some minutes from now, and returns the messages of these refreshes. */
async function swept(minutes: number, ...ids: readonly string[]): Promise<TopicMessage[]> {
  const relay = topicRelay({ now: inMinutes(minutes) });
  await sweepTopics(relay);
  return relay.topics.take().filter(({ refreshId }) => ids.includes(refreshId));
}

it("while an organization's sources hang, those of another one are read; afterwards, all of its own are", async () => {
  const [bad, good] = [await begun(20), await begun(2)];
  const hang = Promise.withResolvers<Models>();
  const reading: number[] = [];
  const hanging = topicRelay({
    models: async () => {
      reading.push((await stateCounts(bad.tenant, bad.id))["reading"] ?? 0);
      return hang.promise;
    },
  });
  const consumers = limitConcurrency(CONSUMERS);
  const itsWork = consumeAtOnce(hanging, bad.messages, consumers);
  const work = consumeAtOnce(topicRelay(), good.messages, consumers);
  try {
    await expect.poll(async () => (await refreshOf(good.tenant, good.id)).state, PATIENCE).toBe("done");
    expect(await stateCounts(bad.tenant, bad.id)).toEqual({ reading: AT_ONCE, waiting: 20 - AT_ONCE });
  } finally {
    hang.resolve({ text: null, image: null });
    await Promise.all([work, itsWork]);
  }
  expect(await stateCounts(bad.tenant, bad.id)).toEqual({ read: 20 });
  expect(Math.max(...reading)).toBe(AT_ONCE);
  expect(hanging.logged).toEqual([]);
});

it("a message beyond them is acknowledged; two that settle at the same time send different sources", async () => {
  const { tenant, id, messages } = await begun(6);
  const claims = await claimed(messages);
  await consumeTopicsOf(topicRelay(), messages);
  expect(await stateCounts(tenant, id)).toEqual({ reading: 3, waiting: 3 });
  const next = await Promise.all(claims.map(settle));
  expect(new Set(next.flat().map(({ position }) => position))).toEqual(new Set([3, 4, 5]));
  await consumeTopicsOf(topicRelay(), next.flat());
  expect(await refreshOf(tenant, id)).toMatchObject({ state: "done" });
});

it("they are counted over all blogs of an organization, and a refresh that ends lets one of another blog go on", async () => {
  const { tenant, messages } = await begun(3);
  const { _id: blogId } = await sendJson<{ _id: string }>(200, "/api/blogs", {
    as: tenant,
    body: { name: "Another", vanityId: `another-${tenant.blogId.slice(-8)}`, locales: ["en"] },
  });
  const other = { ...tenant, blogId };
  await env.DB.prepare("update blogs set topic_sources = (select topic_sources from blogs where id = ?) where id = ?")
    .bind(tenant.blogId, blogId)
    .run();
  const [claim] = await claimed(messages);
  const second = await beginRefresh(other);
  await consumeTopicsOf(topicRelay(), second.messages);
  expect(await stateCounts(other, second.id)).toEqual({ waiting: 3 });
  const next = await settle(claim as ClaimedSource);
  expect(next).toEqual([{ refreshId: second.id, position: 0, organizationId: tenant.organizationId }]);
});

it("what was settled by an invocation that ended before it sent the next one is sent by the sweep", async () => {
  const { tenant, id, messages } = await begun(6);
  const [first, ...others] = await claimed(messages);
  const lost = { sendBatch: () => Promise.reject(new Error("queue lost")) } as unknown as Queue<TopicMessage>;
  for (const claim of others) await settle(claim);
  const relay = topicRelay({ topics: lost });
  await consumeTopicsOf(relay, messages.slice(3, 4));
  expect(relay.logged).toMatchObject([{ level: "error", message: "next topic source was not sent" }]);
  expect(await swept(1, id)).toEqual([]);
  const sent = await swept(3, id);
  expect(sent.map(({ position }) => position)).toEqual([4, 5]);
  await settle(first as ClaimedSource);
  await consumeTopicsOf(topicRelay(), sent);
  expect(await refreshOf(tenant, id)).toMatchObject({ state: "done" });
});

it("invocations that ended after their claims hold an organization up until the sweep gives them up", async () => {
  const { tenant, id, messages } = await begun(9);
  const other = await begun(1);
  await claimed(messages);
  // The waiting ones of the first are older, but cannot be claimed.
  expect(await swept(3, id, other.id)).toEqual(other.messages);
  const sent = await swept(7, id);
  expect(sent).toEqual(messages.slice(3, 3 + AT_ONCE));
  await consumeAtOnce(topicRelay(), sent);
  expect(await refreshOf(tenant, id)).toMatchObject({ state: "done" });
  expect(await stateCounts(tenant, id)).toEqual({ failed: 3, read: 6 });
});
