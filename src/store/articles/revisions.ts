/**
 * Former revisions of articles (contract 18.7). An update stores the revision that it replaces, in its own transaction.
 * The revisions of an article are numbered; its current one has the highest number and no row here.
 *
 * A content is stored once, with the newest of the revisions that have it: a revision without content has that of the
 * next newer one, and the newest has that of the article. So a revision must not be deleted before the older ones that
 * need its content ({@link isFree}). States of working copies are also here (saving-copies.ts). Each has its own
 * content, and no other revision needs it.
 */
import type { FormerContent } from "./update-conditions.ts";
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { TEXTS, fillTexts, type TextName, type Written } from "../../domain/article-fields.ts";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { NO_SEO, type Seo } from "../../domain/seo.ts";
import { gzip } from "../../lib/gzip.ts";
import { utf8Length } from "../../lib/text.ts";
import { pick } from "../../lib/pick.ts";
import type { License } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import { audit } from "../../schema/core.ts";
import { articles, revisions } from "../../schema/articles.ts";
import { toColumnName, queryFirstRow, insertWhere, jsonObject, runTransaction, type Statement } from "../core/sql.ts";
import { differs, type ArticleChange } from "./update-conditions.ts";
import { isOwnArticle } from "./conditions.ts";

/** The fields of an article that a former revision keeps, except its content. */
export const KEPT = pick(articles, [...TEXTS.filter((name) => name !== "content"), "seo", "origin"]);

/** `seo` and `origin` are as they are stored. Old revisions lack newer fields. */
type Kept = Partial<Record<TextName, string>> & { readonly seo?: string | null; readonly origin?: string | null };

/** Who made a revision, and by which operation of the audit log. */
export type Maker = { readonly kind: string; readonly id: string; readonly action: string };

export type RevisionRecord = Omit<Written, "content"> & {
  readonly articleId: string;
  readonly number: number;
  readonly published: boolean;
  /** Whether it is a state of the working copy, which readers have not seen. */
  readonly workingCopy: boolean;
  /** Null if the audit log no longer said so when the next revision replaced it. */
  readonly by: Maker | null;
  readonly lastEditTime: string;
  readonly endTime: string;
};

/** An article before an update. */
export type Present = { readonly version: string; readonly content: string };

/** Reads what an update of the content is about to replace. Returns null if there is no such article. */
export const readPresent = (writer: Writer, id: string): Promise<Present | null> =>
  queryFirstRow<Present>(
    writer.db,
    sql`select ${articles.version}, ${articles.content} from ${articles} where ${isOwnArticle(writer, id)}`,
  );

/** Returns the replaced content, compressed if smaller; `stored` is null if it stays, but not for `next` null. */
export async function packContent(
  { version, content }: Present,
  next: string | null | undefined,
): Promise<FormerContent> {
  if (next === undefined || next === content) return { version, stored: null };
  const compressed = await gzip(content);
  return { version, stored: compressed.byteLength < utf8Length(content) ? compressed : content };
}

/** The number of an article's current revision. */
export const PRESENT = sql<number>`coalesce(${articles.revision}, 1)`;

/**
 * Returns an expression, on the article's row before a change: 1 if the change has to keep the current revision, else
 * 0. Without tags and authors it is always 1, because an update that changes nothing is not written. With tags or
 * authors, an update may change only these, which are not part of a revision.
 */
export const isKept = ({ fields, terms = {} }: Pick<ArticleChange, "fields" | "terms">): SQL =>
  terms.tags === undefined && terms.authors === undefined ? sql`1` : sql`(${differs(fields)})`;

const older = alias(revisions, "older");

/** Returns a column of the article's next older revision, on a row of `revisions` or, with `of`, of `articles`. */
const selectOlder = (
  column: SQL,
  of: { articleId: SQL; number?: SQL },
): SQL => sql`(select ${column} from ${revisions} ${older}
  where ${older.articleId} = ${of.articleId} and ${older.workingCopy} = 0 ${of.number === undefined ? sql`` : sql`and ${older.number} < ${of.number}`}
  order by ${older.number} desc limit 1)`;

/** The condition, on a row of `revisions`, that no older revision needs its content. */
export const isFree = sql`(${revisions.content} is null or ${revisions.workingCopy} = 1 or coalesce(${selectOlder(
  sql`${older.content} is not null`,
  {
    articleId: sql`${revisions.articleId}`,
    number: sql`${revisions.number}`,
  },
)}, 1))`;

/**
 * Returns the statement that stores the current revision of an article as a former one. It must run before the article
 * changes, and the change must add {@link isKept} to `revision`. `former` is undefined if the update keeps the content.
 * If the article has changed since `former` was read, its content is stored uncompressed.
 */
