/** Helpers to build and run statements: those of Drizzle's builder, and raw SQL for what the builder cannot express. */
import type { D1Database, D1PreparedStatement, D1Result } from "@cloudflare/workers-types";
import {
  Column,
  fillPlaceholders,
  getTableColumns,
  is,
  SQL,
  sql,
  type Placeholder,
  type Query,
  type SQLWrapper,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { SQLiteAsyncDialect, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { toChunks } from "../../lib/chunks.ts";
import { assertions } from "../../schema/core.ts";

export type Database = Pick<D1Database, "prepare" | "batch">;

/** Returns Drizzle's query builder for a database. */
export const orm = (db: Database) => drizzle(db as D1Database);

const COMMA = sql`, `;

const dialect = new SQLiteAsyncDialect();

/** A compiled query: SQL text and parameters. `row` is never set: it only carries the type of the rows. */
type Composed<Row = unknown> = { readonly sql: string; readonly params: readonly unknown[]; readonly row?: Row };

/** Compiles a query if needed, and binds its parameters. */
export function prepare(db: Database, query: SQL | Composed): D1PreparedStatement {
  const { sql: text, params } = "sql" in query ? query : dialect.sqlToQuery(query);
  return db.prepare(text).bind(...params);
}

/** A parameter of a query: a value, or a placeholder for one ({@link defineQuery}). */
export type Value = string | number | Placeholder;

type Values = Readonly<Record<string, string | number | null | undefined>>;

/** Placeholders with the names of the values of a query. */
export type Names<V> = { readonly [K in keyof V]: Placeholder | Extract<V[K], undefined> };

/** How many compiled shapes a family caches. Callers choose the fields, so the number of shapes has no other bound. */
const MOST_SHAPES = 200;

/**
 * Returns a function that builds queries which differ only in their values, and caches their SQL text. `compose` builds
 * the SQL from placeholders. It runs once for each set of defined values and `fields`, because composing SQL takes more
 * CPU time than the rest of a read.
 */
export function defineQuery<V extends Values, Field extends string = never, Row = unknown>(
  compose: (names: Names<V>, fields: readonly Field[] | undefined) => SQLWrapper,
): (values: V, fields?: readonly Field[]) => Composed<Row> {
  const kept = new Map<string, Composed>();
  const compile = (given: readonly string[], fields: readonly Field[] | undefined): Composed => {
    const names = Object.fromEntries(given.map((name) => [name, sql.placeholder(name)]));
    return dialect.sqlToQuery(compose(names as Names<V>, fields).getSQL());
  };
  return (values, fields) => {
    const given = Object.keys(values).filter((name) => values[name] !== undefined);
    const shape = `${given.join()}|${fields?.join() ?? ""}`;
    let known = kept.get(shape);
    if (known === undefined) {
      known = compile(given, fields);
      if (kept.size >= MOST_SHAPES) kept.clear();
      kept.set(shape, known);
    }
    return { sql: known.sql, params: fillPlaceholders([...known.params], values) };
  };
}

/** Runs a query in one round trip and returns its rows. */
export async function queryRows<Row>(db: Database, query: SQL | Composed): Promise<Row[]> {
  return (await prepare(db, query).all<Row>()).results;
}

export type Reader = <Row>(query: SQL | Composed) => Promise<Row[]>;

/** Returns a reader of the given database. It reads from the primary, unless `db` is a session. */
export const makeReader =
  (db: Database): Reader =>
  (query) =>
    queryRows(db, query);

/** Runs a query in one round trip and returns its first row, or null if there is none. */
export async function queryFirstRow<Row>(db: Database, query: SQL | Composed): Promise<Row | null> {
  return (await queryRows<Row>(db, query))[0] ?? null;
}

type Built<Answer = unknown> = PromiseLike<Answer> & {
  prepare(): { getQuery(): Query; mapResult(response: unknown, isFromBatch: true): unknown };
};

/** A statement of a transaction. Raw SQL declares the type of its rows: `sql<Row>`, or the `Row` of its `family`. */
export type Statement = SQL | Composed | Built;

export type Returning<Row> = SQL<Row> | Built<readonly Row[]>;

/** The named statements of a transaction, in the order in which they run. A name may have a list of statements. */
export type Statements = Readonly<Record<string, Statement | readonly Statement[]>>;

/** The rows of each statement under its name, and a list of them for a list of statements. */
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
 * Runs the statements as one transaction in one round trip, and returns their rows. Throws, and changes nothing, if a
 * statement fails. D1 returns rows as objects keyed by column name, so a join of Drizzle's builder must give equally
 * named columns different names (`sql`…`.as(name)`).
 */
export async function runTransaction<S extends Statements>(db: Database, statements: S): Promise<Results<S>> {
  const ready = Object.entries(statements).map(([name, given]) => ({
    name,
    isList: Array.isArray(given),
    queries: [given].flat().map((statement) => prepareStatement(db, statement)),
  }));
  const answers = await db.batch(ready.flatMap(({ queries }) => queries.map(({ bound }) => bound)));
  const inOrder = answers.values();
  const named = ready.map(({ name, isList, queries }) => {
    const read = queries.map(({ readRows }) => readRows(inOrder.next().value));
    return [name, isList ? read : read[0]];
  });
  return Object.fromEntries(named) as Results<S>;
}

/** Returns the SQL text and the parameters of a statement. */
export function compileStatement(statement: Statement): Composed {
  if (is(statement, SQL)) return dialect.sqlToQuery(statement);
  return "params" in statement ? statement : statement.prepare().getQuery();
}

function prepareStatement(db: Database, statement: Statement) {
  if (is(statement, SQL) || "params" in statement) {
    return { bound: prepare(db, statement), readRows: (answer: D1Result | undefined): unknown => answer?.results };
  }
  const built = statement.prepare();
  return {
    bound: prepare(db, built.getQuery()),
    readRows: (answer: D1Result | undefined): unknown => built.mapResult(answer, true),
  };
}

/** Compiles a fragment without parameters once: to build a long one takes more CPU time than the query. */
export const compileFragment = (fragment: SQL): SQL => sql.raw(dialect.sqlToQuery(fragment).sql);

/** Returns the name of a column without its table, for the places where SQLite allows no table name. */
export const toColumnName = (column: SQLiteColumn): SQL => sql`${sql.identifier(column.name)}`;

/**
 * Returns a list of columns for RETURNING, under their names in the API. It leaves out the table's name, which SQLite
 * does not allow there.
 */
export const buildReturning = (columns: Readonly<Record<string, SQLiteColumn>>): SQL =>
  sql.join(
    Object.entries(columns).map(([name, column]) => sql`${toColumnName(column)} as ${sql.identifier(name)}`),
    COMMA,
  );

/** The values of a new row: of the schema's types, columns of other tables, or SQL expressions. */
type Inserted<T extends SQLiteTable> = {
  readonly [Name in keyof T["$inferInsert"]]: T["$inferInsert"][Name] | SQL | SQLiteColumn;
};

/** Builds the statements of a transaction, which brings its own database: a statement cannot run on its own. */
export const builder = orm({ prepare: () => undefined as never, batch: () => undefined as never });

/**
 * Returns an `INSERT … SELECT` of Drizzle's builder. It inserts one row for each row that `from`, a `FROM … WHERE …`,
 * selects. A column without a value gets its default, or NULL.
 */
export function insertWhere<T extends SQLiteTable>(table: T, values: Inserted<T>, from: SQL) {
  const given: Readonly<Record<string, unknown>> = values;
  // The builder's INSERT lists all columns of the table, so the SELECT must return all of them.
  const selected = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = given[name] ?? column.default ?? null;
    return is(value, SQL) || is(value, Column) ? sql`${value}` : sql`${sql.param(value, column)}`;
  });
  return builder.insert(table).select(sql`select ${sql.join(selected, COMMA)} ${from}`);
}

