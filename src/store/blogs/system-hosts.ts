/** Finds the hosts of all blogs whose DNS check is due, for the sweep. */
import { sql } from "drizzle-orm";
import { orm, runTransaction, type Database } from "../core/sql.ts";
import { isShown } from "./names.ts";
import { storeCheck, HOST_ROW, toHostRow, type HostRow, type StoredCheck } from "./host-checks.ts";
import { siteHosts } from "../../schema/blogs.ts";

/** How many of the oldest due hosts are considered: as many as an organization can have, which bounds the query. */
const MOST_DUE = 10_000;

/** When an unsettled claim is due again, in seconds: at the earliest and at the latest. */
const [SOONEST, LATEST] = [15 * 60, 12 * 3600];

/**
 * Claims at most `most` hosts whose check is due, and returns them. Organizations take turns, so that nobody waits for
 * another's thousands. A claim stays unsettled if the resolver failed or the run ended. It is due again after a quarter
 * of the time since the host was last checked, or added. So a domain whose servers are gone is checked ever less often.
 */
export async function claimDueHosts(db: Database, now: Date, most: number): Promise<HostRow[]> {
  const time = now.toISOString();
  const since = sql`unixepoch(${time}) - unixepoch(coalesce(${siteHosts.checkTime}, ${siteHosts.creationTime}))`;
  const pause = sql`min(${LATEST}, max(${SOONEST}, (${since}) / 4))`;
  const due = sql`select rowid as id, organization_id, next_check_time from ${siteHosts}
    where next_check_time is not null and next_check_time <= ${time} and ${isShown(siteHosts.blogId)} order by next_check_time limit ${MOST_DUE}`;
  const turn = sql`row_number() over (partition by organization_id order by next_check_time)`;
  const claimed = await orm(db)
    .update(siteHosts)
    .set({ nextCheckTime: sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${time}, ${pause} || ' seconds')` })
    .where(sql`rowid in (select id from (${due}) order by ${turn}, next_check_time limit ${most})`)
    .returning(HOST_ROW);
  return claimed.map(toHostRow);
}

/** Stores the DNS texts that were found for a claimed host. */
export async function settleHost(db: Database, row: HostRow, check: Omit<StoredCheck, "byHand">): Promise<void> {
  await runTransaction(db, { settled: storeCheck(row, { ...check, byHand: false }, sql`true`) });
}
