/** A database that counts the rows that are written through it, as D1 bills them. */
import type { D1Database, D1PreparedStatement, D1Result } from "@cloudflare/workers-types";
import { WRITES } from "./deferred.ts";
import type { Database } from "./sql.ts";

/** Returns a database that calls `count` with the rows of each answer that has written some. It has no sessions, which only read. */
export function meterDatabase(db: Database, count: (rows: number) => void): D1Database {
  const add = (results: readonly D1Result[]): void => {
    const rows = results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
    if (rows > 0) count(rows);
  };
  const wrap = (real: D1PreparedStatement, isWrite: boolean) => {
    const all = async () => {
      const result = await real.all<object>();
      add([result]);
      return result;
    };
    // The answer of `raw` has no counts. The columns of a write (RETURNING) have different names.
    const raw = async () => (isWrite ? (await all()).results.map((row) => Object.values(row)) : real.raw());
    const bind = (...values: unknown[]): unknown => wrap(real.bind(...values), isWrite);
    return { real, bind, all, run: all, raw };
  };
  const metered = {
    prepare: (text: string) => wrap(db.prepare(text), WRITES.test(text)),
    async batch(statements: readonly ReturnType<typeof wrap>[]) {
      const results = await db.batch(statements.map(({ real }) => real));
      add(results);
      return results;
    },
  };
  return metered as unknown as D1Database;
}
