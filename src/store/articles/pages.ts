/** Pages of a blog's articles, newest first. */
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import {
  selectColumns,
  selectFields,
  ARTICLE_FIELDS,
  toArticle,
  type ArticleField,
  type ArticlePart,
  type ArticleQuery,
  type ArticleRow,
} from "./rows.ts";
import { selectBest, ENDS, type Walk } from "./fallbacks.ts";
import { completeRendering, hasRenderedPart, isLargePart, selectRendered, SOURCE } from "./renderings.ts";
import { hold, type Held } from "../../memory.ts";
import { buildBounds, parseBounds, toPage, type Bounds, type Page, type Versioned } from "../core/paging.ts";
import { articles, articleRenderings as renderings } from "../../schema/articles.ts";
import { selectTermId } from "../terms/assigning.ts";
import { termArticles } from "../../schema/terms.ts";
import { joinAnd, toColumnName, compileFragment, isAmong, type Reader, type Value } from "../core/sql.ts";

/**
 * The largest content, in bytes, that the query of a page reads. A second query reads the larger ("heavy") contents,
 * once it is known how many fit. So a page may reserve this much for each article before it is read.
 */
const LIGHT_BYTES = 20 * 1024;
/** Contents of fewer bytes are light, whatever their size as JSON. Measuring that takes as long as reading them. */
const PLAIN_BYTES = 8 * 1024;
/** How many bytes a byte of content may become in JSON: a control character takes six. */
const MOST_ESCAPED = 6;
/** Bytes of memory for each byte of a page: two per character, once in the rows and once in the response. */
const HELD = 4;

/** A row of a page. `content` is null if it is heavy; `bytes` is its size; `ends` is 1 if the page ends before it. */
export type PageRow = Omit<ArticleRow, "content"> & { content?: string | null; bytes?: number; ends?: number };

type Sort = ArticleQuery["sort"];

/** The fields that every page reads for its cursor. */
const listKeyFields = (sort: Sort): readonly ArticleField[] => ["_id", sort ?? "creationTime"];

export const getSortColumn = (sort: Sort) => articles[sort ?? "creationTime"];

/**
 * Returns the query for a page. It reads one row more than the page shows, to know whether there is a next page.
 * `blogId` is an SQL expression that is NULL if the caller may not see the blog. Throws `invalid_cursor`.
 */
export function selectArticlePage(query: ArticleQuery, blogId: SQL): SQL {
  const { locale, slug, tag, author } = query;
  return selectPage({ ...parseBounds(query), blogId, locale, slug, tag, author }, query);
}

export type PageBounds<V> = Bounds<V> & {
  readonly blogId: V;
  readonly locale?: V | undefined;
  readonly slug?: V | undefined;
  readonly tag?: V | undefined;
  readonly author?: V | undefined;
};

type PageOptions = Pick<ArticleQuery, "ids" | "published" | "fields" | "sort" | "fallback">;

/** Returns the query for a page, as {@link selectArticlePage} does, for values or placeholders. */
export function selectPage(
  { blogId, locale, slug, tag, author, ...bounds }: PageBounds<Value | SQL>,
  options: PageOptions,
): SQL {
  const { published, fields, sort, fallback: order } = options;
  const hasTerm = tag !== undefined || author !== undefined;
  // With a fallback, the list is walked through in all locales.
  const narrowed = order === undefined ? locale : undefined;
  const walk = hasTerm
    ? walkTerm(
        tag === undefined ? selectTermId(blogId, "author", author) : selectTermId(blogId, "tag", tag),
        narrowed,
        options,
      )
    : walkBlog({ blogId, slug, locale: narrowed }, options);
  const { from, where, time, id } = walk;
  if (order !== undefined) {
    const best = selectBest(walk, bounds, { order, published: sort === "publishTime" ? true : published });
    return selectPageFields({ fields, sort }, best, ENDS);
  }
  const joined = hasTerm ? sql`cross join ${articles} on ${articles.id} = ${termArticles.articleId}` : sql``;
  return selectPageFields(
    { fields, sort },
    sql`from ${from} ${joined} where ${where} ${buildBounds(bounds, time, id)}`,
  );
}

