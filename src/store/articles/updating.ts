/** Changes an organization's articles. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../errors.ts";
import { findArticle } from "./articles.ts";
import { articleColumns, ARTICLE_ROW, toArticle, type ArticleRecord, type ArticleRow } from "./rows.ts";
import {
  addLocale,
  answerOf,
  conflict,
  localeFits,
  own,
  slugFull,
  tells,
  wholeArticle,
  type Appearance,
  type ArticleFields,
} from "./writing.ts";
import { commit, newLicence, type Licence, type Writer } from "../core/commit.ts";
import type { Versioned } from "../core/paging.ts";
import { holds, refusal, type Optional, type Preconditions } from "../core/preconditions.ts";
import { answerFits, growthFits, growthOf, quotaRefusal, usageOf } from "../core/quota.ts";
import { articles } from "./schema.ts";
import { blogs } from "../blogs/schema.ts";
import { indexingOf, indexNow } from "./search-index.ts";
import { all, orm } from "../core/sql.ts";

export type ArticleChange = Preconditions<ReadOnly> & {
  readonly id: string;
  readonly fields: Optional<ArticleFields>;
};

/** An article after an update. `uncommitted` is true if there was nothing to change, so nothing was written. */
export type Updated = Versioned<ArticleRecord> & { readonly uncommitted?: true };

/**
 * Changes the given fields of an article, stores its event `article.updated` and returns the article. If all given
 * fields already have these values, it writes nothing and sets `uncommitted`. Throws `not_found`,
 * `precondition_failed`, `immutable_field`, `quota_exceeded`, `slug_taken`, and an error on `locale` if the blog has
 * too many locales.
 */
