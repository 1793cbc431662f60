/** The demo's source of topic ideas: its own feed, read by the service as any other. */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { Api } from "./api.ts";
import { isFeedUrl } from "./receiver.ts";

const source = z.looseObject({ kind: z.string(), url: z.string().optional() });
const blog = z.object({ topicSources: z.array(source) });
const refresh = z.object({ _id: z.string(), state: z.string() });

/** How long the first refresh may take before the start no longer waits for it. */
const PATIENCE_MS = 15_000;

/** Gives the blog the demo's feed and has it read once, where it has no source yet. */
export async function seedTopics(api: Api, blogId: string, feedUrl: string): Promise<void> {
  const { topicSources } = await api.get(`/api/blogs/${blogId}`, blog);
  if (topicSources.length > 0) return moveFeed(api, blogId, feedUrl);
  await api.send("PUT", `/api/blogs/${blogId}`, { topicSources: [{ kind: "feed", url: feedUrl }] }, blog);
  const { _id } = await api.send("POST", "/api/topics/refresh", { blogId }, refresh);
  const limit = Date.now() + PATIENCE_MS;
  while (Date.now() < limit) {
    if ((await api.get(`/api/topics/refreshes/${_id}`, refresh)).state === "done") return;
    await sleep(100);
  }
}

/** Tells the blog where its feed is now. One that was removed stays so. */
export async function moveFeed(api: Api, blogId: string, feedUrl: string): Promise<void> {
  const { topicSources } = await api.get(`/api/blogs/${blogId}`, blog);
  const old = topicSources.filter(({ url }) => url !== undefined && isFeedUrl(url) && url !== feedUrl);
  if (old.length === 0) return;
  for (const each of old) each.url = feedUrl;
  await api.send("PUT", `/api/blogs/${blogId}`, { topicSources }, blog);
}
