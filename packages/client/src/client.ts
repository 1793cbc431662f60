/** The client: reads, writes and previews of articles, blogs, tags and authors, over one transport. */
import { articlesOf, previewsOf } from "./articles.ts";
import { authorsOf, blogIds, blogsOf, tagsOf } from "./blogs.ts";
import { createTransport, type ClientOptions } from "./transport.ts";

export type Client = ReturnType<typeof createClient>;

/**
 * Returns a client of a service. It sends nothing by itself.
 *
 * ```ts
 * const client = createClient({ url: "https://press.example.com" });
 * for await (const article of client.articles.list({ blogId: "field-notes" })) console.log(article.title);
 * ```
 */
export function createClient(options: ClientOptions) {
  const send = createTransport(options);
  const idOf = blogIds(send);
  return {
    articles: articlesOf(send, idOf),
    previews: previewsOf(send),
    blogs: blogsOf(send),
    tags: tagsOf(send, idOf),
    authors: authorsOf(send, idOf),
    /** Calls any operation of the reference (`/docs`), with the same credentials, retries and errors. */
    request: send,
  };
}
