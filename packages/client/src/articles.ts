/** Articles: reading, writing, searching, and the links that show drafts. */
import type {
  Article,
  ArticleFields,
  ArticleInput,
  ArticlesGetQuery,
  ArticlesListQuery,
  ArticlesSearchQuery,
  Deleted,
  FoundArticle,
  NewPreview,
  PreviewInput,
} from "./api.ts";
import type { BlogId } from "./blogs.ts";
import { listOf, type List } from "./lists.ts";
import { pathOf } from "./paths.ts";
import type { CallOptions, Query, Send, WriteOptions } from "./transport.ts";

/** The name of a field of articles. */
export type ArticleField = keyof ArticleFields;

/** An article with the fields that were asked for; with those of `Article` if none were. */
export type Picked<F extends ArticleField> = [F] extends [never] ? Article : Required<Pick<ArticleFields, F>>;

type WithFields<F extends ArticleField> = {
  /** The fields to return. The result has exactly these. */
  readonly fields?: readonly F[] | undefined;
};

export const articlesOf = (send: Send, idOf: BlogId) => ({
  /**
   * The articles of a blog, newest first: what is published, with credentials drafts, too.
   *
   * @param query `blogId` is the identifier or the `vanityId` of the blog.
   */
  list<const F extends ArticleField = never>(
    query: ArticlesListQuery & WithFields<F>,
    options?: CallOptions,
  ): List<Picked<F>> {
    const ask = async () => ({ path: "/api/articles", query: await withBlog(idOf, query, options) });
    return listOf<Picked<F>>(send, ask, options);
  },

  /**
   * An article by its identifier or its slug. Several blogs may use one slug, and translations share theirs: say
   * `blogId` (or a `vanityId`) and `locale` with a slug.
   *
   * @throws EdgepressError `not_found`, also for a draft if there are no credentials; `movedTo` says where an article
   * is that had this slug before.
   */
  async get<const F extends ArticleField = never>(
    idOrSlug: string,
    query: ArticlesGetQuery & WithFields<F> = {},
    options?: CallOptions,
  ): Promise<Picked<F>> {
    const path = pathOf("/api/articles", idOrSlug);
    return (await send<Picked<F>>({ ...options, path, query: await withBlog(idOf, query, options) })).value;
  },

  /** Articles that contain words, the most relevant first. Needs a key with `articles:read`. */
  search(query: ArticlesSearchQuery, options?: CallOptions): List<FoundArticle> {
    const ask = async () => ({ path: "/api/search", query: await withBlog(idOf, query, options) });
    return listOf<FoundArticle>(send, ask, options);
  },

  /** Creates an article; a draft unless `published` is true. Needs a key with `articles:write`. */
  async create(article: Omit<ArticleInput, "_id">, options?: WriteOptions): Promise<Article> {
    return (await send<Article>({ ...options, method: "POST", path: "/api/articles", body: article })).value;
  },

  /** Changes the fields that are given, and leaves the others. With `ifMatch`, only the version that you have read. */
  async update(articleId: string, changes: Omit<ArticleInput, "_id">, options?: WriteOptions): Promise<Article> {
    const body = { ...changes, _id: sent(articleId) };
    return (await send<Article>({ ...options, method: "POST", path: "/api/articles", body })).value;
  },

  /** Deletes an article by its identifier. */
  async delete(articleId: string, options?: WriteOptions): Promise<Deleted> {
    return (await send<Deleted>({ ...options, method: "DELETE", path: pathOf("/api/articles", articleId) })).value;
  },
});

export const previewsOf = (send: Send) => ({
  /** Makes a link that shows an article, also a draft, to whoever has it. Its `token` is shown only now. */
  async create(articleId: string, input: PreviewInput = {}, options?: WriteOptions): Promise<NewPreview> {
    const path = `${pathOf("/api/articles", articleId)}/previews`;
    return (await send<NewPreview>({ ...options, method: "POST", path, body: input })).value;
  },

  /** What a link shows at this moment: the article with the changes of its working copy. Needs no credentials. */
  async get(token: string, options?: CallOptions): Promise<Article> {
    return (await send<Article>({ ...options, path: pathOf("/previews", token) })).value;
  },
});

/**
 * Returns an identifier as a body has it. `undefined`, where no types are checked, becomes the name of nothing: without
 * `_id`, an update would create an article.
 */
const sent = (id: string | undefined): string => String(id);

/** Puts the identifier of the blog in the place of its `vanityId`. */
async function withBlog(
  idOf: BlogId,
  query: object & { readonly blogId?: string },
  options: CallOptions | undefined,
): Promise<Query> {
  if (query.blogId === undefined) return query;
  return { ...query, blogId: await idOf(query.blogId, options) };
}
