/** The sources of an article, as they were read when it was written (contract 8.15). Only generated articles have some. */
import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { articles, articleSources, workingCopies } from "../../schema/articles.ts";
import type { License } from "../core/commit.ts";
import { builder, orm, queryFirstRow, type Statement } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import { isOwnArticle } from "./conditions.ts";

/** A source without an address is the request itself. */
export type StoredSource = {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly isCut: boolean;
  /** Only of one that is kept as it was read earlier. */
  readonly readTime?: string | undefined;
};

/** Returns the statement that stores the sources of an article. */
export const insertSources = (articleId: string, sources: readonly StoredSource[], { time, held }: License): SQL => {
  const rows = JSON.stringify(sources.map(({ isCut, ...source }) => ({ ...source, isCut: Number(isCut) })));
  return sql`insert into ${articleSources} (article_id, position, organization_id, url, title, is_cut, read_time, content)
    select ${articles.id}, j.key, ${articles.organizationId}, j.value ->> '$.url', j.value ->> '$.title', j.value ->> '$.isCut',
      coalesce(j.value ->> '$.readTime', ${time}), j.value ->> '$.text' from ${articles} cross join json_each(${rows}) j where ${articles.id} = ${articleId} and ${held}`;
};

export type FoundSource = StoredSource & { readonly readTime: string };

type Texts = {
  readonly title: string;
  readonly description: string;
  readonly content: string;
  readonly locale: string;
  readonly blogId: string;
  /** That of the article. */
  readonly version: string;
  readonly published: number;
  readonly hasCopy: number;
};

/** Returns the statements that store other sources in place of those of an article. */
export const replaceSources = (articleId: string, sources: readonly StoredSource[], license: License): Statement[] => [
  builder.delete(articleSources).where(and(eq(articleSources.articleId, articleId), license.held)),
  insertSources(articleId, sources, license),
];

const selectInCopy = (name: "title" | "description", column: SQL): SQL =>
  sql`coalesce(${workingCopies.members} ->> ${sql.raw(`'$.${name}'`)}, ${column}) as ${sql.raw(`"${name}"`)}`;

/**
 * Returns the sources of an article that the writer may touch, the request first, and its texts as its working copy has
 * them. Throws `not_found`.
 */
export async function findSources(
  writer: Writer,
  articleId: string,
): Promise<{ readonly texts: Texts; readonly sources: FoundSource[] }> {
  const texts = await queryFirstRow<Texts>(
    writer.db,
    sql`select ${selectInCopy("title", sql`${articles.title}`)}, ${selectInCopy("description", sql`${articles.description}`)},
      coalesce(${workingCopies.content}, ${articles.content}) as "content", ${articles.locale} as "locale",
      ${articles.blogId} as "blogId", ${articles.version} as "version", ${articles.published} as "published",
      ${workingCopies.version} is not null as "hasCopy"
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
  return { texts, sources: found.map((source) => Object.assign(source, { isCut: source.isCut === 1 })) };
}
