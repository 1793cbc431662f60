import { sql } from "drizzle-orm";
import { firstRow, type Database } from "./sql.ts";

/** Returns the name of the last applied migration without `.sql`, or null if no migration was applied. */
export async function schemaVersion(db: Database): Promise<string | null> {
  const row = await firstRow<{ name: string }>(db, sql`select name from d1_migrations order by id desc limit 1`);
  return row?.name.replace(/\.sql$/, "") ?? null;
}
