/** The preconditions of an update of an article, and why it was refused. */
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { TEXTS } from "../../domain/article-fields.ts";
import { DomainError } from "../../domain/errors.ts";
import { immutableFields, isStale, type IfMatch } from "../../domain/preconditions.ts";
import { selectColumns, type ArticleRecord, type ArticleRow } from "./rows.ts";
import type { ArticleFields } from "./creating.ts";
import {
  explainTaken,
  makeConflictError,
  localeFits,
  isOwnArticle,
  isSlugFull,
  type Appearance,
  makeArticleNotFoundError,
} from "./conditions.ts";
import { IS_UNREVIEWED, type OthersTexts, type Review } from "./origins.ts";
import type { MadeRendering } from "./renderings.ts";
import type { License, Write } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { matchVersion, type Optional } from "../core/preconditions.ts";
import { answerFits, growthFits, computeGrowth, checkQuota, selectUsage } from "../core/quota.ts";
import { articles } from "../../schema/articles.ts";
import type { SearchedTexts } from "./search-index.ts";
import { blogs } from "../../schema/blogs.ts";
import { listChanged } from "../core/changed.ts";
import { joinAnd, type Statement } from "../core/sql.ts";
import { termsDiffer, termsFit, type GivenTerms } from "../terms/assigning.ts";

export type ArticleChange = {
  readonly id: string;
  readonly fields: Optional<ArticleFields>;
  readonly ifMatch: IfMatch | undefined;
  /** Read-only fields that the caller sent back. They must equal the stored values at the moment of the change. */
  readonly unchanged?: Optional<ReadOnly>;
  /** The terms to assign to the article's slug. */
  readonly terms?: GivenTerms | undefined;
  /** The terms that the slug must still have: translations change them without a new version of this article. */
  readonly termsBefore?: GivenTerms;
};

/** A further precondition, on the article's row, and the error if it does not hold. */
export type Condition = { readonly holds: SQL; readonly refusal: DomainError };

/** What an update has read of the article, and what must still hold. */
export type Preparation = {
  /** The content of the former revision, as it is kept; undefined if the content stays. */
  readonly former: FormerContent | null | undefined;
  /** The version of the current revision, if the update continues it and so keeps no former one. */
  readonly continued?: string;
  /** The rendering of the new content; undefined if the content stays, or is left to the sweep. */
  readonly rendering?: MadeRendering | undefined;
  readonly conditions: readonly Condition[];
};

/** What else an update checks and changes in the same transaction. */
export type UpdateExtras = {
  /** The action for the audit log; by default, whether the update publishes or unpublishes, or else only edits. */
  readonly action?: string;
  /** An autosave of a draft (contract 4.13): it rarely keeps a revision, and its event and index follow later. */
  readonly isAutosave?: boolean | undefined;
  /** True if the request does not contain the content, so that the stored response must. */
  readonly isContentUnsent?: true;
  /** What a repeated call gets in place of the article. */
  readonly answer?: object;
  readonly conditions?: readonly Condition[];
  /** The article's current texts, so that the same transaction writes its row of the search index. */
  readonly texts?: SearchedTexts;
  /** For an update by a schedule, which ends it: the publication time, unless the article was public before. */
  readonly publishTime?: string;
  /**
   * For a publication: the member who confirmed the review, and when. Set if that is not the writer, as by a schedule; null if
   * nobody has looked at the text.
   */
  readonly review?: Review | null;
  /** Whose texts are new; by default, the writer's. */
  readonly othersTexts?: OthersTexts;
  /** The origin of the former state that the update restores, as it is stored. */
  readonly restoredOrigin?: string | null | undefined;
  /** How many bytes the update frees elsewhere, as an SQL expression on the article's row. */
  readonly freed?: SQL;
  /** Further statements, which run after the article's own. Each must check the license. */
  readonly change?: (license: License) => readonly Statement[];
};

/**
 * Returns who confirms by an update that the article was reviewed: a member who publishes it, which only the console
 * allows, or whoever `extras` names.
 */
export const getReview = (
  { actor, now }: Writer,
  { published }: ArticleChange["fields"],
  { review }: Pick<UpdateExtras, "review">,
): Review | undefined => {
  if (published !== true || review === null) return undefined;
  return review ?? (actor.kind === "user" ? { by: actor.id, time: now().toISOString() } : undefined);
};