/** Returns the condition that a column has one of the values: one parameter, because D1 allows only a hundred. */
export const isAmong = (column: SQLiteColumn | SQL, values: readonly string[]): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;

/** The most fields of one call: D1 documents 32 arguments of a function, although a local run takes more. */
const MOST_FIELDS = 15;

/** Returns an SQL expression for a JSON object with these fields. The names must not contain quotes. */
export function jsonObject(members: Readonly<Record<string, SQL | SQLiteColumn>>): SQL {
  const fields = Object.entries(members);
  const joinFields = (some: typeof fields, prefix = "") =>
    sql.join(
      some.map(([name, value]) => sql`${sql.raw(`'${prefix}${name}'`)}, ${value}`),
      COMMA,
    );
  const first = sql`json_object(${joinFields(fields.slice(0, MOST_FIELDS))})`;
  return toChunks(fields.slice(MOST_FIELDS), MOST_FIELDS).reduce(
    (object, some) => sql`json_set(${object}, ${joinFields(some, "$.")})`,
    first,
  );
}

/** Returns an SQL expression for a column of 0 and 1 as JSON false and true. */
export const jsonBoolean = (column: SQLiteColumn): SQL => sql`json(case ${column} when 1 then 'true' else 'false' end)`;

/** Joins the given conditions with AND. Leaves out undefined and false; returns `true` if none is left. */
export function joinAnd(...conditions: readonly (SQL | false | undefined)[]): SQL {
  const given = conditions.filter((condition) => condition !== undefined && condition !== false);
  return given.length === 0 ? sql`true` : sql`(${sql.join(given, sql` and `)})`;
}

/**
 * Returns the query of a column's distinct values (`id`) after `after`, in order, at most `most`. Each step looks up
 * the next value in an index, so the cost depends on the number of values, not of rows; `select distinct` would read
 * all rows. An index on the rows of `where` must begin with the column.
 */
export function selectDistinct(
  column: SQLiteColumn,
  where: SQL,
  after: SQL | string = "",
  most?: number,
): SQL<{ id: string }> {
  const next = (before: SQL) =>
    sql`(select min(${column}) from ${column.table} where ${where} and ${column} > ${before})`;
  return sql<{ id: string }>`with recursive found(id) as (select ${next(sql`${after}`)}
      union all select ${next(sql`found.id`)} from found where id is not null ${most === undefined ? sql`` : sql`limit ${most}`})
    select id from found where id is not null`;
}

/** Returns a statement that rolls back if the condition is false. It must not be NULL, which would pass. */
export const assertThat = (condition: SQL) => insertWhere(assertions, { holds: 0 }, sql`where not (${condition})`);

/** Returns true if a transaction failed because one of its assertions was false. */
export const isFailedAssertion = (error: unknown): boolean => String(error).includes("assertion_holds");
