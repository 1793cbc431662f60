/**
 * One organization with a hundred receivers that hang or are slow does not delay another one: on the platform's queues,
 * whose consumers are few and grow slowly. The clock is the test's own; D1 is real.
 */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import type { PostOutcome, PostRequest } from "../../src/outbound/post.ts";
import { consumeDeliveries, consumeEvents } from "../../src/background/webhooks/consumer.ts";
import type { OrganizationMessage, Relay } from "../../src/background/webhooks/ports.ts";
import { HeldQueue, storeEvent, testRelay } from "../helpers/relay.ts";
import { quiet } from "../helpers/refusals.ts";
import { sample } from "../helpers/sample.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { PlatformQueue } from "./queue.ts";

const realTimeout = setTimeout;
afterEach(async () => {
  vi.useRealTimers();
  await env.DB.batch([env.DB.prepare("delete from deliveries"), env.DB.prepare("update events set fan_out_time = ''")]);
});

/** A service on the platform's queues. Receivers answer after the milliseconds that their URL names. */
class Platform {
  /** Requests by host, with the milliseconds since the rig began. */
  readonly sent = new Map<string, number[]>();
  readonly late: Promise<void>[] = [];
  /** The most requests that one organization's receivers had under way at once. */
  most = 0;
  #underWay = 0;
  readonly relay: Relay;
  readonly quick: PlatformQueue<OrganizationMessage>;
  readonly slow: PlatformQueue<OrganizationMessage>;
  readonly events: PlatformQueue<OrganizationMessage>;

  constructor() {
    const rules = { consumers: 50, twice: 7, late: 11 };
    const of = (lane: "quick" | "slow") =>
      new PlatformQueue<OrganizationMessage>("edgepress-deliveries", rules, (batch) =>
        consumeDeliveries(this.relay, lane, batch),
      );
    this.quick = of("quick");
    this.slow = of("slow");
    this.events = new PlatformQueue<OrganizationMessage>("edgepress-events", { ...rules, consumers: 5 }, (batch) =>
      consumeEvents(this.relay, batch),
    );
    this.relay = testRelay({
      events: this.events as unknown as Relay["events"],
      deliveries: { quick: this.quick, slow: this.slow } as unknown as Relay["deliveries"],
      purges: new HeldQueue() as unknown as Relay["purges"],
      waitUntil: (work) => void this.late.push(work),
      post: (request) => this.#post(request),
    });
  }

  async #post({ url, timeoutMs }: PostRequest): Promise<PostOutcome> {
    const { hostname, pathname } = new URL(url);
    const takes = Number(pathname.slice(1));
    this.sent.set(hostname, [...(this.sent.get(hostname) ?? []), Date.now()]);
    if (hostname === "hostile.example.com") this.most = Math.max(this.most, ++this.#underWay);
    await new Promise((resolve) => setTimeout(resolve, Math.min(takes, timeoutMs)));
    if (hostname === "hostile.example.com") this.#underWay--;
    if (takes >= timeoutMs) return { kind: "failed", reason: "timeout", durationMs: timeoutMs };
    return { kind: "response", status: 200, durationMs: takes };
  }

  /** Lets so many milliseconds go by, with all work that is to be done in them. */
  async pass(ms: number): Promise<void> {
    const end = Date.now() + ms;
    while (Date.now() < end) {
      await this.#rest();
      const { now } = Date;
      await vi.advanceTimersByTimeAsync(Math.min(50, end - now()));
    }
    await this.#rest();
  }

  /** Waits until D1 has done what it was asked for. */
  async #rest(): Promise<void> {
    for (let quiet = 0; quiet < 2;) {
      const before = this.#asked;
      await new Promise((resolve) => realTimeout(resolve, 0));
      quiet = this.#asked === before && this.#open === 0 ? quiet + 1 : 0;
    }
  }

  #asked = 0;
  #open = 0;

  /** Counts what D1 is asked for. */
  watch(): void {
    const { db } = this.relay;
    const counted = async <T>(work: () => Promise<T>): Promise<T> => {
      this.#asked++;
      this.#open++;
      try {
        return await work();
      } finally {
        this.#open--;
      }
    };
    Object.assign(this.relay, {
      db: { prepare: db.prepare.bind(db), batch: (all: D1PreparedStatement[]) => counted(() => db.batch(all)) },
    });
  }
}

/** Subscriptions of an organization to a host whose receivers answer after so many milliseconds. */
async function subscribed(tenant: Tenant, count: number, host: string, takesMs: number): Promise<void> {
  await env.DB.prepare(
    `insert into webhook_subscriptions (id, organization_id, blog_id, url, events, active, secret, failure_streak,
       epoch, since_seq, version, creation_time, last_edit_time)
     select value, ?1, null, ?2, '[]', 1, 'whsec_test', 0, 0, (select coalesce(max(seq), 0) from events), value, ?3, ?3 from json_each(?4)`,
  )
    .bind(
      tenant.organizationId,
      `https://${host}/${takesMs}`,
      new Date().toISOString(),
      JSON.stringify(Array.from({ length: count }, () => newId())),
    )
    .run();
}

describe("a healthy receiver, beside an organization with a hundred receivers and 600 events a minute", () => {
  const receivers = [
    ["answer after 4.9 seconds", 4900],
    ["hang", 60_000],
    ["answer after 0.99 seconds", 990],
  ] as const;

  it.each(sample(receivers, 0, 1))("that %s, gets each event within 10 seconds", async (how, takesMs) => {
    const [hostile, healthy] = [await newTenant(), await newTenant()];
    await subscribed(hostile, 100, "hostile.example.com", takesMs);
    await subscribed(healthy, 1, "healthy.example.com", 20);
    // The queues of the test's own Worker have sent what came before.
    await quiet();
    // A minute back: it ends before the true time, so that the identifiers of later tests are not late.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: Date.now() - 60_000 });
    const platform = new Platform();
    platform.watch();
    const stored: number[] = [];
    const seconds = inject("exhaustive") ? 15 : 5;
    for (let second = 0; second < seconds; second++) {
      for (let event = 0; event < 10; event++) {
        await storeEvent(hostile);
        await platform.events.send({ organizationId: hostile.organizationId });
      }
      await storeEvent(healthy);
      stored.push(Date.now());
      await platform.events.send({ organizationId: healthy.organizationId });
      await platform.pass(1000);
    }
    await platform.pass(10_000);
    const arrived = platform.sent.get("healthy.example.com") ?? [];
    expect(arrived).toHaveLength(seconds);
    const waits = arrived.map((time, index) => time - (stored[index] ?? 0));
    // For docs/operations.md (npm run rig).
    console.warn(
      `${how}: the longest wait was ${Math.max(...waits)} ms, ${platform.most} requests were under way at most`,
    );
    expect(Math.max(...waits)).toBeLessThan(10_000);
    expect(platform.most).toBeLessThanOrEqual(LIMITS.deliveryCredits.quick + LIMITS.deliveryCredits.slow);
  });
});
