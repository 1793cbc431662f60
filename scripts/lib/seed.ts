/** Loads the demo through the REST API. Every step skips what exists, so that the next start can complete it. */
import { setTimeout as sleep } from "node:timers/promises";
import { EdgepressError, type Client, type TopicSource } from "../../packages/client/src/index.ts";
import { demoOrganization } from "../demo/index.ts";
import type { DemoPicture } from "../demo/types.ts";
import { DAY_MS } from "../../src/lib/time.ts";
import type { Pictures } from "./pictures.ts";
import { isFeedUrl, isReceiverUrl } from "./receiver.ts";
import type { State } from "./state.ts";

type DemoBlog = (typeof demoOrganization.blogs)[number];
type DemoArticle = DemoBlog["articles"][number];

/** Returns the demo's first blog, and the article that is published last so that its delivery comes first. */
export function getShowpiece(): { blog: DemoBlog; article: DemoArticle } {
  const [blog] = demoOrganization.blogs;
  const article = blog?.articles[0];
  if (blog === undefined || article === undefined) throw new Error("The demo has no article.");
  return { blog, article };
}

/** The demo's blogs are the oldest of their organization, so they are on the first page of the list. */
const listBlogs = async (api: Client) => (await api.request("GET /api/blogs")).value;

/**
 * Creates missing blogs and articles, the showpiece as a draft. Leaves out blogs that another organization has, as after a
 * demo moved here or credentials.json was lost. Returns the id of the showpiece's blog, "" if it was left out.
 */
export async function seedContent(api: Client, pictures: Pictures): Promise<string> {
  const { blog: first, article: showpieceArticle } = getShowpiece();
  const known = await listBlogs(api);
  const ids = new Map(known.map(({ vanityId, _id }) => [vanityId, _id]));
  for (const { articles, cover, site, bios = {}, ...blog } of demoOrganization.blogs) {
    const body = { ...blog, ...(cover && { coverUrl: pictures(cover) }) };
    const id = ids.get(blog.vanityId) ?? (await createBlog(api, body));
    if (id === null) continue;
    ids.set(blog.vanityId, id);
    if (site !== undefined) await api.request("PUT /api/blogs/{blogId}/site", { params: { blogId: id }, body: site });
    // One after another, because lists are in the order of creation.
    for (const article of articles) {
      const published = article.published && article !== showpieceArticle;
      await createArticle(api, { ...article, blogId: id, published }, pictures);
    }
    await addBios(api, id, bios);
  }
  return ids.get(first.vanityId) ?? "";
}

/** Returns the id of the new blog, or null if another organization in the database has it. */
async function createBlog(api: Client, body: Omit<DemoBlog, "articles">): Promise<string | null> {
  try {
    return (await api.request("POST /api/blogs", { body })).value._id;
  } catch (error) {
    if (!(error instanceof EdgepressError) || error.code !== "vanity_id_taken") throw error;
    console.log(`Another organization has the demo's blog ${body.vanityId}, so it is left out.`);
    return null;
  }
}

/** Adds biographies to the authors with these slugs. */
async function addBios(api: Client, blogId: string, bios: Readonly<Record<string, string>>): Promise<void> {
  if (Object.keys(bios).length === 0) return;
  for await (const { _id: authorId, slug } of api.authors.list({ blogId })) {
    const bio = bios[slug];
    if (bio !== undefined) await api.request("PUT /api/authors/{authorId}", { params: { authorId }, body: { bio } });
  }
}

async function createArticle(
  api: Client,
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
    const { _id: articleId } = await api.articles.create(body);
    if (tomorrow !== undefined) {
      const day = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
      const body = { publishTime: `${day}T${tomorrow.time}`, timeZone: tomorrow.timeZone };
      await api.request("PUT /api/articles/{articleId}/schedule", { params: { articleId }, body });
    }
    if (workingCopy !== undefined)
      await api.request("PUT /api/articles/{articleId}/draft", { params: { articleId }, body: workingCopy });
  } catch (error) {
    // An earlier start has created the article.
    if (!(error instanceof EdgepressError && error.code === "slug_taken")) throw error;
  }
}

