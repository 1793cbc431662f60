/** Measures how long a change takes to reach its receivers, and how many deliveries per second are possible. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../src/lib/ids.ts";
import { newWebhookSecret } from "../src/domain/secrets.ts";
import type { D1, Fixture } from "./fixture.ts";
import type { Received } from "./receiver.ts";
import { PORTS } from "./runtime.ts";
import { newOrganization, prose } from "./seed.ts";
import { median, quantile } from "./statistics.ts";

/** One measurement. `p50` and `p99` are milliseconds from the creation of an article to its delivery. */
export type Delivered = {
  readonly name: string;
  readonly deliveries: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
};

/** The time limit for each wait below, in milliseconds. No load should take that long. */
const PATIENCE_MS = 60_000;

/** Measures single changes, many changes at once, and one change with many subscriptions. */
export async function deliveries(db: D1, { changes, subscriptions }: { changes: number; subscriptions: number }) {
  const receiver = await startReceiver();
  try {
    const one = await subscribed(db, 1);
    const many = await subscribed(db, subscriptions);
    await told(receiver, one, 3, { expected: 3, atOnce: 1 });
    return [
      await measured("1 subscription, one change after another", receiver, one, changes, changes, 1),
      await measured(`1 subscription, ${changes} changes at once`, receiver, one, changes, changes, 16),
      await drained(db, receiver, changes),
      await measured(`${subscriptions} subscriptions, one change`, receiver, many, 1, subscriptions, 1),
    ];
  } finally {
    receiver.stop();
  }
}

async function measured(
  name: string,
  receiver: Receiver,
  organization: Omit<Fixture, "slugs">,
  changes: number,
  expected: number,
  atOnce: number,
): Promise<Delivered> {
  const received = await told(receiver, organization, changes, { expected, atOnce });
  const ages = received.map(({ at, written }) => at - written);
  const seconds =
    (Math.max(...received.map(({ at }) => at)) - Math.min(...received.map(({ written }) => written))) / 1000;
  return {
    name,
    deliveries: received.length,
    perSecond: received.length / seconds,
    p50: median(ages),
    p99: quantile(ages, 0.99),
  };
}

/**
 * Measures how fast deliveries that wait reach their one receiver. Without them, the writes of as many changes would set
 * the pace.
 */
async function drained(db: D1, receiver: Receiver, waiting: number): Promise<Delivered> {
  const one = await subscribed(db, 1);
  const time = new Date().toISOString();
  const ids = JSON.stringify(Array.from({ length: waiting - 1 }, () => newId()));
  await db.batch([
    db
      .prepare(
        `insert into events (id, organization_id, blog_id, kind, data, creation_time, enqueue_time, fan_out_time)
         select value, ?1, ?2, 'article.updated', json_object('creationTime', ?3), ?3, ?3, ?3 from json_each(?4)`,
      )
      .bind(one.organizationId, one.blogId, time, ids),
    db
      .prepare(
        `insert into deliveries (event_id, subscription_id, id, organization_id, epoch, state, creation_time)
         select value, s.id, 'waiting ' || value, ?1, 0, 'open', ?2
         from json_each(?3) join webhook_subscriptions s on s.organization_id = ?1`,
      )
      .bind(one.organizationId, time, ids),
  ]);
  return measured(`1 subscription, ${waiting} deliveries that wait`, receiver, one, 1, waiting, 16);
}

type Telling = {
  readonly expected: number;
  readonly atOnce: number;
  /** The content of the nth article. */
  readonly contentOf?: (nth: number) => string;
};

/**
 * Writes `changes` articles, at most `atOnce` at the same time, and waits for all `expected` deliveries. With `atOnce`
 * 1 it waits for the deliveries of each article before it writes the next one. Throws if a delivery arrives twice.
 */
export async function told(
  receiver: Receiver,
  { blogId, apiKey }: Omit<Fixture, "slugs">,
  changes: number,
  { expected, atOnce, contentOf = () => prose(7, 360) }: Telling,
): Promise<Received[]> {
  const received: Received[] = [];
  const waitFor = async (number: number) => {
    const until = Date.now() + PATIENCE_MS;
    while (received.length < number) {
      received.push(...(await receiver.take()));
      if (Date.now() > until) throw new Error(`${received.length} of ${number} deliveries after ${PATIENCE_MS} ms`);
      await sleep(5);
    }
    const ids = new Set(received.map(({ id }) => id));
    if (ids.size < received.length) throw new Error(`${received.length - ids.size} deliveries came twice`);
  };
  let written = 0;
  const lane = async () => {
    while (written < changes) {
      written += 1;
      const nth = written;
      await write(blogId, apiKey, contentOf(nth));
      if (atOnce === 1) await waitFor((nth * expected) / changes);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  await waitFor(expected);
  return received;
}

async function write(blogId: string, apiKey: string, content: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${PORTS.service}/api/articles`, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(apiKey)}`, "Content-Type": "application/json" },
    body: JSON.stringify({ blogId, title: "Measured", slug: `told-${newId().slice(9)}`, content }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
}

/** Creates an organization with `count` subscriptions to the receiver. */
export async function subscribed(db: D1, count: number): Promise<Omit<Fixture, "slugs">> {
  const organization = await newOrganization(db);
  await subscribe(db, organization, count);
  return organization;
}

/** Gives an organization `count` subscriptions to the receiver. */
export async function subscribe(db: D1, { organizationId }: Pick<Fixture, "organizationId">, count: number) {
  const time = new Date().toISOString();
  const ids = Array.from({ length: count }, () => [newId(), newWebhookSecret()]);
  await db
    .prepare(
      `insert into webhook_subscriptions (id, organization_id, blog_id, url, events, active, secret, failure_streak,
         epoch, since_seq, version, creation_time, last_edit_time)
       select value ->> 0, ?1, null, ?2, '[]', 1, value ->> 1, 0, 0, 0, value ->> 0, ?3, ?3 from json_each(?4)`,
    )
    .bind(organizationId, `http://127.0.0.1:${PORTS.receiver}/hook`, time, JSON.stringify(ids))
    .run();
}

type Receiver = { readonly take: () => Promise<Received[]>; readonly stop: () => void };

export async function startReceiver(): Promise<Receiver> {
  const child = fork(new URL("receiver.ts", import.meta.url), { serialization: "advanced" });
  child.send({ listen: PORTS.receiver });
  await answerOf(child);
  const take = async () => {
    child.send("take");
    return (await answerOf(child)) as Received[];
  };
  return { take, stop: () => child.kill() };
}

const answerOf = async (child: ChildProcess): Promise<unknown> => (await once(child, "message"))[0] as unknown;
