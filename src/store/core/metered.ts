/** A database that counts the rows that are written through it, as D1 bills them. */
import type { D1Database, D1PreparedStatement, D1Result } from "@cloudflare/workers-types";
import { WRITES, type Opened } from "./deferred.ts";
import type { Database } from "./sql.ts";

type Count = (rows: number) => void;

/** Returns a database that calls `count` with the rows of each answer that has written some. Sessions, which only read, are not counted. */
export function meterDatabase(db: Database, count: Count): D1Database {
  const add = (results: readonly D1Result[]): void => {
    const rows = results.reduce((sum, { meta }) => sum + (meta?.rows_written ?? 0), 0);
    if (rows > 0) count(rows);
  };
  const metered: Opened & Partial<Pick<D1Database, "withSession">> = {
    prepare: (text) => new MeteredStatement(db.prepare(text), text, add) as unknown as D1PreparedStatement,
    async batch<T>(statements: D1PreparedStatement[]) {
      const results = await db.batch<T>(statements.map((each) => (each as unknown as MeteredStatement).real));
      add(results);
      return results;
    },
    ...("withSession" in db && { withSession: (at) => (db as D1Database).withSession(at) }),
  };
  return metered as D1Database;
}

/** A statement with the methods that the stores and Drizzle use. */
class MeteredStatement {
  readonly real: D1PreparedStatement;
  readonly #text: string;
  readonly #add: (results: readonly D1Result[]) => void;

  constructor(real: D1PreparedStatement, text: string, add: (results: readonly D1Result[]) => void) {
    this.real = real;
    this.#text = text;
    this.#add = add;
  }

  bind(...values: unknown[]): MeteredStatement {
    return new MeteredStatement(this.real.bind(...values), this.#text, this.#add);
  }

  all = async <Row>(): Promise<D1Result<Row>> => {
    const result = await this.real.all<Row>();
    this.#add([result]);
    return result;
  };

  run = () => this.all();

  /** The answer of `raw` has no counts, so a write runs as {@link all}: its columns (RETURNING) have different names. */
  raw = async (): Promise<unknown[][]> =>
    WRITES.test(this.#text)
      ? (await this.all<Record<string, unknown>>()).results.map((row) => Object.values(row))
      : this.real.raw();
}
