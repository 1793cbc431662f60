/** From drizzle's `sql` to D1: composed by hand where a statement carries a rule, typed by the schema. */
import { fillPlaceholders, getTableColumns, sql, type Placeholder, type SQL } from "drizzle-orm";
import { SQLiteAsyncDialect, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { described, log } from "../../lib/log.ts";

/** A database, or a session of it: both prepare statements and run batches. */
export type Database = Pick<D1Database, "prepare" | "batch">;

const COMMA = sql`, `;

const dialect = new SQLiteAsyncDialect();

/** A query as D1 takes it. */
type Composed = { readonly sql: string; readonly params: readonly unknown[] };

/** Compiles a query and binds its parameters. */
export function prepare(db: Database, query: SQL | Composed): D1PreparedStatement {
  const { sql: text, params } = "sql" in query ? query : dialect.sqlToQuery(query);
  return db.prepare(text).bind(...params);
}

/** What a query is asked with: a value, or the name of one (`family`). */
export type Value = string | number | Placeholder;

type Values = Readonly<Record<string, string | number | undefined>>;

type Names<V> = { readonly [K in keyof V]: Placeholder | Extract<V[K], undefined> };

/** Shapes whose texts a family keeps: callers choose the fields, so there could be any number. */
const MOST_SHAPES = 200;

/**
 * Queries that differ in their values only. `compose` gets names in place of the values that are given; each
 * shape (which values, which `fields`) is composed once: that takes more time than all else that a read does here.
 */
export function family<V extends Values, Field extends string>(
  compose: (names: Names<V>, fields: readonly Field[] | undefined) => SQL,
): (values: V, fields?: readonly Field[]) => Composed {
  const kept = new Map<string, Composed>();
  const compiled = (given: readonly string[], fields: readonly Field[] | undefined): Composed => {
    const names = Object.fromEntries(given.map((name) => [name, sql.placeholder(name)]));
    return dialect.sqlToQuery(compose(names as Names<V>, fields));
  };
  return (values, fields) => {
    const given = Object.keys(values).filter((name) => values[name] !== undefined);
    const shape = `${given.join()}|${fields?.join() ?? ""}`;
    let known = kept.get(shape);
    if (known === undefined) {
      known = compiled(given, fields);
      if (kept.size >= MOST_SHAPES) kept.clear();
      kept.set(shape, known);
    }
    return { sql: known.sql, params: fillPlaceholders([...known.params], values) };
  };
}

/** Runs a query in one round trip; returns its rows. */
export async function rows<Row>(db: Database, query: SQL | Composed): Promise<Row[]> {
  return (await prepare(db, query).all<Row>()).results;
}

/** A way to run queries that only read. */
export type Reader = <Row>(query: SQL | Composed) => Promise<Row[]>;

/** Reads from the database as it is given: the primary, unless it is a session. */
export const readerOf =
  (db: Database): Reader =>
  (query) =>
    rows(db, query);

/** How long a read waits for a replica before it asks the primary. */
const REPLICA_PATIENCE_MS = 1500;

/**
 * Reads from the nearest replica. Sessions have been seen to hang, so each read has its own, waits a
 * bounded time, and falls back to the primary. Nothing outlives the request.
 */
export const replicaReader =
  (db: D1Database): Reader =>
  async <Row>(query: SQL | Composed): Promise<Row[]> => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const timeout = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), REPLICA_PATIENCE_MS);
    });
    try {
      const read = rows<Row>(db.withSession("first-unconstrained"), query).catch(refused);
      return (await Promise.race([read, timeout])) ?? (await rows<Row>(db, query));
    } finally {
      clearTimeout(timer);
    }
  };

/** A failing replica should not fail the request, but somebody should look at it. */
function refused(error: unknown): null {
  log({ level: "warn", message: "replica read failed", error: described(error).message });
  return null;
}

/** Runs a query in one round trip; returns its first row, or null. */
export async function firstRow<Row>(db: Database, query: SQL): Promise<Row | null> {
  return (await rows<Row>(db, query))[0] ?? null;
}

