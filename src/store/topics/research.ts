/** What a blog has already, for a look at sources of topic ideas that stores nothing. */
import { sql } from "drizzle-orm";
import type { TopicSource } from "../../domain/topic-source.ts";
import type { TopicStatus } from "../../domain/topic-status.ts";
import { ideasOf, titlesOf } from "./board.ts";
import type { Writer } from "../core/commit.ts";
import { topicItems, topics } from "./schema.ts";
import { targetBlog } from "../core/reach.ts";
import { blogs } from "../blogs/schema.ts";
import { rows, transaction } from "../core/sql.ts";

/** A blog with its sources, ideas and titles. */
export type TopicBoard = {
  readonly blogId: string;
  readonly blogName: string;
  /** The blog's default locale. */
  readonly locale: string;
  readonly sources: readonly TopicSource[];
  readonly ideas: readonly { readonly id: string; readonly itemTitle: string }[];
  readonly articleTitles: readonly string[];
};

type BlogRow = Pick<TopicBoard, "blogId" | "blogName" | "locale"> & { readonly sources: string };

/** Reads the blog that is named, else the only one; throws `blog_required` and `blog_forbidden`. */
export async function readTopicBoard(writer: Writer, blogId: string | undefined): Promise<TopicBoard> {
  const target = targetBlog(writer, blogId);
  const id = sql`(select ${blogs.id} from ${blogs} where ${target.is})`;
  const { found, ideas, titles } = await transaction(writer.db, {
    found: sql<BlogRow>`select id as "blogId", name as "blogName", locales ->> '$[0]' as "locale", topic_sources as "sources"
      from ${blogs} where ${target.is}`,
    ideas: ideasOf(id),
    titles: titlesOf(id),
  });
  const blog = target.one(found);
  return {
    ...blog,
    sources: JSON.parse(blog.sources) as TopicSource[],
    ideas,
    articleTitles: titles.map(({ title }) => title),
  };
}

/** An idea of a blog, by one of its items' URL keys or by its id. */
export type KnownTopic = { readonly urlKey: string | null; readonly topicId: string; readonly status: TopicStatus };

/** Which of a blog's ideas have these URL keys or ids. */
export function findKnownTopics(
  writer: Writer,
  blogId: string,
  { urlKeys, ids }: { readonly urlKeys: readonly string[]; readonly ids: readonly string[] },
): Promise<KnownTopic[]> {
  const own = sql`t.organization_id = ${writer.organizationId} and t.blog_id = ${blogId}`;
  return rows<KnownTopic>(
    writer.db,
    sql`select i.url_key as "urlKey", t.id as "topicId", t.status
      from ${topicItems} i join ${topics} t on t.id = i.topic_id
      where i.blog_id = ${blogId} and i.url_key in (select value from json_each(${JSON.stringify(urlKeys)})) and ${own}
      union all select null, t.id, t.status from ${topics} t
      where t.id in (select value from json_each(${JSON.stringify(ids)})) and ${own}`,
  );
}
