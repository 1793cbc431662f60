/** Helpers for the tests of the console's topic ideas. */
import { env } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";
import { newBrowser, newPerson, openSession, type Browser, type Page } from "./console.ts";
import { sendJson } from "./requests.ts";
import type { Tenant } from "./tenant.ts";
import type { Role } from "../../src/domain/principal.ts";
import { FORUMS } from "./sources.ts";

export const IDEAS = "/console/topics";

type Fields = {
  readonly title?: string;
  readonly summary?: string;
  readonly angle?: string;
  readonly url?: string;
  readonly sourceName?: string;
  readonly mentions?: readonly { readonly url: string; readonly source: { kind: string; name: string } }[];
  readonly keywords?: readonly string[];
  readonly score?: number;
  readonly status?: string;
  readonly articleId?: string;
  readonly creationTime?: string;
};

/** Stores an idea as a refresh would. Returns its id. */
export async function storeIdea(tenant: Tenant, fields: Fields = {}): Promise<string> {
  const id = newId();
  const time = fields.creationTime ?? new Date().toISOString();
  const row = {
    id,
    organization_id: tenant.organizationId,
    blog_id: tenant.blogId,
    title: fields.title ?? "An idea",
    summary: fields.summary ?? "What happened.",
    angle: fields.angle ?? "",
    url: fields.url ?? `https://example.com/${id}`,
    source_kind: "feed",
    source_name: fields.sourceName ?? "The Feed",
    keywords: JSON.stringify(fields.keywords ?? []),
    locale: "en",
    item_title: fields.title ?? "An idea",
    mentions: JSON.stringify(fields.mentions ?? []),
    score: fields.score ?? 100,
    status: fields.status ?? "new",
    article_id: fields.articleId ?? null,
    version: newId(),
    creation_time: time,
    last_edit_time: time,
  };
  const marks = Object.keys(row).map(() => "?");
  await env.DB.prepare(`insert into topics (${Object.keys(row).join(", ")}) values (${marks.join(", ")})`)
    .bind(...Object.values(row))
    .run();
  return id;
}

export type IdeaBody = { _id: string; title: string; status: string; articleId: string | null };

/** Returns the ideas of a blog as the API shows them, best first. */
export const ideasOf = (tenant: Tenant): Promise<IdeaBody[]> =>
  sendJson<IdeaBody[]>(200, `/api/topics?blogId=${tenant.blogId}`, { as: { apiKey: tenant.apiKey } });

export type BlogBody = { topicSources: Record<string, string>[]; topicRefresh: string; name: string };

/** Returns a blog as the API shows it. */
export const blogOf = (tenant: Tenant): Promise<BlogBody> =>
  sendJson<BlogBody>(200, `/api/blogs/${tenant.blogId}`, { as: { apiKey: tenant.apiKey } });

/** Returns a browser with a signed-in new member. Forums are those of the test server; `bindings` replace settings. */
export async function memberOf(tenant: Tenant, role: Role = "owner", bindings: Readonly<Record<string, unknown>> = {}) {
  const { userId } = await newPerson(tenant.organizationId, role);
  const browser = newBrowser({ FORUM_BASE_URLS: JSON.stringify(FORUMS), ...bindings });
  await openSession(browser, userId, tenant.organizationId);
  return browser;
}

/** Returns the part of a page between two texts. Throws if the first one is missing. */
export function between(text: string, from: string, to: string): string {
  const [, after] = text.split(from);
  if (after === undefined) throw new Error(`no ${from} in:\n${text}`);
  return after.split(to)[0] ?? "";
}

/** Returns the URL of a feed on the test server. */
export const feedUrl = (path = "feeds/ghost.xml"): string => `${env.FEEDS.url}/${path}`;

/** Returns the paths of a blog's sources: the page, to which a new source is posted too, and the other forms. */
export function sourcesOf({ blogId }: Tenant) {
  const path = (more: string) => `${IDEAS}/sources${more}?blog=${blogId}`;
  return { page: path(""), remove: path("/remove"), rhythm: path("/rhythm") };
}

/** Adds a feed with the form of the page. */
export function addFeed(browser: Browser, tenant: Tenant, feed?: string): Promise<Page> {
  const { page } = sourcesOf(tenant);
  return browser.submit(`${page}&kind=feed`, page, { url: feedUrl(feed), name: "" });
}
