/** The organization itself. */
import { sql } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import { members } from "./schema.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { organizations } from "../core/schema.ts";
import { all, firstRow } from "../core/sql.ts";

export type OrganizationRecord = { _id: string; name: string; creationTime: string };

/** The writer's organization. */
export async function showOrganization(writer: Writer): Promise<OrganizationRecord> {
  const found = await firstRow<OrganizationRecord>(
    writer.db,
    sql`select id as "_id", name, creation_time as "creationTime" from ${organizations}
      where id = ${writer.organizationId}`,
  );
  if (found === null) throw new DomainError("not_found");
  return found;
}

/** Renames it. */
export async function renameOrganization(writer: Writer, name: string): Promise<OrganizationRecord> {
  const own = sql`${organizations.id} = ${writer.organizationId}`;
  const outcome = await commit(writer, newLicence(writer), {
    action: "organization.update",
    resourceId: writer.organizationId,
    blogId: null,
    where: sql`from ${organizations} where ${own}`,
    change: ({ held }) => ({
      returning: sql<OrganizationRecord>`update ${organizations} set name = ${name} where ${all(sql`id = ${writer.organizationId}`, held)}
        returning id as "_id", name, creation_time as "creationTime"`,
    }),
    answer: sql`(select json_object('value', json_object('_id', id, 'name', name, 'creationTime', creation_time))
      from ${organizations} where ${own})`,
  });
  if (outcome.refused) throw new DomainError("not_found");
  return outcome.row;
}

/** Creates the writer's organization with a user as its owner; false where it exists already. */
export async function foundOrganization(writer: Writer, name: string, userId: string): Promise<boolean> {
  const id = writer.organizationId;
  const outcome = await commit(writer, newLicence(writer), {
    action: "organization.create",
    resourceId: id,
    blogId: null,
    where: sql`where not exists (select 1 from ${organizations} where id = ${id})
      and (select count(*) from ${members} where user_id = ${userId} and role = 'owner') < ${LIMITS.ownedOrganizations}`,
    change: ({ held, time }) => [
      sql`insert into ${organizations} (id, name, creation_time) select ${id}, ${name}, ${time} where ${held}`,
      sql`insert into ${members} (id, organization_id, user_id, role, creation_time)
        select ${newId()}, ${id}, ${userId}, 'owner', ${time} where ${held}`,
    ],
    answer: sql`''`,
    diagnose: sql`select 1 from ${organizations} where id = ${id}`,
  });
  if (!outcome.refused) return true;
  if (outcome.diagnosis.length > 0) return false;
  throw new DomainError("organization_limit");
}
