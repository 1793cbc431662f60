import { and, eq, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError } from "../../domain/errors.ts";
import { commit, newLicence } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { pageOfIds, toPage, type Page, type PageQuery } from "../core/paging.ts";
import { builder, jsonObject, orm } from "../core/sql.ts";
import { deadLetters } from "../../schema/webhooks.ts";

/** A dead letter (contract 11.13). */
const LETTER = {
  _id: deadLetters.id,
  event: deadLetters.kind,
  webhookSubscriptionId: sql<string | null>`nullif(${deadLetters.subscriptionId}, '')`,
  tries: deadLetters.tries,
  creationTime: deadLetters.creationTime,
  lastTryTime: deadLetters.tryTime,
  deadTime: deadLetters.deadTime,
};

export type DeadLetterRecord = SelectResultFields<typeof LETTER>;

/** Returns a page of the organization's dead letters, newest first. Throws `invalid_cursor`. */
export async function listDeadLetters(writer: Writer, query: PageQuery): Promise<Page<DeadLetterRecord>> {
  const page = pageOfIds(query, deadLetters.id);
  const found = await orm(writer.db)
    .select(LETTER)
    .from(deadLetters)
    .where(and(eq(deadLetters.organizationId, writer.organizationId), page.from))
    .orderBy(page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(query, found, (value) => ({ value, version: `${value._id}:${value.tries}:${value.lastTryTime}` }));
}

/** Starts the tries of a dead letter again. Throws `not_found`, for example if it has been sent meanwhile. */
export async function retryDeadLetter(writer: Writer, id: string): Promise<DeadLetterRecord> {
  const target = and(eq(deadLetters.id, id), eq(deadLetters.organizationId, writer.organizationId));
  const stored = builder.select(LETTER).from(deadLetters).where(target);
  const outcome = await commit(writer, newLicence(writer), {
    action: "deadletters.retry",
    resourceId: id,
    blogId: null,
    where: sql`from ${deadLetters} where ${target}`,
    change: ({ held }) => ({
      before: [builder.update(deadLetters).set({ tries: 0, deadTime: null }).where(and(target, held))],
      returning: stored,
      again: () => stored,
    }),
    answer: sql`(select ${jsonObject({ value: jsonObject(LETTER) })} from ${deadLetters} where ${target})`,
  });
  if (outcome.refused) throw new DomainError("not_found", "There is no such dead letter, or it has been sent.");
  return outcome.row;
}
