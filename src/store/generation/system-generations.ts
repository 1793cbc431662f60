/** The ledger of generations, of all organizations: for the minute's sweep. */
import { sql } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { generations } from "./schema.ts";
import { prepare, type Database } from "../core/sql.ts";

/** Notes that generations came to nothing whose invocation ended in their middle: they have had all their time. */
export async function abandonGenerations(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LIMITS.generationTimeoutMs - 60_000).toISOString();
  await prepare(
    db,
    sql`update ${generations} set state = 'failed', code = 'internal', finish_time = ${now.toISOString()}
      where state = 'running' and creation_time < ${before}`,
  ).run();
}
