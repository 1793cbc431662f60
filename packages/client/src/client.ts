/** The client: articles, previews, blogs, tags and authors, and any other operation by its route. */
import type {
  Article,
  ArticleFields,
  ArticleInput,
  Author,
  Deleted,
  FoundArticle,
  FoundByReader,
  NewPreview,
  Operations,
  PreviewInput,
  PublicBlog,
  Subscription,
  SubscriptionInput,
  Tag,
} from "./api.ts";
import { makeList, type List } from "./lists.ts";
import {
  createTransport,
  type ApiAnswer,
  type AnswerOf,
  type Arguments,
  type CallOptions,
  type ClientOptions,
  type Loose,
  type Query,
  type Route,
  type Send,
  type WriteOptions,
} from "./transport.ts";

export type Client = ReturnType<typeof createClient>;

/** The name of a field of articles. */
export type ArticleField = keyof ArticleFields;

/** An article with the requested fields, or with those of `Article` if none were requested. */
export type Picked<F extends ArticleField> = [F] extends [never] ? Article : Required<Pick<ArticleFields, F>>;

type WithFields<F extends ArticleField> = {
  /** The fields to return. The result has exactly these. */
  readonly fields?: readonly F[] | undefined;
};

type QueryOf<R extends Route> = Operations[R] extends { query?: infer Q } ? Loose<NonNullable<Q>> : never;
export type ArticlesListQuery = Omit<QueryOf<"GET /api/articles">, "fields">;
export type ArticlesGetQuery = Omit<QueryOf<"GET /api/articles/{idOrSlug}">, "fields">;
export type ArticlesSearchQuery = QueryOf<"GET /api/search">;
export type BlogsSearchQuery = QueryOf<"GET /blogs/{blogId}/search">;
export type TagsListQuery = QueryOf<"GET /api/tags">;
export type AuthorsListQuery = QueryOf<"GET /api/authors">;

/** The routes of lists. The feed of events has no end: `request` returns where to go on. */
export type ListRoute = Exclude<
  { [R in Route]: AnswerOf<R> extends readonly unknown[] ? R : never }[Route],
  "GET /api/events"
>;
export type ItemOf<R extends ListRoute> = AnswerOf<R> extends readonly (infer T)[] ? T : never;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const getValue = <T>({ value }: ApiAnswer<T>): T => value;

/** JavaScript may pass `undefined`. It becomes a text, because an update without `_id` would create an article. */
const toId = (id: string | undefined): string => String(id);

type Reading = {
  readonly read: <T>(route: string, input: CallOptions & { readonly query: object }) => List<T>;
  readonly withBlog: (query: object, callOptions?: CallOptions) => Promise<Query>;
};

const makeBlogs = (send: Send) => ({
  /** The public details of a blog, by its identifier or `vanityId`. */
  get(blog: string, more?: CallOptions): Promise<PublicBlog> {
    return send("GET /blogs/{blogId}", { ...more, params: { blogId: blog } }).then(getValue);
  },

  /**
   * The published articles of a blog that contain all words of `q`: at most 20, matches in titles first. `passage` is
   * HTML that is safe to show: escaped text with `<mark>` around the matches.
   *
   * @param blog The identifier or `vanityId` of the blog.
   */
  search(blog: string, query: BlogsSearchQuery, more?: CallOptions): Promise<FoundByReader[]> {
    return send("GET /blogs/{blogId}/search", { ...more, params: { blogId: blog }, query }).then(getValue);
  },

  /**
   * Subscribes a reader to the emails of a blog. They get an email and confirm on the page that it links to. The answer
   * does not tell whether the address was known. Works in browsers, on any site.
   *
   * @throws EdgepressError `invalid_request` if it is no email address; `not_found` if the blog's site is off;
   * `not_ready` if the service sends no emails.
   */
  subscribe(blog: string, reader: SubscriptionInput, more?: CallOptions): Promise<Subscription> {
    const input = { ...more, params: { blogId: blog }, body: reader, asReader: true };
    return send("POST /blogs/{blogId}/subscribe", input).then(getValue);
  },
});

