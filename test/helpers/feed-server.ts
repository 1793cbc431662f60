/**
 * A real HTTP server of feeds and forums, in Node beside the Worker under test: `/feeds/<file>` serves
 * test/fixtures/feeds, `/hackernews`, `/discourse`, `/reddit`, `/stackexchange` and `/lobsters` answer as those
 * forums' APIs do, `/told/<titles>` tells what a test wants (feed-server/told.ts), and any other first part of a path
 * names a way to behave badly (feed-server/hostile.ts). With `/recent` before all that, what it tells is dated as of
 * today, for tests that the real clock decides. `/_seen/<name>` tells the requests whose URLs contain the name, and
 * what they were sent.
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
