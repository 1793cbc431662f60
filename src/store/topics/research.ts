/** Reads the board of a blog for research, which stores nothing. */
import { and, eq, sql } from "drizzle-orm";
import type { TopicSource } from "../../domain/topic-source.ts";
import type { TopicStatus } from "../../domain/topic-status.ts";
import { BLOG_OF_IDEAS, selectIdeas, selectTitles } from "./board.ts";
import type { Writer } from "../core/writer.ts";
import { topicItems, topics } from "../../schema/topics.ts";
import { resolveTargetBlog } from "../core/reach.ts";
import { blogs } from "../../schema/blogs.ts";
import { builder, isAmong, orm, runTransaction } from "../core/sql.ts";

export type TopicBoard = {
  readonly blogId: string;
  readonly blogName: string;
  readonly locale: string;
  readonly sources: readonly TopicSource[];
  readonly ideas: readonly { readonly id: string; readonly itemTitle: string }[];
  readonly articleTitles: readonly string[];
};

/** Returns the named blog, else the pinned or only one, and its board. Throws `blog_required` and `blog_forbidden`. */
export async function readTopicBoard(writer: Writer, blogId: string | undefined): Promise<TopicBoard> {
  const target = resolveTargetBlog(writer, blogId);
  const id = sql`(select ${blogs.id} from ${blogs} where ${target.is})`;
  const { found, ideas, titles } = await runTransaction(writer.db, {
    found: builder
      .select({ blogId: blogs.id, ...BLOG_OF_IDEAS, sources: blogs.topicSources })
      .from(blogs)
      .where(target.is),
    ideas: selectIdeas(id),
    titles: selectTitles(id),
  });
  return { ...target.requireOne(found), ideas, articleTitles: titles.map(({ title }) => title) };
}

/** `urlKey` is the URL key by which the idea was found; null if it was found by its id. */
export type KnownTopic = { readonly urlKey: string | null; readonly topicId: string; readonly status: TopicStatus };

/** Returns the ideas of a blog with one of the URL keys or ids. An idea may occur twice. */
export async function findKnownTopics(
  writer: Writer,
  blogId: string,
  { urlKeys, ids }: { readonly urlKeys: readonly string[]; readonly ids: readonly string[] },
): Promise<KnownTopic[]> {
  // With the plus, SQLite looks the ideas up by their ids. Otherwise it reads all ideas of the blog.
  const own = sql`${topics.organizationId} = ${writer.organizationId} and +${topics.blogId} = ${blogId}`;
  return orm(writer.db)
    .select({ urlKey: sql<string | null>`${topicItems.urlKey}`, topicId: topics.id, status: topics.status })
    .from(topicItems)
    .innerJoin(topics, eq(topics.id, topicItems.topicId))
    .where(and(eq(topicItems.blogId, blogId), isAmong(topicItems.urlKey, urlKeys), own))
    .unionAll(
      builder
        .select({ urlKey: sql<string | null>`null`, topicId: topics.id, status: topics.status })
        .from(topics)
        .where(and(isAmong(topics.id, ids), own)),
    );
}
