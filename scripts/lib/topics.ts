/** Sets up the demo's source of topic ideas, the local feed. */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { Api } from "./api.ts";
import { isFeedUrl } from "./receiver.ts";

const source = z.looseObject({ kind: z.string(), url: z.string().optional() });
const blog = z.object({ topicSources: z.array(source) });
const refresh = z.object({ _id: z.string(), state: z.string() });

/** Milliseconds that the start waits for the first refresh. */
const PATIENCE_MS = 15_000;

/** Adds the demo's feed to a blog without sources, and waits for a first refresh. Otherwise only updates its URL. */
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

/** Updates the URL of the demo feed. Does nothing if the user has removed the feed. */
export async function moveFeed(api: Api, blogId: string, feedUrl: string): Promise<void> {
  const { topicSources } = await api.get(`/api/blogs/${blogId}`, blog);
  const old = topicSources.filter(({ url }) => url !== undefined && isFeedUrl(url) && url !== feedUrl);
  if (old.length === 0) return;
  for (const each of old) each.url = feedUrl;
  await api.send("PUT", `/api/blogs/${blogId}`, { topicSources }, blog);
}
