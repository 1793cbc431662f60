/** Ends several connections of applications at once: those of a person who leaves, or those that have expired. */
import { sql, type SQL } from "drizzle-orm";
import { connectedApps } from "./schema.ts";
import { auditKind, INTO_AUDIT, type Actor } from "../core/commit.ts";
import { bare } from "../core/sql.ts";

export type Disconnection = {
  /** The condition on `connected_apps` that selects, among the connections in force, those to end. */
  readonly where: SQL;
  /** The actor in the audit log. If undefined, the log names the application of each connection. */
  readonly actor?: Actor;
  readonly requestId: string;
  readonly time: string;
};

/** Returns the statements that end connections: first they insert the audit rows, then they set the end time. */
export function disconnecting({ where, actor, requestId, time }: Disconnection): SQL[] {
  const inForce = sql`from ${connectedApps} where ${connectedApps.disconnectTime} is null and ${where}`;
  const id = sql`${connectedApps.id}`;
  return [
    // The audit row uses the id of the connection as its own: a connection ends only once, so the id is unique.
    sql`${INTO_AUDIT} select ${id}, ${connectedApps.organizationId},
      ${actor === undefined ? "app" : auditKind(actor)}, ${actor?.id ?? id}, 'apps.disconnect', ${id}, null,
      ${requestId}, ${time} ${inForce}`,
    sql`update ${connectedApps} set ${bare(connectedApps.disconnectTime)} = ${time}
      where ${id} in (select ${id} ${inForce})`,
  ];
}
