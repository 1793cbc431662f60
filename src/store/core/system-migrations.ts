import { sql } from "drizzle-orm";
import { queryFirstRow, type Database } from "./sql.ts";

type Schema = {
  /** Without `.sql`. */
  readonly version: string;
  /** In ISO 8601. */
  readonly time: string;
};

/** Returns the last applied migration, or null if none was applied. */
export async function findAppliedSchema(db: Database): Promise<Schema | null> {
  const row = await queryFirstRow<{ name: string; time: string }>(
    db,
    sql`select name, strftime('%Y-%m-%dT%H:%M:%fZ', applied_at) as "time" from d1_migrations order by id desc limit 1`,
  );
  return row && { version: row.name.replace(/\.sql$/, ""), time: row.time };
}
