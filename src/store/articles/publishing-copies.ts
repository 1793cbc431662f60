/** Publishes a working copy (contract 18.12): an ordinary update with its fields. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { joinAnd, queryFirstRow } from "../core/sql.ts";
import { articles, workingCopies } from "../../schema/articles.ts";
import { toArticle, type ArticleRow } from "./rows.ts";
import { differs } from "./update-conditions.ts";
import { PUBLISH_COPY, updateArticle, type Updated } from "./updating.ts";
import { buildAnswer, endApproval, isOwnArticle, selectArticle } from "./conditions.ts";
import {
  COPY_BYTES,
  deleteCopy,
  parseCopy,
  isSameCopy,
  JOINED,
  makeCopyNotFoundError,
  type CopyRow,
} from "./working-copies.ts";

type Read = CopyRow & { readonly baseVersion: string };

/** How often publishing is tried if the working copy is saved, or one of its tags renamed, at the same moment. */
const MOST_TRIES = 10;

/**
 * Publishes the working copy of an article: the article gets its fields, is published, and loses its working copy. A
 * working copy that equals its published article is only discarded. Stores the former revision and the event
 * `article.updated`, and returns the article. Throws `not_found`, `precondition_failed`, `article_changed` if the
 * article has changed since the working copy was begun (unless `overwrite`), and the errors of {@link updateArticle}.
 */
export async function publishWorkingCopy(
  writer: Writer,
  asked: {
    readonly articleId: string;
    readonly ifMatch: IfMatch | undefined;
    readonly overwrite: boolean;
    /** Null: it confirms no review. */
    readonly review?: null;
  },
): Promise<Updated> {
  const { articleId, ifMatch, overwrite, review } = asked;
  for (let tries = 1; ; tries++) {
    const read = await queryFirstRow<Read>(
      writer.db,
      sql`select ${workingCopies.members}, ${workingCopies.content}, ${workingCopies.version}, ${workingCopies.application},
          ${workingCopies.baseVersion} as "baseVersion" ${JOINED} where ${isOwnArticle(writer, articleId)}`,
    );
    if (read === null) throw makeCopyNotFoundError();
    if (isStale(ifMatch, read.version)) throw new DomainError("precondition_failed");
    const moved = new DomainError("precondition_failed", "The working copy was saved at the same time.");
    try {
      return await publishCopy(writer, articleId, read, { overwrite, moved, review });
    } catch (error) {
      // Perhaps only a tag in it was renamed or merged: the next try reads it again. If it was saved, an `If-Match`
      // fails there.
      if (error !== moved || tries === MOST_TRIES) throw error;
    }
  }
}

/** Throws `moved` if the working copy is not the one that was read any more. */
async function publishCopy(
  writer: Writer,
  id: string,
  read: Read,
  {
    overwrite,
    moved,
    review,
  }: { readonly overwrite: boolean; readonly moved: DomainError; readonly review?: null | undefined },
): Promise<Updated> {
  const { fields, terms } = parseCopy(read);
  const isRead = isSameCopy(read);
  const change = { id, fields: { ...fields, published: true }, terms };
  let refusal = moved;
  try {
    const updated = await updateArticle(
      writer,
      { ...change, ifMatch: overwrite ? undefined : [read.baseVersion] },
      {
        action: PUBLISH_COPY,
        ...(review === null && { review }),
        isContentUnsent: true,
        conditions: [{ holds: isRead, refusal: moved }],
        othersTexts: { application: read.application, andOwn: false },
        freed: COPY_BYTES,
        change: (license) => [deleteCopy(id, license)],
      },
    );
    if (updated.uncommitted === undefined) return updated;
  } catch (error) {
    if (!(error instanceof DomainError) || error === moved || error.code !== "precondition_failed") throw error;
    refusal = new DomainError("article_changed");
  }
  const equals = joinAnd(isRead, sql`not ${differs(change.fields, terms)}`);
  const discarded = await discardEqual(writer, id, equals);
  if (discarded === null) throw refusal;
  return discarded;
}

/** Discards a copy that `equals` its article, without event, revision and new time. Returns null if they differ. */
async function discardEqual(writer: Writer, id: string, equals: SQL): Promise<Updated | null> {
  const which = joinAnd(isOwnArticle(writer, id), equals);
  if ((await queryFirstRow(writer.db, sql`select 1 from ${articles} where ${which}`)) === null) return null;
  const license = makeLicense(writer);
  const outcome = await commit<ArticleRow, unknown>(writer, license, {
    action: "articles.discardDraft",
    resourceId: id,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${articles} where ${which}`,
    change: () => ({
      before: [deleteCopy(id, license), endApproval(id, license)],
      returning: selectArticle(id),
      again: () => selectArticle(id),
    }),
    ...buildAnswer(id, undefined),
  });
  return outcome.refused ? null : toArticle(outcome.row);
}
