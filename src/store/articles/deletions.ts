/** Articles that are deleted once the time to undo it is over (contract 18.26). system-deletions.ts deletes them. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { LIMITS } from "../../domain/limits.ts";
import type { IfMatch } from "../../domain/preconditions.ts";
import { DomainError } from "../../domain/errors.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";
import { paginate, toPage, type Page, type PageQuery, type Versioned } from "../core/paging.ts";
import { matchVersion } from "../core/preconditions.ts";
import { joinAnd, builder, insertWhere, jsonObject, orm } from "../core/sql.ts";
import { deletions } from "../../schema/schedules.ts";
import { articles, workingCopies } from "../../schema/articles.ts";
import { deleteArticle } from "./articles.ts";
import { isOwnArticle } from "./conditions.ts";
import { isReachableArticle } from "../core/reach.ts";

const ABOUT = {
  articleId: deletions.articleId,
  blogId: articles.blogId,
  title: articles.title,
  slug: articles.slug,
  locale: articles.locale,
  dueTime: deletions.dueTime,
  creationTime: deletions.creationTime,
};

const DELETION = {
  ...ABOUT,
  failureCode: deletions.failureCode,
  failureDetail: deletions.failureDetail,
  actorKind: deletions.actorKind,
  actorId: deletions.actorId,
};

/** A waiting deletion as JSON, as the operation returns it. */
const WAITING = jsonObject({
  ...ABOUT,
  state: sql`'waiting'`,
  failure: sql`null`,
  deletedBy: jsonObject({ kind: deletions.actorKind, id: deletions.actorId }),
});

export type DeletionRecord = SelectResultFields<typeof DELETION>;

const selectDeletions = ({ db }: Writer) =>
  orm(db)
    .select({ value: DELETION, version: sql<string>`${deletions.version}`.as("deletionVersion") })
    .from(deletions)
    .innerJoin(articles, eq(articles.id, deletions.articleId));

export type DeletionQuery = PageQuery & { readonly articleId?: string | undefined };

/** Returns a page of deletions within reach, the next one first. Throws `invalid_cursor`. */
export async function listDeletions(writer: Writer, query: DeletionQuery): Promise<Page<DeletionRecord>> {
  const page = paginate(query, deletions.dueTime, deletions.articleId, "oldest");
  const { articleId } = query;
  const found = await selectDeletions(writer)
    .where(
      and(
        eq(deletions.organizationId, writer.organizationId),
        isReachableArticle(writer),
        articleId === undefined ? undefined : eq(deletions.articleId, articleId),
        page.from,
      ),
    )
    .orderBy(...page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(
    query,
    found,
    (row) => row,
    ({ value }) => ({ time: value.dueTime, id: value.articleId }),
  );
}

/** The version of an article's working copy, on a row of `articles`; NULL if it has none. */
export const COPY_VERSION = sql`(select ${workingCopies.version} from ${workingCopies}
  where ${workingCopies.articleId} = ${articles.id})`;

/** Deletes an article at once if it and its working copy still have these versions. Throws `not_found` and `precondition_failed`. */
export const deleteUnchanged = (
  writer: Writer,
  articleId: string,
  { version, copyVersion }: { readonly version: string; readonly copyVersion: string | null },
): Promise<void> => deleteArticle(writer, articleId, [version], sql`${COPY_VERSION} is ${copyVersion}`);

/**
 * Requests the deletion of an article in its current state, in place of an earlier request, and returns it. Nothing
 * happens to the article before the due time. Throws `not_found` and `precondition_failed`.
 */
export async function setDeletion(
  writer: Writer,
  articleId: string,
  ifMatch: IfMatch | undefined,
): Promise<Versioned<DeletionRecord>> {
  const outcome = await storeDeletion(writer, articleId, { ifMatch, same: sql`false` });
  if (!outcome.refused) return outcome.row;
  throw new DomainError(outcome.diagnosis.length > 0 ? "precondition_failed" : "not_found");
}

/**
 * Requests the deletion of an article like {@link setDeletion}. Returns null, and changes nothing, if the writer has
 * already requested it and the article has not changed since. Throws `not_found`.
 */
export async function setDeletionIfChanged(
  writer: Writer,
  articleId: string,
): Promise<Versioned<DeletionRecord> | null> {
  const { actor } = writer;
  const same = sql`exists (select 1 from ${deletions} where ${joinAnd(
    sql`${deletions.articleId} = ${articles.id} and ${deletions.failureCode} is null`,
    sql`${deletions.articleVersion} = ${articles.version} and ${deletions.copyVersion} is ${COPY_VERSION}`,
    sql`${deletions.actorKind} = ${getAuditKind(actor)} and ${deletions.actorId} = ${actor.id}`,
  )})`;
  const outcome = await storeDeletion(writer, articleId, { ifMatch: undefined, same });
  if (!outcome.refused) return outcome.row;
  if (outcome.diagnosis.length > 0) return null;
  throw new DomainError("not_found");
}

type Asked = {
  readonly ifMatch: IfMatch | undefined;
  readonly same: SQL;
};

function storeDeletion(writer: Writer, articleId: string, { ifMatch, same }: Asked) {
  const license = makeLicense(writer);
  const target = isOwnArticle(writer, articleId);
  const stored = selectDeletions(writer).where(eq(deletions.articleId, articleId));
  const row = makeRow(writer, articleId, license);
  return commit(writer, license, {
    action: "deletions.set",
    resourceId: articleId,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${articles} where ${joinAnd(target, sql`not ${same}`, ...matchVersion(articles.version, ifMatch))}`,
    change: ({ held }) => ({
      before: [
        insertWhere(deletions, row, sql`from ${articles} where ${joinAnd(target, held)}`).onConflictDoUpdate({
          target: deletions.articleId,
          set: { ...row, articleVersion: sql`excluded.article_version`, copyVersion: sql`excluded.copy_version` },
        }),
      ],
      returning: stored,
      again: () => stored,
    }),
    answer: sql`(select ${jsonObject({ value: WAITING })}
      from ${deletions} join ${articles} on ${articles.id} = ${deletions.articleId} where ${deletions.articleId} = ${articleId})`,
    diagnose: sql`select ${articles.id} from ${articles} where ${target}`,
  });
}

/** The row of a waiting deletion. It also resets a failed one. */
const makeRow = (writer: Writer, articleId: string, { id, time }: License) => ({
  articleId,
  organizationId: writer.organizationId,
  articleVersion: sql`${articles.version}`,
  copyVersion: COPY_VERSION,
  dueTime: new Date(Date.parse(time) + LIMITS.undoSeconds * 1000).toISOString(),
  actorKind: getAuditKind(writer.actor),
  actorId: writer.actor.id,
  failureCode: null,
  failureDetail: null,
  version: id,
  creationTime: time,
});

/** Cancels a waiting deletion of an article, or removes a failed one. Throws `not_found` if there is neither. */
export async function cancelDeletion(writer: Writer, articleId: string): Promise<void> {
  const license = makeLicense(writer);
  const outcome = await commit(writer, license, {
    action: "deletions.cancel",
    resourceId: articleId,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${deletions} join ${articles} on ${articles.id} = ${deletions.articleId}
      where ${joinAnd(sql`${deletions.articleId} = ${articleId}`, isReachableArticle(writer))}`,
    change: ({ held }) => [builder.delete(deletions).where(and(eq(deletions.articleId, articleId), held))],
    answer: sql`json_object('value', json_object('_id', ${articleId}))`,
  });
  if (outcome.refused) throw new DomainError("not_found", "There is no such article, or it is not being deleted.");
}
