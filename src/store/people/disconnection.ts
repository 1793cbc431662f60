/** Ends several connections of apps at once: those of a person who leaves, or those that have expired. */
import { sql, type SQL } from "drizzle-orm";
import { makeLowestId } from "../../lib/ids.ts";
import { connectedApps } from "../../schema/access.ts";
import { audit } from "../../schema/core.ts";
import { getAuditKind, type Actor } from "../core/writer.ts";
import { toColumnName, insertWhere, type Statement } from "../core/sql.ts";

export type Disconnection = {
  readonly where: SQL;
  /** The actor in the audit log. If undefined, the log names the app of each connection. */
  readonly actor?: Actor;
  readonly requestId: string;
  readonly time: string;
};

/** Returns the statements that end connections: first they insert the audit rows, then they set the end time. */
export function endConnections({ where, actor, requestId, time }: Disconnection): Statement[] {
  const inForce = sql`from ${connectedApps} where ${connectedApps.disconnectTime} is null and ${where}`;
  const id = sql`${connectedApps.id}`;
  return [
    insertWhere(
      audit,
      {
        id: newIdAt(time),
        organizationId: connectedApps.organizationId,
        actorKind: actor === undefined ? "app" : getAuditKind(actor),
        actorId: actor?.id ?? id,
        action: "apps.disconnect",
        resourceId: id,
        requestId,
        creationTime: time,
      },
      inForce,
    ),
    sql`update ${connectedApps} set ${toColumnName(connectedApps.disconnectTime)} = ${time}
      where ${id} in (select ${id} ${inForce})`,
  ];
}

/**
 * Returns an SQL expression for a UUIDv7 of this time, a new one for each row. The ids order the audit log and decide
 * how long an entry is kept. With the id of the connection, its end would look as old as its beginning.
 */
export function newIdAt(time: string): SQL {
  const prefix = makeLowestId(new Date(time)).slice(0, "01234567-89ab-7".length);
  return sql`${prefix} || lower(substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`;
}
