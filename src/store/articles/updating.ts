import { and, eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { findArticle } from "./articles.ts";
import { AUTOSAVE, firstDue, prepareAutosave } from "./autosaving.ts";
import { addCopyDeletion, buildCopyConditions, listRefusedFields, readCopy, withCopy, type Attempt } from "./beside.ts";
import { ARTICLE_ROW, toArticle, type ArticleRecord, type ArticleRow } from "./rows.ts";
import { addLocale, answerOf, ownArticle, tells, wholeArticle, type Appearance, noSuchArticle } from "./conditions.ts";
import { commit, newLicence, type Change, type Licence } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import { formerContent, formerState, isKept, PRESENT, prune, readPresent, superseding } from "./revisions.ts";
import { renderContent, storeRendering } from "./renderings.ts";
import { endSchedule } from "./schedules.ts";
import { articleRenderings, articles, workingCopies } from "../../schema/articles.ts";
import { indexingOf, indexNow } from "./search-index.ts";
import { all, bare, builder } from "../core/sql.ts";
import { giveTerms } from "../terms/assigning.ts";
import {
  appearanceOf,
  conditions,
  differs,
  updateRefusal,
  type ArticleChange,
  type Diagnosed,
  type Preparation,
  type UpdateExtras,
} from "./update-conditions.ts";
import type { CopyRow } from "./working-copies.ts";

/** An article after an update. `uncommitted` is true if there was nothing to change, so nothing was written. */
export type Updated = Versioned<ArticleRecord> & { readonly uncommitted?: true };

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
    const asked = withCopy(change, copy, leftOut);
    try {
      const prepared = await prepare(writer, asked, extras, attempt);
      const further = [...(extras.conditions ?? []), ...prepared.conditions, ...buildCopyConditions(change, attempt)];
      return await update(writer, asked, prepared, { ...addCopyDeletion(change, extras, copy), conditions: further });
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
  const former = present && (await formerContent(present, content));
  return { former, rendering: await renderContent(content), conditions: [] };
}

async function update(
  writer: Writer,
  change: ArticleChange,
  prepared: Preparation,
  extras: UpdateExtras,
): Promise<Updated> {
  const licence = newLicence(writer);
  const { id, fields } = change;
  const { isAutosave, action = isAutosave ? AUTOSAVE : "articles.update" } = extras;
  const appearance = appearanceOf(fields);
  const { rendering } = prepared;
  const texts = { ...extras.texts, ...fields, ...(rendering && { text: rendering.text }) };
  // The sweep indexes autosaves.
  const index = isAutosave
    ? { columns: {}, rows: [], isLate: false }
    : indexingOf(id, writer.organizationId, texts, licence);
  const outcome = await commit<ArticleRow, Diagnosed>(writer, licence, {
    action,
    resourceId: id,
    blogId: sql`${articles.blogId}`,
    ...conditions(writer, change, appearance, extras),
    change: () => statements(writer, change, { licence, appearance, index, prepared, extras }),
    ...(!isAutosave && { event: tells("article.updated", ownArticle(writer, id)) }),
    ...answerOf(id, extras.isContentUnsent ? undefined : fields.content),
  });
  if (outcome.refused) {
    const refused = updateRefusal(writer, outcome.diagnosis[0], change, extras);
    const stored = refused === null ? await findArticle(writer, { idOrSlug: id }) : null;
    if (stored === null) throw refused ?? noSuchArticle(id);
    return { ...(stored as Versioned<ArticleRecord>), uncommitted: true };
  }
  const { text, ...row } = outcome.row;
  const updated = toArticle(row);
  // Undefined if a response of D1 was lost. Then the sweep indexes the article.
  if (text !== undefined) indexLater(writer, updated, text);
  return updated;
}

type Parts = {
  readonly licence: Licence;
  readonly appearance: Appearance | undefined;
  readonly index: ReturnType<typeof indexingOf>;
  readonly prepared: Preparation;
  readonly extras: UpdateExtras;
};

/** Returns the statements of an update. Those before the change need the article's old row. */
function statements(writer: Writer, change: ArticleChange, parts: Parts): Change<ArticleRow> {
  const { licence, appearance, index, prepared, extras } = parts;
  const { id, fields, terms = {} } = change;
  const { rendering, continued } = prepared;
  return {
    before: [
      ...(appearance === undefined ? [] : [addLocale(id, licence, appearance)]),
      ...(fields.published === undefined || extras.publishTime !== undefined
        ? []
        : [endSchedule(id, fields.published, licence)]),
      // An update that frees the bytes of the working copy also deletes it.
      ...(extras.freed === undefined ? carryWorkingCopy(change, licence) : []),
      continued === undefined ? formerState(change, licence, prepared.former) : superseding(writer, continued, licence),
      ...(rendering === undefined ? [] : [storeRendering(writer, id, rendering, licence)]),
    ],
    returning: changing(writer, change, parts),
    again: () => wholeArticle(id),
    after: [
      ...(continued === undefined ? [prune(id, licence)] : []),
      ...index.rows,
      ...giveTerms(id, terms, licence),
      ...(extras.change?.(licence) ?? []),
    ],
  };
}

/**
 * Returns the statement that keeps the working copy from becoming outdated: new tags or authors alone leave the texts
 * as they are. It must run before the article changes.
 */
function carryWorkingCopy({ id, fields, terms = {} }: ArticleChange, { id: version, held }: Licence): SQL[] {
  if (terms.tags === undefined && terms.authors === undefined) return [];
  const base = sql`(select ${articles.version} from ${articles} where ${articles.id} = ${id} and not ${differs(fields)})`;
  return [
    sql`update ${workingCopies} set ${bare(workingCopies.baseVersion)} = ${version}
      where ${workingCopies.articleId} = ${id} and ${workingCopies.baseVersion} = ${base} and ${held}`,
  ];
}

/** Replaces the article's row in the full text index after the response. If that fails, the sweep does it. */
function indexLater(
  writer: Writer,
  { value: { _id: id, title, description, content }, version }: Versioned<ArticleRecord>,
  text: string | null,
): void {
  const article = { id, organizationId: writer.organizationId, version, title, description, content, text };
  writer.afterwards("search index", () => indexNow(writer.db, [article]));
}

const RENDERED_TEXT = sql<string | null>`(select ${articleRenderings.text} from ${articleRenderings}
  where ${articleRenderings.articleId} = ${articles.id})`;

function changing(
  writer: Writer,
  { id, fields, terms }: ArticleChange,
  { index, licence, prepared: { continued }, extras }: Parts,
) {
  const kept = continued === undefined ? isKept({ fields, terms }) : sql`0`;
  return builder
    .update(articles)
    .set({
      ...fields,
      ...index.columns,
      published: fields.published === undefined ? undefined : Number(fields.published),
      publicTime: publicSince(fields, licence),
      publishTime: fields.publishTime ?? firstPublication(fields, extras.publishTime ?? licence.time),
      origin: changedOrigin(writer, fields, licence, extras.review),
      revision: sql`${PRESENT} + ${kept}`,
      stateVersion:
        continued === undefined
          ? sql`iif(${kept}, null, coalesce(${articles.stateVersion}, ${articles.version}))`
          : null,
      eventDue: extras.isAutosave ? firstDue(licence) : null,
      version: licence.id,
      lastEditTime: licence.time,
    })
    .where(and(eq(articles.id, id), licence.held))
    .returning({ ...ARTICLE_ROW, ...(index.isLate && { text: RENDERED_TEXT }) });
}

/**
 * Returns the new `public_time` as an SQL expression; undefined if it does not change. An article that stays published
 * with the same slug and locale keeps its time. A draft has NULL. Otherwise the time is that of the write.
 */
function publicSince({ published, slug, locale }: ArticleChange["fields"], licence: Licence): SQL | undefined {
  if (published === undefined && slug === undefined && locale === undefined) return undefined;
  const stays = all(
    sql`${articles.published} = 1`,
    slug !== undefined && sql`${articles.slug} = ${slug}`,
    locale !== undefined && sql`${articles.locale} = ${locale}`,
  );
  const isPublished = published === undefined ? sql`${articles.published} = 1` : sql`${Number(published)} = 1`;
  return sql`case when ${isPublished} then case when ${stays} then ${articles.publicTime} else ${licence.time} end end`;
}

/** Returns the new `publish_time`; undefined if it stays. The first publication sets it, and nothing clears it. */
const firstPublication = ({ published }: ArticleChange["fields"], time: string): SQL | undefined =>
  published === true ? sql`coalesce(${articles.publishTime}, ${time})` : undefined;

/**
 * Returns the new `origin`; undefined if it does not change. The SQL leaves null where a person wrote the article. A
 * change of its texts makes it `edited`. A member who publishes it, which only the console allows, confirms the review.
 * So does a member who scheduled it (`review`).
 */
function changedOrigin(
  { actor }: Writer,
  { title, description, content, published }: ArticleChange["fields"],
  { time }: Licence,
  review: UpdateExtras["review"] = actor.kind === "user" ? { by: actor.id, time } : undefined,
): SQL | undefined {
  const texts = differs({ title, description, content });
  const changes = [
    ...([title, description, content].some((text) => text !== undefined)
      ? [sql`'$.kind', case when ${texts} then 'edited' else ${articles.origin} ->> '$.kind' end`]
      : []),
    ...(review && published === true ? [sql`'$.reviewedBy', ${review.by}, '$.reviewTime', ${review.time}`] : []),
  ];
  return changes.length === 0 ? undefined : sql`json_set(${articles.origin}, ${sql.join(changes, sql`, `)})`;
}
