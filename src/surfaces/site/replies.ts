/** What feeds, site maps and texts for machines share: caching and parameters (contract 20.4). */
import type { Context } from "hono";
import { blogTag } from "../../domain/cache-tags.ts";
import { LIMITS } from "../../domain/limits.ts";
import { canonicalizeLocale } from "../../domain/locale.ts";
import { invalidField } from "../../domain/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { getBaseUrl } from "../request/base-url.ts";
import { enforceReadLimit } from "../request/strangers.ts";
import { openPublishedStore } from "../../store/articles/published.ts";
import { makeReplicaReader } from "../../store/core/replica.ts";
import { openPlaces } from "../../store/database.ts";
import type { AppEnv } from "../rest/app-env.ts";
import { makeArrival } from "../rest/caller.ts";
import { matchesIfNoneMatch } from "../rest/conditional.ts";
import type { Reply } from "../rest/reply.ts";
import { SHARED_CACHING } from "../rest/respond.ts";

/**
 * Opens the store of published articles. Throws `rate_limited`. Call `baseUrl` only for a blog that exists: it throws
 * `not_ready` in a deployment without BASE_URL.
 */
export async function openReader(c: Context<AppEnv>) {
  const arrival = makeArrival(c);
  await enforceReadLimit(arrival, c.req.raw);
  return {
    published: openPublishedStore(openPlaces(c.env, makeReplicaReader)),
    baseUrl: () => getBaseUrl(arrival),
  };
}

/** Returns the id or vanityId in the path. Longer texts match no blog. */
export const getBlogName = (c: Context<AppEnv>): string => (c.req.param("blogId") ?? "").slice(0, 100);

/**
 * Returns the parameters of the query. Throws `invalid_request` for unknown and repeated parameters: the edge would cache
 * each such URL separately, and each would cost a query.
 */
export function readQuery<Name extends string>(c: Context<AppEnv>, known: readonly Name[]): { [N in Name]?: string } {
  const asked: { [N in Name]?: string } = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    const found = known.find((each) => each === name);
    if (found === undefined) throw invalidField(name.slice(0, LIMITS.fieldPath), "is not a known parameter");
    if (values.length > 1) throw invalidField(name, "is given more than once");
    asked[found] = values[0];
  }
  return asked;
}

/** Returns the locale and the tag in the query. Throws `invalid_request`. */
export function readFilters(c: Context<AppEnv>, known: readonly ("locale" | "tag")[] = ["locale", "tag"]): Filters {
  const { locale: given, tag } = readQuery(c, known);
  const locale = given === undefined ? undefined : canonicalizeLocale(given.slice(0, 100));
  if (locale === null) throw invalidField("locale", "must be a BCP 47 language tag");
  if (tag !== undefined && tag.length > LIMITS.slug)
    throw invalidField("tag", `must have at most ${LIMITS.slug} characters`);
  return { ...(locale !== undefined && { locale }), ...(tag !== undefined && { tag: tag.normalize("NFC") }) };
}

type Filters = { locale?: string; tag?: string };

export const formatQuery = (asked: { readonly [name: string]: string | number | undefined }): string => {
  const given = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
};

/** Returns a public text, or a 304. The edge caches it and purges it with the blog. Browsers never run it as a page. */
export async function toPublicReply(
  c: Context<AppEnv>,
  {
    blogId,
    type,
    body,
    headers = {},
  }: { blogId: string; type: string; body: string; headers?: Record<string, string> },
): Promise<Reply> {
  const { Vary: _, ...shared } = SHARED_CACHING;
  const ETag = `"${(await sha256(body)).slice(0, 40)}"`;
  const all = {
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Security-Policy": "default-src 'none'; sandbox",
    ...shared,
    "Cache-Tag": blogTag(blogId),
    ETag,
    ...headers,
  };
  if (matchesIfNoneMatch(c.req.header("If-None-Match"), ETag)) return { status: 304, headers: all, body: null };
  return { status: 200, headers: all, body };
}
