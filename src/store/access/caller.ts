/** Who calls, as the organization knows the caller. */
import { sql } from "drizzle-orm";
import { users } from "../people/schema.ts";
import { connectedApps } from "./schema.ts";
import type { Writer } from "../core/commit.ts";
import { credentials } from "./schema.ts";
import { organizations } from "../core/schema.ts";
import { firstRow } from "../core/sql.ts";

export type CallerRecord = {
  /** What the credential, the application or the person is called; null where it went meanwhile. */
  readonly name: string | null;
  readonly organizationName: string;
  /** When the credential ends; null for what does not end by itself. */
  readonly expirationTime: string | null;
};

/** The names of the writer and of its organization; null where the organization is not there. */
export function findCaller({ db, organizationId, actor }: Writer): Promise<CallerRecord | null> {
  return firstRow<CallerRecord>(
    db,
    sql`select o.name as "organizationName", c.expiration_time as "expirationTime",
        coalesce(c.name, a.client_name, u.name) as name
      from ${organizations} o
      left join ${credentials} c on c.id = ${actor.id} and c.organization_id = o.id
      left join ${connectedApps} a on a.id = ${actor.id} and a.organization_id = o.id
      left join ${users} u on u.id = ${actor.id}
      where o.id = ${organizationId}`,
  );
}