/** The statements of a transaction, by name, in their order; a list stands for as many of a kind as there are. */
export type Statements = Readonly<Record<string, SQL | readonly SQL[]>>;

/** The rows of each statement, under its name: of the type that the statement says (`sql<Row>`). */
export type Results<S extends Statements> = {
  readonly [Name in keyof S]: S[Name] extends SQL<infer Row> ? Row[] : unknown[][];
};

/** Runs the statements as one transaction, in one round trip. */
export async function transaction<S extends Statements>(db: Database, statements: S): Promise<Results<S>> {
  const given = Object.values(statements).flat();
  const answers = await db.batch(given.map((statement) => prepare(db, statement)));
  const inOrder = answers.values();
  const next = (): unknown[] => inOrder.next().value?.results ?? [];
  const named = Object.entries(statements).map(([name, statement]) => [
    name,
    Array.isArray(statement) ? statement.map(next) : next(),
  ]);
  return Object.fromEntries(named) as Results<S>;
}

/** A fragment without parameters, compiled once: building it anew for each query costs more than the rest. */
export const frozen = (fragment: SQL): SQL => sql.raw(dialect.sqlToQuery(fragment).sql);

/** A column without its table, for the places where SQLite allows no other name. */
export const bare = (column: SQLiteColumn): SQL => sql`${sql.identifier(column.name)}`;

/**
 * The columns under their wire names, and a version as `rowVersion`: without the table's name, which
 * SQLite does not allow after RETURNING.
 */
export function returned(columns: Readonly<Record<string, SQLiteColumn>>, version?: SQLiteColumn): SQL {
  const named = Object.entries({ ...columns, ...(version && { rowVersion: version }) });
  return sql.join(
    named.map(([name, column]) => sql`${bare(column)} as ${sql.identifier(name)}`),
    COMMA,
  );
}

/** `INSERT INTO table (columns)` for the given members, followed by the caller's SELECT of the same order. */
export function insertInto<T extends SQLiteTable>(
  table: T,
  values: { readonly [K in keyof T["$inferInsert"]]?: SQL | string | number | null },
): { into: SQL; values: SQL } {
  const columns = getTableColumns(table);
  const names: SQL[] = [];
  const selected: SQL[] = [];
  for (const [key, value] of Object.entries(values)) {
    const column = columns[key];
    if (column === undefined) throw new Error(`no column ${key}`);
    names.push(bare(column as SQLiteColumn));
    selected.push(sql`${value}`);
  }
  return { into: sql`insert into ${table} (${sql.join(names, COMMA)})`, values: sql.join(selected, COMMA) };
}

/** `"a" = …, "b" = …` for an UPDATE: only the members that are given. */
export function assignments<T extends SQLiteTable>(
  table: T,
  values: { readonly [K in keyof T["$inferInsert"]]?: SQL | string | number | null | undefined },
): SQL {
  const columns = getTableColumns(table);
  const parts = Object.entries(values).flatMap(([key, value]) => {
    const column = columns[key];
    return value === undefined || column === undefined
      ? []
      : [sql`${bare(column as SQLiteColumn)} = ${value as SQL | string | number | null}`];
  });
  return sql.join(parts, sql`, `);
}

/** A JSON object in SQL, from member names to expressions. */
export function jsonObject(members: Readonly<Record<string, SQL | SQLiteColumn>>): SQL {
  const parts = Object.entries(members).map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`);
  return sql`json_object(${sql.join(parts, sql`, `)})`;
}

/** A 0 or 1 column as JSON's true and false. */
export const jsonBoolean = (column: SQLiteColumn): SQL => sql`json(case ${column} when 1 then 'true' else 'false' end)`;

/** The conjunction of the conditions that are given. */
export function all(...conditions: readonly (SQL | false | undefined)[]): SQL {
  const given = conditions.filter((condition) => condition !== undefined && condition !== false);
  return given.length === 0 ? sql`true` : sql`(${sql.join(given, sql` and `)})`;
}
