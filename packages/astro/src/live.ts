/** The loader for pages that are rendered on demand. */
import { toEntryId, FIELDS, splitArticle, type CommonOptions, type Entry, type Loaded } from "./entries.ts";

/** Selects an article by the id of its entry, `{locale}/{slug}`. */
export type ArticleFilter = { readonly id: string };

/** Selects articles: `getLiveCollection("blog", { tag: "walks", most: 10 })`. */
export type ListFilter = {
  readonly locale?: string;
  /** The slug of a tag. */
  readonly tag?: string;
  /** The slug of an author. */
  readonly author?: string;
  /** The most articles to load; all by default. */
  readonly most?: number;
};

/**
 * Loads articles when a page asks for them: `defineLiveCollection({ loader: edgepressLiveLoader({ client, blogId }) })`.
 * The client caches what it has read: an article that has not changed costs an answer without a body. With
 * `published: true`, articles are ordered by publication, otherwise by creation, the newest first.
 */
export function edgepressLiveLoader({ client, blogId, ...common }: CommonOptions) {
  return {
    name: "@edgepress/astro",
    async loadCollection({ filter = {} }: { readonly filter?: ListFilter }) {
      try {
        if (!isSameLocale(common.locale, filter.locale)) return { entries: [], cacheHint: { tags: ["edgepress"] } };
        const { most, ...query } = { ...omitUndefined(common), ...omitUndefined(filter) };
        // The order of publication has no drafts.
        const sort = common.published === true ? ({ sort: "publishTime" } as const) : {};
        const size = most === undefined ? {} : { limit: Math.min(Math.max(most, 1), 100) };
        const list = client.articles.list({ ...query, ...sort, ...size, blogId, fields: FIELDS });
        return { entries: (await list.all(most)).map(toEntry), cacheHint: { tags: ["edgepress"] } };
      } catch (error) {
        return { error: toError(error) };
      }
    },
    async loadEntry({ filter: { id } }: { readonly filter: ArticleFilter }) {
      const slash = id.indexOf("/");
      const [locale, slug] = [id.slice(0, slash), id.slice(slash + 1)];
      if (slash < 1 || slug === "") return undefined;
      try {
        const article = await client.articles.get(slug, { blogId, locale, fields: FIELDS });
        return isAllowed(common, article) ? toEntry(article) : undefined;
      } catch (error) {
        // Astro has its own error for an entry that does not exist.
        if (isMissing(error)) return undefined;
        return { error: toError(error) };
      }
    },
  };
}

/** Whether the options allow this article. The service applies them to lists, but not to a single article. */
function isAllowed({ published, locale }: Omit<CommonOptions, "client" | "blogId">, article: Loaded): boolean {
  if (published !== undefined && article.published !== published) return false;
  return isSameLocale(locale, article.locale);
}

/** Whether two locales are the same, or one is undefined. Options may spell one differently (`EN-us`). */
function isSameLocale(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  return Intl.getCanonicalLocales(one)[0] === Intl.getCanonicalLocales(other)[0];
}

/** Visitors ask for any path. The service refuses what cannot be a locale or slug, and such an entry does not exist. */
function isMissing(error: unknown): boolean {
  const { code, errors = [] } = error as { readonly code?: unknown; readonly errors?: readonly { path: string }[] };
  const isRefused = errors.length > 0 && errors.every(({ path }) => path === "locale" || path === "idOrSlug");
  return code === "not_found" || (code === "invalid_request" && isRefused);
}

type LiveEntry = {
  id: string;
  data: Entry;
  rendered?: { html: string };
  cacheHint: { tags: string[]; lastModified: Date };
};

function toEntry(article: Loaded): LiveEntry {
  const { data, html } = splitArticle(article);
  return {
    id: toEntryId(article),
    data,
    ...(html !== null && { rendered: { html } }),
    cacheHint: { tags: ["edgepress", `article-${data._id}`], lastModified: new Date(data.lastEditTime) },
  };
}

/** Leaves out undefined members. */
const omitUndefined = <T extends object>(query: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as never;

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
