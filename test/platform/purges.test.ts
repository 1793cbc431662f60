/** Purges of the edge: few calls a minute, readers first, everybody gets their turn, none lost. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { consumePurges, type PurgeMessage, type PurgeRelay } from "../../src/edge/purge.ts";
import { noteHealth } from "../../src/store/edge/system-health.ts";
import { purgeBacklog } from "../../src/store/edge/system-purges.ts";
import { batchOf, consumeEventsOf, HeldQueue, testRelay } from "../helpers/relay.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

type Call = { readonly at: number; readonly tags: readonly string[] };

/** The edge and its queue on a clock of their own: seconds since the beginning. */
class Edge {
  readonly calls: Call[] = [];
  /** When the next message of the queue arrives, or null. */
  next: number | null = null;
  works = true;
  /** The database as readers' replicas show it. */
  replica: PurgeRelay["replica"] = env.DB;
  #seconds = 0;
  readonly #start = Date.now();

  now = (seconds = this.#seconds): Date => new Date(this.#start + seconds * 1000);

  /** As the consumer of the events queue does once a change is stored. */
  ask(): void {
    this.next = Math.min(this.next ?? Infinity, this.#seconds + 1);
  }

  /** Lets the time go on, message by message. */
  async until(seconds: number): Promise<void> {
    while (this.next !== null && this.next <= seconds) {
      this.#seconds = this.next;
      this.next = null;
      await consumePurges(this.#relay(), batchOf<PurgeMessage>("edgepress-purges", [{}]));
    }
    this.#seconds = seconds;
  }

  #relay(): PurgeRelay {
    const purges = new HeldQueue<PurgeMessage>();
    const send = async (_: PurgeMessage, options?: { delaySeconds?: number }) => {
      this.next = this.#seconds + (options?.delaySeconds ?? 1);
    };
    return {
      db: env.DB,
      replica: this.replica,
      purges: Object.assign(purges, { send }) as unknown as PurgeRelay["purges"],
      now: () => this.now(),
      purge: async (tags) => {
        this.calls.push({ at: this.#seconds, tags });
        return this.works;
      },
      log: () => undefined,
    };
  }

  /** Seconds until a tag was purged first. */
  purgedAt = (tag: string): number => this.calls.find(({ tags }) => tags.includes(tag))?.at ?? Infinity;
}

let edge: Edge;
beforeEach(async () => {
  await env.DB.batch([env.DB.prepare("delete from purges"), env.DB.prepare("delete from last_times")]);
  edge = new Edge();
});

/** Fans out what was written; the edge is asked at the time that the test has reached. */
async function fannedOut(...tenants: readonly Tenant[]): Promise<void> {
  const relay = testRelay({ now: () => edge.now() });
  await consumeEventsOf(relay, ...tenants);
  if (relay.purges.held.length > 0) edge.ask();
}

async function unpublished(tenant: Tenant, articleId: string): Promise<void> {
  const as = { apiKey: tenant.apiKey };
  await sendJson(200, "/api/articles", { as, body: { _id: articleId, published: false } });
  await fannedOut(tenant);
}

/** Asks for purges of so many blogs of another organization, as its changes would. */
const flood = (count: number, urgent: 0 | 1) =>
  env.DB.prepare(
    `insert into purges (tag, organization_id, urgent, time, round, due_time)
     with recursive n(value) as (select 1 union all select value + 1 from n where value < ?1)
     select 'blog-flood-' || value, 'flood', ?2, ?3, 0, ?3 from n where true
     on conflict (tag) do update set round = 0, due_time = excluded.due_time, time = excluded.time`,
  )
    .bind(count, urgent, edge.now().toISOString())
    .run();

const callsAMinute = (calls: readonly Call[]): number =>
  Math.max(0, ...calls.map(({ at }) => calls.filter((other) => other.at > at - 60 && other.at <= at).length));

describe("a change", () => {
  it("is purged at once by the tag of its blog, a draft is not", async () => {
    const tenant = await newTenant();
    await newArticle(tenant, { published: false });
    await fannedOut(tenant);
    expect(edge.next).toBeNull();
    for (let i = 0; i < 5; i++) await newArticle(tenant);
    await fannedOut(tenant);
    await edge.until(2);
    expect(edge.calls.map(({ tags }) => tags)).toEqual([[`blog-${tenant.blogId}`]]);
  });

  it("takes the images of an article along that is deleted", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    await sendJson(200, `/api/articles/${_id}`, { as: { apiKey: tenant.apiKey }, method: "DELETE" });
    await fannedOut(tenant);
    await edge.until(2);
    expect(edge.calls.flatMap(({ tags }) => tags).sort()).toEqual([`blog-${tenant.blogId}`, `media-${_id}`]);
  });

  it("is purged again when its purge fails, until it succeeds", async () => {
    const tenant = await newTenant();
    await newArticle(tenant);
    await fannedOut(tenant);
    edge.works = false;
    await edge.until(40);
    expect(edge.calls).toHaveLength(3);
    edge.works = true;
    await edge.until(50);
    expect(await purgeBacklog(env.DB)).toEqual({ count: 0, oldest: null });
  });
});

describe("the second purge", () => {
  it("comes a minute later, once, and then nothing waits any more", async () => {
    const tenant = await newTenant();
    await newArticle(tenant);
    await fannedOut(tenant);
    await edge.until(30);
    await noteHealth(env.DB, edge.now(45));
    await edge.until(600);
    expect(edge.calls.map(({ at }) => at)).toEqual([1, 61]);
    expect(edge.next).toBeNull();
  });

  it("waits for a replica that lags, an hour at most", async () => {
    const tenant = await newTenant();
    await newArticle(tenant);
    await fannedOut(tenant);
    const lagging = { time: edge.now(-5).toISOString(), value: "{}" };
    edge.replica = {
      prepare: () => ({ bind: () => ({ all: async () => ({ results: [lagging] }) }) }),
    } as unknown as PurgeRelay["replica"];
    await edge.until(900);
    expect(edge.calls.map(({ at }) => at)).toEqual([1]);
    lagging.time = edge.now(890).toISOString();
    await edge.until(930);
    expect(edge.calls).toHaveLength(2);
    lagging.time = edge.now(-5).toISOString();
    await newArticle(tenant);
    await fannedOut(tenant);
    await edge.until(930 + 3700);
    expect(edge.calls).toHaveLength(4);
  });
});

describe("under a thousand changes a minute of one organization", () => {
  it.each([0, 1] as const)("an unpublished article of another one is gone within 30 seconds (%s)", async (urgent) => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    await fannedOut(tenant);
    await edge.until(200);
    edge.calls.length = 0;
    for (let second = 200; second < 320; second += 5) {
      await flood(1000, urgent);
      edge.ask();
      if (second === 255) await unpublished(tenant, _id);
      await noteHealth(env.DB, edge.now());
      await edge.until(second + 5);
    }
    expect(edge.purgedAt(`blog-${tenant.blogId}`) - 255).toBeLessThanOrEqual(30);
    expect(callsAMinute(edge.calls)).toBeLessThanOrEqual(4);
    for (const { tags } of edge.calls) expect(tags.length).toBeLessThanOrEqual(100);
  });

  it.each([0, 1] as const)("nor does it wait behind what was asked for before (%s)", async (urgent) => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    await fannedOut(tenant);
    await edge.until(100);
    await flood(1000, urgent);
    edge.ask();
    await edge.until(110);
    await unpublished(tenant, _id);
    edge.calls.length = 0;
    await edge.until(300);
    expect(edge.purgedAt(`blog-${tenant.blogId}`) - 110).toBeLessThanOrEqual(15);
  });

  it("nothing is lost, and what is asked for twice is purged once", async () => {
    await flood(1000, 0);
    await flood(1000, 0);
    edge.ask();
    await edge.until(145);
    expect(edge.calls).toHaveLength(10);
    expect(new Set(edge.calls.flatMap(({ tags }) => tags)).size).toBe(1000);
  });
});
