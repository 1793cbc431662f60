import { and, eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { pick } from "../../lib/pick.ts";
import { findArticle } from "./articles.ts";
import { AUTOSAVE, computeEventDue, prepareAutosave } from "./autosaving.ts";
import {
  addCopyDeletion,
  buildCopyConditions,
  listRefusedFields,
  readCopy,
  applyCopy,
  type Attempt,
} from "./beside.ts";
import { ARTICLE_ROW, toArticle, type ArticleRecord, type ArticleRow } from "./rows.ts";
import {
  addLocale,
  buildAnswer,
  isOwnArticle,
  buildArticleEvent,
  selectArticle,
  type Appearance,
  endApproval,
  makeArticleNotFoundError,
  storeAs,
} from "./conditions.ts";
import { commit, makeLicense, selectChanged, type Change, type License } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import {
  packContent,
  storeFormerRevision,
  isKept,
  PRESENT,
  pruneRevisions,
  readPresent,
  deleteSuperseded,
} from "./revisions.ts";
import { computeOrigin, hasTexts } from "./origins.ts";
import { makeRendering, readStored, selectStored, storeRendering } from "./renderings.ts";
import { endSchedule } from "./schedules.ts";
import { listDraftConditions, listFoldConditions } from "./drafts-only.ts";
import { articleRenderings, articles, workingCopies } from "../../schema/articles.ts";
import { planIndexing, indexNow } from "./search-index.ts";
import { joinAnd, toColumnName, builder } from "../core/sql.ts";
import { assignTerms } from "../terms/assigning.ts";
import {
  getAppearance,
  buildUpdateConditions,
  differs,
  explainUpdateRefusal,
  getReview,
  listChangedFields,
  type ArticleChange,
  type Diagnosed,
  type Preparation,
  type UpdateExtras,
} from "./update-conditions.ts";
import type { CopyRow } from "./working-copies.ts";

/** An article after an update. `uncommitted` is true if there was nothing to change, so nothing was written. */
export type Updated = Versioned<ArticleRecord> & { readonly uncommitted?: true };

/** The action of publishing a working copy, which may leave the article published as it was. */
export const PUBLISH_COPY = "articles.publishDraft";

/** How often an update is tried if the article or its working copy changes at the same moment. */
const MOST_TRIES = 10;

/**
 * Changes the given fields of an article, stores its former revision and its event `article.updated`, and returns the
 * article. If all given fields already have these values, it writes nothing and sets `uncommitted`. An article that is
 * or becomes a draft gets the fields of its working copy. Throws `not_found`, `precondition_failed`, `immutable_field`,
 * `quota_exceeded`, `slug_taken`, `term_limit`, an error on `locale` if the blog has too many locales,
 * `article_changed` for an autosave of a published article, and the errors of `extras.conditions`.
 */
export async function updateArticle(
  writer: Writer,
  change: ArticleChange,
  extras: UpdateExtras = {},
): Promise<Updated> {
  const moved = new DomainError("precondition_failed", "The article was changed at the same time.");
  const leftOut: string[] = [];
  let copy: CopyRow | null = null;
  for (let tries = 1; ; tries++) {
    const attempt = { copy, moved, isLast: tries === MOST_TRIES };
    const asked = applyCopy(change, copy, leftOut);
    try {
      const prepared = await prepare(writer, asked, extras, attempt);
      const further = [
        ...listDraftConditions(writer, asked),
        ...(copy === null ? [] : listFoldConditions(change, asked)),
        ...(extras.conditions ?? []),
        ...prepared.conditions,
        ...buildCopyConditions(change, attempt),
      ];
      return await update(writer, asked, prepared, {
        ...addCopyDeletion(change, extras, copy),
        conditions: further,
      });
    } catch (error) {
      const refused = listRefusedFields(copy, error).filter((name) => !leftOut.includes(name));
      leftOut.push(...refused);
      if (refused.length > 0) continue;
      if (error !== moved || attempt.isLast) throw error;
    }
    copy = await readCopy(writer, change);
  }
}

async function prepare(
  writer: Writer,
  change: ArticleChange,
  { isAutosave }: UpdateExtras,
  attempt: Attempt,
): Promise<Preparation> {
  const { content } = change.fields;
  if (isAutosave) return prepareAutosave(writer, change, attempt);
  if (content === undefined) return { former: undefined, conditions: [] };
  const present = await readPresent(writer, change.id);
  const former = present && (await packContent(present, content));
  return { former, rendering: await makeRendering(content), conditions: [] };
}

async function update(
  writer: Writer,
  change: ArticleChange,
  prepared: Preparation,
  extras: UpdateExtras,
): Promise<Updated> {
  const license = makeLicense(writer);
  const { id, fields } = change;
  const { isAutosave, action = isAutosave ? AUTOSAVE : nameAction(fields) } = extras;
  const appearance = getAppearance(fields);
  const { rendering } = prepared;
  const texts = { ...extras.texts, ...fields, ...(rendering && { text: rendering.text }) };
  // The sweep indexes autosaves.
  const index = isAutosave
    ? { columns: {}, rows: [], isLate: false }
    : planIndexing(id, writer.organizationId, texts, license);
  const outcome = await commit<ArticleRow, Diagnosed>(writer, license, {
    action,
    resourceId: id,
    blogId: sql`${articles.blogId}`,
    ...buildUpdateConditions(writer, change, appearance, extras),
    changed: listChangedFields(change, getReview(writer, fields, extras)),
    change: () => buildStatements(writer, change, { license, appearance, index, prepared, extras }),
    ...(!isAutosave && { event: buildArticleEvent("article.updated", isOwnArticle(writer, id)) }),
    ...(extras.answer === undefined
      ? buildAnswer(id, extras.isContentUnsent ? undefined : fields.content)
      : { answer: storeAs(extras.answer, license) }),
  });
  if (outcome.refused) {
    const refused = await explainUpdateRefusal(writer, outcome.diagnosis[0], change, extras);
    const stored = refused === null ? await findArticle(writer, { idOrSlug: id }) : null;
    if (stored === null) throw refused ?? makeArticleNotFoundError(id);
    return { ...(stored as Versioned<ArticleRecord>), uncommitted: true };
  }
  const { text, ...row } = outcome.row;
  const updated = toArticle(row);
  // Undefined if a response of D1 was lost. Then the sweep indexes the article.
  if (text !== undefined) indexLater(writer, updated, text);
  return updated;
}

/** Returns the action for the audit log, on the article's row before the update. */
const nameAction = ({ published }: ArticleChange["fields"]): string | SQL =>
  published === undefined
    ? "articles.update"
    : sql`iif(${articles.published} = ${Number(published)}, 'articles.update', ${published ? "articles.publish" : "articles.unpublish"})`;

type Parts = {
  readonly license: License;
  readonly appearance: Appearance | undefined;
  readonly index: ReturnType<typeof planIndexing>;
  readonly prepared: Preparation;
  readonly extras: UpdateExtras;
};

/** Returns the statements of an update. Those before the change need the article's old row. */
function buildStatements(writer: Writer, change: ArticleChange, parts: Parts): Change<ArticleRow> {
  const { license, appearance, index, prepared, extras } = parts;
  const { id, fields, terms = {} } = change;
  const { rendering, continued } = prepared;
  return {
    before: [
      ...(appearance === undefined ? [] : addLocale(id, license, appearance)),
      ...(fields.published === undefined || extras.publishTime !== undefined
        ? []
        : [endSchedule(id, fields.published, license)]),
      ...(fields.published === undefined
        ? []
        : [endApproval(id, license, extras.action === PUBLISH_COPY ? undefined : fields.published)]),
      // An update that frees the bytes of the working copy also deletes it.
      ...(extras.freed === undefined ? carryWorkingCopy(change, license) : []),
      continued === undefined
        ? storeFormerRevision(change, license, prepared.former)
        : deleteSuperseded(writer, continued, license),
      ...(rendering === undefined ? [] : [storeRendering(writer, id, rendering, license)]),
    ],
    returning: updateRow(writer, change, parts),
    again: () => selectArticle(id),
    after: [
      ...(continued === undefined ? [pruneRevisions(id, license)] : []),
      ...index.rows,
      ...assignTerms(id, terms, license),
      ...(extras.change?.(license) ?? []),
    ],
  };
}

/**
 * Returns the statement that keeps the working copy from becoming outdated: new tags or authors alone leave the texts
 * as they are. It must run before the article changes.
 */
function carryWorkingCopy({ id, fields, terms = {} }: ArticleChange, { id: version, held }: License): SQL[] {
  if (terms.tags === undefined && terms.authors === undefined) return [];
  const base = sql`(select ${articles.version} from ${articles} where ${articles.id} = ${id} and not ${differs(fields)})`;
  return [
    sql`update ${workingCopies} set ${toColumnName(workingCopies.baseVersion)} = ${version}
      where ${workingCopies.articleId} = ${id} and ${workingCopies.baseVersion} = ${base} and ${held}`,
  ];
}

/** Replaces the article's row in the full text index after the response. If that fails, the sweep does it. */
function indexLater(
  writer: Writer,
  { value: { _id: id, title, description, content }, version }: Versioned<ArticleRecord>,
  text: string | null,
): void {
  const article = { id, organizationId: writer.organizationId, version, title, description, content };
  writer.afterwards("search index", () => indexNow(writer.db, [{ ...article, text: readStored("text", text) }]));
}

const RENDERED_TEXT = sql<string | null>`(select ${selectStored(articleRenderings.text)} from ${articleRenderings}
  where ${articleRenderings.articleId} = ${articles.id})`;

function updateRow(
  writer: Writer,
  { id, fields, terms }: ArticleChange,
  { index, license, prepared: { continued, rendering }, extras }: Parts,
) {
  const kept = continued === undefined ? isKept({ fields, terms }) : sql`0`;
  return builder
    .update(articles)
    .set({
      ...fields,
      ...index.columns,
      packed: rendering?.packed,
      published: fields.published === undefined ? undefined : Number(fields.published),
      publicTime: computePublicTime(fields, license),
      publishTime: fields.publishTime ?? computePublishTime(fields, extras.publishTime ?? license.time),
      origin: computeOrigin(writer, {
        textsDiffer: hasTexts(fields) ? differs(pick(fields, ["title", "description", "content"])) : undefined,
        others: extras.othersTexts,
        restored: extras.restoredOrigin,
        time: license.time,
        review: getReview(writer, fields, extras),
      }),
      revision: sql`${PRESENT} + ${kept}`,
      stateVersion:
        continued === undefined
          ? sql`iif(${kept}, null, coalesce(${articles.stateVersion}, ${articles.version}))`
          : null,
      eventDue: extras.isAutosave ? computeEventDue(license) : null,
      untold: extras.isAutosave ? selectChanged(writer.organizationId, license.id) : null,
      version: license.id,
      lastEditTime: license.time,
    })
    .where(and(eq(articles.id, id), license.held))
    .returning({ ...ARTICLE_ROW, ...(index.isLate && { text: RENDERED_TEXT }) });
}

/**
 * Returns the new `public_time` as an SQL expression; undefined if it does not change. An article that stays published
 * with the same slug and locale keeps its time. A draft has NULL. Otherwise the time is that of the write.
 */
function computePublicTime({ published, slug, locale }: ArticleChange["fields"], license: License): SQL | undefined {
  if (published === undefined && slug === undefined && locale === undefined) return undefined;
  const stays = joinAnd(
    sql`${articles.published} = 1`,
    slug !== undefined && sql`${articles.slug} = ${slug}`,
    locale !== undefined && sql`${articles.locale} = ${locale}`,
  );
  const isPublished = published === undefined ? sql`${articles.published} = 1` : sql`${Number(published)} = 1`;
  return sql`case when ${isPublished} then case when ${stays} then ${articles.publicTime} else ${license.time} end end`;
}

/** Returns the new `publish_time`; undefined if it stays. The first publication sets it, and nothing clears it. */
const computePublishTime = ({ published }: ArticleChange["fields"], time: string): SQL | undefined =>
  published === true ? sql`coalesce(${articles.publishTime}, ${time})` : undefined;
