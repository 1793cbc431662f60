/** The edge and the queue of its purges, on a clock of their own: seconds since the beginning. D1 is real. */
import { env } from "cloudflare:workers";
import { consumePurges, type PurgeMessage, type PurgeRelay } from "../../src/background/edge/purge.ts";
import type { PurgeMethod } from "../../src/store/edge/system-purges.ts";
import { batchOf, consumeEventsOf, HeldQueue, testRelay } from "../helpers/relay.ts";
import type { Tenant } from "../helpers/tenant.ts";
import { EdgeCache } from "./edge-cache.ts";

export type Call = { readonly at: number; readonly tags: readonly string[]; readonly method: PurgeMethod };

export class Edge {
  readonly cache = new EdgeCache();
  readonly calls: Call[] = [];
  /** When the next message of the queue arrives, or null. */
  next: number | null = null;
  /** While false, the platform refuses purges. */
  works = true;
  /** While true, the platform purges what should be invalidated. */
  onlyPurges = false;
  /** The database as readers' replicas show it. */
  replica: PurgeRelay["replicas"][number] = env.DB;
  readonly #start = Date.now();

  now = (seconds = this.cache.now): Date => new Date(this.#start + seconds * 1000);

  /** As the consumer of the events queue does once a change is stored. */
  ask(): void {
    this.next = Math.min(this.next ?? Infinity, this.cache.now + 1);
  }

  /** Fans out what tenants have written; the edge is asked at the time that the test has reached. */
  async fanOut(...tenants: readonly Tenant[]): Promise<void> {
    const relay = testRelay({ now: () => this.now() });
    await consumeEventsOf(relay, ...tenants);
    if (relay.purges.held.length > 0) this.ask();
  }

  /** Asks for purges of so many blogs of another organization, as its changes would. */
  async flood(count: number, urgent: 0 | 1): Promise<void> {
    await env.DB.prepare(
      `insert into purges (tag, organization_id, urgent, time, round, due_time)
       with recursive n(value) as (select 1 union all select value + 1 from n where value < ?1)
       select 'blog-flood-' || value, 'flood', ?2, ?3, 0, ?3 from n where true
       on conflict (tag) do update set round = 0, due_time = excluded.due_time, time = excluded.time`,
    )
      .bind(count, urgent, this.now().toISOString())
      .run();
  }

  /** Lets the time go on, message by message. */
  async until(seconds: number): Promise<void> {
    while (this.next !== null && this.next <= seconds) {
      this.cache.now = this.next;
      this.next = null;
      await consumePurges(this.#relay(), batchOf<PurgeMessage>("edgepress-purges", [{}]));
    }
    this.cache.now = seconds;
  }

  #relay(): PurgeRelay {
    const purges = new HeldQueue<PurgeMessage>();
    const send = async (_: PurgeMessage, options?: { delaySeconds?: number }) => {
      this.next = this.cache.now + (options?.delaySeconds ?? 1);
    };
    return {
      db: env.DB,
      shards: [],
      replicas: [this.replica],
      purges: Object.assign(purges, { send }) as unknown as PurgeRelay["purges"],
      now: () => this.now(),
      purge: async (tags, method) => {
        this.calls.push({ at: this.cache.now, tags, method });
        return this.works && this.cache[this.onlyPurges ? "purge" : method](tags).success;
      },
      log: () => undefined,
    };
  }

  /** Seconds until a tag was purged first. */
  purgedAt = (tag: string): number => this.calls.find(({ tags }) => tags.includes(tag))?.at ?? Infinity;
}
