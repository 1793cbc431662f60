/** What a write asks of the row that it changes, once as SQL and once as the reason of a refusal. */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../errors.ts";
import { isOneOf } from "./sql.ts";

export type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** What an `If-Match` header asks for: one of these versions, or `*`, any that exists: a row that is found has one. */
export type IfMatch = readonly string[] | "*";

export type Preconditions<ReadOnly> = {
  readonly ifMatch: IfMatch | undefined;
  /** Read-only members that the caller sent back: they have to equal what is stored. */
  readonly unchanged: Optional<ReadOnly>;
};

/** The preconditions in SQL. */
export function holds<R>(
  asked: Preconditions<R>,
  version: SQLiteColumn,
  columns: { readonly [K in keyof R]: SQLiteColumn },
): SQL[] {
  const members = Object.entries(asked.unchanged) as [keyof R, R[keyof R] | undefined][];
  // IS, not =: a null that was sent back equals a stored null.
  const equal = members.flatMap(([name, value]) => (value === undefined ? [] : [sql`${columns[name]} is ${value}`]));
  return [...versionIn(version, asked.ifMatch), ...equal];
}

/** That a row has one of the versions of an `If-Match`. */
export function versionIn(version: SQLiteColumn | SQL, ifMatch: IfMatch | undefined): SQL[] {
  return ifMatch === undefined || ifMatch === "*" ? [] : [isOneOf(version, ifMatch)];
}

/** Why the preconditions did not hold for the row found, or null where they did. */
export function refusal<R>(asked: Preconditions<R>, found: R & { rowVersion: string }): DomainError | null {
  if (Array.isArray(asked.ifMatch) && !asked.ifMatch.includes(found.rowVersion))
    return new DomainError("precondition_failed");
  const members = Object.keys(asked.unchanged) as (keyof R & string)[];
  const differing = members.filter(
    (name) => asked.unchanged[name] !== undefined && asked.unchanged[name] !== found[name],
  );
  if (differing.length === 0) return null;
  return new DomainError("immutable_field", `${differing.join(", ")} cannot be changed.`, {
    errors: differing.map((path) => ({ path, message: DIFFERS })),
  });
}

const DIFFERS = "This member is read-only and differs from what is stored: was it changed since you read it?";

/** Suffixes to try: a text that is taken this often gets one that nobody else can have. */
const MOST_SUFFIXES = 100;

/**
 * The first of `base`, `base-2`, `base-3` … that is free, found in the statement that writes it, so
 * that two writers at once get two. `taken` says in SQL whether a text is taken. After a hundred, the
 * suffix comes from the id of the row: ten digits of it, as twelve could complete the shape of a UUID.
 */
export function firstFree(base: string, id: string, taken: (text: SQL) => SQL): SQL {
  const nth = (n: SQL) => sql`case ${n} when 1 then ${base} else ${base} || '-' || ${n} end`;
  return sql`(with recursive tried(n) as (
      select 1 union all select n + 1 from tried where n <= ${MOST_SUFFIXES} and ${taken(nth(sql`n`))})
    select case when max(n) > ${MOST_SUFFIXES} then ${base} || '-' || ${id.slice(-10)} else ${nth(sql`max(n)`)} end
    from tried)`;
}
