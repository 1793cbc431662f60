import { sql } from "drizzle-orm";
import { firstRow, type Database } from "./sql.ts";

/** The name of the last migration that was applied, without its ending, or null where there is none. */
export async function schemaVersion(db: Database): Promise<string | null> {
  const row = await firstRow<{ name: string }>(db, sql`select name from d1_migrations order by id desc limit 1`);
  return row?.name.replace(/\.sql$/, "") ?? null;
}
