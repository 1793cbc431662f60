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
      return sql`exists (select 1 from ${credentials}
        where ${credentials.id} = ${actor.id} and ${credentials.organizationId} = ${organizationId}
        and (${credentials.expirationTime} is null or ${credentials.expirationTime} > ${now().toISOString()}))`;
    case "app":
      return sql`exists (select 1 from ${connectedApps} join ${members}
        on ${members.organizationId} = ${connectedApps.organizationId} and ${members.userId} = ${connectedApps.userId}
        where ${connectedApps.id} = ${actor.id} and ${connectedApps.organizationId} = ${organizationId}
        and ${connectedApps.disconnectTime} is null and ${members.role} = ${actor.role})`;
    case "user":
      return sql`exists (select 1 from ${members} where ${members.organizationId} = ${organizationId}
        and ${members.userId} = ${actor.id} and ${members.role} = ${actor.role})`;
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
