/** Webhooks that a test runs step by step. It calls the consumers itself; D1 and the receiver are real. */
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { PurgeMessage } from "../../src/background/edge/purge.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { newId } from "../../src/lib/ids.ts";
import { post } from "../../src/outbound/post.ts";
import { consumeDeliveries, consumeEvents } from "../../src/background/webhooks/consumer.ts";
import worker from "../../src/worker.ts";
import {
  claimDeliveries,
  type Claim,
  type ClaimedDelivery,
  type Lane,
} from "../../src/store/webhooks/system-deliveries.ts";
import type { Settlement } from "../../src/store/webhooks/system-settlement.ts";
import type { OrganizationMessage, Relay } from "../../src/background/webhooks/ports.ts";
import { UNMETERED } from "./unmetered.ts";
import type { Tenant } from "./tenant.ts";
import { PATIENCE, seenBy } from "./webhooks.ts";

/** A queue that holds its messages until the test takes them. */
export class HeldQueue<T> {
  readonly held: T[] = [];
  async send(body: T): Promise<void> {
    this.held.push(body);
  }
  async sendBatch(messages: Iterable<{ body: T }>): Promise<void> {
    for (const { body } of messages) this.held.push(body);
  }
  take(): T[] {
    return this.held.splice(0);
  }
}

type Held = Relay["events"] & Pick<HeldQueue<OrganizationMessage>, "held" | "take">;

export type TestRelay = Omit<Relay, "events" | "deliveries" | "purges"> & {
  readonly events: Held;
  readonly deliveries: Readonly<Record<Lane, Held>>;
  readonly late: Promise<void>[];
  readonly purges: Relay["purges"] & Pick<HeldQueue<PurgeMessage>, "held" | "take">;
  readonly logged: Readonly<Record<string, unknown>>[];
};

/** Returns a relay with the real database and queues that hold their messages. `more` replaces fields. */
export function testRelay(more: Partial<Relay> = {}): TestRelay {
  const logged: Readonly<Record<string, unknown>>[] = [];
  const late: Promise<void>[] = [];
  return {
    db: env.DB,
    meter: UNMETERED,
    events: new HeldQueue<OrganizationMessage>(),
    deliveries: { quick: new HeldQueue<OrganizationMessage>(), slow: new HeldQueue<OrganizationMessage>() },
    targetRules: { allowLoopback: true },
    baseUrl: "https://edgepress.test",
    mailer: null,
    kept: LIMITS.keptDays,
    quota: LIMITS,
    post,
    now: () => new Date(),
    waitUntil: (work: Promise<void>) => void late.push(work),
    purges: new HeldQueue<PurgeMessage>(),
    log: (entry: Readonly<Record<string, unknown>>) => void logged.push(entry),
    ...more,
    late,
    logged,
  } as unknown as TestRelay;
}

/** Returns a clock for a relay that is ahead by some seconds. */
export const inSeconds = (seconds: number) => () => new Date(Date.now() + seconds * 1000);

/** Feeds organizations to the events consumer, as one batch of the queue, and again while they have more. */
export async function consumeEventsOf(relay: TestRelay, ...organizations: readonly Owned[]): Promise<void> {
  let messages = organizations.map(messageOf);
  while (messages.length > 0) {
    await consumeEvents(relay, batchOf("edgepress-events", messages));
    messages = relay.events.take();
  }
}

/** Gives an organization a turn to send deliveries, and waits for what goes on after it. */
export async function consumeDeliveriesOf(relay: TestRelay, owned: Owned, lane: Lane = "quick"): Promise<void> {
  await consumeDeliveries(relay, lane, batchOf("edgepress-deliveries", [messageOf(owned)]));
  await Promise.all(relay.late.splice(0));
}

type Owned = Pick<Tenant, "organizationId">;

const messageOf = ({ organizationId }: Owned): OrganizationMessage => ({ organizationId });