/** Returns the preconditions of an update, and the query that tells which of them does not hold. */
export function buildUpdateConditions(
  writer: Writer,
  change: ArticleChange,
  appearance: Appearance | undefined,
  extras: UpdateExtras,
): Pick<Write<ArticleRow, Diagnosed>, "where" | "diagnose"> {
  const which = isOwnArticle(writer, change.id);
  const room = buildRoomConditions(writer, change.fields, extras);
  const further = (extras.conditions ?? []).map(({ holds: each }) => each);
  const { terms = {}, termsBefore = {} } = change;
  const stale = termsDiffer(termsBefore);
  const isConfirmed = getReview(writer, change.fields, extras) !== undefined && IS_UNREVIEWED;
  const differing = differs(change.fields, terms);
  const different = isConfirmed ? sql`(${differing} or ${isConfirmed})` : differing;
  const fit = termsFit(terms, sql`${articles.blogId}`);
  return {
    where: sql`from ${articles} where ${joinAnd(
      which,
      slugStaysFree(change.fields),
      appearance && appearanceFits(appearance),
      ...matchVersion(articles.version, change.ifMatch),
      ...READ_ONLY.map((name) => staysAs(name, change.unchanged?.[name])),
      ...further,
      different,
      ...room.holds,
      ...fit,
      stale && sql`not ${stale}`,
    )}`,
    diagnose: sql<Diagnosed>`select ${selectColumns([...READ_ONLY, "slug", "locale"])}, ${blogs.locales},
        ${different} as "differs", ${joinAnd(...fit, sql`true`)} as "termsFit", ${stale ?? sql`false`} as "termsStale", ${selectFirstUnmet(further)} as "unmet",
        ${room.found},
        case when ${appearance?.isNew ?? sql`false`} then ${appearance?.locale ?? null} end as "newLocale"
      from ${articles} join ${blogs} on ${blogs.id} = ${articles.blogId} where ${which}`,
  };
}

/** Returns an SQL expression for the index of the first condition that does not hold; NULL if all do. */
export const selectFirstUnmet = (conditions: readonly SQL[]): SQL =>
  conditions.reduceRight((rest, holds, place) => sql`iif(${holds}, ${rest}, ${sql.raw(String(place))})`, sql`null`);

const others = alias(articles, "others");

/**
 * Returns the condition that no other article has the new slug and locale, and that the blog does not have too many
 * articles with the new slug. Returns undefined if neither field is given.
 */
function slugStaysFree(fields: ArticleChange["fields"]): SQL | undefined {
  if (fields.slug === undefined && fields.locale === undefined) return undefined;
  const free = sql`not exists (select 1 from ${articles} ${others} where ${others.blogId} = ${articles.blogId}
    and ${others.slug} = ${fields.slug ?? articles.slug} and ${others.locale} = ${fields.locale ?? articles.locale}
    and ${others.id} <> ${articles.id})`;
  if (fields.slug === undefined) return free;
  const slug = sql`${fields.slug}`;
  return joinAnd(free, sql`(${articles.slug} = ${slug} or not ${isSlugFull(sql`${articles.blogId}`, slug)})`);
}

/**
 * Returns the locale in which an update may publish an article: the new locale if it is given, otherwise the stored
 * one. Returns undefined if the update makes the article a draft, or gives neither `published` nor `locale`.
 */
export function getAppearance({ published, locale }: ArticleChange["fields"]): Appearance | undefined {
  if (published === false || (published === undefined && locale === undefined)) return undefined;
  const moves = locale === undefined ? sql`false` : sql`${articles.locale} <> ${locale}`;
  return {
    locale: locale === undefined ? sql`${articles.locale}` : sql`${locale}`,
    isNew: published ? sql`(${articles.published} = 0 or ${moves})` : sql`(${articles.published} = 1 and ${moves})`,
  };
}

const READ_ONLY = ["blogId", "creationTime", "lastEditTime"] as const;

type ReadOnly = Pick<ArticleRecord, (typeof READ_ONLY)[number]>;

const staysAs = (name: keyof ReadOnly, sent: string | undefined): SQL | undefined =>
  sent === undefined ? undefined : sql`${articles[name]} = ${sent}`;

/** Returns the condition that the blog has room for a new locale of the article. */
const appearanceFits = ({ locale, isNew }: Appearance): SQL => sql`(not ${isNew} or exists (select 1 from ${blogs}
  where ${blogs.id} = ${articles.blogId} and ${localeFits(locale)}))`;

/**
 * Returns the conditions that the quota has room for what an update adds, and the columns that explain a refusal.
 * `copied` is the size in bytes of the content that is stored with an idempotent response.
 */
