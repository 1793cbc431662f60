/** The end of connections of applications, set-wise: several end where their person goes, or at the same time. */
import { sql, type SQL } from "drizzle-orm";
import { connectedApps } from "./schema.ts";
import { auditKind, INTO_AUDIT, type Actor } from "../core/commit.ts";
import { bare } from "../core/sql.ts";

export type Disconnection = {
  /** Which of the connections that are in force. */
  readonly where: SQL;
  /** Who ends them; without one each application ends its own. */
  readonly actor?: Actor;
  readonly requestId: string;
  readonly time: string;
};

/** The statements that end connections, the audit rows first. */
export function disconnecting({ where, actor, requestId, time }: Disconnection): SQL[] {
  const inForce = sql`from ${connectedApps} where ${connectedApps.disconnectTime} is null and ${where}`;
  const id = sql`${connectedApps.id}`;
  return [
    // A connection ends once, so its id is free to be that of the row.
    sql`${INTO_AUDIT} select ${id}, ${connectedApps.organizationId},
      ${actor === undefined ? "app" : auditKind(actor)}, ${actor?.id ?? id}, 'apps.disconnect', ${id}, null,
      ${requestId}, ${time} ${inForce}`,
    sql`update ${connectedApps} set ${bare(connectedApps.disconnectTime)} = ${time}
      where ${id} in (select ${id} ${inForce})`,
  ];
}
