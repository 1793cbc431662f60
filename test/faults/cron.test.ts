/** What runs every minute: each part is an invocation of its own, which may make 1,000 queries (D1, Limits). */
import { createExecutionContext, createMessageBatch } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, inject } from "vitest";
import { RENDERER } from "../../src/domain/rendering.ts";
import { parseSettings } from "../../src/env.ts";
import { newId } from "../../src/lib/ids.ts";
import { recordHealth } from "../../src/store/edge/system-health.ts";
import { sendDue } from "../../src/store/articles/system-due.ts";
import { SCHEDULES } from "../../src/store/articles/system-schedules.ts";
import type { CronMessage } from "../../src/background/queues.ts";
import worker from "../../src/worker.ts";
import { countingDatabase } from "../helpers/counting.ts";
import { requireRoom, runCron } from "../helpers/cron.ts";
import { copies } from "../helpers/copies.ts";
import { sendJson } from "../helpers/requests.ts";
import { sample } from "../helpers/sample.ts";
import { inMinutes, schedule } from "../helpers/schedules.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";

/** Takes long for what `npm test` learns of it. */
const whole = it.runIf(inject("exhaustive"));

const QUERIES = 1000;

it("schedules of one minute are carried out by as many invocations as they need", async () => {
  const tenant = await newTenant();
  const ids: string[] = [];
  for (let n = 0; n < 27; n++) {
    const { _id } = await newArticle(tenant, { published: false });
    await schedule({ apiKey: tenant.apiKey }, _id, { publishTime: inMinutes(5) });
    ids.push(_id);
  }
  await env.DB.prepare("update schedules set due_time = ?").bind(inMinutes(-1)).run();
  const { messages, most } = await counted();
  const due = messages.filter((message) => message.part === "due");
  expect(due.map(({ schedules }) => schedules.length)).toEqual([25, 2]);
  expect(most).toBeGreaterThan(100);
  // As many again, twice, if somebody else changed each article in between.
  expect(most * 3).toBeLessThan(QUERIES);
  const list = `/api/articles?blogId=${tenant.blogId}&limit=100&fields=_id,published`;
  const shown = await sendJson<ArticleBody[]>(200, list, { as: { apiKey: tenant.apiKey } });
  expect(shown.filter(({ _id, published }) => ids.includes(_id) && published)).toHaveLength(27);
});

it("/healthz counts schedules that the run before should have carried out, and none that are carried out now", async () => {
  const tenant = await newTenant();
  const { _id } = await newArticle(tenant, { published: false });
  await schedule({ apiKey: tenant.apiKey }, _id, { publishTime: inMinutes(5) });
  const due = (minutes: number) =>
    env.DB.prepare("update schedules set due_time = ? where article_id = ?").bind(inMinutes(minutes), _id).run();
  const counted = async () => {
    const { schedules } = await sendJson<{ schedules: { count: number } }>(200, "/healthz");
    return schedules.count;
  };
  await due(-3);
  await recordHealth(env.DB, new Date(), parseSettings(env).quota);
  expect(await counted()).toBe(1);
  await due(-0.5);
  // The counting comes before the messages that carry out what it counts.
  await runCron();
  expect(await counted()).toBe(0);
});

/** Each message takes 25 of them, as the first test shows; those of one run are carried out side by side. */
whole("10,000 schedules of one minute are sent within three runs, each of which fits into the queue", async () => {
  const tenant = await newTenant();
  const { _id } = await newArticle(tenant, { published: false });
  await schedule({ apiKey: tenant.apiKey }, _id, { publishTime: inMinutes(5) });
  await copies("articles", _id, 10_000, { slug: "slug || n", indexed_version: "null", search_id: "null" });
  await env.DB.prepare(
    `insert into schedules (article_id, organization_id, blog_id, publish_time, time_zone, due_time, actor_kind, actor_id, version, creation_time)
     select a.id, s.organization_id, s.blog_id, s.publish_time, time_zone, due_time, actor_kind, actor_id, s.version, s.creation_time
     from articles a join schedules s on s.article_id = ?1 where a.blog_id = s.blog_id and a.id <> ?1`,
  )
    .bind(_id)
    .run();
  const sent: string[] = [];
  const moment = { now: new Date(inMinutes(6)), quota: parseSettings(env).quota };
  const minute = () =>
    sendDue(SCHEDULES, env.DB, moment, async (messages) => {
      requireRoom(messages.map((schedules) => ({ part: "due", schedules })));
      const ids = messages.flat().map(({ articleId }) => articleId);
      sent.push(...ids);
      // As if their messages had carried them out.
      await env.DB.prepare("delete from schedules where article_id in (select value from json_each(?))")
        .bind(JSON.stringify(ids))
        .run();
    });
  expect([await minute(), await minute(), await minute(), await minute()]).toEqual([4000, 4000, 2000, 0]);
  expect(new Set(sent).size).toBe(10_000);
});

it("articles that wait for the search index are indexed within the bound, those of few organizations and of many", async () => {
  for (const organizations of sample([1, 25], 0, 1)) {
    for (let n = 0; n < organizations; n++) {
      const { _id } = await newArticle(await newTenant());
      await copies("articles", _id, 700 / organizations, {
        slug: "slug || n",
        indexed_version: "null",
        search_id: "null",
      });
    }
    // One that is rendered meanwhile waits for the next run.
    await env.DB.prepare(`update article_renderings set renderer = ${RENDERER}`).run();
    const waiting = () =>
      env.DB.prepare("select count(*) as n from articles where indexed_version is not version").first<number>("n");
    const before = (await waiting()) ?? 0;
    const { most } = await counted();
    expect(before - ((await waiting()) ?? 0)).toBeGreaterThan(350);
    expect(most).toBeLessThan(QUERIES);
    await env.DB.prepare("update articles set indexed_version = version").run();
  }
});

/** Runs the cron, and returns its messages and the most queries that one of them made. */
async function counted(): Promise<{ messages: CronMessage[]; most: number }> {
  const counter = countingDatabase();
  const sums: number[] = [];
  const messages = await runCron({ DB: counter.db }, () => sums.push(counter.counts.queries));
  const after = [...sums.slice(1), counter.counts.queries];
  return { messages, most: Math.max(...after.map((sum, index) => sum - (sums[index] ?? 0))) };
}

it("a message that waited too long is dropped: a later minute sent the same work again", async () => {
  const tenant = await newTenant();
  const { _id } = await newArticle(tenant, { published: false });
  await schedule({ apiKey: tenant.apiKey }, _id, { publishTime: inMinutes(5) });
  await env.DB.prepare("update schedules set due_time = ?").bind(inMinutes(-1)).run();
  const message: CronMessage = {
    part: "due",
    schedules: [{ articleId: _id, organizationId: tenant.organizationId, actorId: newId() }],
  };
  const published = async () =>
    (await sendJson<ArticleBody>(200, `/api/articles/${_id}`, { as: { apiKey: tenant.apiKey } })).published;
  const run = async (sent: Date) => {
    const batch = createMessageBatch<CronMessage>("edgepress-cron", [
      { id: newId(), timestamp: sent, attempts: 1, body: message },
    ]);
    await worker.queue(batch, env, createExecutionContext());
  };
  await run(new Date(Date.now() - 4 * 60_000));
  expect(await published()).toBe(false);
  await run(new Date());
  expect(await published()).toBe(true);
});
