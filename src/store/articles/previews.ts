/** Preview links, which show one article to somebody without an account. Only hashes of their tokens are stored. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { newId } from "../../lib/ids.ts";
import { commit, makeLicense } from "../core/commit.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";
import { mayStillWrite } from "../core/standing.ts";
import { joinAnd, builder, insertWhere, runTransaction, type Reader } from "../core/sql.ts";
import { toOrigin, type GeneratedOrigin, type Origin } from "../../domain/origin.ts";
import type { NamedTerm } from "../../domain/terms.ts";
import { AUTHORS, TAGS, type GivenTerms } from "../terms/assigning.ts";
import { ARTICLE_COLUMNS, selectColumns, toArticle, type ArticleRecord, type ArticleRow } from "./rows.ts";
import { articles, previews, workingCopies } from "../../schema/articles.ts";
import { isShown } from "../blogs/names.ts";
import { isOwnArticle } from "./conditions.ts";
import { ORIGIN_OF_COPY } from "./origins.ts";
import { isReachableArticle } from "../core/reach.ts";

const PREVIEW = {
  _id: previews.id,
  articleId: previews.articleId,
  actor: { kind: previews.actorKind, id: previews.actorId },
  creationTime: previews.creationTime,
  expirationTime: previews.expirationTime,
};

export type PreviewRecord = SelectResultFields<typeof PREVIEW>;

export type NewPreview = {
  readonly articleId: string;
  readonly hash: string;
  readonly expirationTime: string;
  /** Returns the response to store for a repeated call. It contains the token, so it must already be sealed. */
  readonly answer: (record: PreviewRecord) => Promise<string>;
};

