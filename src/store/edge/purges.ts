/** Requests purges of the edge's cache. system-purges.ts carries them out. */
import { sql, type SQL } from "drizzle-orm";
import { bare, insertWhere } from "../core/sql.ts";
import { purges } from "../../schema/edge.ts";

/** Returns the statement that requests purges. `tags` selects the columns tag, organization_id and urgent. */
export function askForPurges(tags: SQL, time: unknown): SQL {
  const [now, round] = [sql`${time}`, 0];
  const row = {
    tag: sql`tag`,
    organizationId: sql`organization_id`,
    urgent: sql`urgent`,
    time: now,
    round,
    dueTime: now,
  };
  return sql`${insertWhere(purges, row, sql`from (${tags}) where true`).getSQL()}
    on conflict (${bare(purges.tag)}) do update set
      ${bare(purges.urgent)} = max(${purges.urgent}, excluded.urgent), ${bare(purges.time)} = excluded.time,
      ${bare(purges.round)} = 0, ${bare(purges.dueTime)} = min(${purges.dueTime}, excluded.due_time)`;
}
