/**
 * The trash (contract 18.27): deleted articles, which can be restored whole until they expire. A deletion moves their rows
 * to tables of their own, so nothing that reads articles has to leave them out. system-trash.ts deletes what expired.
 */
import { and, eq, getTableColumns, getTableName, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { DAY_MS } from "../../lib/time.ts";
import { articles, articleSources, movedSlugs, revisions, workingCopies } from "../../schema/articles.ts";
import { media, mediaUses } from "../../schema/media.ts";
import { redirects } from "../../schema/redirects.ts";
import { slugTerms } from "../../schema/terms.ts";
import { trash, trashedRows } from "../../schema/trash.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import { paginate, toPage, type Page, type PageQuery } from "../core/paging.ts";
import { defineResource, type RecordOf } from "../core/resource.ts";
import { builder, compileFragment, insertWhere, joinAnd, jsonObject, orm, type Statement } from "../core/sql.ts";
import { isShown } from "../blogs/names.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";

/** The tables whose rows go to the trash, which of them are an article's, and what tells them apart. */
const MOVED: readonly { table: SQLiteTable; isOf: (id: string) => SQL; key: SQL; content: SQL }[] = [
  { table: articles, isOf: (id) => eq(articles.id, id), key: sql`''`, content: sql`${articles.content}` },
  {
    table: workingCopies,
    isOf: (id) => eq(workingCopies.articleId, id),
    key: sql`''`,
    content: sql`${workingCopies.content}`,
  },
  {
    table: revisions,
    isOf: (id) => eq(revisions.articleId, id),
    key: sql`${revisions.number}`,
    content: sql`${revisions.content}`,
  },
  {
    table: media,
    // Also those of other articles that it shows: each article in the trash can restore them.
    isOf: (id) => sql`${media.library} = 0 and (${media.articleId} = ${id} or ${media.id} in (
      select ${mediaUses.mediaId} from ${mediaUses} where ${mediaUses.articleId} = ${id}))`,
    key: sql`${media.id}`,
    content: sql`null`,
  },
  {
    table: articleSources,
    isOf: (id) => eq(articleSources.articleId, id),
    key: sql`${articleSources.position}`,
    content: sql`${articleSources.content}`,
  },
  { table: redirects, isOf: (id) => eq(redirects.articleId, id), key: sql`${redirects.id}`, content: sql`null` },
];

const FROM = MOVED.map(({ table, isOf, key, content }) => {
  const columns = Object.values(getTableColumns(table)).filter(({ name }) => name !== "content" && name !== "packed");
  const members = jsonObject(Object.fromEntries(columns.map((column) => [column.name, column])));
  const kind = sql.raw(`'${getTableName(table)}'`);
  const rows = compileFragment(sql`${kind}, ${key}, ${table}.organization_id, ${members}, ${content} from ${table}`);
  return { isOf, rows };
});

/** Returns the statements that move an article to the trash, but for the deletion of its row. */
export function moveToTrash(writer: Writer, id: string, license: License): Statement[] {
  const { held } = license;
  // One statement, because a bulk request deletes a hundred articles, and an invocation may make 1,000 queries.
  const selects = FROM.map(({ isOf, rows: of }) => sql`select ${id}, ${of} where ${isOf(id)} and ${held}`);
  // D1 joins five selects at most.
  const rows = unite([...selects.slice(0, 3), sql`select * from (${unite(selects.slice(3))})`]);
  const heir = sql`(select ${mediaUses.articleId} from ${mediaUses}
    where ${mediaUses.mediaId} = ${media.id} and ${mediaUses.articleId} <> ${id} limit 1)`;
  return [
    sql`insert into ${trashedRows} (article_id, kind, key, organization_id, members, content) ${rows}`,
    insertEntry(writer, id, license),
    // Another article that shows an image becomes its owner. Without one, the file stays, and is not served.
    builder
      .update(media)
      .set({ articleId: heir })
      .where(and(eq(media.articleId, id), sql`${heir} is not null`, held)),
    builder.delete(media).where(and(eq(media.articleId, id), held)),
  ];
}

const unite = (selects: SQL[]): SQL => sql.join(selects, sql` union all `);

function insertEntry({ actor }: Writer, id: string, { id: version, time, held }: License): Statement {
  const entry = {
    articleId: articles.id,
    organizationId: articles.organizationId,
    blogId: articles.blogId,
    title: articles.title,
    slug: articles.slug,
    locale: articles.locale,
    published: articles.published,
    // Without images, which count against another quota.
    bytes: sql`(select sum(octet_length(${trashedRows.members}) + coalesce(octet_length(${trashedRows.content}), 0))
      from ${trashedRows} where ${trashedRows.articleId} = ${id} and ${trashedRows.kind} <> 'media')`,
    terms: sql`(select json_group_array(term_id) from (select ${slugTerms.termId} from ${slugTerms}
      where ${slugTerms.blogId} = ${articles.blogId} and ${slugTerms.slug} = ${articles.slug} order by ${slugTerms.kind}, ${slugTerms.position}))`,
    movedSlugs: sql`(select json_group_array(json_object('slug', slug, 'locale', locale, 'moveTime', move_time)) from (
      select ${movedSlugs.slug}, ${movedSlugs.locale}, ${movedSlugs.moveTime} from ${movedSlugs}
      where ${movedSlugs.articleId} = ${articles.id} order by ${movedSlugs.number}))`,
    actorKind: getAuditKind(actor),
    actorId: actor.id,
    version,
    deletionTime: time,
    dueTime: new Date(Date.parse(time) + LIMITS.trashDays * DAY_MS).toISOString(),
  };
  return insertWhere(trash, entry, sql`from ${articles} where ${articles.id} = ${id} and ${held}`);
}

const TRASHED = defineResource(
  {
    articleId: trash.articleId,
    blogId: trash.blogId,
    title: trash.title,
    slug: trash.slug,
    locale: trash.locale,
    published: trash.published,
    deletionTime: trash.deletionTime,
    dueTime: trash.dueTime,
    actorKind: trash.actorKind,
    actorId: trash.actorId,
  },
  trash.version,
);

export type TrashedRecord = RecordOf<typeof TRASHED>;

/** Returns the condition on `trash` that the entry has not expired and the writer may touch it. */
export const isReachableTrash = ({ organizationId, pinnedBlogId, now }: Writer): SQL =>
  joinAnd(
    sql`${trash.organizationId} = ${organizationId}`,
    pinnedBlogId !== null && sql`${trash.blogId} = ${pinnedBlogId}`,
    sql`${trash.dueTime} > ${now().toISOString()}`,
    isShown(trash.blogId),
  );

export type TrashQuery = PageQuery & { readonly blogId?: string | undefined; readonly articleId?: string | undefined };

/** Returns a page of the trash within reach, the last deleted first. Throws `invalid_cursor`. */
export async function listTrash(writer: Writer, query: TrashQuery): Promise<Page<TrashedRecord>> {
  const page = paginate(query, trash.dueTime, trash.articleId);
  const { articleId } = query;
  const blogId = query.blogId ?? writer.pinnedBlogId ?? undefined;
  const found = await orm(writer.db)
    .select(TRASHED.fields)
    .from(trash)
    .where(
      and(
        isReachableTrash(writer),
        blogId === undefined ? undefined : eq(trash.blogId, blogId),
        articleId === undefined ? undefined : eq(trash.articleId, articleId),
        page.from,
      ),
    )
    .orderBy(...page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(query, found, TRASHED.toRecord, (row) => ({ time: row.dueTime, id: row.articleId }));
}

/** The error for an article that is not in the trash, or out of reach. */
export const makeNotInTrashError = (): DomainError =>
  new DomainError("not_found", "There is no such article in the trash.");

/** Ends an article's time in the trash, so that the sweep deletes all of it. Throws `not_found`. */
export async function deleteTrash(writer: Writer, id: string): Promise<void> {
  const license = makeLicense(writer);
  const { refused } = await commit(writer, license, {
    action: "trash.delete",
    resourceId: id,
    blogId: sql`${trash.blogId}`,
    where: sql`from ${trash} where ${joinAnd(eq(trash.articleId, id), isReachableTrash(writer))}`,
    change: ({ held, time }) => [
      builder
        .update(trash)
        .set({ dueTime: time })
        .where(and(eq(trash.articleId, id), held)),
    ],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
  });
  if (refused) throw makeNotInTrashError();
}
