/**
 * Organizations that an owner deletes (contract 10.17): suspended until an owner restores them, or they are deleted for good
 * (system-erasing.ts). People do the latter two, because the organization has no credentials meanwhile.
 */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { blogs } from "../../schema/blogs.ts";
import { organizations, suspensions } from "../../schema/core.ts";
import { members } from "../../schema/people.ts";
import { BLOG } from "../blogs/blogs.ts";
import { isShown } from "../blogs/names.ts";
import { commit, insertEvent, makeLicense, type License } from "../core/commit.ts";
import { builder, joinAnd, type Statement } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import { newIdAt } from "./disconnection.ts";
import { beginSuspension, endSuspension } from "./suspending.ts";

/** Suspends the writer's organization until it is restored, and stores `blog.deleted` for each blog that is shown. Throws `not_found`. */
export const deleteOrganization = (writer: Writer): Promise<void> =>
  change(writer, {
    action: "organization.delete",
    where: sql`from ${organizations} where ${organizations.id} = ${writer.organizationId}`,
    change: ({ time, held }) => [
      insertBlogEvents(writer, "blog.deleted", time, joinAnd(isShown(blogs.id), held)),
      ...beginSuspension(
        { organizationId: writer.organizationId, reason: "", kind: "deleted", creationTime: time },
        held,
      ),
    ],
  });

/** Ends the deletion of the writer's organization, for an owner of it, and stores `blog.created` for each blog that is shown again. Throws `not_found`. */
export const restoreOrganization = (writer: Writer, userId: string): Promise<void> =>
  change(writer, {
    action: "organization.restore",
    where: selectDeleted(writer, userId),
    change: ({ time, held }) => [
      ...endSuspension(writer.organizationId, time, held),
      insertBlogEvents(writer, "blog.created", time, joinAnd(isShown(blogs.id), held)),
    ],
  });

/** Ends the time in which the writer's organization can be restored, for an owner of it: nobody is a member any more. Throws `not_found`. */
export const eraseOrganization = (writer: Writer, userId: string): Promise<void> =>
  change(writer, {
    action: "organization.erase",
    where: selectDeleted(writer, userId),
    change: ({ held }) => [
      builder
        .update(suspensions)
        .set({ kind: "erased" })
        .where(and(eq(suspensions.organizationId, writer.organizationId), held)),
      builder.delete(members).where(and(eq(members.organizationId, writer.organizationId), held)),
    ],
  });

const selectDeleted = ({ organizationId }: Writer, userId: string): SQL =>
  sql`from ${suspensions} join ${members} on ${members.organizationId} = ${suspensions.organizationId}
    where ${suspensions.organizationId} = ${organizationId} and ${suspensions.kind} = 'deleted'
      and ${members.userId} = ${userId} and ${members.role} = 'owner'`;

function insertBlogEvents({ organizationId }: Writer, kind: "blog.created" | "blog.deleted", time: string, which: SQL) {
  return insertEvent(
    { id: newIdAt(time), organizationId, blogId: sql`${blogs.id}`, kind, data: BLOG.json(), time },
    sql`from ${blogs} where ${blogs.organizationId} = ${organizationId} and ${which}`,
  );
}

type Asked = {
  readonly action: string;
  readonly where: SQL;
  readonly change: (license: License) => readonly Statement[];
};

async function change(writer: Writer, asked: Asked): Promise<void> {
  const { organizationId } = writer;
  const outcome = await commit(writer, makeLicense(writer), {
    ...asked,
    resourceId: organizationId,
    blogId: null,
    answer: sql`json_object('value', json_object('_id', ${organizationId}))`,
  });
  if (outcome.refused) throw new DomainError("not_found", "There is no such organization that you can change.");
  writer.announce();
}
