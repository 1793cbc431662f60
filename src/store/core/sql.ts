/** Statements: of Drizzle's builder, and raw SQL for what it cannot say. */
import {
  fillPlaceholders,
  getTableColumns,
  getTableName,
  is,
  SQL,
  sql,
  type Placeholder,
  type Query,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { SQLiteAsyncDialect, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { described, log } from "../../lib/log.ts";

/** A database, or a session of it: both prepare statements and run batches. */
export type Database = Pick<D1Database, "prepare" | "batch">;

/** Drizzle's query builder on a database. */
export const orm = (db: Database) => drizzle(db as D1Database);

const COMMA = sql`, `;

const dialect = new SQLiteAsyncDialect();

/** A query as D1 takes it; `row` is never there: it is of the type of its rows. */
type Composed<Row = unknown> = { readonly sql: string; readonly params: readonly unknown[]; readonly row?: Row };

/** Compiles a query and binds its parameters. */
export function prepare(db: Database, query: SQL | Composed): D1PreparedStatement {
  const { sql: text, params } = "sql" in query ? query : dialect.sqlToQuery(query);
  return db.prepare(text).bind(...params);
}

/** What a query is asked with: a value, or the name of one (`family`). */
export type Value = string | number | Placeholder;

type Values = Readonly<Record<string, string | number | null | undefined>>;

/** The names of the values that a query is asked with. */
export type Names<V> = { readonly [K in keyof V]: Placeholder | Extract<V[K], undefined> };

/** Shapes whose texts a family keeps: callers choose the fields, so there could be any number. */
const MOST_SHAPES = 200;

/**
 * Queries that differ in their values only. `compose` gets names in place of the values that are given; each
 * shape (which values, which `fields`) is composed once: that takes more time than all else that a read does here.
 */
export function family<V extends Values, Field extends string = never, Row = unknown>(
  compose: (names: Names<V>, fields: readonly Field[] | undefined) => SQL,
): (values: V, fields?: readonly Field[]) => Composed<Row> {
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
export async function firstRow<Row>(db: Database, query: SQL | Composed): Promise<Row | null> {
  return (await rows<Row>(db, query))[0] ?? null;
}

/** A statement of the builder that was not run. */
type Built<Answer = unknown> = PromiseLike<Answer> & {
  prepare(): { getQuery(): Query; mapResult(response: unknown, isFromBatch: true): unknown };
};

/** A statement of a transaction. Raw SQL says the type of its rows itself: `sql<Row>`, or as its `family` does. */
export type Statement = SQL | Composed | Built;

/** A statement of a transaction that answers rows. */
export type Returning<Row> = SQL<Row> | Built<readonly Row[]>;

/** The statements of a transaction, by name, in their order; a list stands for as many of a kind as there are. */
export type Statements = Readonly<Record<string, Statement | readonly Statement[]>>;

/** The answer of each statement, under its name: rows, of the builder's types or of the type that the SQL says. */
export type Results<S extends Statements> = {
  readonly [Name in keyof S]: S[Name] extends SQL<infer Row>
    ? Row[]
    : S[Name] extends Composed<infer Row>
      ? Row[]
      : S[Name] extends Built<infer Answer>
        ? Answer
        : unknown[][];
};

/**
 * Runs the statements as one transaction, in one round trip. D1 answers its rows by the names of their columns: a join
 * of the builder has to name columns apart that have the same one (`sql`…`.as(name)`).
 */
export async function transaction<S extends Statements>(db: Database, statements: S): Promise<Results<S>> {
  const ready = Object.entries(statements).map(([name, given]) => ({
    name,
    isList: Array.isArray(given),
    queries: [given].flat().map((statement) => readied(db, statement)),
  }));
  const answers = await db.batch(ready.flatMap(({ queries }) => queries.map(({ bound }) => bound)));
  const inOrder = answers.values();
  const named = ready.map(({ name, isList, queries }) => {
    const read = queries.map(({ rowsOf }) => rowsOf(inOrder.next().value));
    return [name, isList ? read : read[0]];
  });
  return Object.fromEntries(named) as Results<S>;
}

/** A statement as D1 runs it, and how its answer is read. */
function readied(db: Database, statement: Statement) {
  if (is(statement, SQL) || "params" in statement) {
    return { bound: prepare(db, statement), rowsOf: (answer: D1Result | undefined): unknown => answer?.results };
  }
  const built = statement.prepare();
  return {
    bound: prepare(db, built.getQuery()),
    rowsOf: (answer: D1Result | undefined): unknown => built.mapResult(answer, true),
  };
}

/** A fragment without parameters, compiled once: building it anew for each query costs more than the rest. */
export const frozen = (fragment: SQL): SQL => sql.raw(dialect.sqlToQuery(fragment).sql);

function columnOf<T extends SQLiteTable>(table: T, name: keyof T["$inferInsert"]): SQLiteColumn {
  const column = getTableColumns(table)[name as string];
  if (column === undefined) throw new Error(`no column ${String(name)}`);
  return column as SQLiteColumn;
}

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

/** `INSERT INTO table (columns)`: a SELECT of the columns in this order follows. */
export function insertInto<T extends SQLiteTable>(table: T, columns: readonly (keyof T["$inferInsert"])[]): SQL {
  const names = columns.map((name) => `"${columnOf(table, name).name}"`);
  return sql.raw(`insert into "${getTableName(table)}" (${names.join(", ")})`);
}

/** What a row gets: values as the schema types them, or SQL. */
type Inserted<T extends SQLiteTable> = {
  readonly [Name in keyof T["$inferInsert"]]: T["$inferInsert"][Name] | SQL;
};

/** The builder's `INSERT … SELECT` of a row where `from`, which is `FROM … WHERE …`, finds one. */
export function insertWhere<T extends SQLiteTable>(db: Database, table: T, values: Inserted<T>, from: SQL) {
  const given: Readonly<Record<string, unknown>> = values;
  // The builder names all columns of the table.
  const selected = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = given[name] ?? column.default ?? null;
    return is(value, SQL) ? value : sql`${sql.param(value, column)}`;
  });
  return orm(db)
    .insert(table)
    .select(sql`select ${sql.join(selected, COMMA)} ${from}`);
}

/** That a column has one of any number of values: D1 takes a hundred parameters, and this is one. */
export const isOneOf = (column: SQLiteColumn | SQL, values: readonly string[]): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;

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
