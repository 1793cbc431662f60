import { and, eq, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import { members } from "../../schema/people.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { organizations } from "../../schema/core.ts";
import { builder, insertWhere, jsonObject, orm } from "../core/sql.ts";

const ORGANIZATION = {
  _id: organizations.id,
  name: organizations.name,
  creationTime: organizations.creationTime,
  modelTokensPerDay: organizations.modelTokensPerDay,
};

export type OrganizationRecord = SelectResultFields<typeof ORGANIZATION>;

/** Returns the writer's organization. Throws `not_found` if it does not exist. */
export async function showOrganization(writer: Writer): Promise<OrganizationRecord> {
  const [found] = await orm(writer.db).select(ORGANIZATION).from(organizations).where(isOwnOrganization(writer));
  if (found === undefined) throw new DomainError("not_found");
  return found;
}

const isOwnOrganization = ({ organizationId }: Writer): SQL => eq(organizations.id, organizationId);

/** Changes the writer's organization and returns it. What is undefined stays. Throws `not_found` if it does not exist. */
export async function changeOrganization(
  writer: Writer,
  change: { readonly name: string; readonly modelTokensPerDay: number | null | undefined },
): Promise<OrganizationRecord> {
  const outcome = await commit(writer, makeLicense(writer), {
    action: "organization.update",
    resourceId: writer.organizationId,
    blogId: null,
    where: sql`from ${organizations} where ${isOwnOrganization(writer)}`,
    change: ({ held }) => ({
      returning: builder
        .update(organizations)
        .set(change)
        .where(and(isOwnOrganization(writer), held))
        .returning(ORGANIZATION),
      again: () => builder.select(ORGANIZATION).from(organizations).where(isOwnOrganization(writer)),
    }),
    answer: sql`(select ${jsonObject({ value: jsonObject(ORGANIZATION) })} from ${organizations} where ${isOwnOrganization(writer)})`,
  });
  if (outcome.refused) throw new DomainError("not_found");
  return outcome.row;
}

/** Creates the writer's organization. Returns false if it exists. Throws `organization_limit`. */
export async function createOrganization(writer: Writer, name: string, userId: string): Promise<boolean> {
  const id = writer.organizationId;
  const outcome = await commit(writer, makeLicense(writer), {
    action: "organization.create",
    resourceId: id,
    blogId: null,
    where: sql`where not exists (select 1 from ${organizations} where ${isOwnOrganization(writer)})
      and (select count(*) from ${members} where ${members.userId} = ${userId} and ${members.role} = 'owner')
        < ${LIMITS.ownedOrganizations}`,
    change: ({ held, time }) => [
      insertWhere(organizations, { id, name, creationTime: time }, sql`where ${held}`),
      insertWhere(
        members,
        { id: newId(), organizationId: id, userId, role: "owner", creationTime: new Date(time) },
        sql`where ${held}`,
      ),
    ],
    answer: sql`''`,
    diagnose: sql`select 1 from ${organizations} where ${isOwnOrganization(writer)}`,
  });
  if (!outcome.refused) return true;
  if (outcome.diagnosis.length > 0) return false;
  throw new DomainError("organization_limit");
}
