/** Conditions of a write on the row that it changes, as SQL for its license. */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { IfMatch } from "../../domain/preconditions.ts";
import { isAmong } from "./sql.ts";

/** `T` with all fields optional; an undefined field counts as absent. */
export type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Returns the condition that a row has one of the versions of an `If-Match`. Empty if there is nothing to check. */
export function matchVersion(version: SQLiteColumn | SQL, ifMatch: IfMatch | undefined): SQL[] {
  return ifMatch === undefined || ifMatch === "*" ? [] : [isAmong(version, ifMatch)];
}

/**
 * Returns the conditions of an `If-Match` on a part that an article may lack, such as its working copy. It names the
 * part's version, or the article's while there is no part. `*` requires a part (contract 13.2).
 */
export function matchPartVersion(part: SQLiteColumn | SQL, whole: SQLiteColumn, ifMatch: IfMatch | undefined): SQL[] {
  return ifMatch === "*" ? [sql`${part} is not null`] : matchVersion(sql`coalesce(${part}, ${whole})`, ifMatch);
}

/** How many candidates {@link pickFirstFree} tries before it takes a suffix from the row's id. */
const MOST_SUFFIXES = 100;

/** Returns the texts that {@link pickFirstFree} tries, in its order. */
export const listCandidates = (base: string, id: string): string[] => [
  ...Array.from({ length: MOST_SUFFIXES }, (_, n) => (n === 0 ? base : `${base}-${n + 1}`)),
  `${base}-${id.slice(-10)}`,
];

/**
 * Returns the first of `base`, `base-2`, `base-3` … that is free, as an SQL expression. `taken` returns the condition
 * that a text is taken. It is evaluated inside the statement that writes the text, so two concurrent writers get
 * different texts. If the first hundred are taken, the suffix is the last ten digits of the row's id: twelve digits
 * could turn a text into the shape of a UUID.
 */
export function pickFirstFree(base: string, id: string, taken: (text: SQL) => SQL): SQL {
  const nth = (n: SQL) => sql`case ${n} when 1 then ${base} else ${base} || '-' || ${n} end`;
  return sql`(with recursive tried(n) as (
      select 1 union all select n + 1 from tried where n <= ${MOST_SUFFIXES} and ${taken(nth(sql`n`))})
    select case when max(n) > ${MOST_SUFFIXES} then ${base} || '-' || ${id.slice(-10)} else ${nth(sql`max(n)`)} end
    from tried)`;
}
