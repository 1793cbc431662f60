import type { FC } from "hono/jsx";
import type { z } from "zod";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext } from "../env.ts";
import { titleOf } from "../articles/found.ts";
import { perform } from "../session.ts";
import { Time } from "../time.tsx";
import type { Blog } from "./blogs.tsx";

export type Article = z.infer<typeof registry.listArticles.output>[number];

/** How many blogs are searched for new articles. Each blog costs one query, so the number is limited. */
export const BLOGS_ASKED = 5;
/** How many articles are read from each blog. */
const OF_EACH = 5;
/** How many articles are shown. */
const MOST = 8;

/** Returns the newest articles of the first BLOGS_ASKED blogs, newest first. */
export async function newestArticles(c: ConsoleContext, blogs: readonly Blog[]): Promise<Article[]> {
  const fields = ["_id", "blogId", "title", "locale", "published", "creationTime", "lastEditTime"];
  const lists = await Promise.all(
    blogs
      .slice(0, BLOGS_ASKED)
      .map(({ _id: blogId }) => perform(c, registry.listArticles, { blogId, limit: OF_EACH, fields })),
  );
  const newestFirst = (a: Article, b: Article) => (b.creationTime ?? "").localeCompare(a.creationTime ?? "");
  return lists
    .flatMap(({ value }) => value)
    .sort(newestFirst)
    .slice(0, MOST);
}

/** The list of the newest articles. */
export const Articles: FC<{ articles: readonly Article[]; blogs: readonly Blog[] }> = ({ articles, blogs }) => (
  <section aria-labelledby="articles">
    <div class="heading">
      <h2 id="articles">Recent articles</h2>
      <a href="/console/articles">All articles</a>
    </div>
    {blogs.length > BLOGS_ASKED && <p class="hint">From your first {BLOGS_ASKED} blogs.</p>}
    <ul class="rows">
      {articles.map(({ _id, blogId, title, locale, published, lastEditTime = null }) => (
        <li>
          <div>
            <a class="title" href={`/console/articles/${_id}`} dir="auto">
              {titleOf({ title: title ?? "" })}
            </a>
            <p class="hint">
              {blogs.find((blog) => blog._id === blogId)?.name} · {locale} · edited <Time at={lastEditTime} />
            </p>
          </div>
          {published ? <span class="badge good">Published</span> : <span class="badge">Draft</span>}
        </li>
      ))}
    </ul>
  </section>
);
