/** Reads what a generation needs before it calls a model, and stores the generated article. */
import { and, eq, sql } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import type { StyleGuide } from "../../domain/style-guide.ts";
import { selectColumns, ARTICLE_COLUMNS, toArticle, type ArticleRecord, type ArticleRow } from "../articles/rows.ts";
import { insertSources, type StoredSource } from "../articles/sources.ts";
import { createArticle, type NewArticle } from "../articles/creating.ts";
import type { Condition } from "../articles/update-conditions.ts";
import { explainTaken, makeConflictError, isOwnArticle } from "../articles/conditions.ts";
import { isReachableArticle, resolveTargetBlog } from "../core/reach.ts";
import type { Writer } from "../core/writer.ts";
import type { Spent, Turn } from "./generations.ts";
import { isMine, keepReport } from "./keeping.ts";
import { media } from "../../schema/media.ts";
import { generations } from "../../schema/generation.ts";
import type { Versioned } from "../core/paging.ts";
import { checkEventLimit, checkQuota, selectUsage } from "../core/quota.ts";
import { articles } from "../../schema/articles.ts";
import { blogs } from "../../schema/blogs.ts";
import { joinAnd, builder, queryFirstRow, isAmong, jsonBoolean, jsonObject, queryRows } from "../core/sql.ts";

/** The blog for which an article is generated. `locale` is the locale of that article. */
export type TargetBlogRecord = {
  readonly _id: string;
  readonly name: string;
  readonly locale: string;
  readonly styleGuide: StyleGuide;
};

type FoundText = Omit<TargetBlogRecord, "styleGuide"> & { readonly styleGuide: string };
type FoundBlog = FoundText & { readonly locales: string; readonly taken: number; readonly usage: string };

/**
 * Returns the blog in which a new article would be stored, and the article's locale: the wanted one, otherwise the
 * blog's default. Throws the same errors as the creation would, for the blog, the locale, the slug and the quota, so
 * that nobody pays for an article that cannot be stored. The creation checks all of this again.
 */
export async function findTargetBlog(
  writer: Writer,
  wanted: {
    readonly blogId?: string | undefined;
    readonly slug?: string | undefined;
    readonly locale?: string | undefined;
    readonly published: boolean;
  },
): Promise<TargetBlogRecord> {
  const target = resolveTargetBlog(writer, wanted.blogId);
  const locale = sql`coalesce(${wanted.locale ?? null}, ${blogs.locales} ->> '$[0]')`;
  const row = target.requireOne(
    await queryRows<FoundBlog>(
      writer.db,
      sql`select ${blogs.id} as "_id", ${blogs.name} as "name", ${locale} as "locale", ${blogs.locales} as "locales",
        ${blogs.styleGuide} as "styleGuide",
        exists (select 1 from ${articles} where ${articles.blogId} = ${blogs.id}
          and ${articles.slug} = ${wanted.slug ?? null} and ${articles.locale} = ${locale}) as "taken", ${selectUsage(writer)} as "usage"
      from ${blogs} where ${target.is}`,
    ),
  );
  // Asks for one byte, because the length of the text is not known yet.
  const full =
    checkQuota(writer, row.usage, { articles: 1, articleBytes: 1 }) ?? checkEventLimit(writer, row.usage, writer.now());
  if (full !== null) throw full;
  // `conflict` returns `slug_taken` if the locale is no problem. That counts only if the slug is really taken.
  const refused = makeConflictError(row, wanted.published ? wanted.locale : undefined);
  if (row.taken === 1 || refused.code !== "slug_taken") {
    throw await explainTaken(writer, refused, { blogId: row._id, slug: wanted.slug, locale: row.locale });
  }
  return toTargetBlog(row);
}

/** Returns a text's blog and locale, by default the blog's. Throws `blog_required` and `blog_forbidden`. */
export async function findBlogForText(
  writer: Writer,
  { blogId, locale }: { readonly blogId?: string | undefined; readonly locale?: string | undefined },
): Promise<TargetBlogRecord> {
  const target = resolveTargetBlog(writer, blogId);
  const row = target.requireOne(
    await queryRows<FoundText>(
      writer.db,
      sql`select ${blogs.id} as "_id", ${blogs.name} as "name", ${blogs.styleGuide} as "styleGuide",
        coalesce(${locale ?? null}, ${blogs.locales} ->> '$[0]') as "locale" from ${blogs} where ${target.is}`,
    ),
  );
  return toTargetBlog(row);
}

