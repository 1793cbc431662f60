/**
 * Working copies: changes of a published article that nobody but its writers sees until they are published (contract
 * 18.11). The row holds only the fields that were saved, so that publishing it is an ordinary update with these fields.
 * Saving touches neither the article nor its index, and fires no event.
 */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { NO_SEO, storedSeo, type Seo } from "../../domain/seo.ts";
import type { NamedTerm } from "../../domain/terms.ts";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { utf8Length } from "../../lib/text.ts";
import { articles, workingCopies } from "./schema.ts";
import { auditKind, commit, newLicence, type Licence, type Writer } from "../core/commit.ts";
import type { Versioned } from "../core/paging.ts";
import { partVersionIn, versionIn, type Optional } from "../core/preconditions.ts";
import { audit } from "../core/schema.ts";
import { answerFits, growthFits, quotaRefusal, usageOf } from "../core/quota.ts";
import { all, bare, firstRow, insertInto, jsonObject } from "../core/sql.ts";
import type { GivenTerms } from "../terms/assigning.ts";
import type { ArticleFields } from "./creating.ts";
import { ownArticle } from "./conditions.ts";

/** The fields that a working copy may have. */
export type DraftFields = Optional<Texts & { publishTime: string }> & GivenTerms;

type Texts = Required<Omit<ArticleFields, "published" | "publishTime" | "seo">> & { seo: Seo };

export type WorkingCopy = Texts & {
  readonly articleId: string;
  /** Only if they were saved. */
  readonly publishTime?: string;
  readonly tags?: NamedTerm[];
  readonly authors?: NamedTerm[];
  /** The names of the fields that were saved. */
  readonly changed: string[];
  /** Whether the article has changed since the working copy was begun. */
  readonly articleChanged: boolean;
  /** Who saved it last. */
  readonly by: { readonly kind: string; readonly id: string };
  readonly creationTime: string;
  readonly lastEditTime: string;
};

/** The article with the saved fields, and what is known of the working copy, as JSON; `content` is empty. */
const VALUE = sql`json_patch(json_patch(${jsonObject({
  articleId: articles.id,
  title: articles.title,
  description: articles.description,
  content: sql`''`,
  slug: articles.slug,
  locale: articles.locale,
  coverUrl: articles.coverUrl,
  seo: sql`json(coalesce(${articles.seo}, ${JSON.stringify(NO_SEO)}))`,
})}, ${workingCopies.members}), ${jsonObject({
  changed: sql`(select json_group_array(name) from (select key as name from json_each(${workingCopies.members})
    union all select 'content' where ${workingCopies.content} is not null))`,
  articleChanged: sql`json(case when ${workingCopies.baseVersion} = ${articles.version} then 'false' else 'true' end)`,
  by: jsonObject({ kind: workingCopies.actorKind, id: workingCopies.actorId }),
  creationTime: workingCopies.creationTime,
  lastEditTime: workingCopies.lastEditTime,
})})`;

const CONTENT = sql`coalesce(${workingCopies.content}, ${articles.content})`;

/** `FROM` an article with its working copy. */
export const JOINED = sql`from ${articles} join ${workingCopies} on ${workingCopies.articleId} = ${articles.id}`;

type Row = {
  readonly value: string;
  readonly content: string;
  readonly rowVersion: string;
  readonly articleVersion: string;
};

const query = (which: SQL): SQL<Row> =>
  sql<Row>`select ${VALUE} as "value", ${CONTENT} as "content", ${workingCopies.version} as "rowVersion",
    ${articles.version} as "articleVersion" ${JOINED} where ${which}`;

const toRecord = ({ value, content, rowVersion }: Row): Versioned<WorkingCopy> => ({
  value: { ...(JSON.parse(value) as WorkingCopy), content },
  version: rowVersion,
});

/**
 * Returns the working copy of an article that the writer may touch, or null if it has none. `state` is the version of the
 * article: what the working copy shows of the fields that were not saved changes with it.
 */
export async function findWorkingCopy(
  writer: Writer,
  articleId: string,
): Promise<(Versioned<WorkingCopy> & { readonly state: string }) | null> {
  const row = await firstRow<Row>(writer.db, query(ownArticle(writer, articleId)));
  return row && { ...toRecord(row), state: row.articleVersion };
}

/** A working copy as its row has it. */
export type CopyRow = { readonly members: string; readonly content: string | null; readonly version: string };

/** Returns what a working copy gives its article. */
export function givenBy({ members, content }: CopyRow) {
  const { seo, tags, authors, ...fields } = JSON.parse(members) as DraftFields;
  return {
    fields: { ...fields, ...(seo && { seo: storedSeo(seo) }), ...(content !== null && { content }) },
    terms: { tags, authors },
  };
}