function walkBlog(
  { blogId, locale, slug }: Pick<PageBounds<Value | SQL>, "blogId" | "locale" | "slug">,
  { ids, published, sort }: PageOptions,
): Walk {
  const where = joinAnd(
    // With `+`, SQLite finds the articles by their ids.
    ids === undefined
      ? sql`${articles.blogId} = ${blogId}`
      : sql`${isAmong(articles.id, ids)} and +${articles.blogId} = ${blogId}`,
    published !== undefined && sql`${articles.published} = ${published ? 1 : 0}`,
    // Not redundant: from this condition, SQLite knows that the partial index has all rows.
    sort === "publishTime" && sql`${articles.published} = 1`,
    locale !== undefined && sql`${articles.locale} = ${locale}`,
    slug !== undefined && sql`${articles.slug} = ${slug}`,
  );
  const from = ids === undefined ? selectBlogRows({ locale, slug, published, sort }) : sql`${articles}`;
  return { from, where, time: getSortColumn(sort), id: articles.id };
}

function selectBlogRows(filter: Filter): SQL {
  // A blog has few articles with one slug. Without the hint, SQLite would walk through the whole list.
  return filter.slug === undefined
    ? selectListRows(filter, sql`${articles}`, "articles")
    : sql`${articles} indexed by articles_slug`;
}

type Filter = Pick<PageBounds<unknown>, "locale" | "slug"> & Pick<PageOptions, "published" | "sort">;

/**
 * Returns the rows that a list with these filters walks through: the table, or for a list in both states its drafts and
 * its published articles under the table's name. SQLite merges both in the order of the list, so that no index has all.
 */
export function selectListRows({ published, sort }: Filter, table: SQL, name: string): SQL {
  if (published !== undefined || sort === "publishTime") return table;
  return sql`(select * from ${articles} where ${toColumnName(articles.published)} = 0
    union all select * from ${articles} where ${toColumnName(articles.published)} = 1) ${sql.identifier(name)}`;
}

function walkTerm(id: SQL, locale: Value | SQL | undefined, { published, sort }: PageOptions): Walk {
  const isPublic = published === true || sort === "publishTime";
  const where = joinAnd(
    sql`${termArticles.termId} = ${id}`,
    // Not redundant: from this condition, SQLite knows that the partial index has all rows.
    isPublic ? sql`${termArticles.published} = 1` : published === false && sql`${termArticles.published} = 0`,
    // Drafts have no place in the order of publication.
    published === false && sort === "publishTime" && sql`false`,
    locale !== undefined && sql`${termArticles.locale} = ${locale}`,
  );
  const time = sort === undefined ? termArticles.creationTime : termArticles.publishTime;
  return { from: sql`${termArticles}`, where, time, id: termArticles.articleId };
}

/** How often a page is read at most, if its first article is heavy and changes between the two queries each time. */
const MOST_READS = 5;

/**
 * Returns a page with the requested fields. A list must not exhaust the memory of a Worker, so the page ends early if
 * its contents exceed `LIMITS.pageBytes` as JSON, and its memory is reserved until it is made. A second query reads the
 * heavy contents. If an article has changed between the two queries, the page ends before it. Throws if the first
 * article changes each time, and `not_ready`.
 *
 * `readRows` runs the query of {@link selectArticlePage}. `readContents` must not lag behind it.
 */
export async function readArticlePage(
  query: ArticleQuery,
  readRows: () => Promise<readonly PageRow[]>,
  readContents: Reader,
): Promise<Page<ArticlePart>> {
  const { fields = ARTICLE_FIELDS } = query;
  const most = hasRendered(fields) ? LIMITS.pageBytes : fields.includes("content") ? query.limit * LIGHT_BYTES : 0;
  const held = most > 0 ? await hold(most * HELD) : undefined;
  try {
    for (let reads = 0; reads < MOST_READS; reads++) {
      const page = await completePage(query, await readRows(), { readContents, held });
      if (page !== null) return page;
    }
  } finally {
    held?.end();
  }
  throw new Error("the page changes faster than it can be read");
}