const makeArticles = (send: Send, { read, withBlog }: Reading) => ({
  /**
   * The published articles of a blog, newest first; with credentials, also its drafts.
   *
   * @param query `blogId` is the identifier or `vanityId` of the blog.
   */
  list: <const F extends ArticleField = never>(query: ArticlesListQuery & WithFields<F>, more?: CallOptions) =>
    read<Picked<F>>("GET /api/articles", { ...more, query }),

  /**
   * An article by its identifier or slug. Blogs and translations may share a slug: pass `blogId` (or a `vanityId`) and
   * `locale` with it.
   *
   * @throws EdgepressError `not_found`, also for a draft without credentials. `movedTo` is the article that had this
   * slug before.
   */
  async get<const F extends ArticleField = never>(
    idOrSlug: string,
    query: ArticlesGetQuery & WithFields<F> = {},
    more?: CallOptions,
  ): Promise<Picked<F>> {
    const asked = (await withBlog(query, more)) as ArticlesGetQuery;
    const input = { ...more, params: { idOrSlug }, query: asked };
    return send("GET /api/articles/{idOrSlug}", input).then(getValue) as Promise<Picked<F>>;
  },

  /** Articles that contain the words, the best first. Needs a key with `articles:read`. */
  search: (query: ArticlesSearchQuery, more?: CallOptions) => read<FoundArticle>("GET /api/search", { ...more, query }),

  /** Creates an article; a draft unless `published` is true. Needs a key with `articles:write`. */
  create(article: Omit<ArticleInput, "_id">, more?: WriteOptions): Promise<Article> {
    return send("POST /api/articles", { ...more, body: article }).then(getValue);
  },

  /** Changes the given fields only. With `ifMatch`, fails if there is a newer version than you have read. */
  update(articleId: string, changes: Omit<ArticleInput, "_id">, more?: WriteOptions): Promise<Article> {
    return send("POST /api/articles", { ...more, body: { ...changes, _id: toId(articleId) } }).then(getValue);
  },

  /** Deletes an article by its identifier. */
  delete(articleId: string, more?: WriteOptions): Promise<Deleted> {
    return send("DELETE /api/articles/{idOrSlug}", { ...more, params: { idOrSlug: articleId } }).then(getValue);
  },
});

/**
 * Returns a client of a service. It sends nothing before its first call.
 *
 * ```ts
 * const client = createClient({ url: "https://press.example.com" });
 * for await (const article of client.articles.list({ blogId: "field-notes" })) console.log(article.title);
 * ```
 */
export function createClient(options: ClientOptions) {
  const send = createTransport(options);
  const untyped = send as <T>(route: string, input: object) => Promise<ApiAnswer<T>>;

  /** The identifiers of blogs by vanityId, each of which is requested once. */
  const known = new Map<string, string>();
  async function withBlog(
    query: object & { readonly blogId?: string | undefined },
    callOptions?: CallOptions,
  ): Promise<Query> {
    const { blogId: blog } = query;
    if (blog === undefined) return query;
    const blogId = UUID.test(blog) ? blog : (known.get(blog) ?? (await blogs.get(blog, callOptions))._id);
    known.set(blog, blogId);
    return { ...query, blogId };
  }

  const read = <T>(route: string, { query = {}, ...more }: CallOptions & { readonly query?: object } = {}): List<T> =>
    makeList(async (cursor) => {
      const asked = await withBlog(query, more);
      // The cursor is already past what `skip` leaves out.
      return untyped(route, { ...more, query: cursor === undefined ? asked : { ...asked, skip: undefined, cursor } });
    });

  const blogs = makeBlogs(send);
  return {
    articles: makeArticles(send, { read, withBlog }),
    previews: {
      /** Creates a link that shows an article or draft to everybody who has it. Only this answer has the `token`. */
      create(articleId: string, input: PreviewInput = {}, more?: WriteOptions): Promise<NewPreview> {
        const asked = { ...more, params: { articleId }, body: input };
        return send("POST /api/articles/{articleId}/previews", asked).then(getValue);
      },

      /** What a preview link shows now: the article with its unpublished changes. Needs no credentials. */
      get(token: string, more?: CallOptions): Promise<Article> {
        return untyped<Article>("GET /previews/{token}", { ...more, params: { token } }).then(getValue);
      },
    },
    blogs,
    tags: {
      /** The tags of a blog, oldest first; without credentials, those of published articles. */
      list: (query: TagsListQuery, more?: CallOptions) => read<Tag>("GET /api/tags", { ...more, query }),
    },
    authors: {
      /** The authors of a blog, oldest first; without credentials, those of published articles. */
      list: (query: AuthorsListQuery, more?: CallOptions) => read<Author>("GET /api/authors", { ...more, query }),
    },
    /**
     * Calls any operation of the reference (`/docs`), with the same credentials, retries and errors.
     *
     * ```ts
     * const { value } = await client.request("PUT /api/articles/{articleId}/schedule", { params: { articleId }, body });
     * ```
     */
    request: send,
    /** Any list of the reference. `blogId` in the query may be a `vanityId`. */
    list: read as <R extends ListRoute>(route: R, ...input: Arguments<R, CallOptions>) => List<ItemOf<R>>,
  };
}
