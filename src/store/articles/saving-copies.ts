/** Saves and discards working copies (contract 18.11). What is replaced or discarded is kept as a former revision. */
import { and, sql, type SQL } from "drizzle-orm";
import { TEXTS } from "../../domain/article-fields.ts";
import { DomainError } from "../../domain/errors.ts";
import { serializeSeo } from "../../domain/seo.ts";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { utf8Length } from "../../lib/text.ts";
import { pick } from "../../lib/pick.ts";
import { articles, revisions, workingCopies } from "../../schema/articles.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import { matchPartVersion, matchVersion } from "../core/preconditions.ts";
import { answerFits, growthFits, checkQuota, selectUsage } from "../core/quota.ts";
import { joinAnd, toColumnName, builder, queryFirstRow, insertWhere, jsonObject, type Statement } from "../core/sql.ts";
import { isOwnArticle, storeAs } from "./conditions.ts";
import { computeApplicationOfCopy, ORIGIN_OF_COPY } from "./origins.ts";
import { packContent, KEPT, PRESENT, pruneRevisions, deleteSuperseded } from "./revisions.ts";
import { selectFirstUnmet, type Condition } from "./update-conditions.ts";
import { continuesRevision, LAST_END } from "./autosaving.ts";
import {
  CONTENT,
  selectCopy,
  deleteCopy,
  findWorkingCopy,
  JOINED,
  makeCopyNotFoundError,
  toRecord,
  VALUE,
  type CopyShown,
  type DraftFields,
  type WorkingCopy,
} from "./working-copies.ts";

export type DraftChange = {
  readonly articleId: string;
  readonly fields: DraftFields;
  /** Versions of the working copy, or of the article if it has none yet. */
  readonly ifMatch: IfMatch | undefined;
  /** The version that the article must still have. */
  readonly ofArticle?: string;
  /** What a repeated call gets in place of the working copy. */
  readonly answer?: object;
  /** What else is checked and written in the same transaction. */
  readonly extras?: SaveExtras | undefined;
};

export type SaveExtras = {
  readonly conditions: readonly Condition[];
  readonly change: (license: License) => readonly Statement[];
  /** The model that wrote the texts. */
  readonly model: string;
};

/** How often a save is tried if somebody else saves the working copy at the same moment. */
const MOST_TRIES = 10;

/**
 * Saves the given fields in the article's working copy, and returns it. Begins one if there is none. If it already has
 * these fields, it writes nothing and sets `uncommitted`, so that no version becomes outdated. Keeps the former state,
 * unless the save continues it (autosaving.ts). Throws `not_found`, `precondition_failed`, `article_not_published` and
 * `quota_exceeded`.
 */
export async function saveWorkingCopy(
  writer: Writer,
  change: DraftChange,
): Promise<Versioned<WorkingCopy> & { readonly uncommitted?: true }> {
  for (let tries = 1; ; tries++) {
    const before = await readBefore(writer, change.articleId);
    const saved = await save(writer, change, before, await planKeeping(writer, change, before));
    if (saved !== null) return saved;
    if (tries === MOST_TRIES) throw new DomainError("precondition_failed", "It was saved at the same moment.");
  }
}

/** `began` is when its current state began. */
type Before = CopyShown & { readonly began: string };

const readBefore = (writer: Writer, articleId: string): Promise<Before | null> =>
  queryFirstRow<Before>(
    writer.db,
    selectCopy(
      isOwnArticle(writer, articleId),
      sql`max(coalesce(${LAST_END}, ''), ${workingCopies.creationTime}) as "began"`,
    ),
  );

/** Returns the statements that keep the state before a save, or the one that lets this save replace the last one. */
async function planKeeping(
  writer: Writer,
  { articleId, fields }: DraftChange,
  before: Before | null,
): Promise<(license: License) => readonly Statement[]> {
  if (before === null) return () => [];
  const { value, version } = toRecord(before);
  const { actor } = writer;
  // Only the console autosaves: each save of a program or an agent is deliberate.
  const isOwn = actor.kind === "user" && value.by.kind === getAuditKind(actor) && value.by.id === actor.id;
  if (continuesRevision(writer, { ...value, began: before.began, isOwn: Number(isOwn) }, fields)) {
    return (license) => [deleteSuperseded(writer, version, license)];
  }
  if (!isKept(value, fields)) return () => [];
  // With its content, even if the save keeps it.
  const { stored } = await packContent({ version, content: value.content }, null);
  return (license) => storeFormerCopy(articleId, sql`${stored}`, license);
}