/** Stores a preview link. Throws `not_found`, and `preview_limit` if article or organization have too many in force. */
export async function createPreview(writer: Writer, preview: NewPreview): Promise<PreviewRecord> {
  const license = makeLicense(writer);
  const { articleId, hash, expirationTime } = preview;
  const actor = { kind: getAuditKind(writer.actor), id: writer.actor.id };
  const record = { _id: newId(), articleId, actor, creationTime: license.time, expirationTime };
  const target = isOwnArticle(writer, articleId);
  const answer = writer.idempotency === undefined ? "" : await preview.answer(record);
  const outcome = await commit(writer, license, {
    action: "previews.create",
    resourceId: record._id,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${articles} where ${joinAnd(
      target,
      hasFewerThan(LIMITS.previewsOfArticle, license.time, sql`${previews.articleId} = ${articleId}`),
      hasFewerThan(LIMITS.previews, license.time, sql`${previews.organizationId} = ${writer.organizationId}`),
    )}`,
    change: ({ held }) => [
      insertWhere(
        previews,
        {
          id: record._id,
          organizationId: writer.organizationId,
          blogId: sql`${articles.blogId}`,
          articleId,
          tokenHash: hash,
          actorKind: actor.kind,
          actorId: actor.id,
          creationTime: license.time,
          expirationTime,
        },
        sql`from ${articles} where ${articles.id} = ${articleId} and ${held}`,
      ),
    ],
    answer: sql`${answer}`,
    diagnose: sql`select 1 from ${articles} where ${target}`,
  });
  if (!outcome.refused) return record;
  throw new DomainError(outcome.diagnosis.length === 0 ? "not_found" : "preview_limit");
}

const hasFewerThan = (most: number, time: string, which: SQL): SQL =>
  sql`(select count(*) from (select 1 from ${previews} where ${joinAnd(which, isUsable(time))} limit ${most})) < ${most}`;

/** Returns the condition that a link works: it has not ended, and its maker may still write articles. */
const isUsable = (time: string): SQL =>
  joinAnd(sql`${previews.expirationTime} > ${time}`, mayStillWrite(previews, time));

/** Returns the working links to an article, newest first. Throws `not_found`. There are few, so there are no pages. */
export async function listPreviews(writer: Writer, articleId: string): Promise<PreviewRecord[]> {
  const time = writer.now().toISOString();
  const { reach, found } = await runTransaction(writer.db, {
    reach: sql`select 1 from ${articles} where ${isOwnArticle(writer, articleId)}`,
    found: builder
      .select(PREVIEW)
      .from(previews)
      .where(and(eq(previews.articleId, articleId), eq(previews.organizationId, writer.organizationId), isUsable(time)))
      .orderBy(sql`${previews.id} desc`),
  });
  if (reach.length === 0) throw new DomainError("not_found");
  return found;
}

/** Deletes a link, so that it works no more. Throws `not_found`. */
export async function revokePreview(writer: Writer, articleId: string, id: string): Promise<void> {
  const outcome = await commit(writer, makeLicense(writer), {
    action: "previews.revoke",
    resourceId: id,
    blogId: sql`${previews.blogId}`,
    where: sql`from ${previews} join ${articles} on ${articles.id} = ${previews.articleId}
      where ${joinAnd(sql`${previews.id} = ${id}`, sql`${previews.articleId} = ${articleId}`, isReachableArticle(writer))}`,
    change: ({ held }) => [builder.delete(previews).where(and(eq(previews.id, id), held))],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
  });
  if (outcome.refused) throw new DomainError("not_found", "There is no such article, or it has no such preview link.");
}

/** What a link shows: the article, and when the link ends. */
export type Previewed = {
  readonly article: ArticleRecord;
  readonly expirationTime: string;
  readonly tags: readonly string[];
  readonly authors: readonly string[];
  readonly isChanged: boolean;
  /** With the changes of the working copy. */
  readonly origin: Origin;
};

/**
 * Returns what the link with this token's hash shows: the stored article, with the changes of its working copy if it
 * has one. Returns null if there is no such link, if it has ended, if its maker may no longer write articles, or if the blog is hidden. `read`
 * must not lag behind writes.
 */
export async function previewedArticle(read: Reader, hash: string, now: Date): Promise<Previewed | null> {
  const time = now.toISOString();
  const [row] = await read<PreviewedRow>(
    sql`select ${selectColumns(undefined)}, ${previews.expirationTime} as "expirationTime",
        ${TAGS} as "tags", ${AUTHORS} as "authors", ${workingCopies.members} as "changedMembers", ${workingCopies.content} as "changedContent",
        iif(${workingCopies.version} is null, ${articles.origin}, ${ORIGIN_OF_COPY}) as "origin"
      from ${previews} join ${articles} on ${articles.id} = ${previews.articleId}
      left join ${workingCopies} on ${workingCopies.articleId} = ${articles.id}
      where ${previews.tokenHash} = ${hash} and ${isShown(previews.blogId)} and ${isUsable(time)}`,
  );
  return row === undefined ? null : toPreviewed(row);
}

type PreviewedRow = Omit<ArticleRow, "origin"> & {
  origin: string | null;
  expirationTime: string;
  tags: string;
  authors: string;
  /** The members that the working copy changes, as JSON; null if there is none. */
  changedMembers: string | null;
  changedContent: string | null;
};

function toPreviewed({
  expirationTime,
  changedMembers,
  changedContent,
  tags,
  authors,
  origin,
  ...row
}: PreviewedRow): Previewed {
  const { value } = toArticle(row);
  const changed = JSON.parse(changedMembers ?? "{}") as Partial<ArticleRecord> & GivenTerms;
  const members = Object.entries(changed).filter(([name]) => name in ARTICLE_COLUMNS);
  const article = { ...value, ...Object.fromEntries(members), content: changedContent ?? value.content };
  return {
    article,
    expirationTime,
    tags: toNames(changed.tags, tags),
    authors: toNames(changed.authors, authors),
    isChanged: changedMembers !== null,
    origin: toOrigin(origin === null ? null : (JSON.parse(origin) as GeneratedOrigin)),
  };
}

/** Returns the names of the working copy's terms, or of the stored ones, which are JSON text. */
const toNames = (given: readonly NamedTerm[] | undefined, stored: string): string[] =>
  (given ?? (JSON.parse(stored) as NamedTerm[])).map(({ name }) => name);
