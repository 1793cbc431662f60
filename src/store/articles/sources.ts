/** The sources of an article, as they were read when it was written (contract 8.15). Only generated articles have some. */
import { asc, eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { articles, articleSources, workingCopies } from "../../schema/articles.ts";
import type { License } from "../core/commit.ts";
import { orm, queryFirstRow } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import { isOwnArticle } from "./conditions.ts";

/** A source without an address is the request itself. */
export type StoredSource = {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly isCut: boolean;
};

/** Returns the statement that stores the sources of an article. */
export const insertSources = (articleId: string, sources: readonly StoredSource[], { time, held }: License): SQL => {
  const rows = JSON.stringify(sources.map(({ isCut, ...source }) => ({ ...source, isCut: Number(isCut) })));
  return sql`insert into ${articleSources} (article_id, position, organization_id, url, title, is_cut, read_time, content)
    select ${articles.id}, j.key, ${articles.organizationId}, j.value ->> '$.url', j.value ->> '$.title', j.value ->> '$.isCut',
      ${time}, j.value ->> '$.text' from ${articles} cross join json_each(${rows}) j where ${articles.id} = ${articleId} and ${held}`;
};

export type FoundSource = StoredSource & { readonly readTime: string };

type Texts = {
  readonly title: string;
  readonly description: string;
  readonly content: string;
  readonly locale: string;
};

/**
 * Returns the sources of an article that the writer may touch, the request first, and its texts as its working copy has
 * them. Throws `not_found`.
 */
export async function findSources(
  writer: Writer,
  articleId: string,
): Promise<{ readonly texts: Texts; readonly sources: FoundSource[] }> {
  const inCopy = (name: "title" | "description", column: SQL) =>
    sql`coalesce(${workingCopies.members} ->> ${sql.raw(`'$.${name}'`)}, ${column}) as ${sql.raw(`"${name}"`)}`;
  const texts = await queryFirstRow<Texts>(
    writer.db,
    sql`select ${inCopy("title", sql`${articles.title}`)}, ${inCopy("description", sql`${articles.description}`)},
      coalesce(${workingCopies.content}, ${articles.content}) as "content", ${articles.locale} as "locale"
      from ${articles} left join ${workingCopies} on ${workingCopies.articleId} = ${articles.id}
      where ${isOwnArticle(writer, articleId)}`,
  );
  if (texts === null) throw new DomainError("not_found", "There is no such article.");
  const { url, title, content, isCut, readTime } = articleSources;
  const found = await orm(writer.db)
    .select({ url, title, text: content, isCut, readTime })
    .from(articleSources)
    .where(eq(articleSources.articleId, articleId))
    .orderBy(asc(articleSources.position));
  return { texts, sources: found.map((source) => ({ ...source, isCut: source.isCut === 1 })) };
}
