/** What new items are compared with: a blog's best ideas and its newest articles. */
import { sql, type SQL } from "drizzle-orm";
import { topics } from "./schema.ts";
import { articles } from "../articles/schema.ts";

const MOST_IDEAS = 500;
const MOST_ARTICLES = 200;

/** An idea as new items are compared with it. */
export type BoardIdea = { readonly id: string; readonly itemTitle: string; readonly url: string };

/** Reads the ideas. */
export const ideasOf = (
  blogId: SQL,
): SQL<BoardIdea> => sql<BoardIdea>`select id, item_title as "itemTitle", url from ${topics}
  where blog_id = ${blogId} order by score desc, id desc limit ${MOST_IDEAS}`;

/** Reads the articles' titles. */
export const titlesOf = (blogId: SQL): SQL<{ title: string }> =>
  sql<{
    title: string;
  }>`select title from ${articles} where blog_id = ${blogId} order by creation_time desc, id desc limit ${MOST_ARTICLES}`;
