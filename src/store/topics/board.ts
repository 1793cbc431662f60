/** What new items are compared with: a blog's best ideas and its newest articles. */
import { desc, eq, sql, type SQL } from "drizzle-orm";
import { topics } from "./schema.ts";
import { articles } from "../articles/schema.ts";
import { blogs } from "../blogs/schema.ts";
import { orm, type Database } from "../core/sql.ts";

const MOST_IDEAS = 500;
const MOST_ARTICLES = 200;

/** Reads the ideas. */
export const ideasOf = (db: Database, blogId: string | SQL) =>
  orm(db)
    .select({ id: topics.id, itemTitle: topics.itemTitle, url: topics.url })
    .from(topics)
    .where(eq(topics.blogId, blogId))
    .orderBy(desc(topics.score), desc(topics.id))
    .limit(MOST_IDEAS);

/** Reads the articles' titles. */
export const titlesOf = (db: Database, blogId: string | SQL) =>
  orm(db)
    .select({ title: articles.title })
    .from(articles)
    .where(eq(articles.blogId, blogId))
    .orderBy(desc(articles.creationTime), desc(articles.id))
    .limit(MOST_ARTICLES);

/** A blog as its ideas are made: its name and its default locale. */
export const BLOG_OF_IDEAS = { blogName: blogs.name, locale: sql<string>`${blogs.locales} ->> '$[0]'` };