function buildRoomConditions(
  writer: Writer,
  fields: ArticleChange["fields"],
  { isContentUnsent, freed }: UpdateExtras,
) {
  const grown = computeGrowth(fields);
  const growth = grown === null || freed === undefined ? grown : sql`(${grown} - ${freed})`;
  const isCopied = writer.idempotency !== undefined && (isContentUnsent || fields.content === undefined);
  const copied = isCopied && sql`octet_length(${fields.content ?? articles.content})`;
  return {
    holds: [growth !== null && growthFits(writer, growth), copied && answerFits(writer, copied)],
    found: sql`${growth ?? 0} as "growth", ${copied || 0} as "copied", ${selectUsage(writer)} as "usage"`,
  };
}

export type Diagnosed = Pick<ArticleRecord, keyof ReadOnly | "slug" | "locale"> & {
  readonly rowVersion: string;
  readonly locales: string;
  readonly differs: number;
  readonly termsFit: number;
  readonly termsStale: number;
  /** The index of the first further condition that did not hold; null if all did. */
  readonly unmet: number | null;
  readonly growth: number;
  readonly copied: number;
  readonly usage: string;
  /** Null if there is none. */
  readonly newLocale: string | null;
};

/** Returns why an update was refused, or null if it would only change nothing. */
export async function explainUpdateRefusal(
  writer: Writer,
  row: Diagnosed | undefined,
  change: ArticleChange,
  { conditions: further = [] }: UpdateExtras,
): Promise<DomainError | null> {
  if (row === undefined) return makeArticleNotFoundError(change.id);
  const unmet = row.unmet === null ? undefined : further[row.unmet];
  if (unmet !== undefined) return unmet.refusal;
  if (isStale(change.ifMatch, row.rowVersion)) return new DomainError("precondition_failed");
  const { unchanged = {} } = change;
  const differing = READ_ONLY.filter((name) => unchanged[name] !== undefined && unchanged[name] !== row[name]);
  if (differing.length > 0) return immutableFields(differing);
  if (row.differs === 0) return null;
  if (row.termsStale === 1) return new DomainError("precondition_failed");
  if (row.termsFit === 0) return new DomainError("term_limit");
  const full = checkQuota(writer, row.usage, { articleBytes: row.growth, answerBytes: row.copied });
  if (full !== null) return full;
  const { slug = row.slug, locale = row.locale } = change.fields;
  return explainTaken(writer, makeConflictError(row, row.newLocale ?? undefined), { blogId: row.blogId, slug, locale });
}

/** Returns the condition of each given field, and of the terms of the slug, that it differs from what is stored. */
function buildDifferences(fields: ArticleChange["fields"], { tags, authors }: GivenTerms) {
  const given = Object.entries(fields) as [keyof ArticleFields, string | boolean | null | undefined][];
  const different = given.map(([name, value]) => [
    name,
    value === undefined
      ? undefined
      : sql`${articles[name]} is not ${typeof value === "boolean" ? Number(value) : value}`,
  ]);
  return {
    ...(Object.fromEntries(different) as { [Name in keyof ArticleFields]?: SQL | undefined }),
    tags: termsDiffer({ tags }),
    authors: termsDiffer({ authors }),
  };
}

/** Returns the condition that at least one given field, or the terms of the slug, differ from what is stored. */
export function differs(fields: ArticleChange["fields"], terms: GivenTerms = {}): SQL {
  const different = Object.values(buildDifferences(fields, terms)).filter((each) => each !== undefined);
  return different.length === 0 ? sql`false` : sql`(${sql.join(different, sql` or `)})`;
}

const FIELDS = [...TEXTS, "published", "publishTime", "seo", "tags", "authors"] as const;

/**
 * Returns the names of the fields that an update changes, on the row before it, together with those that autosaves have
 * changed since the last event. `origin` is one where a confirmed review is what changes for readers.
 */
export function listChangedFields({ fields, terms = {} }: ArticleChange, review: Review | undefined): SQL {
  const differences = buildDifferences(fields, terms);
  const isFirst = fields.published === true ? sql`${articles.publishTime} is null` : undefined;
  const isConfirmed = review && sql`(${articles.published} = 1 and ${IS_UNREVIEWED})`;
  const changes = { ...differences, publishTime: differences.publishTime ?? isFirst };
  return listChanged({
    origin: isConfirmed,
    ...Object.fromEntries(
      FIELDS.map((name) => {
        const isUntold = sql`instr(${articles.untold}, ${sql.raw(`'"${name}"'`)}) > 0`;
        return [name, changes[name] === undefined ? isUntold : sql`(${changes[name]} or ${isUntold})`];
      }),
    ),
  });
}

/** The content of an article before an update, as it is kept. */
export type FormerContent = { readonly version: string; readonly stored: Uint8Array<ArrayBuffer> | string | null };
