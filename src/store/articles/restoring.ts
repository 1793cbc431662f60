/** Restores articles from the trash (contract 18.27). */
import { and, eq, getTableColumns, getTableName, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { articles, articleSources, movedSlugs, revisions, workingCopies } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { organizations } from "../../schema/core.ts";
import { media } from "../../schema/media.ts";
import { redirects } from "../../schema/redirects.ts";
import { slugTerms, terms } from "../../schema/terms.ts";
import { trash, trashedRows } from "../../schema/trash.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import type { Versioned } from "../core/paging.ts";
import { answerFits, articleFits, checkQuota, redirectsFit, selectUsage } from "../core/quota.ts";
import { builder, insertWhere, isAmong, joinAnd, queryFirstRow, type Statement } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import {
  addLocale,
  buildAnswer,
  buildArticleEvent,
  explainTaken,
  localeFits,
  makeConflictError,
  selectArticle,
} from "./conditions.ts";
import { isSlugTaken } from "./creating.ts";
import { makeRendering, storeRendering } from "./renderings.ts";
import { ARTICLE_ROW, toArticle, type ArticleRecord, type ArticleRow } from "./rows.ts";
import { NEXT_SEARCH_ID, writeIndexRow } from "./search-index.ts";
import { isReachableTrash, makeNotInTrashError } from "./trash.ts";

/**
 * Restores an article from the trash with everything that was moved there, and stores its event `article.created`. Its
 * slug is `asked`, if that is given. Throws `not_found`, `slug_taken`, `quota_exceeded`, and an error on `locale` if the
 * blog has too many locales.
 */
export async function restoreArticle(
  writer: Writer,
  id: string,
  asked: string | undefined,
): Promise<Versioned<ArticleRecord>> {
  const entry = await readEntry(writer, id);
  if (entry === null) throw makeNotInTrashError();
  const license = makeLicense(writer);
  const { blogId, locale, bytes, title, description, content } = entry;
  const { slug, published } = { ...entry, ...(asked !== undefined && { slug: asked }) };
  const rendering = await makeRendering(content);
  const copied = writer.idempotency === undefined ? 0 : entry.contentBytes;
  const isTaken = isSlugTaken(sql`${slug}`, sql`${locale}`);
  const outcome = await commit<ArticleRow, Diagnosed>(writer, license, {
    action: "trash.restore",
    resourceId: id,
    blogId,
    where: sql`from ${trash} join ${blogs} on ${blogs.id} = ${trash.blogId} where ${joinAnd(
      isEntry(writer, id),
      eq(trash.version, entry.version),
      published === 1 && localeFits(sql`${locale}`),
      sql`not ${isTaken}`,
      articleFits(writer, bytes),
      answerFits(writer, copied),
    )}`,
    change: ({ held }) => ({
      before: [storeRendering(writer, id, rendering, license)],
      returning: restoreRow(id, { slug, packed: rendering.packed }, license),
      again: () => selectArticle(id),
      after: [
        writeIndexRow(id, writer.organizationId, { title, description, content, text: rendering.text }, license.id),
        ...(published === 1 ? addLocale(id, license) : []),
        ...restoreRest(id, entry.articleVersion, license),
        ...(entry.sources > 0 ? [putBack(articleSources, [id], license.held)] : []),
        ...(entry.redirects > 0 ? restoreRedirects(writer, id, entry, license) : []),
        ...takeOut(id, held),
      ],
    }),
    event: buildArticleEvent("article.created", sql`${articles.id} = ${id}`),
    ...buildAnswer(id, undefined),
    diagnose: sql<Diagnosed>`select ${blogs.locales}, ${selectUsage(writer)} as "usage"
      from ${trash} join ${blogs} on ${blogs.id} = ${trash.blogId} where ${isEntry(writer, id)}`,
  });
  if (!outcome.refused) return toArticle(outcome.row);
  const [found] = outcome.diagnosis;
  if (found === undefined) throw makeNotInTrashError();
  const full = checkQuota(writer, found.usage, { articles: 1, articleBytes: bytes, answerBytes: copied });
  const refused = full ?? makeConflictError(found, published === 1 ? locale : undefined);
  throw await explainTaken(writer, refused, { blogId, slug, locale });
}

type Diagnosed = { readonly locales: string; readonly usage: string };

const isEntry = (writer: Writer, id: string): SQL => joinAnd(eq(trash.articleId, id), isReachableTrash(writer));

type Entry = Record<
  "version" | "blogId" | "slug" | "locale" | "title" | "description" | "content" | "articleVersion",
  string
> &
  Record<"published" | "bytes" | "contentBytes" | "redirects" | "sources", number>;

/** Takes an article out of the trash. Images that another article shows have stayed. */
const takeOut = (id: string, held: SQL): Statement[] => [
  putBack(media, [id], held, { articleId: id }).onConflictDoNothing(),
  builder.delete(trashedRows).where(and(eq(trashedRows.articleId, id), held)),
  builder.delete(trash).where(and(eq(trash.articleId, id), held)),
];

const member = (column: SQLiteColumn): SQL => sql`${trashedRows.members} ->> ${sql.raw(`'$.${column.name}'`)}`;

/** Reads what the write has to know: the texts to render and index, and the bytes that count against the quota for articles. */
function readEntry(writer: Writer, id: string): Promise<Entry | null> {
  const { content, kind } = trashedRows;
  const of = sql`from ${trashedRows} where ${trashedRows.articleId} = ${trash.articleId} and ${kind}`;
  const article = (value: SQL) => sql`(select ${value} ${of} = 'articles')`;
  const octets = sql.join(
    [articles.title, articles.description, articles.coverUrl, articles.seo].map(
      (column) => sql`coalesce(octet_length(${member(column)}), 0)`,
    ),
    sql` + `,
  );
  return queryFirstRow<Entry>(
    writer.db,
    sql`select ${trash.version}, ${trash.blogId} as "blogId", ${trash.slug}, ${trash.locale}, ${trash.published}, ${trash.title},
      ${article(member(articles.description))} as "description", ${article(sql`${content}`)} as "content",
      ${article(member(articles.version))} as "articleVersion", ${article(sql`octet_length(${content})`)} as "contentBytes",
      ${article(sql`${octets} + octet_length(${content})`)} + coalesce((select octet_length(${member(workingCopies.members)})
        + coalesce(octet_length(${content}), 0) ${of} = 'working_copies'), 0) as "bytes",
      (select count(*) ${of} = 'redirects') as "redirects",
      (select count(*) ${of} = 'article_sources') as "sources"
    from ${trash} where ${isEntry(writer, id)}`,
  );
}

/**
 * Returns the statement that puts the rows of the articles with these ids back into their table, with the values of
 * `instead` in place of some columns.
 */
export function putBack(
  table: SQLiteTable,
  ids: readonly string[],
  condition: SQL,
  instead: Readonly<Record<string, unknown>> = {},
) {
  const values = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const stored = column.name === "content" ? sql`${trashedRows.content}` : member(column);
    const { default: missing } = column;
    return [name, instead[name] ?? (missing === undefined ? stored : sql`coalesce(${stored}, ${missing})`)] as const;
  });
  const rows = sql`from ${trashedRows} where ${isAmong(trashedRows.articleId, ids)}
    and ${trashedRows.kind} = ${getTableName(table)} and ${condition}`;
  return insertWhere(table, Object.fromEntries(values), rows);
}

