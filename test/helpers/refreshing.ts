/** Refreshes that a test runs step by step. It calls the consumer itself; D1, feeds and models are real. */
import { env } from "cloudflare:workers";
import type { Models } from "../../src/ai/model.ts";
import { newId } from "../../src/lib/ids.ts";
import type { TopicSource } from "../../src/domain/topic-source.ts";
import type { RefreshedSource, RefreshRecord } from "../../src/store/topics/refreshes.ts";
import type { TopicRecord } from "../../src/store/topics/topics.ts";
import { consumeTopics } from "../../src/background/topics/consumer.ts";
import type { TopicMessage, TopicRelay } from "../../src/background/topics/relay.ts";
import { send, sendJson } from "./requests.ts";
import { newTenant, type Tenant } from "./tenant.ts";
import { batchOf, HeldQueue } from "./relay.ts";
import { FORUMS } from "./sources.ts";
import { UNMETERED } from "./unmetered.ts";

export type TestTopicRelay = Omit<TopicRelay, "topics"> & {
  readonly topics: TopicRelay["topics"] & Pick<HeldQueue<TopicMessage>, "held" | "take">;
  readonly logged: Readonly<Record<string, unknown>>[];
};

/** Returns a relay with the real database, a queue that holds its messages, and no models. `more` replaces fields. */
export function topicRelay(more: Partial<TopicRelay> = {}): TestTopicRelay {
  const logged: Readonly<Record<string, unknown>>[] = [];
  const models: Models = { text: null, image: null };
  return {
    db: env.DB,
    meter: UNMETERED,
    topics: new HeldQueue<TopicMessage>(),
    targetRules: { allowLoopback: true },
    quota: { ideasPerDay: 1000 },
    baseUrls: FORUMS,
    models: async () => models,
    now: () => new Date(),
    log: (entry: Readonly<Record<string, unknown>>) => void logged.push(entry),
    ...more,
    logged,
  } as TestTopicRelay;
}

/** Returns a clock that is some minutes ahead. */
export const inMinutes = (minutes: number) => (): Date => new Date(Date.now() + minutes * 60_000);

/** Passes messages to the consumer, each in its own batch, one after another. */
export async function consumeTopicsOf(relay: TopicRelay, messages: readonly TopicMessage[]): Promise<void> {
  for (const message of messages) await consumeTopics(relay, batchOf("edgepress-topics", [message]));
}

/** Passes messages to the consumer, all at the same time, as in many invocations; then those that the consumer has sent. */
export async function consumeAtOnce(
  relay: TestTopicRelay,
  messages: readonly TopicMessage[],
  invocation = async <T>(work: () => Promise<T>): Promise<T> => work(),
): Promise<void> {
  const consumed = messages.map(async (message) => {
    await invocation(async () => consumeTopicsOf(relay, [message]));
    await consumeAtOnce(relay, relay.topics.take(), invocation);
  });
  await Promise.all(consumed);
}

/** Returns a feed by its path on the test server. Its URL is new with each call. */
export const feedAt = (path: string, name = newId()): TopicSource & { kind: "feed" } => ({
  kind: "feed",
  name: `Feed ${name.slice(-4)}`,
  url: `${env.FEEDS.url}/${path}?${name}`,
});

/** Returns the path of a feed with items of these titles. */
export const telling = (...titles: readonly string[]): string => `told/${encodeURIComponent(titles.join("|"))}`;

/** Creates an organization whose blog has the feeds at these paths. */
export async function tenantWith(...paths: readonly string[]): Promise<Tenant> {
  const tenant = await newTenant();
  await newSources(
    tenant,
    paths.map((path) => feedAt(path)),
  );
  return tenant;
}

/** Sets the sources of a blog, without testing them. */
export async function newSources<T extends TopicSource>(
  { blogId }: Tenant,
  sources: readonly T[],
): Promise<readonly T[]> {
  const put = env.DB.prepare("update blogs set topic_sources = ? where id = ?");
  await put.bind(JSON.stringify(sources), blogId).run();
  return sources;
}

/** Begins a refresh. Returns its id, and the messages for the queue. */
export async function beginRefresh(tenant: Tenant): Promise<{ id: string; messages: readonly TopicMessage[] }> {
  const queue = new HeldQueue<TopicMessage>();
  const bindings = { TOPICS: queue } as unknown as Partial<Env>;
  const body = { blogId: tenant.blogId };
  const { _id: id } = await sendJson<RefreshRecord>(202, "/api/topics/refresh", { as: tenant, body, bindings });
  return { id, messages: queue.held };
}

/** Returns a refresh as the REST API shows it. */
export const refreshOf = (tenant: Tenant, id: string): Promise<RefreshRecord> =>
  sendJson<RefreshRecord>(200, `/api/topics/refreshes/${id}`, { as: tenant });

/** Refreshes the sources of a blog one after another. Returns the result for each one. */
export async function refreshed(tenant: Tenant, relay: TopicRelay = topicRelay()): Promise<RefreshedSource[]> {
  const { id, messages } = await beginRefresh(tenant);
  await consumeTopicsOf(relay, messages);
  return (await refreshOf(tenant, id)).sources;
}

/** Returns all ideas of a blog, best first. */
export async function topicsOf(tenant: Tenant): Promise<TopicRecord[]> {
  const response = await send(`/api/topics?blogId=${tenant.blogId}`, { as: tenant });
  return response.json<TopicRecord[]>();
}
