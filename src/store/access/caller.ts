/** Who calls, as the organization knows the caller. */
import { and, eq, sql } from "drizzle-orm";
import { users } from "../people/schema.ts";
import type { Writer } from "../core/commit.ts";
import { connectedApps, credentials } from "./schema.ts";
import { organizations } from "../core/schema.ts";
import { orm } from "../core/sql.ts";

/** The names of the writer and of its organization; null where the organization is not there. */
export async function findCaller({ db, organizationId, actor }: Writer) {
  const [caller] = await orm(db)
    .select({
      /** What the credential, the application or the person is called; null where it went meanwhile. */
      name: sql<string | null>`coalesce(${credentials.name}, ${connectedApps.clientName}, ${users.name})`,
      organizationName: organizations.name,
      /** When the credential ends; null for what does not end by itself. */
      expirationTime: credentials.expirationTime,
    })
    .from(organizations)
    .leftJoin(credentials, and(eq(credentials.id, actor.id), eq(credentials.organizationId, organizations.id)))
    .leftJoin(connectedApps, and(eq(connectedApps.id, actor.id), eq(connectedApps.organizationId, organizations.id)))
    .leftJoin(users, eq(users.id, actor.id))
    .where(eq(organizations.id, organizationId));
  return caller ?? null;
}
