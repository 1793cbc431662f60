import { sql, type SQL } from "drizzle-orm";
import type { FindTerms, NamedTerm, TermKind } from "../../domain/terms.ts";
import { articles } from "../../schema/articles.ts";
import { isReachableArticle, selectOwnBlogId, resolveTargetBlog } from "../core/reach.ts";
import { isShown, selectShownBlogId } from "../blogs/names.ts";
import { blogs } from "../../schema/blogs.ts";
import type { Writer } from "../core/writer.ts";
import { parseBounds, toPage, type Page, type PageQuery, type Versioned } from "../core/paging.ts";
import { defineResource, type RecordOf } from "../core/resource.ts";
import { joinAnd, jsonObject, orm, queryRows, type Reader } from "../core/sql.ts";
import { terms } from "../../schema/terms.ts";

export const TERM = defineResource(
  {
    _id: terms.id,
    blogId: terms.blogId,
    slug: terms.slug,
    name: terms.name,
    /** JSON text of the members that only tags have, or only authors. */
    members: terms.members,
    articles: terms.articles,
    publishedArticles: terms.publishedArticles,
    creationTime: terms.creationTime,
    lastEditTime: terms.lastEditTime,
  },
  terms.version,
);

const { members: _, ...SHARED } = TERM.members;

/** An SQL expression, on a row of `terms`, for a tag or author as JSON. */
export const TERM_JSON = sql`json_patch(${jsonObject(SHARED)}, ${terms.members})`;

/** A tag or an author. Its own members stand beside the shared ones. */
export type TermRecord = Omit<RecordOf<typeof TERM>, "members"> & Readonly<Record<string, unknown>>;

export type Row = RecordOf<typeof TERM> & { readonly rowVersion: string };

export function toTerm(row: Row): Versioned<TermRecord> {
  const { value, version } = TERM.toRecord(row);
  const { members, ...shared } = value;
  return { value: { ...shared, ...(JSON.parse(members) as object) }, version };
}

/** Hides the number of drafts. */
function toPublicTerm(row: Row): Versioned<TermRecord> {
  const { value, version } = toTerm(row);
  return { value: { ...value, articles: value.publishedArticles }, version };
}

export type TermQuery = PageQuery & { readonly blogId: string; readonly slug?: string | undefined };

const COLUMNS = sql.join(
  [
    ...Object.entries(TERM.members).map(([name, column]) => sql`${column} as ${sql.identifier(name)}`),
    sql`${terms.version} as "rowVersion"`,
  ],
  sql`, `,
);

/** Returns the query of a page, oldest first. `blogId` is NULL if the caller may not see the blog. */
function selectPage(kind: TermKind, query: TermQuery, { blogId, used }: { blogId: SQL; used: boolean }): SQL<Row> {
  const bounds = parseBounds(query);
  const where = joinAnd(
    sql`${terms.blogId} = ${blogId}`,
    sql`${terms.kind} = ${kind}`,
    query.slug !== undefined && sql`${terms.slug} = ${query.slug}`,
    used && sql`${terms.publishedArticles} > 0`,
    bounds.time !== undefined && sql`(${terms.creationTime}, ${terms.id}) >= (${bounds.time}, ${bounds.id})`,
  );
  return sql<Row>`select ${COLUMNS} from ${terms} where ${where} order by ${terms.creationTime}, ${terms.id}
    limit ${bounds.rows} offset ${bounds.skipped}`;
}

/** Returns a page, oldest first, empty if the blog is another organization's. Throws `invalid_cursor`. */
export async function listTerms(writer: Writer, kind: TermKind, query: TermQuery): Promise<Page<TermRecord>> {
  const blogId = selectOwnBlogId(writer, query.blogId);
  return toPage(query, await queryRows<Row>(writer.db, selectPage(kind, query, { blogId, used: false })), toTerm);
}

/** Returns a page of the tags or authors that published articles of a blog have. Throws `invalid_cursor`. */
export async function listPublicTerms(read: Reader, kind: TermKind, query: TermQuery): Promise<Page<TermRecord>> {
  const found = await read<Row>(selectPage(kind, query, { blogId: selectShownBlogId(query.blogId), used: true }));
  return toPage(query, found, toPublicTerm);
}

/** Returns a tag or author that the writer may touch, or null if there is none with this id. */
export async function findTerm(writer: Writer, kind: TermKind, id: string): Promise<Versioned<TermRecord> | null> {
  const [row] = await orm(writer.db)
    .select(TERM.fields)
    .from(terms)
    .where(isOwnTerm(writer, kind, id));
  return row === undefined ? null : toTerm(row);
}

/**
 * Returns a function that finds terms of one blog by their slugs and names. The blog is that of the article, otherwise
 * the one in which a write would create something ({@link resolveTargetBlog}). It finds none if there is no such article or
 * blog.
 */
export const makeTermFinder =
  (
    writer: Writer,
    { articleId, blogId }: { readonly articleId?: string | undefined; readonly blogId?: string | undefined },
  ): FindTerms =>
  (kind, texts) => {
    const near =
      articleId === undefined
        ? sql`(select ${blogs.id} from ${blogs} where ${resolveTargetBlog(writer, blogId).is})`
        : sql`(select ${articles.blogId} from ${articles} where ${articles.id} = ${articleId} and ${isReachableArticle(writer)})`;
    // Each by its own index: for both conditions together, SQLite would read all terms of the blog, up to a thousand.
    const selectHaving = (column: SQL, values: readonly string[]) => sql`select ${terms.slug}, ${terms.name},
        ${terms.creationTime}, ${terms.id} from json_each(${JSON.stringify(values)}) g cross join ${terms}
      where ${terms.blogId} = ${near} and ${terms.kind} = ${kind} and ${column} = g.value`;
    const named = selectHaving(sql`${terms.name} collate nocase`, texts.flatMap(listSpellings));
    return queryRows<NamedTerm>(
      writer.db,
      sql`select slug, name from (${selectHaving(sql`${terms.slug}`, texts)} union ${named}) order by creation_time, id`,
    );
  };

/** Returns the usual spellings. SQLite ignores only the case of ASCII; the others must be as they are stored. */
function listSpellings(name: string): string[] {
  if (!/[^ -~]/.test(name)) return [name];
  const lower = name.toLowerCase();
  const begun = [/^\p{L}/u, /(?<![\p{L}\p{M}\p{N}])\p{L}/gu].map((letters) =>
    lower.replace(letters, (letter) => letter.toUpperCase()),
  );
  return [...new Set([name, lower, name.toUpperCase(), ...begun])];
}

/** Returns the condition that a tag or author has this id, and the writer may touch it. */
export function isOwnTerm(writer: Writer, kind: TermKind, id: string): SQL {
  return joinAnd(
    sql`${terms.id} = ${id}`,
    sql`${terms.kind} = ${kind}`,
    sql`${terms.organizationId} = ${writer.organizationId}`,
    isShown(terms.blogId),
    writer.pinnedBlogId !== null && sql`${terms.blogId} = ${writer.pinnedBlogId}`,
  );
}
