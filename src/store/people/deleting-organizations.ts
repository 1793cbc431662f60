/**
 * Organizations that an owner deletes (contract 10.17): suspended until an owner restores them, or they are deleted for good
 * (store/export/removing.ts). People do the latter two, because the organization has no credentials meanwhile.
 */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { blogs } from "../../schema/blogs.ts";
import { organizations, suspensions } from "../../schema/core.ts";
import { members } from "../../schema/people.ts";
import { isShown } from "../blogs/names.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import { eventFits, makeDayLimitError, readQuota } from "../core/quota.ts";
import { builder, joinAnd, queryFirstRow, type Statement } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import { beginSuspension, endSuspension, insertBlogEvents } from "./suspending.ts";

/** Suspends the writer's organization until it is restored, and stores `blog.deleted` for each blog that is shown. Throws `not_found`. */
export const deleteOrganization = (writer: Writer): Promise<void> =>
  change(writer, {
    action: "organization.delete",
    where: sql`from ${organizations} where ${organizations.id} = ${writer.organizationId}`,
    change: ({ time, held }) => [
      insertBlogEvents(writer.organizationId, "blog.deleted", time, joinAnd(isShown(blogs.id), held)),
      ...beginSuspension(
        { organizationId: writer.organizationId, reason: "", kind: "deleted", creationTime: time },
        held,
      ),
    ],
  });

/**
 * Ends the deletion of the writer's organization, for an owner of it, and stores `blog.created` for each blog that is shown again. Throws `not_found`, and
 * `event_limit` if the day has no room for an event.
 */
export async function restoreOrganization(writer: Writer, userId: string): Promise<void> {
  const { now, organizationId } = writer;
  const isFull = sql`not ${eventFits(writer, now().toISOString())}`;
  const row = await queryFirstRow(writer.db, sql`select 1 ${selectDeleted(writer, userId)} and ${isFull}`);
  if (row !== null) throw makeDayLimitError("event_limit", await readQuota(writer, "eventsPerDay"), now());
  await change(writer, {
    action: "organization.restore",
    where: selectDeleted(writer, userId),
    change: ({ time, held }) => endSuspension(organizationId, time, held),
  });
}

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
