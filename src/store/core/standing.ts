/**
 * Whether a caller is still authorized when it counts: a request can be held open for as long as its sender likes,
 * and a credential be revoked or a member removed in the meantime.
 */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { members } from "../people/schema.ts";
import { connectedApps } from "../access/schema.ts";
import type { Writer } from "./commit.ts";
import { credentials } from "../access/schema.ts";
import { firstRow } from "./sql.ts";

/** The condition that the writer is authorized at this moment. Nobody is by default: each kind of actor has its rule. */
export function standing({ actor, organizationId, now }: Writer): SQL {
  switch (actor.kind) {
    case "key":
    case "operator":
      return sql`exists (select 1 from ${credentials} c where c.id = ${actor.id} and c.organization_id = ${organizationId}
        and (c.expiration_time is null or c.expiration_time > ${now().toISOString()}))`;
    case "app":
      return sql`exists (select 1 from ${connectedApps} a join ${members} m
        on m.organization_id = a.organization_id and m.user_id = a.user_id
        where a.id = ${actor.id} and a.organization_id = ${organizationId} and a.disconnect_time is null
        and m.role = ${actor.role})`;
    case "user":
      return sql`exists (select 1 from ${members} m where m.organization_id = ${organizationId}
        and m.user_id = ${actor.id} and m.role = ${actor.role})`;
    case "person":
      return sql`true`;
    default:
      return sql`false`;
  }
}

/** The refusal of a writer who is no longer authorized. */
export const fallen = ({ actor }: Writer): DomainError =>
  new DomainError(actor.kind === "user" ? "role_forbidden" : "credentials_invalid");

/** Throws `credentials_invalid`, for a person `role_forbidden`, where the writer is no longer authorized. */
export async function requireStanding(writer: Writer): Promise<void> {
  const row = await firstRow<{ standing: number }>(writer.db, sql`select ${standing(writer)} as "standing"`);
  if (row?.standing !== 1) throw fallen(writer);
}
