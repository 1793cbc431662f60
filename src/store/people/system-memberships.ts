/** Who belongs where: asked before an organization is known. */
import { sql, type SQL } from "drizzle-orm";
import type { Role } from "../../domain/principal.ts";
import { invitations, members } from "./schema.ts";
import { organizations } from "../core/schema.ts";
import { firstRow, prepare, rows, type Database } from "../core/sql.ts";

export type Membership = { readonly organizationId: string; readonly name: string; readonly role: Role };

/** All organizations of a user, the oldest membership first. */
export function listMemberships(db: Database, userId: string): Promise<Membership[]> {
  return rows<Membership>(
    db,
    sql`select o.id as "organizationId", o.name, m.role
      from ${members} m join ${organizations} o on o.id = m.organization_id
      where m.user_id = ${userId} order by m.creation_time, m.id`,
  );
}

export type OpenInvitation = Membership & {
  readonly id: string;
  readonly email: string;
  /** The link was the mailed one: whoever opened it can read the mailbox of the address. */
  readonly proven: boolean;
};

/** The invitation behind a link's hash, while it can be accepted; or null. */
export async function findInvitation(db: Database, hash: string, now: Date): Promise<OpenInvitation | null> {
  // One branch for each index: an OR would read the whole table.
  const by = (column: SQL) => sql`select o.id as "organizationId", o.name, i.id, i.role, i.email,
      ${column} = i.mail_hash as "proven"
    from ${invitations} i join ${organizations} o on o.id = i.organization_id
    where ${column} = ${hash} and i.status = 'pending' and i.expiration_time > ${now.toISOString()}`;
  const found = await firstRow<Omit<OpenInvitation, "proven"> & { proven: number }>(
    db,
    sql`${by(sql`i.hash`)} union all ${by(sql`i.mail_hash`)}`,
  );
  return found && { ...found, proven: found.proven === 1 };
}

/** Gives an invitation another mailed link; the one before stops working. */
export async function renewMailedLink(db: Database, invitationId: string, mailHash: string): Promise<void> {
  await prepare(db, sql`update ${invitations} set mail_hash = ${mailHash} where id = ${invitationId}`).run();
}
