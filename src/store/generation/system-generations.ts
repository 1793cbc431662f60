import { and, eq, lt } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { generations } from "../../schema/generation.ts";
import { orm, type Database } from "../core/sql.ts";

/**
 * Sets running generations to failed if they began more than `LIMITS.generationTimeoutMs` and a minute ago. Their
 * invocation must have ended before it could record the outcome.
 */
export async function abandonGenerations(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LIMITS.generationTimeoutMs - 60_000).toISOString();
  await orm(db)
    .update(generations)
    .set({ state: "failed", code: "internal", finishTime: now.toISOString() })
    .where(and(eq(generations.state, "running"), lt(generations.creationTime, before)));
}