/** Tags, authors and the publication time are not part of a revision. */
function isKept(before: WorkingCopy, { seo, ...fields }: DraftFields): boolean {
  const isChanged = TEXTS.some((name) => fields[name] !== undefined && fields[name] !== before[name]);
  return isChanged || (seo !== undefined && serializeSeo(seo) !== serializeSeo(before.seo));
}

/** The fields of a working copy that a former revision keeps, except its content. */
const KEPT_OF_COPY = {
  ...Object.fromEntries(
    Object.entries(KEPT).map(([name, column]) => [
      name,
      sql`coalesce(${workingCopies.members} ->> ${sql.raw(`'$.${name}'`)}, ${column})`,
    ]),
  ),
  origin: sql`(${ORIGIN_OF_COPY}) || ''`,
};

/**
 * Returns the statements that keep the current state of a working copy as a former revision of its article, under the
 * next number. They must run before the copy changes, and leave the article's version and times as they are.
 */
const storeFormerCopy = (articleId: string, content: SQL, license: License): Statement[] => [
  insertWhere(
    revisions,
    {
      articleId: articles.id,
      number: PRESENT,
      organizationId: articles.organizationId,
      published: 0,
      lasting: 0,
      members: jsonObject(KEPT_OF_COPY),
      action: "articles.saveDraft",
      ...pick(workingCopies, ["actorKind", "actorId", "lastEditTime"]),
      endTime: license.time,
      content,
      workingCopy: 1,
    },
    sql`${JOINED} where ${articles.id} = ${articleId} and ${license.held}`,
  ),
  sql`update ${articles} set ${toColumnName(articles.revision)} = ${PRESENT} + 1 where ${articles.id} = ${articleId} and ${license.held}`,
  pruneRevisions(articleId, license),
];

/** Returns null if the working copy is not the one that was read. */
async function save(
  writer: Writer,
  change: DraftChange,
  before: Before | null,
  keep: (license: License) => readonly Statement[],
): Promise<(Versioned<WorkingCopy> & { readonly uncommitted?: true }) | null> {
  const { articleId, fields, ifMatch, ofArticle, answer, extras } = change;
  const license = makeLicense(writer);
  const which = isOwnArticle(writer, articleId);
  const { content, ...members } = fields;
  const room = buildRoomConditions(writer, JSON.stringify(members), content);
  const from = sql`from ${articles} left join ${workingCopies} on ${workingCopies.articleId} = ${articles.id}`;
  const matches = [
    ...matchPartVersion(workingCopies.version, articles.version, ifMatch),
    ...matchVersion(articles.version, ofArticle === undefined ? undefined : [ofArticle]),
  ];
  const differs = differsFromCopy(JSON.stringify(members), content);
  const further = (extras?.conditions ?? []).map(({ holds }) => holds);
  const isRead = sql`${workingCopies.version} is ${before?.rowVersion ?? null}`;
  const outcome = await commit(writer, license, {
    action: "articles.saveDraft",
    resourceId: articleId,
    blogId: sql`${articles.blogId}`,
    where: sql`${from} where ${joinAnd(which, sql`${articles.published} = 1`, ...matches, isRead, differs, ...room.holds, ...further)}`,
    change: () => ({
      before: [...keep(license), ...writeCopy(writer, change, license), ...(extras?.change(license) ?? [])],
      returning: selectCopy(which),
      again: () => selectCopy(which),
    }),
    answer: answer === undefined ? sql`(select ${ANSWER} ${JOINED} where ${which})` : storeAs(answer, license),
    ...(content === undefined && { answerContent: sql`(select ${CONTENT} ${JOINED} where ${which})` }),
    diagnose: sql<Diagnosed>`select ${articles.version} as "articleVersion", ${workingCopies.version} as "copyVersion",
        ${articles.published}, ${differs} as "differs", ${selectFirstUnmet(further)} as "unmet", ${room.found} ${from} where ${which}`,
  });
  if (!outcome.refused) return toRecord(outcome.row);
  const [found] = outcome.diagnosis;
  if (found === undefined) throw new DomainError("not_found", "There is no such article.");
  requireSavable(change, found);
  if (found.copyVersion !== (before?.rowVersion ?? null)) return null;
  const stored = found.differs === 0 ? await findWorkingCopy(writer, articleId) : null;
  if (stored !== null) return { value: stored.value, version: stored.version, uncommitted: true };
  const added = { articleBytes: found.growth, answerBytes: found.copied };
  throw checkQuota(writer, found.usage, added) ?? new DomainError("quota_exceeded");
}

