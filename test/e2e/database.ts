/** The database of a local run, from outside. */
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { getDatabaseFile } from "../../scripts/lib/local-database.ts";

/** What the database of a local run holds of an address: nothing, or one user with the ways in which they may sign in. */
export function accountIn(state: string, email: string): { name: string; ways: string[] } | null {
  return reading(state, (database) => {
    const query = `select u.name, a.provider_id as way from users u left join accounts a on a.user_id = u.id
      where u.email = ? order by way`;
    const rows = z.array(z.object({ name: z.string(), way: z.string() })).parse(database.prepare(query).all(email));
    return rows[0] === undefined ? null : { name: rows[0].name, ways: rows.map(({ way }) => way) };
  });
}

/** All rows of a table, the oldest first. */
export const rowsIn = (state: string, table: "articles" | "generations"): Record<string, unknown>[] =>
  reading(state, (database) => database.prepare(`select * from ${table} order by id`).all());

/** Says until when the calls that run with an Idempotency-Key have renewed their claim; returns how many there are. */
export const setLease = (state: string, key: string, time: Date): number =>
  inDatabase(state, { readOnly: false }, (database) => {
    const query = database.prepare("update idempotency set lease_time = ? where key = ? and answer is null");
    return Number(query.run(time.toISOString(), key).changes);
  });

const reading = <T>(state: string, work: (database: DatabaseSync) => T): T =>
  inDatabase(state, { readOnly: true }, work);

function inDatabase<T>(state: string, options: { readOnly: boolean }, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(getDatabaseFile(state), { ...options, timeout: 5000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
