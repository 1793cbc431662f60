/** Reading from the server of feeds and forums. */
import { env } from "cloudflare:test";
import { vi } from "vitest";
import { FORUM_BASE_URLS, type ForumBaseUrls, type TopicSource } from "../../src/domain/topic-source.ts";
import type { Reading, SourceItem } from "../../src/topics/item.ts";
import { type ReadOptions, readSource } from "../../src/topics/read.ts";
import { FIXTURES_NOW } from "./feed-server/now.ts";
import { PATIENCE } from "./webhooks.ts";

/** When the tests take place. */
export const NOW = FIXTURES_NOW;

/** The forums of the server; each of the public addresses is replaced. */
export const FORUMS = Object.fromEntries(
  Object.keys(FORUM_BASE_URLS).map((kind) => [kind, `${env.FEEDS.url}/${kind}`]),
) as ForumBaseUrls;

const rules = { allowLoopback: true };

export const read = (source: TopicSource, options: Partial<ReadOptions> = {}): Promise<Reading> =>
  readSource(source, { rules, baseUrls: FORUMS, now: NOW, ...options });

/** Reads a feed by its path on the server, such as `feeds/ghost.xml`. */
export const readPath = (path: string, options: Partial<ReadOptions> = {}): Promise<Reading> =>
  read({ kind: "feed", name: "A feed", url: `${env.FEEDS.url}/${path}` }, options);

/** What a source gave; throws if it gave nothing. */
export async function given(reading: Promise<Reading>): Promise<Reading & { kind: "read" }> {
  const result = await reading;
  if (result.kind !== "read") throw new Error(`not read: ${JSON.stringify(result)}`);
  return result;
}

/** Reads one of the fixtures, test/fixtures/feeds. */
export const feed = (file: string): Promise<Reading & { kind: "read" }> => given(readPath(`feeds/${file}`));

/** A fixture, what it calls itself, and what it gives. */
export type Expected = readonly [file: string, name: string, items: SourceItem[]];

/** An item that says nothing unless told. */
export function expected(url: string, title: string, rest: Partial<SourceItem> = {}): SourceItem {
  return { url, title, summary: "", time: null, engagement: 0, keywords: [], locale: null, ...rest };
}

export const titles = (items: readonly SourceItem[]): string[] => items.map(({ title }) => title);

type Seen = { method: string; url: string; headers: Record<string, string>; sent: number | null };

/** The requests that the server saw for addresses with this name in them; `sent` is null while one is not over. */
export async function seen(name: string): Promise<Seen[]> {
  return await (await fetch(`${env.FEEDS.url}/_seen/${name}`)).json();
}

/** Bytes that the server sent for the last of them; waits until it is over. */
export const sent = (name: string): Promise<number> =>
  vi.waitFor(async () => {
    const bytes = (await seen(name)).at(-1)?.sent ?? null;
    if (bytes === null) throw new Error(`${name} is not over`);
    return bytes;
  }, PATIENCE);
