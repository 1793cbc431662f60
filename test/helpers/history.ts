/** Former states and working copies of articles, as a test reads and writes them, and what was written down of changes. */
import { env } from "cloudflare:workers";
import type { RevisionValue } from "../../src/operations/revisions.ts";
import { send, sendJson, type Send } from "./requests.ts";
import { headerOf } from "./outcome.ts";
import type { ArticleBody } from "./tenant.ts";

export type Whole = RevisionValue & { content: string };

/** Returns the functions of a caller for one article. */
export function historyOf(as: Send["as"] & object, id: string) {
  const path = `/api/articles/${id}`;
  return {
    path,
    update: (members: object, more: Send = {}) =>
      sendJson<ArticleBody>(200, "/api/articles", { ...more, as, body: { _id: id, ...members } }),
    list: () => sendJson<RevisionValue[]>(200, `${path}/revisions`, { as }),
    read: (number: number) => sendJson<Whole>(200, `${path}/revisions/${number}`, { as }),
    restore: (number: number, more: Send = {}) =>
      sendJson<ArticleBody>(200, `${path}/revisions/${number}/restore`, { ...more, as, method: "POST" }),
    save: (members: object, more: Send = {}) => send(`${path}/draft`, { ...more, as, method: "PUT", body: members }),
    etag: async (of = "") => headerOf(await send(`${path}${of}`, { as }), "ETag"),
  };
}

/** Returns the rows of an article's former states, the oldest first. */
export async function storedStates(articleId: string) {
  const query = `select number, lasting, typeof(content) as kind, octet_length(content) as bytes from revisions
    where article_id = ? order by number`;
  type Stored = { number: number; lasting: number; kind: string; bytes: number | null };
  return (await env.DB.prepare(query).bind(articleId).all<Stored>()).results;
}

/** Returns the kinds of an article's events, the oldest first. */
export async function eventsOf(articleId: string): Promise<string[]> {
  const query = "select kind from events where data ->> '_id' = ? order by seq";
  return (await env.DB.prepare(query).bind(articleId).all<{ kind: string }>()).results.map(({ kind }) => kind);
}

/** Returns an article's entries of the audit log, the oldest first: action and kind of actor, such as `articles.create key`. */
export async function auditOf(articleId: string): Promise<string[]> {
  const query = "select action || ' ' || actor_kind as said from audit where resource_id = ? order by id";
  return (await env.DB.prepare(query).bind(articleId).all<{ said: string }>()).results.map(({ said }) => said);
}

/** Returns how many events `article.updated` an article has had. */
export async function updatesOf(articleId: string): Promise<number> {
  const query = "select count(*) as n from events where kind = 'article.updated' and data ->> '_id' = ?";
  return (await env.DB.prepare(query).bind(articleId).first<{ n: number }>())?.n ?? -1;
}
