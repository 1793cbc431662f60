/** Sets up the demo's source of topic ideas: the local feed, which the service reads like any other. */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { Api } from "./api.ts";
import { isFeedUrl } from "./receiver.ts";

const source = z.looseObject({ kind: z.string(), url: z.string().optional() });
const blog = z.object({ topicSources: z.array(source) });
const refresh = z.object({ _id: z.string(), state: z.string() });

/** How long the start waits for the first refresh, in milliseconds. */
const PATIENCE_MS = 15_000;

/**
 * Adds the demo's feed to the blog and waits for a first refresh, if the blog has no source yet. Otherwise it only
 * updates the feed's URL.
 */
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

/** Sets the URL of the blog's demo feed to the current one. Does nothing if the user has removed the feed. */
export async function moveFeed(api: Api, blogId: string, feedUrl: string): Promise<void> {
  const { topicSources } = await api.get(`/api/blogs/${blogId}`, blog);
  const old = topicSources.filter(({ url }) => url !== undefined && isFeedUrl(url) && url !== feedUrl);
  if (old.length === 0) return;
  for (const each of old) each.url = feedUrl;
  await api.send("PUT", `/api/blogs/${blogId}`, { topicSources }, blog);
}
