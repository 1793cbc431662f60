/**
 * A real HTTP server of feeds and forums, in Node outside of the Worker under test. The first part of a path decides:
 * - `/feeds/<file>` serves a file of test/fixtures/feeds.
 * - `/hackernews`, `/discourse`, `/reddit`, `/stackexchange`, `/lobsters` and `/lemmy` answer like the APIs of these forums.
 * - `/told/<titles>` serves a feed with the titles that a test chooses (feed-server/told.ts).
 * - `/written/<path>` serves what a test has written there (feed-server/written.ts).
 * - `/dns-query` answers TXT records, as `/_dns/<name>` was told (feed-server/dns.ts).
 * - `/pictures/<file>/<anything>` serves a file of test/fixtures/pictures, or what only looks like one.
 * - `/_seen/<name>` returns the requests whose URLs contain the name, and how many bytes each one got.
 * - Anything else names a way to behave badly (feed-server/hostile.ts).
 * With `/recent` in front, the dates of fixtures are moved to today, for tests that use the real clock.
 */
import type { TestProject } from "vitest/node";
import { startFeedServer } from "./feed-server/server.ts";

export { startFeedServer };
export type { Seen } from "./feed-server/server.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startFeedServer();
  project.provide("feeds", { url: server.url });
  return server.close;
}

declare module "vitest" {
  export interface ProvidedContext {
    feeds: { url: string };
  }
}
