/** Pages of articles with parts of their renderings, which may be as large as the page itself. */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { rendered } from "./renderings.ts";
import { articleColumns, type ArticleField } from "./rows.ts";
import { articleRenderings as renderings, articles } from "../../schema/articles.ts";

const PAGE = {
  id: sql`page."_id"`,
  content: sql`(select ${articles.content} from ${articles} where ${articles.id} = page."_id")`,
};

const LARGE = {
  content: sql`select ${articles.content} from ${articles} where ${articles.id} = page."_id"`,
  html: sql`select ${rendered(renderings.html, PAGE)}`,
  text: sql`select ${rendered(renderings.text, PAGE)}`,
} as const;

/** How many bytes a byte of such a text may become in JSON: quotes and line breaks take two. */
const ESCAPED = 2;

const BYTES: Readonly<Record<keyof typeof LARGE, SQL>> = {
  content: sql`octet_length(${articles.content})`,
  html: bytesOf(sql`octet_length(${renderings.html})`),
  text: bytesOf(sql`octet_length(${renderings.text})`),
};

/** Counts a part that is too large to be stored as filling the page. */
function bytesOf(column: SQL): SQL {
  return sql`coalesce((select ${column} from ${renderings} where ${renderings.articleId} = ${articles.id}), ${sql.raw(String(LIMITS.pageBytes))})`;
}

const isLarge = (field: ArticleField): field is keyof typeof LARGE => field in LARGE;

/** Returns whether a page with these fields needs {@link withTexts}. */
export const hasRendered = (fields: readonly ArticleField[]): boolean =>
  fields.includes("html") || fields.includes("text");

/**
 * Returns the query of a page with these fields. Only the first articles have their large members: those whose large
 * members together fit into `LIMITS.pageBytes`, and always the first article. The page can end before the others.
 * `from` selects the rows of the page, in its order; `ends` is as for `pageFrom`.
 */
export function withTexts(
  fields: readonly ArticleField[],
  sort: "publishTime" | undefined,
  { from, ends }: { readonly from: SQL; readonly ends: SQL | undefined },
): SQL {
  const large = fields.filter(isLarge);
  const weight = sql.join(
    large.map((field) => BYTES[field]),
    sql` + `,
  );
  const small = sql`select ${articleColumns(fields.filter((field) => !isLarge(field)))},
    ${sql.raw(String(ESCAPED))} * (${weight}) as "bytes", ${ends ?? sql`0`} as "ends" ${from}`;
  const order = sql`order by ${sql.identifier(sort ?? "creationTime")} desc, "_id" desc`;
  const measured = sql`select small.*, sum("bytes") over (${order} rows unbounded preceding) as "sum",
    row_number() over (${order}) as "nth" from (${small}) small`;
  const columns = fields.map((field) =>
    isLarge(field)
      ? sql`case when "sum" <= ${sql.raw(String(LIMITS.pageBytes))} or "nth" = 1 then (${LARGE[field]}) end as ${sql.identifier(field)}`
      : sql`${sql.identifier(field)}`,
  );
  return sql`select ${sql.join(columns, sql`, `)}, "rowVersion", "bytes", "ends" from (${measured}) page ${order}`;
}