export function storeFormerRevision(
  change: Pick<ArticleChange, "id" | "fields" | "terms">,
  license: License,
  former: FormerContent | null | undefined,
): Statement {
  const { id } = change;
  const content = former
    ? sql`case when ${articles.version} = ${former.version} then ${former.stored} else ${articles.content} end`
    : sql`${former === undefined ? null : articles.content}`;
  const needed = selectOlder(sql`${older.lasting} and ${older.content} is null`, { articleId: sql`${articles.id}` });
  const row = {
    articleId: articles.id,
    number: PRESENT,
    organizationId: articles.organizationId,
    published: articles.published,
    lasting: sql`max(${articles.published}, coalesce(${needed}, 0))`,
    members: jsonObject(KEPT),
    ...pick(audit, ["actorKind", "actorId", "action"]),
    lastEditTime: sql`iif(${articles.stateVersion} is null, ${articles.lastEditTime},
      coalesce(${audit.creationTime}, ${articles.lastEditTime}))`,
    endTime: license.time,
    content,
  };
  const from = sql`from ${articles} left join ${audit} on ${audit.organizationId} = ${articles.organizationId}
      and ${audit.id} = coalesce(${articles.stateVersion}, ${articles.version})
    where ${articles.id} = ${id} and ${license.held} and ${isKept(change)}`;
  return insertWhere(revisions, row, from);
}

/** So many of the newest revisions stay even if never public, so that text just typed over can be restored. */
const NEWEST = LIMITS.revisions / 2;

/**
 * Returns the statement that deletes the oldest revisions of an article if it has too many. Those that were not public
 * go first, so that hours of writing do not push out all others. No older revision needs their content. Revisions are
 * only counted once the number is high enough.
 */
export const pruneRevisions = (id: string, { held }: License): SQL =>
  sql`delete from ${revisions} where ${KEYS} in (
    select ${revisions.articleId}, ${revisions.number} from ${revisions} where ${revisions.articleId} = ${id}
    order by max(${revisions.lasting}, ${revisions.number} > ${selectNewestNumber(id)}), ${revisions.number} limit coalesce((
      select iif(${PRESENT} <= ${LIMITS.revisions + 1}, 0, max(0,
        (select count(*) from ${revisions} where ${revisions.articleId} = ${id}) - ${LIMITS.revisions}))
      from ${articles} where ${articles.id} = ${id}), 0)) and ${held}`;

const selectNewestNumber = (id: string): SQL =>
  sql`(select ${PRESENT} - ${NEWEST + 1} from ${articles} where ${articles.id} = ${id})`;

export const KEYS = sql`(${toColumnName(revisions.articleId)}, ${toColumnName(revisions.number)})`;

/** Deletes the audit entry of the previous save, whose id is its `version`, when a save continues a revision. */
export const deleteSuperseded = ({ organizationId }: Writer, version: string, { held }: License): SQL =>
  sql`delete from ${audit} where ${audit.organizationId} = ${organizationId} and ${audit.id} = ${version} and ${held}`;

export type RevisionRow = {
  readonly articleId: string;
  readonly number: number;
  readonly published: number;
  readonly workingCopy: number;
  readonly members: string;
  readonly actorKind: string | null;
  readonly actorId: string | null;
  readonly action: string | null;
  readonly lastEditTime: string;
  readonly endTime: string;
};

export const REVISION_COLUMNS = sql`${revisions.articleId} as "articleId", ${revisions.number}, ${revisions.published},
  ${revisions.workingCopy} as "workingCopy", ${revisions.members},
  ${revisions.actorKind} as "actorKind", ${revisions.actorId} as "actorId", ${revisions.action},
  ${revisions.lastEditTime} as "lastEditTime", ${revisions.endTime} as "endTime"`;

export function toRevision({
  members,
  published,
  workingCopy,
  actorKind,
  actorId,
  action,
  ...row
}: RevisionRow): RevisionRecord {
  const by = actorKind === null ? null : { kind: actorKind, id: actorId ?? "", action: action ?? "" };
  const { articleId, number, lastEditTime, endTime } = row;
  const { seo, origin: _origin, ...kept } = JSON.parse(members) as Kept;
  const { content: _, ...texts } = fillTexts(kept);
  return {
    articleId,
    number,
    ...texts,
    seo: seo ? (JSON.parse(seo) as Seo) : NO_SEO,
    published: published === 1,
    workingCopy: workingCopy === 1,
    by,
    lastEditTime,
    endTime,
  };
}

/** Returns the origin that the article had; undefined if the revision is older than what says so. */
export const readOrigin = ({ members }: Pick<RevisionRow, "members">): string | null | undefined =>
  (JSON.parse(members) as Kept).origin;

export const formatVersion = ({ articleId, number }: Pick<RevisionRow, "articleId" | "number">): string =>
  `${articleId}/${number}`;

/** Returns an article's former revisions without contents, newest first. Throws `not_found`. */
export async function listRevisions(writer: Writer, articleId: string): Promise<Versioned<RevisionRecord>[]> {
  const { reach, found } = await runTransaction(writer.db, {
    reach: sql`select 1 from ${articles} where ${isOwnArticle(writer, articleId)}`,
    found: sql<RevisionRow>`select ${REVISION_COLUMNS} from ${articles} cross join ${revisions}
      where ${isOwnArticle(writer, articleId)} and ${revisions.articleId} = ${articles.id} order by ${revisions.number} desc`,
  });
  if (reach.length === 0) throw new DomainError("not_found", "There is no such article.");
  return found.map((row) => ({ value: toRevision(row), version: formatVersion(row) }));
}
