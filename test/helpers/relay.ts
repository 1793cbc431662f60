/** Webhooks under a test's own control: the consumers are driven by hand, D1 and the receiver are real. */
import { createMessageBatch } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";
import { consumeDeliveries, consumeEvents } from "../../src/webhooks/consumer.ts";
import type { DeliveryMessage, EventMessage, Relay } from "../../src/webhooks/ports.ts";
import type { Tenant } from "./tenant.ts";

/** A queue that keeps what it is given until the test takes it. */
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

export type TestRelay = Omit<Relay, "events" | "deliveries" | "slowDeliveries"> & {
  readonly events: Relay["events"] & Pick<HeldQueue<EventMessage>, "held" | "take">;
  readonly deliveries: Relay["deliveries"] & Pick<HeldQueue<DeliveryMessage>, "held" | "take">;
  readonly slowDeliveries: Relay["slowDeliveries"] & Pick<HeldQueue<DeliveryMessage>, "held" | "take">;
  /** The tags of each purge. */
  readonly purged: string[][];
  readonly logged: Readonly<Record<string, unknown>>[];
};

/** A relay on the real database whose queues hold their messages; `more` replaces parts of it. */
export function testRelay(more: Partial<Relay> = {}): TestRelay {
  const purged: string[][] = [];
  const logged: Readonly<Record<string, unknown>>[] = [];
  return {
    db: env.DB,
    events: new HeldQueue<EventMessage>(),
    deliveries: new HeldQueue<DeliveryMessage>(),
    slowDeliveries: new HeldQueue<DeliveryMessage>(),
    targetRules: { allowLoopback: true },
    now: () => new Date(),
    async purge(tags: readonly string[]) {
      purged.push([...tags]);
      return true;
    },
    log: (entry: Readonly<Record<string, unknown>>) => void logged.push(entry),
    ...more,
    purged,
    logged,
  } as TestRelay;
}

/** Feeds messages to the events consumer, as one batch of the queue. */
export function consumeEventsOf(relay: Relay, eventIds: readonly string[]): Promise<void> {
  const bodies = eventIds.map((eventId) => ({ eventId }));
  return consumeEvents(relay, batchOf<EventMessage>("edgepress-events", bodies));
}

/** Feeds delivery ids to the deliveries consumer, as one message. */
export function consumeDeliveriesOf(relay: Relay, deliveryIds: readonly string[]): Promise<void> {
  const message = { organizationId: "whose it is", deliveryIds };
  return consumeDeliveries(relay, batchOf<DeliveryMessage>("edgepress-deliveries", [message]));
}

/** Fans an event out and attempts its deliveries to the end. */
export async function relayEvent(relay: TestRelay, eventId: string): Promise<void> {
  await consumeEventsOf(relay, [eventId]);
  const messages = [...relay.deliveries.take(), ...relay.slowDeliveries.take()];
  for (const { deliveryIds } of messages) await consumeDeliveriesOf(relay, deliveryIds);
}

/** A batch as the queue hands it to the Worker. */
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
): Promise<string> {
  const id = newId();
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
  subscription_id: string;
};

/** The deliveries of an event as D1 has them. */
export async function deliveryRowsOf(eventId: string): Promise<DeliveryRow[]> {
  const query = env.DB.prepare("select * from deliveries where event_id = ? order by id").bind(eventId);
  return (await query.all<DeliveryRow>()).results;
}
