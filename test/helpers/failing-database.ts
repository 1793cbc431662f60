/** Databases that fail as D1 may: the real one does the work. */
import { env } from "cloudflare:workers";

/** The real database, whose batches go through a function that may lose them or their answers. */
export function databaseThat(batch: (statements: D1PreparedStatement[]) => Promise<D1Result[]>): D1Database {
  const database: unknown = { prepare: (text: string) => env.DB.prepare(text), batch };
  return database as D1Database;
}

/** Fails for statements that are asked with this value. */
export function failingFor(value: string): D1Database {
  const prepare = (text: string) => ({
    bind(...values: unknown[]) {
      if (values.includes(value)) throw new Error("D1_ERROR: not now");
      return env.DB.prepare(text).bind(...values);
    },
  });
  const database: unknown = { prepare, batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements) };
  return database as D1Database;
}