/** It is a new version, but its texts are still as whoever wrote them left them. */
const restoreRow = (
  id: string,
  made: { readonly slug: string; readonly packed: Buffer | null },
  { id: version, time, held }: License,
) =>
  putBack(articles, [id], held, {
    ...made,
    version,
    lastEditTime: time,
    publicTime: sql`iif(${member(articles.published)} = 1, ${time}, null)`,
    stateVersion: sql`coalesce(${member(articles.stateVersion)}, ${member(articles.version)})`,
    searchId: NEXT_SEARCH_ID,
    indexedVersion: version,
    eventDue: sql`null`,
    untold: sql`null`,
  }).returning(ARTICLE_ROW);

/** Where no other redirect has the path now, or leads to it. */
function restoreRedirects(writer: Writer, id: string, entry: Entry, license: License): Statement[] {
  const isFree = sql`not exists (select 1 from ${redirects} r
    where r.blog_id = ${entry.blogId} and r.target_key = ${member(redirects.source)})`;
  return [
    putBack(
      redirects,
      [id],
      joinAnd(isFree, redirectsFit(writer, entry.redirects), license.held),
    ).onConflictDoNothing(),
    builder
      .update(blogs)
      .set({ redirectsVersion: license.id })
      .where(and(eq(blogs.id, entry.blogId), license.held)),
  ];
}

/** A member of a previous slug, on a row of `json_each`. */
const moved = (name: string) => sql.raw(`j.value ->> '$.${name}'`);

function restoreRest(id: string, formerVersion: string, { id: version, held }: License): Statement[] {
  const base = member(workingCopies.baseVersion);
  const own = sql`${articles.id} = ${id} and ${trash.articleId} = ${id} and ${held}`;
  return [
    putBack(workingCopies, [id], held, { baseVersion: sql`iif(${base} = ${formerVersion}, ${version}, ${base})` }),
    putBack(revisions, [id], held),
    // The trigger counts only the states of working copies.
    sql`update ${organizations} set revision_bytes = revision_bytes + (
        select coalesce(sum(octet_length(${revisions.members}) + coalesce(octet_length(${revisions.content}), 0)), 0)
        from ${revisions} where ${revisions.articleId} = ${id} and ${revisions.workingCopy} = 0)
      where ${organizations.id} = (select ${articles.organizationId} from ${articles} where ${articles.id} = ${id}) and ${held}`,
    // At a slug that has translations, it gets their tags and authors.
    insertWhere(
      slugTerms,
      { blogId: articles.blogId, slug: articles.slug, kind: terms.kind, termId: terms.id, position: sql`j.key` },
      sql`from ${articles} cross join ${trash} cross join json_each(${trash.terms}) j cross join ${terms}
        where ${own} and ${terms.id} = j.value and (select count(*) from ${articles} same where same.blog_id = ${articles.blogId} and same.slug = ${articles.slug}) = 1`,
    ),
    sql`insert or ignore into ${movedSlugs} (organization_id, blog_id, slug, locale, article_id, move_time, number, live)
      select ${articles.organizationId}, ${articles.blogId}, ${moved("slug")}, ${moved("locale")}, ${articles.id}, ${moved("moveTime")},
        (select coalesce(max(number), 0) from ${movedSlugs} where ${movedSlugs.organizationId} = ${articles.organizationId}) + j.key + 1,
        ${articles.published}
      from ${articles} cross join ${trash} cross join json_each(${trash.movedSlugs}) j
      where ${own} and not exists (select 1 from ${articles} taken where taken.blog_id = ${articles.blogId}
        and taken.slug = ${moved("slug")} and taken.locale = ${moved("locale")})`,
  ];
}