/** Fans the events of an organization out and attempts all its deliveries. */
export async function relayEvents(relay: TestRelay, owned: Owned): Promise<void> {
  await consumeEventsOf(relay, owned);
  for (let turns = 1; turns > 0;) {
    turns = 0;
    for (const lane of ["quick", "slow"] as const) {
      const messages = relay.deliveries[lane].take();
      turns += messages.length;
      await Promise.all(messages.map(() => consumeDeliveriesOf(relay, owned, lane)));
    }
  }
}

/** Hands a batch to the Worker as the queue does; returns what it acknowledged and what it wants again. */
export async function consumed(queue: string, bodies: readonly unknown[], bindings: object = {}) {
  const batch = batchOf(queue, bodies as OrganizationMessage[]);
  const context = createExecutionContext();
  await worker.queue(batch, { ...env, ...bindings }, context);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, context);
  return { acknowledged: explicitAcks.length, retried: retryMessages.length };
}

/**
 * Hands the messages of an organization to the Worker until a receiver got `count` requests. One message may do nothing: messages are hints,
 * and of a database that does not answer in time they are dropped, because the sweep sends them again.
 */
export async function relayedUntil({ organizationId }: Owned, name: string, count: number, bindings: object) {
  await vi.waitFor(async () => {
    for (const queue of ["edgepress-events", "edgepress-deliveries"])
      await consumed(queue, [{ organizationId }], bindings);
    expect((await seenBy(name)).length).toBeGreaterThanOrEqual(count);
  }, PATIENCE);
}

/** Claims deliveries of an organization under a token of its own, for a test that settles them itself. */
export async function claimOf(
  { organizationId }: Owned,
  lane: Lane = "quick",
  now = new Date(),
): Promise<{ claim: Claim; claimed: ClaimedDelivery[] }> {
  const claim = { organizationId, lane, token: newId() };
  return { claim, claimed: (await claimDeliveries(env.DB, claim, now)).claimed };
}

/** Settlements of deliveries that all ended alike. */
export const endedAs = (
  deliveries: readonly Settlement["delivery"][],
  outcome: Omit<Settlement, "delivery">,
): Settlement[] => deliveries.map((delivery) => Object.assign({ delivery }, outcome));

/** The tags that are asked to be purged for the changes of an organization since a time. */
export async function purgedTags(owned: Owned, since = ""): Promise<string[]> {
  await relayEvents(testRelay(), owned);
  const query = env.DB.prepare("select tag from purges where organization_id = ? and time >= ? order by tag");
  const { results } = await query.bind(owned.organizationId, since).all<{ tag: string }>();
  return results.map(({ tag }) => tag);
}

/** Returns a batch of messages as the queue passes it to the Worker. */
export function batchOf<T>(queue: string, bodies: readonly T[]): MessageBatch<T> {
  const timestamp = new Date();
  const messages = bodies.map((body) => ({ id: newId(), timestamp, attempts: 1, body }));
  return createMessageBatch<T>(queue, messages);
}

/** Stores an event as a write would, without telling the queue; returns its id. `data` is its payload. */
export async function storeEvent(
  tenant: Tenant,
  kind = "article.updated",
  data: unknown = { title: "x" },
  id = newId(),
): Promise<string> {
  const time = new Date().toISOString();
  await env.DB.prepare(
    `insert into events (id, organization_id, blog_id, kind, data, creation_time, enqueue_time)
     values (?, ?, ?, ?, ?, ?, ?)`,
  )
    .bind(id, tenant.organizationId, tenant.blogId, kind, JSON.stringify(data), time, time)
    .run();
  return id;
}

export type DeliveryRow = {
  id: string;
  state: string;
  status: number | null;
  error: string | null;
  duration_ms: number | null;
  token: string | null;
  claim_time: string | null;
  subscription_id: string;
};

/** Returns the delivery rows of an event. */
export async function deliveryRowsOf(eventId: string): Promise<DeliveryRow[]> {
  const query = env.DB.prepare("select * from deliveries where event_id = ? order by id").bind(eventId);
  return (await query.all<DeliveryRow>()).results;
}