/** Publishes the showpiece, which causes the first delivery. Throws if it does not exist. */
export async function publishShowpiece(api: Client, blogId: string): Promise<void> {
  const { slug, locale } = getShowpiece().article;
  const [article] = await api.articles.list({ blogId, slug, locale, fields: ["_id"] }).all(1);
  if (article === undefined) throw new Error(`The article ${slug} is missing.`);
  await api.articles.update(article._id, { published: true });
}

/** Subscribes the receiver to all events and stores the secret. If it is subscribed already, updates the URL. */
export async function subscribeReceiver(operator: Client, state: State, url: string): Promise<void> {
  const known = state.webhook();
  const { value: found } = await operator.request("GET /api/webhooksubscriptions");
  if (found.some(({ _id }) => _id === known?.subscriptionId)) return moveSubscription(operator, state, url);
  // An interrupted start may have created a subscription without storing its secret.
  for (const orphan of found.filter((each) => isReceiverUrl(each.url))) {
    const params = { webhookSubscriptionId: orphan._id };
    await operator.request("DELETE /api/webhooksubscriptions/{webhookSubscriptionId}", { params });
  }
  const { value: created } = await operator.request("POST /api/webhooksubscriptions", { body: { url } });
  state.keepWebhook({ subscriptionId: created._id, secret: created.secret });
}

/**
 * Activates the subscription and updates its URL. Does nothing if the user has deleted it or chosen another receiver.
 */
export async function moveSubscription(operator: Client, state: State, url: string): Promise<void> {
  const known = state.webhook();
  const { value: found } = await operator.request("GET /api/webhooksubscriptions");
  const own = found.find(({ _id }) => _id === known?.subscriptionId);
  if (own === undefined || !isReceiverUrl(own.url) || (own.url === url && own.active)) return;
  const input = { params: { webhookSubscriptionId: own._id }, body: { url, active: true } };
  await operator.request("PUT /api/webhooksubscriptions/{webhookSubscriptionId}", input);
}

/** Milliseconds that the start waits for the first refresh. */
const PATIENCE_MS = 15_000;

/** Adds the demo's feed to a blog without sources, and waits for a first refresh. Otherwise only updates its URL. */
export async function seedTopics(api: Client, blogId: string, feedUrl: string): Promise<void> {
  const params = { blogId };
  const { value: blog } = await api.request("GET /api/blogs/{blogId}", { params });
  if (blog.topicSources.length > 0) return moveFeed(api, blogId, feedUrl);
  await api.request("PUT /api/blogs/{blogId}", { params, body: { topicSources: [{ kind: "feed", url: feedUrl }] } });
  const { value: begun } = await api.request("POST /api/topics/refresh", { body: { blogId } });
  const limit = Date.now() + PATIENCE_MS;
  while (Date.now() < limit) {
    const asked = { params: { refreshId: begun._id } };
    const { value: refresh } = await api.request("GET /api/topics/refreshes/{refreshId}", asked);
    if (refresh.state === "done") return;
    await sleep(100);
  }
}

/** Updates the URL of the demo feed. Does nothing if the user has removed the feed, or the blog. */
export async function moveFeed(api: Client, blogId: string, feedUrl: string): Promise<void> {
  const params = { blogId };
  const { topicSources = [] } = (await listBlogs(api)).find(({ _id }) => _id === blogId) ?? {};
  const old = topicSources.filter(({ url }) => typeof url === "string" && isFeedUrl(url) && url !== feedUrl);
  if (old.length === 0) return;
  for (const each of old) each["url"] = feedUrl;
  await api.request("PUT /api/blogs/{blogId}", { params, body: { topicSources: topicSources as TopicSource[] } });
}
