/** Blogs, as their readers see them, and their tags and authors. */
import type {
  Author,
  AuthorsListQuery,
  BlogsSearchQuery,
  FoundByReader,
  PublicBlog,
  Subscription,
  SubscriptionInput,
  Tag,
  TagsListQuery,
} from "./api.ts";
import { listOf, type List } from "./lists.ts";
import { pathOf } from "./paths.ts";
import type { CallOptions, Send } from "./transport.ts";

/** Returns the identifier of a blog that is named by its identifier or its `vanityId`. */
export type BlogId = (name: string, options?: CallOptions) => Promise<string>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const blogsOf = (send: Send) => ({
  /** The public details of a blog, by its identifier or its `vanityId`. */
  async get(blog: string, options?: CallOptions): Promise<PublicBlog> {
    return (await send<PublicBlog>({ ...options, path: pathOf("/blogs", blog) })).value;
  },

  /**
   * The published articles of a blog that contain all words of `q`, for its readers: at most 20, those with the words in
   * their titles first. `passage` of each is HTML, safe to be shown: escaped text with `<mark>` around what was found.
   *
   * @param blog The identifier or the `vanityId` of the blog.
   */
  async search(blog: string, query: BlogsSearchQuery, options?: CallOptions): Promise<FoundByReader[]> {
    return (await send<FoundByReader[]>({ ...options, path: `${pathOf("/blogs", blog)}/search`, query: { ...query } }))
      .value;
  },

  /**
   * Asks for the mails of a blog, for the address of a reader. They get a mail, and are subscribed once they have pressed
   * the button that it leads to. Nothing says whether the address is known already. Works in browsers, on any site.
   *
   * @throws EdgepressError `invalid_request` if it is no address; `not_found` if the blog's site is off; `not_ready` if
   * the service sends no mails.
   */
  async subscribe(blog: string, reader: SubscriptionInput, options?: CallOptions): Promise<Subscription> {
    const path = `${pathOf("/blogs", blog)}/subscribe`;
    return (await send<Subscription>({ ...options, method: "POST", path, body: reader, asReader: true })).value;
  },
});

/** Returns a {@link BlogId} that asks the service once for each `vanityId`. */
export function blogIds(send: Send): BlogId {
  const known = new Map<string, string>();
  return async (name, options) => {
    if (UUID.test(name)) return name;
    const id = known.get(name) ?? (await blogsOf(send).get(name, options))._id;
    known.set(name, id);
    return id;
  };
}

/** Returns the lists of a blog's tags or authors. */
const termsOf = <T>(send: Send, idOf: BlogId, path: string) => ({
  /** Those of a blog, the oldest first. Without credentials: those of published articles. */
  list(query: TagsListQuery & AuthorsListQuery, options?: CallOptions): List<T> {
    const ask = async () => ({ path, query: { ...query, blogId: await idOf(query.blogId, options) } });
    return listOf<T>(send, ask, options);
  },
});

export const tagsOf = (send: Send, idOf: BlogId) => termsOf<Tag>(send, idOf, "/api/tags");
export const authorsOf = (send: Send, idOf: BlogId) => termsOf<Author>(send, idOf, "/api/authors");