/** Returns the page of these rows, or null if its first article has changed since they were read. */
async function completePage(
  query: ArticleQuery,
  rows: readonly PageRow[],
  { readContents, held }: { readonly readContents: Reader; readonly held: Held | undefined },
): Promise<Page<ArticlePart> | null> {
  const before = rows.at(-1)?.ends === 1 ? rows.length - 1 : query.limit;
  const shown = rows.slice(0, countFitting(before, rows));
  const left = Math.min(computeRoom(shown), MOST_ESCAPED * countBytes(shown, isHeavy));
  const light = countBytes(rows, isLight);
  // First releases what the page does not need, so that the wait for the heavy contents holds no more than was read.
  await held?.change(light * HELD);
  await held?.change((light + left) * HELD);
  const contents = await readHeavyContents(readContents, shown, { most: left, sort: query.sort });
  const changed = shown.findIndex((row) => row.content === null && !contents.has(row.rowVersion));
  if (changed === 0) return null;
  const limit = changed === -1 ? shown.length : changed;
  const result = toArticlePage({ ...query, limit }, rows, contents);
  if (hasRenderedPart(query.fields)) for (const { value } of result.items) await completeRendering(value);
  return result;
}

function toArticlePage(
  query: ArticleQuery,
  rows: readonly PageRow[],
  contents: ReadonlyMap<string, string>,
): Page<ArticlePart> {
  const { sort, fields = ARTICLE_FIELDS } = query;
  const toItem = (row: PageRow): Versioned<ArticlePart> => {
    if (row.content === null) row.content = contents.get(row.rowVersion) ?? null;
    return toArticle(row as ArticleRow, fields);
  };
  return toPage(query, rows, toItem, (row) => ({ time: row[sort ?? "creationTime"] ?? "", id: row._id }));
}

/** Returns the query of a page with these fields and those of its cursor. `ends` is 1 where it ends early. */
export function selectPageFields(
  { fields: asked, sort }: Pick<ArticleQuery, "fields" | "sort">,
  from: SQL,
  ends?: SQL,
): SQL {
  const last = ends === undefined ? sql`` : sql`, ${ends} as "ends"`;
  if (asked === undefined && sort === undefined) return sql`select ${ALL_COLUMNS}${last} ${from}`;
  const fields = [...new Set([...(asked ?? ARTICLE_FIELDS), ...listKeyFields(sort)])];
  if (hasRendered(fields)) return selectPageWithTexts(fields, sort, { from, ends });
  return sql`select ${fields.includes("content") ? selectWithContent(fields) : selectColumns(fields)}${last} ${from}`;
}

function selectWithContent(fields: readonly ArticleField[]): SQL {
  const [most, plain] = [sql.raw(String(LIGHT_BYTES)), sql.raw(String(PLAIN_BYTES))];
  const light = sql`case when octet_length(${articles.content}) <= ${plain} or octet_length(${articles.content}) <= ${most}
    and ${JSON_BYTES} <= ${most} then ${articles.content} end`;
  return sql`${selectFields(fields, { content: light })}, octet_length(${articles.content}) as "bytes"`;
}

/** The bytes of a content as JSON, without its quotes. */
const JSON_BYTES = sql`octet_length(json_quote(${articles.content})) - 2`;

const ALL_COLUMNS = compileFragment(selectWithContent(ARTICLE_FIELDS));

/** Returns how many rows fit into a page with `limit` rows and `LIMITS.pageBytes` of content: at least one. */
function countFitting(limit: number, rows: readonly PageRow[]): number {
  let bytes = 0;
  const beyond = rows.slice(0, limit).findIndex((row) => (bytes += row.bytes ?? 0) > LIMITS.pageBytes);
  return beyond === -1 ? limit : Math.max(beyond, 1);
}

const isHeavy = (row: PageRow): boolean => row.content === null;
const isLight = (row: PageRow): boolean => row.content !== null;

const countBytes = (rows: readonly PageRow[], counts: (row: PageRow) => boolean): number =>
  rows.filter(counts).reduce((sum, row) => sum + (row.bytes ?? 0), 0);

/** Returns how many bytes of JSON the heavy contents of a page may have, besides the light ones. */
function computeRoom(shown: readonly PageRow[]): number {
  if (!shown.some(isHeavy)) return 0;
  return LIMITS.pageBytes - shown.reduce((sum, { content }) => sum + JSON.stringify(content ?? "").length, 0);
}

