/** What reads and changes the rows of any table: a D1 database, or a local file of one (scripts/lib/place-bindings.ts). */
import type { Cell, Row } from "../../lib/rows.ts";
import { compileStatement, type Database, type Statement as Composed } from "../core/sql.ts";
import type { Source } from "./tables.ts";

export type Statement = { readonly sql: string; readonly values: readonly Cell[] };

export type Target = Source & {
  /** Executes statements in one transaction. */
  readonly execute: (statements: readonly Statement[]) => Promise<void>;
};

/** A database, whose queries can share a round trip. */
export type Place = Target & { readonly queryAll: (statements: readonly Statement[]) => Promise<Row[][]> };

/** Returns a composed statement as its text and its values. */
export function toStatement(composed: Composed): Statement {
  const { sql, params } = compileStatement(composed);
  return { sql, values: params as Cell[] };
}

export function bindD1(db: Database): Place {
  const prepare = ({ sql, values }: Statement) => db.prepare(sql).bind(...values);
  return {
    query: async (sql, values = []) => (await prepare({ sql, values }).all<Row>()).results,
    async execute(statements) {
      await db.batch(statements.map(prepare));
    },
    async queryAll(statements) {
      if (statements.length === 0) return [];
      return (await db.batch<Row>(statements.map(prepare))).map(({ results }) => results);
    },
  };
}
