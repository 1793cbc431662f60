/**
 * Loads the demo through the REST API, as any caller would. Every step may find itself already done:
 * a start that was interrupted is completed by the next one.
 */
import * as z from "zod";
import { demoOrganization } from "../demo/index.ts";
import { Refusal, type Api } from "./api.ts";
import { isReceiverUrl } from "./receiver.ts";
import type { State } from "./state.ts";

const identified = z.object({ _id: z.string() });
const blogs = z.array(identified.extend({ vanityId: z.string() }));
const subscription = identified.extend({ url: z.string(), active: z.boolean() });

type DemoBlog = (typeof demoOrganization.blogs)[number];
type DemoArticle = DemoBlog["articles"][number];

/** What the demo shows: its first blog, and the article that is published last, before everybody's eyes. */
export function showpiece(): { blog: DemoBlog; article: DemoArticle } {
  const [blog] = demoOrganization.blogs;
  const article = blog?.articles[0];
  if (blog === undefined || article === undefined) throw new Error("The demo has no article.");
  return { blog, article };
}

/** Whether the organization has this blog. */
export async function hasBlog(api: Api, id: string): Promise<boolean> {
  return (await api.get("/api/blogs", blogs)).some(({ _id }) => _id === id);
}

/** Creates the blogs and articles that are missing; the showpiece as a draft. Returns its blog's id. */
export async function seedContent(api: Api): Promise<string> {
  const { blog: first, article: showpieceArticle } = showpiece();
  const known = await api.get("/api/blogs", blogs);
  const ids = new Map(known.map(({ vanityId, _id }) => [vanityId, _id]));
  for (const { articles, ...blog } of demoOrganization.blogs) {
    const id = ids.get(blog.vanityId) ?? (await api.send("POST", "/api/blogs", blog, identified))._id;
    ids.set(blog.vanityId, id);
    // One after another: the list is in the order of creation.
    for (const article of articles) {
      await createArticle(api, {
        ...article,
        blogId: id,
        published: article.published && article !== showpieceArticle,
      });
    }
  }
  return ids.get(first.vanityId) ?? "";
}

async function createArticle(api: Api, article: DemoArticle & { blogId: string }): Promise<void> {
  try {
    await api.send("POST", "/api/articles", article, identified);
  } catch (error) {
    // An earlier start created it.
    if (!(error instanceof Refusal && error.code === "slug_taken")) throw error;
  }
}

/** Publishes the showpiece: the change that subscribers are told of. */
export async function publishShowpiece(api: Api, blogId: string): Promise<void> {
  const { slug, locale } = showpiece().article;
  const query = new URLSearchParams({ blogId, slug, locale, fields: "_id" });
  const [article] = await api.get(`/api/articles?${query}`, z.array(identified));
  if (article === undefined) throw new Error(`The article ${slug} is missing.`);
  await api.send("POST", "/api/articles", { _id: article._id, published: true }, identified);
}

/** Subscribes the receiver to all events, unless it is subscribed already. */
export async function subscribe(operator: Api, state: State, url: string): Promise<void> {
  const known = state.webhook();
  const found = await operator.get("/api/webhooksubscriptions", z.array(subscription));
  if (found.some(({ _id }) => _id === known?.subscriptionId)) return moveSubscription(operator, state, url);
  // A start that ended between the creation and its note left one whose secret nobody knows.
  for (const orphan of found.filter((each) => isReceiverUrl(each.url))) {
    await operator.send("DELETE", `/api/webhooksubscriptions/${orphan._id}`, null, identified);
  }
  const shown = identified.extend({ secret: z.string() });
  const { _id, secret } = await operator.send("POST", "/api/webhooksubscriptions", { url }, shown);
  state.keepWebhook({ subscriptionId: _id, secret });
}

/** Tells the subscription where the receiver is now. One that was removed, or leads elsewhere, stays so. */
export async function moveSubscription(operator: Api, state: State, url: string): Promise<void> {
  const known = state.webhook();
  const found = await operator.get("/api/webhooksubscriptions", z.array(subscription));
  const own = found.find(({ _id }) => _id === known?.subscriptionId);
  if (own === undefined || !isReceiverUrl(own.url) || (own.url === url && own.active)) return;
  await operator.send("PUT", `/api/webhooksubscriptions/${own._id}`, { url, active: true }, subscription);
}
