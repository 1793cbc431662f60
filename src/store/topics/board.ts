/** The board: a blog's best ideas and the titles of its newest articles. New items are compared with them. */
import { desc, eq, sql, type SQL } from "drizzle-orm";
import type { Mention, TopicOrigin } from "../../domain/topic-source.ts";
import { topics } from "../../schema/topics.ts";
import { articles } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { builder } from "../core/sql.ts";

const MOST_IDEAS = 500;
const MOST_ARTICLES = 200;

/** An idea as a new item needs it: to find out whether both are about the same subject, and to add a mention. */
export type BoardIdea = {
  readonly id: string;
  readonly itemTitle: string;
  readonly source: TopicOrigin;
  readonly mentions: readonly Mention[];
  readonly score: number;
};

export const BOARD_IDEA = {
  id: topics.id,
  itemTitle: topics.itemTitle,
  source: { kind: topics.sourceKind, name: topics.sourceName },
  mentions: topics.mentions,
  score: topics.score,
};

/** Returns the query for the ideas of a blog with the highest scores. */
export const selectIdeas = (blogId: string | SQL) =>
  builder
    .select(BOARD_IDEA)
    .from(topics)
    .where(eq(topics.blogId, blogId))
    .orderBy(desc(topics.score), desc(topics.id))
    .limit(MOST_IDEAS);

/** Returns the query for the titles of the newest articles of a blog. */
export const selectTitles = (blogId: string | SQL) =>
  builder
    .select({ title: articles.title })
    .from(articles)
    .where(eq(articles.blogId, blogId))
    .orderBy(desc(articles.creationTime), desc(articles.id))
    .limit(MOST_ARTICLES);

/** The columns of a blog that the ideas need: its name and its default locale. */
export const BLOG_OF_IDEAS = { blogName: blogs.name, locale: sql<string>`${blogs.locales} ->> '$[0]'` };