/** Returns the condition, on a row of `articles`, that its working copy is the one that was read: a renamed tag changes it, too. */
export const isCopy = ({ version, members }: CopyRow): SQL =>
  sql`exists (select 1 from ${workingCopies} where ${workingCopies.articleId} = ${articles.id}
    and ${workingCopies.version} = ${version} and ${workingCopies.members} = ${members})`;

/** The bytes that the working copy of an article takes, on a row of `articles`. */
export const COPY_BYTES = sql`coalesce((select octet_length(${workingCopies.members}) + coalesce(octet_length(${workingCopies.content}), 0)
  from ${workingCopies} where ${workingCopies.articleId} = ${articles.id}), 0)`;

export type DraftChange = {
  readonly articleId: string;
  readonly fields: DraftFields;
  /** Versions of the working copy; of the article, if it has none yet. */
  readonly ifMatch: IfMatch | undefined;
};

/**
 * Saves the given fields in the article's working copy, and returns it. Begins one if there is none. If it has these
 * fields already, it writes nothing and sets `uncommitted`, so that nobody's version is outdated by it. Throws
 * `not_found`, `precondition_failed`, `article_not_published` and `quota_exceeded`.
 */
export async function saveWorkingCopy(
  writer: Writer,
  { articleId, fields, ifMatch }: DraftChange,
): Promise<Versioned<WorkingCopy> & { readonly uncommitted?: true }> {
  const licence = newLicence(writer);
  const which = ownArticle(writer, articleId);
  const { content, ...members } = fields;
  const room = roomFor(writer, JSON.stringify(members), content);
  const version = sql`coalesce(${workingCopies.version}, ${articles.version})`;
  const from = sql`from ${articles} left join ${workingCopies} on ${workingCopies.articleId} = ${articles.id}`;
  const matches = partVersionIn(workingCopies.version, articles.version, ifMatch);
  const differs = savingDiffers(JSON.stringify(members), content);
  const outcome = await commit(writer, licence, {
    action: "articles.saveDraft",
    resourceId: articleId,
    blogId: sql`${articles.blogId}`,
    where: sql`${from} where ${all(which, sql`${articles.published} = 1`, ...matches, differs, ...room.holds)}`,
    change: () => ({
      before: [...superseding(writer, articleId, licence), ...saving(writer, articleId, fields, licence)],
      returning: query(which),
      again: () => query(which),
    }),
    answer: sql`(select ${ANSWER} ${JOINED} where ${which})`,
    ...(content === undefined && { answerContent: sql`(select ${CONTENT} ${JOINED} where ${which})` }),
    diagnose: sql<Diagnosed>`select ${version} as "rowVersion", ${workingCopies.version} is not null as "hasCopy", ${articles.published}, ${differs} as "differs", ${room.found} ${from} where ${which}`,
  });
  if (!outcome.refused) return toRecord(outcome.row);
  const [found] = outcome.diagnosis;
  if (found === undefined) throw new DomainError("not_found", "There is no such article.");
  const isMissed = ifMatch === "*" ? found.hasCopy === 0 : isStale(ifMatch, found.rowVersion);
  if (isMissed) throw new DomainError("precondition_failed");
  if (found.published === 0) throw new DomainError("article_not_published");
  const stored = found.differs === 0 ? await findWorkingCopy(writer, articleId) : null;
  if (stored !== null) return { value: stored.value, version: stored.version, uncommitted: true };
  const added = { articleBytes: found.growth, answerBytes: found.copied };
  throw quotaRefusal(writer, found.usage, added) ?? new DomainError("quota_exceeded");
}

/** How long after a save the next one of the same member takes its place in the audit log, in milliseconds. */
const SUPERSEDED_MS = 10 * 60_000;

/**
 * Returns the statement that removes the audit entry of the last save, if a member goes on writing: the console saves
 * every few seconds. It has to run before the working copy changes, whose version is the id of that entry.
 */
function superseding({ actor, organizationId }: Writer, articleId: string, licence: Licence): SQL[] {
  if (actor.kind !== "user") return [];
  const since = new Date(Date.parse(licence.time) - SUPERSEDED_MS).toISOString();
  const last = sql`(select ${workingCopies.version} from ${workingCopies} where ${workingCopies.articleId} = ${articleId})`;
  return [
    sql`delete from ${audit} where ${all(
      sql`${audit.organizationId} = ${organizationId}`,
      sql`${audit.id} = ${last}`,
      sql`${audit.action} = 'articles.saveDraft'`,
      sql`${audit.actorKind} = ${auditKind(actor)}`,
      sql`${audit.actorId} = ${actor.id}`,
      sql`${audit.creationTime} > ${since}`,
      licence.held,
    )}`,
  ];
}