/**
 * Returns the heavy contents of a page by version: the first ones that fit into `most` bytes of JSON together, and
 * always the first. An article that has changed meanwhile has another version. It must not be shown, because it may
 * have become a draft.
 */
async function readHeavyContents(
  read: Reader,
  shown: readonly PageRow[],
  { most, sort }: { readonly most: number; readonly sort: Sort },
): Promise<Map<string, string>> {
  const heavy = shown.filter(isHeavy);
  if (heavy.length === 0) return new Map();
  const inOrder = sql`over (order by ${getSortColumn(sort)} desc, ${articles.id} desc rows unbounded preceding)`;
  const found = await read<{ version: string; content: string | null }>(
    sql`select ${toColumnName(articles.version)}, case when sum(${JSON_BYTES}) ${inOrder} <= ${most}
          or row_number() ${inOrder} = 1 then ${articles.content} end as "content"
      from ${articles} where ${isAmong(
        articles.id,
        heavy.map((row) => row._id),
      )}`,
  );
  return new Map(found.flatMap(({ version, content }) => (content === null ? [] : [[version, content] as const])));
}

type Large = Extract<ArticleField, "content" | "html" | "text" | "headings">;

/** Returns the query, on a row of `page`, of a large field. */
function selectLarge(field: Large, large: readonly Large[]): SQL {
  const id = sql`page."_id"`;
  const read = (value: SQLWrapper) => sql`select ${value} from ${articles} where ${articles.id} = ${id}`;
  if (field === "content") return read(articles.content);
  return sql`select ${selectRendered(field, { first: large.find(isLargePart), id, source: sql`(${read(SOURCE)})` })}`;
}

/** How many bytes a byte of such a text may become in JSON: quotes and line breaks take two. */
const ESCAPED = 2;

/** Counts a part that is too large to be stored as filling the page. Who reads a part that is packed reads the content. */
function selectBytes(field: Large): SQL {
  const content = sql`octet_length(${articles.content})`;
  if (field === "content") return content;
  return sql`coalesce((select coalesce(octet_length(${renderings[field]}), max(${renderings.htmlBytes}, ${content})) from ${renderings}
    where ${renderings.articleId} = ${articles.id}), ${sql.raw(String(LIMITS.pageBytes))})`;
}

const isLarge = (field: ArticleField): field is Large => field === "content" || isLargePart(field);

/** Returns whether a page with these fields needs {@link selectPageWithTexts}. */
const hasRendered = (fields: readonly ArticleField[]): boolean => fields.some(isLargePart);

/**
 * Returns the query of a page with these fields. Only the first articles have their large members: those whose large
 * members together fit into `LIMITS.pageBytes`, and always the first article. The page can end before the others.
 * `from` selects the rows of the page, in its order; `ends` is as for `selectPageFields`.
 */
function selectPageWithTexts(
  fields: readonly ArticleField[],
  sort: Sort,
  { from, ends }: { readonly from: SQL; readonly ends: SQL | undefined },
): SQL {
  const large = fields.filter(isLarge);
  const weight = sql.join(large.map(selectBytes), sql` + `);
  const small = sql`select ${selectColumns(fields.filter((field) => !isLarge(field)))},
    ${sql.raw(String(ESCAPED))} * (${weight}) as "bytes", ${ends ?? sql`0`} as "ends" ${from}`;
  const order = sql`order by ${sql.identifier(sort ?? "creationTime")} desc, "_id" desc`;
  const measured = sql`select small.*, sum("bytes") over (${order} rows unbounded preceding) as "sum",
    row_number() over (${order}) as "nth" from (${small}) small`;
  const columns = fields.map((field) =>
    isLarge(field)
      ? sql`case when "sum" <= ${sql.raw(String(LIMITS.pageBytes))} or "nth" = 1 then (${selectLarge(field, large)}) end as ${sql.identifier(field)}`
      : sql`${sql.identifier(field)}`,
  );
  return sql`select ${sql.join(columns, sql`, `)}, "rowVersion", "bytes", "ends" from (${measured}) page ${order}`;
}
