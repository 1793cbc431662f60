import { and, eq, sql } from "drizzle-orm";
import { users } from "../../schema/people.ts";
import type { Writer } from "../core/writer.ts";
import { connectedApps, credentials } from "../../schema/access.ts";
import { organizations } from "../../schema/core.ts";
import { orm } from "../core/sql.ts";

/** Returns the names of the caller and of the organization, or null if the organization does not exist. */
export async function findCaller({ db, organizationId, actor }: Writer) {
  const [caller] = await orm(db)
    .select({
      /** Null if the credential, the app or the person was deleted meanwhile. */
      name: sql<string | null>`coalesce(${credentials.name}, ${connectedApps.clientName}, ${users.name})`,
      organizationName: organizations.name,
      /** Null for a caller that does not expire. */
      expirationTime: credentials.expirationTime,
    })
    .from(organizations)
    .leftJoin(credentials, and(eq(credentials.id, actor.id), eq(credentials.organizationId, organizations.id)))
    .leftJoin(connectedApps, and(eq(connectedApps.id, actor.id), eq(connectedApps.organizationId, organizations.id)))
    .leftJoin(users, eq(users.id, actor.id))
    .where(eq(organizations.id, organizationId));
  return caller ?? null;
}