/** Returns the condition, on an article and its working copy if it has one, that saving these fields changes something. */
const savingDiffers = (members: string, content: string | undefined): SQL => sql`(${workingCopies.version} is null
  or json_patch(${workingCopies.members}, ${members}) <> ${workingCopies.members}
  or ${content === undefined ? sql`false` : sql`${workingCopies.content} is not ${content}`})`;

type Diagnosed = {
  readonly rowVersion: string;
  readonly hasCopy: number;
  readonly published: number;
  readonly differs: number;
  readonly growth: number;
  readonly copied: number;
  readonly usage: string;
};

const ANSWER = jsonObject({ value: VALUE, version: sql`${workingCopies.version}` });

/** Returns the conditions that the quota has room for what is saved, and the columns that explain a refusal. */
function roomFor(writer: Writer, members: string, content: string | undefined) {
  const before = sql`coalesce(octet_length(${workingCopies.members}) + coalesce(octet_length(${workingCopies.content}), 0), 0)`;
  const merged = sql`octet_length(json_patch(coalesce(${workingCopies.members}, '{}'), ${members}))`;
  const contentBytes =
    content === undefined ? sql`coalesce(octet_length(${workingCopies.content}), 0)` : sql`${utf8Length(content)}`;
  const growth = sql`(${merged} + ${contentBytes} - ${before})`;
  const copied = writer.idempotency !== undefined && content === undefined && sql`octet_length(${CONTENT})`;
  return {
    holds: [growthFits(writer, growth), copied && answerFits(writer, copied)],
    found: sql`${growth} as "growth", ${copied || 0} as "copied", ${usageOf(writer)} as "usage"`,
  };
}

const INTO_WORKING_COPIES = insertInto(workingCopies, [
  "articleId",
  "organizationId",
  "members",
  "baseVersion",
  "version",
  "actorKind",
  "actorId",
  "creationTime",
  "lastEditTime",
  "content",
]);

/**
 * Returns the statements that save these fields: one that begins a working copy if there is none, and one that changes it.
 * They are no upsert: the conflict rule of one overrides those of its triggers, so that a picture that is shown already
 * would be a conflict.
 */
function saving({ actor }: Writer, id: string, { content, ...members }: DraftFields, licence: Licence): SQL[] {
  const { members: stored, version, actorKind, actorId, lastEditTime, content: text } = workingCopies;
  const isIts = sql`${workingCopies.articleId} = ${id}`;
  return [
    sql`${INTO_WORKING_COPIES} select ${articles.id}, ${articles.organizationId}, '{}', ${articles.version}, ${licence.id},
        ${auditKind(actor)}, ${actor.id}, ${licence.time}, ${licence.time}, null
      from ${articles} where ${articles.id} = ${id} and ${licence.held}
        and not exists (select 1 from ${workingCopies} where ${isIts})`,
    sql`update ${workingCopies} set
        ${bare(stored)} = json_patch(${stored}, ${JSON.stringify(members)}), ${bare(version)} = ${licence.id},
        ${bare(actorKind)} = ${auditKind(actor)}, ${bare(actorId)} = ${actor.id}, ${bare(lastEditTime)} = ${licence.time}
        ${content === undefined ? sql`` : sql`, ${bare(text)} = ${content}`}
      where ${isIts} and ${licence.held}`,
  ];
}

/** Returns the statement that deletes a working copy. */
export const deletion = (articleId: string, licence: Licence): SQL =>
  sql`delete from ${workingCopies} where ${workingCopies.articleId} = ${articleId} and ${licence.held}`;

/** Deletes the working copy of an article. Throws `not_found` and `precondition_failed`. */
export async function discardWorkingCopy(
  writer: Writer,
  articleId: string,
  ifMatch: IfMatch | undefined,
): Promise<void> {
  const licence = newLicence(writer);
  const which = ownArticle(writer, articleId);
  const outcome = await commit(writer, licence, {
    action: "articles.discardDraft",
    resourceId: articleId,
    blogId: sql`${articles.blogId}`,
    where: sql`${JOINED} where ${all(which, ...versionIn(workingCopies.version, ifMatch))}`,
    change: () => [deletion(articleId, licence)],
    answer: sql`json_object('value', json_object('_id', ${articleId}))`,
    diagnose: sql`select ${workingCopies.version} ${JOINED} where ${which}`,
  });
  if (outcome.refused) throw outcome.diagnosis.length > 0 ? new DomainError("precondition_failed") : missing();
}

/** Returns the refusal where there is no working copy. */
export const missing = (): DomainError =>
  new DomainError("not_found", "There is no such article, or it has no working copy.");