const toTargetBlog = ({ _id, name, locale, styleGuide }: FoundText): TargetBlogRecord => ({
  _id,
  name,
  locale,
  styleGuide: JSON.parse(styleGuide) as StyleGuide,
});

/** Returns an article that the writer may touch, or null if there is none with this id. */
export async function findOwnArticle(writer: Writer, id: string): Promise<ArticleRecord | null> {
  const row = await queryFirstRow<ArticleRow>(
    writer.db,
    sql`select ${selectColumns(undefined)} from ${articles} where ${isOwnArticle(writer, id)}`,
  );
  return row && toArticle(row).value;
}

/** Returns published articles that a new article may link to: the newest `most` ones of a blog and locale. */
export function listLinkTargets(
  writer: Writer,
  { blogId, locale, most }: { readonly blogId: string; readonly locale: string; readonly most: number },
): Promise<{ slug: string; title: string }[]> {
  return queryRows(
    writer.db,
    sql`select ${articles.slug}, ${articles.title} from ${articles} indexed by articles_list_locale_published
      where ${joinAnd(eq(articles.blogId, blogId), isReachableArticle(writer), eq(articles.locale, locale), eq(articles.published, 1))}
      order by ${articles.creationTime} desc, ${articles.id} desc limit ${most}`,
  );
}

export type GeneratedExtras = {
  readonly generation: Turn;
  readonly model: string;
  readonly spent: Spent;
  /** The article that it translates. */
  readonly translatedId: string | undefined;
  readonly mediaIds: readonly string[];
  readonly metadata: object;
  /** The request and the sources that it names; none if it names none. */
  readonly sources: readonly StoredSource[];
};

/**
 * Stores a generated article and its event `article.created`, and returns the article. The same transaction assigns the
 * images to the article, sets the idea, if any, to `used`, and records the article and the cost of the generation. Throws
 * `topic_used` if the idea is gone or another article was made from it meanwhile, `not_found` if the translated article
 * is gone, and the errors of {@link createArticle}.
 */
export function createGeneratedArticle(
  writer: Writer,
  article: NewArticle,
  { generation, model, spent, translatedId, mediaIds, metadata, sources }: GeneratedExtras,
): Promise<Versioned<ArticleRecord>> {
  const { organizationId } = writer;
  const { id: generationId } = generation;
  return createArticle(writer, article, {
    action: "articles.generate",
    origin: { kind: "generated", model, generationId, application: null, reviewedBy: null, reviewTime: null },
    conditions: buildConditions(writer, generation, translatedId),
    change: (license, articleId) => [
      ...keepReport(writer, generationId, metadata, license),
      ...(sources.length === 0 ? [] : [insertSources(articleId, sources, license)]),
      builder
        .update(media)
        .set({ articleId })
        .where(and(isAmong(media.id, mediaIds), eq(media.organizationId, organizationId), license.held)),
      builder
        .update(generations)
        .set({ state: "stored", ...spent, articleId, progress: null, finishTime: license.time })
        .where(and(eq(generations.id, generationId), eq(generations.organizationId, organizationId), license.held)),
    ],
    answer: (id) => ({ answer: sql`(select ${buildAnswer(metadata)} from ${articles} where ${articles.id} = ${id})` }),
  });
}

/** Returns the conditions that no other run has gone on with the generation, and that the translated article still exists. */
function buildConditions(writer: Writer, generation: Turn, translatedId: string | undefined): Condition[] {
  const mine = {
    holds: sql`exists (select 1 from ${generations} where ${isMine(writer, generation)})`,
    refusal: new DomainError("generation_state"),
  };
  if (translatedId === undefined) return [mine];
  const holds = sql`exists (select 1 from ${articles} where ${isOwnArticle(writer, translatedId)})`;
  return [mine, { holds, refusal: makeSourceGoneError() }];
}

const makeSourceGoneError = (): DomainError =>
  new DomainError("not_found", "The article was deleted while it was being translated. Nothing was stored.");

const WHOLE_ARTICLE = jsonObject({ ...ARTICLE_COLUMNS, published: jsonBoolean(articles.published) });

const buildAnswer = (metadata: object) =>
  jsonObject({
    value: jsonObject({ article: WHOLE_ARTICLE, metadata: sql`json(${JSON.stringify(metadata)})` }),
    version: sql`${articles.version}`,
  });
