/** Reads sources from the test server of feeds and forums. */
import { env } from "cloudflare:test";
import { vi } from "vitest";
import { FORUM_BASE_URLS, type ForumBaseUrls, type TopicSource } from "../../src/domain/topic-source.ts";
import type { Reading, SourceItem } from "../../src/background/topics/item.ts";
import { type ReadOptions, readSource } from "../../src/background/topics/read.ts";
import { FIXTURES_NOW } from "./feed-server/now.ts";
import { PATIENCE } from "./webhooks.ts";

/** The time at which these tests read. */
export const NOW = FIXTURES_NOW;

/** The base URLs of the forums on the test server. */
export const FORUMS = Object.fromEntries(
  Object.keys(FORUM_BASE_URLS).map((kind) => [kind, `${env.FEEDS.url}/${kind}`]),
) as ForumBaseUrls;

const rules = { allowLoopback: true };

export const read = (source: TopicSource, options: Partial<ReadOptions> = {}): Promise<Reading> =>
  readSource(source, { rules, baseUrls: FORUMS, now: NOW, ...options });

/** Reads a feed by its path on the test server, such as `feeds/ghost.xml`. */
export const readPath = (path: string, options: Partial<ReadOptions> = {}): Promise<Reading> =>
  read({ kind: "feed", name: "A feed", url: `${env.FEEDS.url}/${path}` }, options);

/** Returns a reading that succeeded. Throws otherwise. */
export async function given(reading: Promise<Reading>): Promise<Reading & { kind: "read" }> {
  const result = await reading;
  if (result.kind !== "read") throw new Error(`not read: ${JSON.stringify(result)}`);
  return result;
}

/** Reads a file of test/fixtures/feeds. */
export const feed = (file: string): Promise<Reading & { kind: "read" }> => given(readPath(`feeds/${file}`));

/** A fixture, its own name, and its items. */
export type Expected = readonly [file: string, name: string, items: SourceItem[]];

/** Returns an item with empty values, except for those given. */
export function expected(url: string, title: string, rest: Partial<SourceItem> = {}): SourceItem {
  return { url, title, summary: "", time: null, engagement: 0, keywords: [], locale: null, ...rest };
}

export const titles = (items: readonly SourceItem[]): string[] => items.map(({ title }) => title);

type Seen = { method: string; url: string; headers: Record<string, string>; sent: number | null };

/** Returns the requests whose URLs contain this name. `sent` is null until the response has ended. */
export async function seen(name: string): Promise<Seen[]> {
  return await (await fetch(`${env.FEEDS.url}/_seen/${name}`)).json();
}

/** Returns the bytes of the response to the last request of a name. Waits until it has ended. */
export const sent = (name: string): Promise<number> =>
  vi.waitFor(async () => {
    const bytes = (await seen(name)).at(-1)?.sent ?? null;
    if (bytes === null) throw new Error(`${name} is not over`);
    return bytes;
  }, PATIENCE);
