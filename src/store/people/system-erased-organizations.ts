/** Deleted organizations whose time to be restored is over. */
import { and, eq, lt, sql } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { DAY_MS } from "../../lib/time.ts";
import { suspensions } from "../../schema/core.ts";
import { members } from "../../schema/people.ts";
import { orm, runTransaction, type Database } from "../core/sql.ts";

/** Milliseconds after a deletion in which an upload or a generation that had begun before it may still end. */
const PATIENCE_MS = 30 * 60_000;
const MOST = 10;

/**
 * Returns organizations that are erased, those first that were deleted first, and erases those whose time is over: nobody is a member any more. Leaves
 * out those that were deleted within the last half hour.
 */
export async function listErasedOrganizations(db: Database, now: Date): Promise<string[]> {
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  const isDue = and(eq(suspensions.kind, "deleted"), lt(suspensions.creationTime, ago(LIMITS.trashDays * DAY_MS)));
  const { found } = await runTransaction(db, {
    left: orm(db)
      .delete(members)
      .where(
        sql`${members.organizationId} in (select ${suspensions.organizationId} from ${suspensions} where ${isDue})`,
      ),
    erased: orm(db).update(suspensions).set({ kind: "erased" }).where(isDue),
    found: orm(db)
      .select({ id: suspensions.organizationId })
      .from(suspensions)
      .where(and(eq(suspensions.kind, "erased"), lt(suspensions.creationTime, ago(PATIENCE_MS))))
      .orderBy(suspensions.creationTime)
      .limit(MOST),
  });
  return found.map(({ id }) => id);
}