export async function updateArticle(writer: Writer, change: ArticleChange): Promise<Updated> {
  const licence = newLicence(writer);
  const target = all(sql`${articles.id} = ${change.id}`, own(writer));
  const free = slugStaysFree(change.fields);
  const appearance = appearanceOf(change.fields);
  const room = roomFor(writer, change.fields);
  const index = indexingOf(change.id, writer.organizationId, change.fields, licence);
  const outcome = await commit<ArticleRow, Diagnosed>(writer, licence, {
    action: "articles.update",
    resourceId: change.id,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${articles} where ${all(
      target,
      free,
      appearance && appearanceFits(appearance),
      ...holds(change, articles.version, READ_ONLY_COLUMNS),
      differs(change.fields),
      ...room.holds,
    )}`,
    change: () => ({
      before: appearance === undefined ? [] : [addLocale(change.id, licence, appearance)],
      returning: changing(writer, change, index.columns, licence),
      again: () => wholeArticle(change.id),
      after: index.rows,
    }),
    event: tells("article.updated", target),
    ...answerOf(change.id, change.fields.content),
    diagnose: sql<Diagnosed>`select ${articleColumns(["blogId", "creationTime", "lastEditTime"])}, ${blogs.locales},
        ${differs(change.fields)} as "differs", ${room.found},
        case when ${appearance?.isNew ?? sql`false`} then ${appearance?.locale ?? null} end as "newLocale"
      from ${articles} join ${blogs} on ${blogs.id} = ${articles.blogId} where ${target}`,
  });
  if (outcome.refused) {
    const refused = updateRefusal(writer, outcome.diagnosis[0], change);
    const stored = refused === null ? await findArticle(writer, { idOrSlug: change.id }) : null;
    if (stored === null) throw refused ?? new DomainError("not_found");
    return { ...(stored as Versioned<ArticleRecord>), uncommitted: true };
  }
  const updated = toArticle(outcome.row);
  if (index.isLate) indexLater(writer, change.id, updated);
  return updated;
}

/** Replaces the article's row in the full text index after the response. If that fails, the sweep does it. */
function indexLater(writer: Writer, id: string, { value, version }: Versioned<ArticleRecord>): void {
  const { title, description, content } = value;
  const article = { id, organizationId: writer.organizationId, version, title, description, content };
  writer.afterwards("search index", () => indexNow(writer.db, [article]));
}

const changing = (
  writer: Writer,
  { id, fields }: ArticleChange,
  indexed: ReturnType<typeof indexingOf>["columns"],
  licence: Licence,
) =>
  orm(writer.db)
    .update(articles)
    .set({
      ...fields,
      ...indexed,
      published: fields.published === undefined ? undefined : Number(fields.published),
      publicTime: publicSince(fields, licence),
      publishTime: fields.publishTime ?? firstPublication(fields, licence),
      origin: changedOrigin(writer, fields, licence),
      version: licence.id,
      lastEditTime: licence.time,
    })
    .where(and(eq(articles.id, id), licence.held))
    .returning(ARTICLE_ROW);

/** An alias of the table, for articles other than the one that the outer statement selects. */
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
  return all(free, sql`(${articles.slug} = ${slug} or not ${slugFull(sql`${articles.blogId}`, slug)})`);
}

/**
 * Returns the locale in which an update may publish an article: the new locale if it is given, otherwise the stored
 * one. Returns undefined if the update makes the article a draft, or gives neither `published` nor `locale`.
 */
function appearanceOf({ published, locale }: ArticleChange["fields"]): Appearance | undefined {
  if (published === false || (published === undefined && locale === undefined)) return undefined;
  const moves = locale === undefined ? sql`false` : sql`${articles.locale} <> ${locale}`;
  return {
    locale: locale === undefined ? sql`${articles.locale}` : sql`${locale}`,
    isNew: published ? sql`(${articles.published} = 0 or ${moves})` : sql`(${articles.published} = 1 and ${moves})`,
  };
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

/** Returns the new `publish_time`; undefined if it does not change. The first publication sets it, and nothing clears it. */
const firstPublication = ({ published }: ArticleChange["fields"], licence: Licence): SQL | undefined =>
  published === true ? sql`coalesce(${articles.publishTime}, ${licence.time})` : undefined;

/**
 * Returns the new `origin`; undefined if it does not change, and SQL that leaves null where a person wrote the article. A
 * change of its texts makes it `edited`. A member who publishes it, which only the console lets members do, confirms that
 * they have reviewed it.
 */
function changedOrigin(
  { actor }: Writer,
  { title, description, content, published }: ArticleChange["fields"],
  { time }: Licence,
): SQL | undefined {
  const texts = differs({ title, description, content });
  const changes = [
    ...([title, description, content].some((text) => text !== undefined)
      ? [sql`'$.kind', case when ${texts} then 'edited' else ${articles.origin} ->> '$.kind' end`]
      : []),
    ...(actor.kind === "user" && published === true ? [sql`'$.reviewedBy', ${actor.id}, '$.reviewTime', ${time}`] : []),
  ];
  return changes.length === 0 ? undefined : sql`json_set(${articles.origin}, ${sql.join(changes, sql`, `)})`;
}

type ReadOnly = Pick<ArticleRecord, "blogId" | "creationTime" | "lastEditTime">;

const READ_ONLY_COLUMNS = {
  blogId: articles.blogId,
  creationTime: articles.creationTime,
  lastEditTime: articles.lastEditTime,
} as const;

/**
 * Returns the condition that the article's blog has the locale of an appearance or room for it. It needs no check if
 * the article is already published in this locale.
 */
const appearanceFits = ({ locale, isNew }: Appearance): SQL => sql`(not ${isNew} or exists (select 1 from ${blogs}
  where ${blogs.id} = ${articles.blogId} and ${localeFits(locale)}))`;

/**
 * Returns the conditions that the quota has room for what an update adds, and the columns that the diagnosis needs to
 * explain a refusal. `copied` is the size in bytes of the content that is stored with an idempotent response.
 */
function roomFor(writer: Writer, fields: ArticleChange["fields"]) {
  const growth = growthOf(fields);
  const isCopied = writer.idempotency !== undefined && fields.content === undefined;
  const copied = isCopied && sql`octet_length(${articles.content})`;
  return {
    holds: [growth !== null && growthFits(writer, growth), copied && answerFits(writer, copied)],
    found: sql`${growth ?? 0} as "growth", ${copied || 0} as "copied", ${usageOf(writer)} as "usage"`,
  };
}

type Diagnosed = ReadOnly & {
  readonly rowVersion: string;
  readonly locales: string;
  readonly differs: number;
  readonly growth: number;
  readonly copied: number;
  readonly usage: string;
  /** The locale in which the update would newly publish the article; null if there is none. */
  readonly newLocale: string | null;
};

/** Returns why an update was refused, or null if the only reason is that it would change nothing. */
function updateRefusal(writer: Writer, row: Diagnosed | undefined, change: ArticleChange): DomainError | null {
  if (row === undefined) return new DomainError("not_found");
  const stale = refusal(change, row);
  if (stale !== null || row.differs === 0) return stale;
  const full = quotaRefusal(writer, row.usage, { articleBytes: row.growth, answerBytes: row.copied });
  return full ?? conflict(row, row.newLocale ?? undefined);
}

/** Returns the condition that at least one given field differs from its stored value. */
function differs(fields: ArticleChange["fields"]): SQL {
  const given = Object.entries(fields) as [keyof ArticleFields, string | boolean | undefined][];
  const different = given.flatMap(([name, value]) =>
    value === undefined ? [] : [sql`${articles[name]} is not ${typeof value === "boolean" ? Number(value) : value}`],
  );
  return different.length === 0 ? sql`false` : sql`(${sql.join(different, sql` or `)})`;
}
