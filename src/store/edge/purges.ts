/** Asks for purges of the edge's cache. system-purges.ts carries them out. */
import { sql, type SQL } from "drizzle-orm";
import { bare, insertInto } from "../core/sql.ts";
import { purges } from "../../schema/edge.ts";

const INTO_PURGES = insertInto(purges, ["tag", "organizationId", "urgent", "time", "round", "dueTime"]);

/**
 * Returns the statement that requests purges. `tags` is a query that selects the columns tag, organization_id and urgent.
 */
export const askForPurges = (tags: SQL, time: unknown): SQL =>
  sql`${INTO_PURGES} select tag, organization_id, urgent, ${time}, 0, ${time} from (${tags}) where true
    on conflict (${bare(purges.tag)}) do update set
      ${bare(purges.urgent)} = max(${purges.urgent}, excluded.urgent), ${bare(purges.time)} = excluded.time,
      ${bare(purges.round)} = 0, ${bare(purges.dueTime)} = min(${purges.dueTime}, excluded.due_time)`;
