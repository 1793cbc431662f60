/** Loads the demo through the REST API. Every step skips what exists, so that the next start can complete it. */
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { demoOrganization } from "../demo/index.ts";
import type { DemoPicture } from "../demo/types.ts";
import { DAY_MS } from "../../src/lib/time.ts";
import { Refusal, type Api } from "./api.ts";
import { Failure } from "./failure.ts";
import type { Pictures } from "./pictures.ts";
import { isFeedUrl, isReceiverUrl } from "./receiver.ts";
import type { State } from "./state.ts";

const identified = z.object({ _id: z.string() });
const slugged = identified.extend({ slug: z.string() });
/** The demo's blogs are the oldest of their organization, so they are on the first page of the list. */
const blogs = z.array(identified.extend({ vanityId: z.string() }));
const subscription = identified.extend({ url: z.string(), active: z.boolean() });
const source = z.looseObject({ kind: z.string(), url: z.string().optional() });
const sourced = z.object({ topicSources: z.array(source) });
const refresh = identified.extend({ state: z.string() });

type DemoBlog = (typeof demoOrganization.blogs)[number];
type DemoArticle = DemoBlog["articles"][number];

/** Returns the demo's first blog, and the article that is published last so that its delivery comes first. */
export function getShowpiece(): { blog: DemoBlog; article: DemoArticle } {
  const [blog] = demoOrganization.blogs;
  const article = blog?.articles[0];
  if (blog === undefined || article === undefined) throw new Error("The demo has no article.");
  return { blog, article };
}

export async function hasBlog(api: Api, id: string): Promise<boolean> {
  return (await api.get("/api/blogs", blogs)).some(({ _id }) => _id === id);
}

/** Creates missing blogs and articles, the showpiece as a draft. Returns the id of the showpiece's blog. */
export async function seedContent(api: Api, pictures: Pictures): Promise<string> {
  const { blog: first, article: showpieceArticle } = getShowpiece();
  const known = await api.get("/api/blogs", blogs);
  const ids = new Map(known.map(({ vanityId, _id }) => [vanityId, _id]));
  for (const { articles, cover, site, bios = {}, ...blog } of demoOrganization.blogs) {
    const body = { ...blog, ...(cover && { coverUrl: pictures(cover) }) };
    const id = ids.get(blog.vanityId) ?? (await createBlog(api, body));
    ids.set(blog.vanityId, id);
    if (site !== undefined) await api.send("PUT", `/api/blogs/${id}/site`, site, z.object({}));
    // One after another, because lists are in the order of creation.
    for (const article of articles) {
      const published = article.published && article !== showpieceArticle;
      await createArticle(api, { ...article, blogId: id, published }, pictures);
    }
    await addBios(api, id, bios);
  }
  return ids.get(first.vanityId) ?? "";
}

/** Returns the id of the new blog. Throws a `Failure` if another organization in the database has it. */
async function createBlog(api: Api, body: Omit<DemoBlog, "articles">): Promise<string> {
  try {
    return (await api.send("POST", "/api/blogs", body, identified))._id;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "vanity_id_taken") throw error;
    throw new Failure(
      `The database has the demo blog ${body.vanityId} of other credentials. Restore credentials.json, or remove its folder to start over.`,
    );
  }
}

/** Adds biographies to the authors with these slugs. */
async function addBios(api: Api, blogId: string, bios: Readonly<Record<string, string>>): Promise<void> {
  if (Object.keys(bios).length === 0) return;
  for (const { _id, slug } of await api.get(`/api/authors?blogId=${blogId}`, z.array(slugged))) {
    const bio = bios[slug];
    if (bio !== undefined) await api.send("PUT", `/api/authors/${_id}`, { bio }, identified);
  }
}

