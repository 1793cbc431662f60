/** Replaces the secret of a subscription by one of a new subscription (contract 11.22). */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { newId } from "../../lib/ids.ts";
import { HOUR_MS } from "../../lib/time.ts";
import { webhookSubscriptions as subscriptions } from "../../schema/webhooks.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Versioned } from "../core/paging.ts";
import { isOwnSubscription } from "../core/reach.ts";
import { builder, insertWhere, joinAnd } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import {
  findSubscription,
  hasRoom,
  makeSubscriptionLimitError,
  type NewSubscription,
  type SubscriptionRecord,
} from "./subscriptions.ts";

/** The condition that it replaces none that still exists: of three that are sent to at once, nobody knows which ends. */
const REPLACES_NONE: SQL = sql`not exists (select 1 from ${subscriptions} o where o.id = ${subscriptions.replaces})`;

/**
 * Stores an active subscription that replaces another one, which ends a day later. Both get every event whose fan-out is
 * still to come. Throws `not_found`, `subscription_inactive`, `subscription_being_replaced`, `subscription_limit`, and
 * `precondition_failed` if the first one changes meanwhile.
 */
export async function replaceSubscription(
  writer: Writer,
  replaced: string,
  { secret, answer }: Pick<NewSubscription, "secret" | "answer">,
): Promise<Versioned<SubscriptionRecord>> {
  const found = await findSubscription(writer, replaced);
  if (found === null) throw new DomainError("not_found", "There is no such webhook subscription.");
  const license = makeLicense(writer);
  const { id: version, time } = license;
  const record = makeSuccessor(found.value, time);
  const { _id: id, organization: organizationId, ...shown } = record;
  // The same `sinceSeq`: events that wait for their fan-out go to both.
  const { sinceSeq } = subscriptions;
  const row = { ...shown, id, organizationId, secret, epoch: 0, sinceSeq, version };
  const stored = writer.idempotency === undefined ? "" : await answer(record, version);
  const own = isOwnSubscription(writer, replaced);
  const isFree = joinAnd(sql`${subscriptions.endTime} is null`, REPLACES_NONE);
  const outcome = await commit(writer, license, {
    action: "webhooksubscriptions.replace",
    resourceId: replaced,
    blogId: sql`${subscriptions.blogId}`,
    where: sql`from ${subscriptions} where ${joinAnd(
      own,
      eq(subscriptions.version, found.version),
      eq(subscriptions.active, true),
      isFree,
      hasRoom(writer),
    )}`,
    change: ({ held }) => [
      insertWhere(subscriptions, row, sql`from ${subscriptions} where ${own} and ${held}`),
      builder
        .update(subscriptions)
        .set({
          endTime: new Date(Date.parse(time) + LIMITS.replacementHours * HOUR_MS).toISOString(),
          version,
          lastEditTime: time,
        })
        .where(and(own, held)),
    ],
    answer: sql`${stored}`,
    diagnose: sql<Refusal>`select ${subscriptions.active}, ${isFree} as "free", ${hasRoom(writer)} as "room"
      from ${subscriptions} where ${own}`,
  });
  if (outcome.refused) throw await explain(writer, outcome.diagnosis[0]);
  return { value: record, version };
}

const makeSuccessor = (first: SubscriptionRecord, time: string): SubscriptionRecord => ({
  ...first,
  _id: newId(),
  active: true,
  failureStreak: 0,
  deactivationTime: null,
  endTime: null,
  replaces: first._id,
  creationTime: time,
  lastEditTime: time,
});

type Refusal = { readonly active: number; readonly free: number; readonly room: number };

async function explain(writer: Writer, found: Refusal | undefined): Promise<DomainError> {
  if (found === undefined) return new DomainError("not_found");
  if (found.active === 0) return new DomainError("subscription_inactive");
  if (found.free === 0) return new DomainError("subscription_being_replaced");
  return found.room === 0 ? makeSubscriptionLimitError(writer) : new DomainError("precondition_failed");
}
