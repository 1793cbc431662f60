/** Articles in the best of several locales: at most one of each slug (contract 20.7). */
import { sql, type SQL } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { LIMITS } from "../../domain/limits.ts";
import { buildBounds, type Bounds } from "../core/paging.ts";
import { joinAnd, type Value } from "../core/sql.ts";
import { articles } from "../../schema/articles.ts";

const BETTER = alias(articles, "better");

/** Returns the rank of a locale in the order, as an SQL expression. A locale outside the order ranks last. */
export function rankLocale(locale: SQLiteColumn, order: readonly string[]): SQL {
  const ranks = order.map((tag, rank) => sql`when ${tag} then ${sql.raw(String(rank))}`);
  return sql`case ${locale} ${sql.join(ranks, sql` `)} else ${sql.raw(String(order.length))} end`;
}

export const isListedLocale = (locale: SQLiteColumn, order: readonly string[]): SQL =>
  sql`${locale} in (${sql.join(
    order.map((tag) => sql`${tag}`),
    sql`, `,
  )})`;

/** Returns the condition, on a row of `articles`, that no article of its slug has a better locale. */
function isBest(order: readonly string[], published: boolean | undefined): SQL {
  const better = joinAnd(
    sql`${BETTER.blogId} = ${articles.blogId}`,
    sql`${BETTER.slug} = ${articles.slug}`,
    isListedLocale(BETTER.locale, order.slice(0, -1)),
    sql`${rankLocale(BETTER.locale, order)} < ${rankLocale(articles.locale, order)}`,
    published !== undefined && sql`${BETTER.published} = ${published ? 1 : 0}`,
  );
  const isFirst = sql`${articles.locale} = ${order[0]}`;
  return joinAnd(
    isListedLocale(articles.locale, order),
    sql`(${isFirst} or not exists (select 1 from ${articles} ${BETTER} indexed by articles_slug where ${better}))`,
  );
}

/** The rows that a list with a fallback walks through. They have the article's id and the time of the order. */
export type Walk = {
  readonly from: SQL;
  readonly where: SQL;
  readonly id: SQLiteColumn;
  readonly time: SQLiteColumn;
};

/** The column that is 1 for the row at which a page ends early ({@link selectBest}), else 0. */
export const ENDS = sql`picked."ends"`;

/**
 * Returns `FROM …` for a page of the best article of each slug, in the order of the walk. No index has the best ones,
 * so the query walks through at most `LIMITS.fallbackScanned` rows until it has found enough. If these have too few,
 * the row after them is the last one, with {@link ENDS} 1: the next page begins there, whether the row is shown or not.
 */
export function selectBest(
  { from, where, id, time }: Walk,
  bounds: Bounds<Value | SQL>,
  { order, published }: { readonly order: readonly string[]; readonly published: boolean | undefined },
): SQL {
  const walked = (rows: SQL, skipped: SQL) =>
    sql`select ${id} as "id" from ${from} where ${where} ${buildBounds({ ...bounds, rows, skipped }, time, id)}`;
  const most = sql.raw(String(LIMITS.fallbackScanned));
  const isShort = sql`(select count(*) < ${bounds.rows} from best)`;
  return sql`from (
      with best as materialized (
        select walked."id" from (${walked(most, sql`0`)}) walked cross join ${articles} on ${articles.id} = walked."id"
        where ${isBest(order, published)} limit ${bounds.rows})
      select "id", 0 as "ends" from best
      union all select "id", 1 from (${walked(isShort, most)})
    ) picked cross join ${articles} on ${articles.id} = picked."id"`;
}