async function createArticle(
  api: Api,
  { tomorrow, workingCopy, cover, daysAgo, ...article }: DemoArticle & { blogId: string },
  pictures: Pictures,
): Promise<void> {
  try {
    const content = article.content.replaceAll(/picture:(\w+)/g, (_, name: DemoPicture) => pictures(name));
    const body = {
      ...article,
      content,
      ...(cover && { coverUrl: pictures(cover) }),
      ...(daysAgo !== undefined && { publishTime: new Date(Date.now() - daysAgo * DAY_MS).toISOString() }),
    };
    const { _id } = await api.send("POST", "/api/articles", body, identified);
    if (tomorrow !== undefined) {
      const day = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
      const body = { publishTime: `${day}T${tomorrow.time}`, timeZone: tomorrow.timeZone };
      await api.send("PUT", `/api/articles/${_id}/schedule`, body, z.object({}));
    }
    if (workingCopy !== undefined) await api.send("PUT", `/api/articles/${_id}/draft`, workingCopy, z.object({}));
  } catch (error) {
    // An earlier start has created the article.
    if (!(error instanceof Refusal && error.code === "slug_taken")) throw error;
  }
}

/** Publishes the showpiece, which causes the first delivery. Throws if it does not exist. */
export async function publishShowpiece(api: Api, blogId: string): Promise<void> {
  const { slug, locale } = getShowpiece().article;
  const query = new URLSearchParams({ blogId, slug, locale, fields: "_id" });
  const [article] = await api.get(`/api/articles?${query}`, z.array(identified));
  if (article === undefined) throw new Error(`The article ${slug} is missing.`);
  await api.send("POST", "/api/articles", { _id: article._id, published: true }, identified);
}

/** Subscribes the receiver to all events and stores the secret. If it is subscribed already, updates the URL. */
export async function subscribeReceiver(operator: Api, state: State, url: string): Promise<void> {
  const known = state.webhook();
  const found = await operator.get("/api/webhooksubscriptions", z.array(subscription));
  if (found.some(({ _id }) => _id === known?.subscriptionId)) return moveSubscription(operator, state, url);
  // An interrupted start may have created a subscription without storing its secret.
  for (const orphan of found.filter((each) => isReceiverUrl(each.url))) {
    await operator.send("DELETE", `/api/webhooksubscriptions/${orphan._id}`, null, identified);
  }
  const shown = identified.extend({ secret: z.string() });
  const { _id, secret } = await operator.send("POST", "/api/webhooksubscriptions", { url }, shown);
  state.keepWebhook({ subscriptionId: _id, secret });
}

/**
 * Activates the subscription and updates its URL. Does nothing if the user has deleted it or chosen another receiver.
 */
export async function moveSubscription(operator: Api, state: State, url: string): Promise<void> {
  const known = state.webhook();
  const found = await operator.get("/api/webhooksubscriptions", z.array(subscription));
  const own = found.find(({ _id }) => _id === known?.subscriptionId);
  if (own === undefined || !isReceiverUrl(own.url) || (own.url === url && own.active)) return;
  await operator.send("PUT", `/api/webhooksubscriptions/${own._id}`, { url, active: true }, subscription);
}

/** Milliseconds that the start waits for the first refresh. */
const PATIENCE_MS = 15_000;

/** Adds the demo's feed to a blog without sources, and waits for a first refresh. Otherwise only updates its URL. */
export async function seedTopics(api: Api, blogId: string, feedUrl: string): Promise<void> {
  const { topicSources } = await api.get(`/api/blogs/${blogId}`, sourced);
  if (topicSources.length > 0) return moveFeed(api, blogId, feedUrl);
  await api.send("PUT", `/api/blogs/${blogId}`, { topicSources: [{ kind: "feed", url: feedUrl }] }, sourced);
  const { _id } = await api.send("POST", "/api/topics/refresh", { blogId }, refresh);
  const limit = Date.now() + PATIENCE_MS;
  while (Date.now() < limit) {
    if ((await api.get(`/api/topics/refreshes/${_id}`, refresh)).state === "done") return;
    await sleep(100);
  }
}

/** Updates the URL of the demo feed. Does nothing if the user has removed the feed. */
export async function moveFeed(api: Api, blogId: string, feedUrl: string): Promise<void> {
  const { topicSources } = await api.get(`/api/blogs/${blogId}`, sourced);
  const old = topicSources.filter(({ url }) => url !== undefined && isFeedUrl(url) && url !== feedUrl);
  if (old.length === 0) return;
  for (const each of old) each.url = feedUrl;
  await api.send("PUT", `/api/blogs/${blogId}`, { topicSources }, sourced);
}
