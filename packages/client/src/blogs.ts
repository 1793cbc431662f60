/** Blogs, as everybody may see them, and their tags and authors. */
import type { Author, AuthorsListQuery, PublicBlog, Tag, TagsListQuery } from "./api.ts";
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
