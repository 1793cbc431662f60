/** Resources: one definition of the fields that the API shows of a table's rows, for reads, events and responses. */
import { Column, is, sql, type GetColumnData, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Versioned } from "./paging.ts";
import { compileFragment, jsonBoolean, jsonObject } from "./sql.ts";

/** The fields of a record, by their names in the API: columns of one table, or SQL expressions on them. */
type Members = Readonly<Record<string, SQLiteColumn | SQL>>;

type Values<M extends Members> = {
  -readonly [Name in keyof M]: M[Name] extends SQLiteColumn
    ? GetColumnData<M[Name]>
    : M[Name] extends SQL<infer Value>
      ? Value
      : never;
};

export type RecordOf<R extends { readonly members: Members }> = Values<R["members"]>;

/** Defines a resource by the fields of its record. `version` changes with every write: a column, or an expression. */
export function defineResource<const M extends Members>(members: M, version: SQLiteColumn | SQL) {
  const json = composeOnce(() =>
    compileFragment(
      jsonObject(Object.fromEntries(Object.entries(members).map(([name, member]) => [name, toJson(member)]))),
    ),
  );
  const answer = composeOnce(() => compileFragment(jsonObject({ value: json(), version: sql`${version}` })));
  return {
    members,
    fields: { ...members, rowVersion: sql<string>`${version}`.as("rowVersion") },
    /** Returns an SQL expression, on a row of the table, for the record as a JSON object. */
    json,
    /** Returns an SQL expression, on a row of the table, for a stored response: `{"value": …, "version": …}`. */
    answer,
    /** Converts a row that was read with `fields` to a record with its version. */
    toRecord: ({ rowVersion, ...record }: Values<M> & { readonly rowVersion: string }): Versioned<Values<M>> => ({
      value: record as unknown as Values<M>,
      version: rowVersion,
    }),
  };
}

/** Composes the SQL on the first call only, so that the Worker does not start slower. */
function composeOnce(compose: () => SQL): () => SQL {
  let composed: SQL | undefined;
  return () => (composed ??= compose());
}

/** A boolean or JSON column is stored as a number or text. */
function toJson(member: SQLiteColumn | SQL): SQL {
  if (!is(member, Column)) return member;
  if (member.dataType === "boolean") return jsonBoolean(member);
  return member.dataType === "json" ? sql`json(${member})` : sql`${member}`;
}
