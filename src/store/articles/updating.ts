/** Changes an organization's articles. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { ArticleRendering } from "../../domain/rendering.ts";
import { findArticle } from "./articles.ts";
import { ARTICLE_ROW, toArticle, type ArticleRecord, type ArticleRow } from "./rows.ts";
import { addLocale, answerOf, ownArticle, tells, wholeArticle, type Appearance } from "./conditions.ts";
import { noSuchArticle } from "./no-such-article.ts";
import { commit, newLicence, type Change, type Licence, type Writer } from "../core/commit.ts";
import type { Versioned } from "../core/paging.ts";
import { formerState, isKept, PRESENT, readFormer, type FormerContent } from "./revisions.ts";
import { renderContent, storeRendering } from "./renderings.ts";
import { endSchedule } from "./schedules.ts";
import { articleRenderings, articles, workingCopies } from "./schema.ts";
import { indexingOf, indexNow } from "./search-index.ts";
import { all, bare, orm } from "../core/sql.ts";
import { giveTerms } from "../terms/assigning.ts";
import {
  appearanceOf,
  conditions,
  differs,
  updateRefusal,
  type ArticleChange,
  type Diagnosed,
  type UpdateExtras,
} from "./update-conditions.ts";

/** An article after an update. `uncommitted` is true if there was nothing to change, so nothing was written. */
export type Updated = Versioned<ArticleRecord> & { readonly uncommitted?: true };

/**
 * Changes the given fields of an article, stores its former state and its event `article.updated`, and returns the
 * article. If all given fields already have these values, it writes nothing and sets `uncommitted`. Throws `not_found`,
 * `precondition_failed`, `immutable_field`, `quota_exceeded`, `slug_taken`, an error on `locale` if the blog has too
 * many locales, and the error of `extras.condition`.
 */
export async function updateArticle(
  writer: Writer,
  change: ArticleChange,
  extras: UpdateExtras = {},
): Promise<Updated> {
  const licence = newLicence(writer);
  const { id, fields } = change;
  const former = fields.content === undefined ? undefined : await readFormer(writer, id, fields.content);
  const rendering = fields.content === undefined ? undefined : await renderContent(fields.content);
  const appearance = appearanceOf(fields);
  const texts = { ...extras.texts, ...fields, ...(rendering && { text: rendering.text }) };
  const index = indexingOf(id, writer.organizationId, texts, licence);
  const outcome = await commit<ArticleRow, Diagnosed>(writer, licence, {
    action: extras.action ?? "articles.update",
    resourceId: id,
    blogId: sql`${articles.blogId}`,
    ...conditions(writer, change, appearance, extras),
    change: () => statements(writer, change, { licence, appearance, index, former, rendering, extras }),
    event: tells("article.updated", ownArticle(writer, id)),
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
  // Where an answer of D1 was lost, it is unknown: the sweep does it.
  if (text !== undefined) indexLater(writer, updated, text);
  return updated;
}

type Parts = {
  readonly licence: Licence;
  readonly appearance: Appearance | undefined;
  readonly index: ReturnType<typeof indexingOf>;
  readonly former: FormerContent | null | undefined;
  readonly rendering: ArticleRendering | undefined;
  readonly extras: UpdateExtras;
};

/** Returns the statements of an update. Those before the change need the article's old row. */
function statements(
  writer: Writer,
  change: ArticleChange,
  { licence, appearance, index, former, rendering, extras }: Parts,
): Change<ArticleRow> {
  const { terms = {} } = change;
  const { store, prune } = formerState(change, licence, former);
  return {
    before: [
      ...(appearance === undefined ? [] : [addLocale(change.id, licence, appearance)]),
      ...(change.fields.published === undefined || extras.publishTime !== undefined
        ? []
        : [endSchedule(writer, change.id, change.fields.published, licence)]),
      // What frees the bytes of the working copy ends it.
      ...(extras.freed === undefined ? carryWorkingCopy(change, licence) : []),
      store,
      ...(rendering === undefined ? [] : [storeRendering(writer, change.id, rendering, licence)]),
    ],
    returning: changing(writer, change, { index, licence, extras }),
    again: () => wholeArticle(change.id),
    after: [prune, ...index.rows, ...giveTerms(change.id, terms, licence), ...(extras.change?.(licence) ?? [])],
  };
}

/**
 * Returns the statement by which a change that leaves the texts as they are, such as a publication, does not make the
 * working copy outdated. None for changes that cannot leave them. It has to run before the article changes.
 */
function carryWorkingCopy({ id, fields, terms = {} }: ArticleChange, { id: version, held }: Licence): SQL[] {
  const { published, ...texts } = fields;
  if ([published, terms.tags, terms.authors].every((part) => part === undefined)) return [];
  const base = sql`(select ${articles.version} from ${articles} where ${articles.id} = ${id} and not ${differs(texts)})`;
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

const changing = (
  writer: Writer,
  { id, fields, terms }: ArticleChange,
  { index, licence, extras }: Pick<Parts, "licence" | "extras" | "index">,
) =>
  orm(writer.db)
    .update(articles)
    .set({
      ...fields,
      ...index.columns,
      published: fields.published === undefined ? undefined : Number(fields.published),
      publicTime: publicSince(fields, licence),
      publishTime: fields.publishTime ?? firstPublication(fields, extras.publishTime ?? licence.time),
      origin: changedOrigin(writer, fields, licence, extras.review),
      revision: sql`${PRESENT} + ${isKept({ fields, terms })}`,
      stateVersion: sql`iif(${isKept({ fields, terms })}, null, coalesce(${articles.stateVersion}, ${articles.version}))`,
      version: licence.id,
      lastEditTime: licence.time,
    })
    .where(and(eq(articles.id, id), licence.held))
    .returning({ ...ARTICLE_ROW, ...(index.isLate && { text: RENDERED_TEXT }) });

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

/** Returns the new `publish_time`; undefined if it does not change. The first publication sets it, and nothing clears it. */
const firstPublication = ({ published }: ArticleChange["fields"], time: string): SQL | undefined =>
  published === true ? sql`coalesce(${articles.publishTime}, ${time})` : undefined;

/**
 * Returns the new `origin`; undefined if it does not change, and SQL that leaves null where a person wrote the article. A
 * change of its texts makes it `edited`. A member who publishes it, which only the console lets members do, confirms that
 * they have reviewed it; so does a member who has scheduled it, then (`review`).
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