/** Throws why a save was refused, unless that is the quota, or that it changes nothing or another state. */
function requireSavable({ ifMatch, ofArticle, extras }: DraftChange, found: Diagnosed): void {
  const { copyVersion, articleVersion, published, unmet } = found;
  const isMissed = ifMatch === "*" ? copyVersion === null : isStale(ifMatch, copyVersion ?? articleVersion);
  if (isMissed) throw new DomainError("precondition_failed");
  if (published === 0) throw new DomainError("article_not_published");
  if (ofArticle !== undefined && articleVersion !== ofArticle) throw new DomainError("precondition_failed");
  const further = unmet === null ? undefined : extras?.conditions[unmet];
  if (further !== undefined) throw further.refusal;
}

/** Returns the condition, on an article and its working copy if any, that saving these fields changes something. */
const differsFromCopy = (members: string, content: string | undefined): SQL => sql`(${workingCopies.version} is null
  or json_patch(${workingCopies.members}, ${members}) <> ${workingCopies.members}
  or ${content === undefined ? sql`false` : sql`${workingCopies.content} is not ${content}`})`;

type Diagnosed = {
  readonly articleVersion: string;
  readonly copyVersion: string | null;
  readonly published: number;
  readonly differs: number;
  readonly unmet: number | null;
  readonly growth: number;
  readonly copied: number;
  readonly usage: string;
};

const ANSWER = jsonObject({ value: VALUE, version: sql`${workingCopies.version}` });

/** Returns the conditions that the quota has room for what is saved, and the columns that explain a refusal. */
function buildRoomConditions(writer: Writer, members: string, content: string | undefined) {
  const before = sql`coalesce(octet_length(${workingCopies.members}) + coalesce(octet_length(${workingCopies.content}), 0), 0)`;
  const merged = sql`octet_length(json_patch(coalesce(${workingCopies.members}, '{}'), ${members}))`;
  const contentBytes =
    content === undefined ? sql`coalesce(octet_length(${workingCopies.content}), 0)` : sql`${utf8Length(content)}`;
  const growth = sql`(${merged} + ${contentBytes} - ${before})`;
  const copied = writer.idempotency !== undefined && content === undefined && sql`octet_length(${CONTENT})`;
  return {
    holds: [growthFits(writer, growth), copied && answerFits(writer, copied)],
    found: sql`${growth} as "growth", ${copied || 0} as "copied", ${selectUsage(writer)} as "usage"`,
  };
}

/**
 * Returns the statements that save these fields: one begins a working copy if there is none, the other changes it. An
 * upsert would not do: its conflict rule overrides those of the triggers, so an image that is shown already would be a
 * conflict.
 */
function writeCopy(
  writer: Writer,
  { articleId: id, fields, extras }: Pick<DraftChange, "articleId" | "fields" | "extras">,
  license: License,
): Statement[] {
  const { actor } = writer;
  const { content, ...members } = fields;
  const saved = {
    version: license.id,
    actorKind: getAuditKind(actor),
    actorId: actor.id,
    lastEditTime: license.time,
  };
  const isIts = sql`${workingCopies.articleId} = ${id}`;
  return [
    insertWhere(
      workingCopies,
      {
        ...saved,
        articleId: articles.id,
        organizationId: articles.organizationId,
        members: "{}",
        baseVersion: articles.version,
        creationTime: license.time,
      },
      sql`from ${articles} where ${articles.id} = ${id} and ${license.held}
        and not exists (select 1 from ${workingCopies} where ${isIts})`,
    ),
    builder
      .update(workingCopies)
      .set({
        ...saved,
        members: sql`json_patch(${workingCopies.members}, ${JSON.stringify(members)})`,
        application: extras?.model ?? computeApplicationOfCopy(writer, fields),
        content,
      })
      .where(and(isIts, license.held)),
  ];
}

/** Deletes a working copy, which stays as a former revision. Throws `not_found` and `precondition_failed`. */
export async function discardWorkingCopy(
  writer: Writer,
  articleId: string,
  ifMatch: IfMatch | undefined,
): Promise<void> {
  const license = makeLicense(writer);
  const which = isOwnArticle(writer, articleId);
  const outcome = await commit(writer, license, {
    action: "articles.discardDraft",
    resourceId: articleId,
    blogId: sql`${articles.blogId}`,
    where: sql`${JOINED} where ${joinAnd(which, ...matchVersion(workingCopies.version, ifMatch))}`,
    change: () => [...storeFormerCopy(articleId, CONTENT, license), deleteCopy(articleId, license)],
    answer: sql`json_object('value', json_object('_id', ${articleId}))`,
    diagnose: sql`select ${workingCopies.version} ${JOINED} where ${which}`,
  });
  if (outcome.refused)
    throw outcome.diagnosis.length > 0 ? new DomainError("precondition_failed") : makeCopyNotFoundError();
}
