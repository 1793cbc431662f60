/** Deleted organizations whose time to be restored is over. */
import { and, eq, lt, sql } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { DAY_MS } from "../../lib/time.ts";
import { suspensions } from "../../schema/core.ts";
import { members } from "../../schema/people.ts";
import { orm, runTransaction, type Database } from "../core/sql.ts";

/** Returns the organization that has been erased longest, and erases those whose time is over: nobody is a member any more. Null if there is none. */
export async function findErasedOrganization(db: Database, now: Date): Promise<string | null> {
  const before = new Date(now.getTime() - LIMITS.trashDays * DAY_MS).toISOString();
  const isDue = and(eq(suspensions.kind, "deleted"), lt(suspensions.creationTime, before));
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
      .where(eq(suspensions.kind, "erased"))
      .orderBy(suspensions.creationTime)
      .limit(1),
  });
  return found[0]?.id ?? null;
}
