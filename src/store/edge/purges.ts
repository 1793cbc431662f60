/** Requests purges of the edge's cache. system-purges.ts carries them out. */
import { sql, type SQL } from "drizzle-orm";
import { toColumnName, insertWhere } from "../core/sql.ts";
import { purges } from "../../schema/edge.ts";

/**
 * Returns the statement that requests purges. `tags` selects the columns tag, organization_id and urgent: 1 if readers
 * must not see any more what caches have, 0 if it may be shown once more. A tag that is asked for as both is urgent.
 */
export function requestPurges(tags: SQL, time: unknown): SQL {
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
    on conflict (${toColumnName(purges.tag)}) do update set
      ${toColumnName(purges.urgent)} = max(${purges.urgent}, excluded.urgent), ${toColumnName(purges.time)} = excluded.time,
      ${toColumnName(purges.round)} = 0, ${toColumnName(purges.dueTime)} = min(${purges.dueTime}, excluded.due_time)`;
}
