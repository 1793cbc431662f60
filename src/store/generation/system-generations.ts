import { and, eq, sql } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { generations } from "../../schema/generation.ts";
import { orm, type Database } from "../core/sql.ts";

/**
 * Sets running generations to failed if nobody works on them any more: their invocation ended before it could record the
 * outcome. What they have kept stays for a resumption. Those of earlier versions have no lease.
 */
export async function abandonGenerations(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LIMITS.generationTimeoutMs - 60_000).toISOString();
  await orm(db)
    .update(generations)
    .set({ state: "failed", code: "internal", finishTime: now.toISOString() })
    .where(
      and(
        eq(generations.state, "running"),
        sql`iif(${generations.leaseTime} = '', ${generations.creationTime} < ${before}, ${generations.leaseTime} < ${now.toISOString()})`,
      ),
    );
}
