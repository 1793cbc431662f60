/** Resources: what the API shows of a table's rows, said once. */
import { Column, is, sql, type GetColumnData, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Versioned } from "./paging.ts";
import { frozen, jsonBoolean, jsonObject } from "./sql.ts";

/** The members of a record under their wire names: columns of one table, or expressions on them. */
type Members = Readonly<Record<string, SQLiteColumn | SQL>>;

type Values<M extends Members> = {
  -readonly [Name in keyof M]: M[Name] extends SQLiteColumn
    ? GetColumnData<M[Name]>
    : M[Name] extends SQL<infer Value>
      ? Value
      : never;
};

/** The record of a resource. */
export type RecordOf<R extends { readonly members: Members }> = Values<R["members"]>;

/** Describes a resource by the members of its record, and by the column whose value changes with every write. */
export function resource<const M extends Members>(members: M, version: SQLiteColumn) {
  const json = once(() =>
    frozen(jsonObject(Object.fromEntries(Object.entries(members).map(([name, member]) => [name, asJson(member)])))),
  );
  const answer = once(() => frozen(jsonObject({ value: json(), version: sql`${version}` })));
  return {
    members,
    /** What a SELECT or a RETURNING of the builder reads. */
    fields: { ...members, rowVersion: sql<string>`${version}`.as("rowVersion") },
    /** The record as JSON, in SQL beside its row. */
    json,
    /** What is stored of a write's answer: the record with its version, in SQL beside its row. */
    answer,
    /** A row that the fields have read, as a record with its version. */
    toRecord: ({ rowVersion, ...record }: Values<M> & { readonly rowVersion: string }): Versioned<Values<M>> => ({
      value: record as unknown as Values<M>,
      version: rowVersion,
    }),
  };
}

/** Composes on first use, and once: not when the Worker starts. */
function once(compose: () => SQL): () => SQL {
  let composed: SQL | undefined;
  return () => (composed ??= compose());
}

/** A member as JSON has it, by the mode of its column. */
function asJson(member: SQLiteColumn | SQL): SQL {
  if (!is(member, Column)) return member;
  if (member.dataType === "boolean") return jsonBoolean(member);
  return member.dataType === "json" ? sql`json(${member})` : sql`${member}`;
}
