/** The end of connections of applications, set-wise: several end where their person goes, or at the same time. */
import { sql, type SQL } from "drizzle-orm";
import { connectedApps } from "./schema.ts";
import { auditKind, type Actor } from "../core/commit.ts";
import { audit } from "../core/schema.ts";

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
  const inForce = sql`from ${connectedApps} where disconnect_time is null and ${where}`;
  return [
    // A connection ends once, so its id is free to be that of the row.
    sql`insert into ${audit}
      (id, organization_id, actor_kind, actor_id, action, resource_id, blog_id, request_id, creation_time)
      select id, organization_id, ${actor === undefined ? "app" : auditKind(actor)}, ${actor?.id ?? sql`id`}, 'apps.disconnect', id, null,
        ${requestId}, ${time} ${inForce}`,
    sql`update ${connectedApps} set disconnect_time = ${time} where id in (select id ${inForce})`,
  ];
}
