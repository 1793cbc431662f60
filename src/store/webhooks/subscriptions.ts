import { and, eq, sql, type SQL } from "drizzle-orm";
import type { IfMatch } from "../../domain/preconditions.ts";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { paginateById, toPage, type Paged, type PageQuery, type Versioned } from "../core/paging.ts";
import { matchVersion, type Optional } from "../core/preconditions.ts";
import { events, webhookSubscriptions as subscriptions } from "../../schema/webhooks.ts";
import { defineResource, type RecordOf } from "../core/resource.ts";
import { joinAnd, builder, insertWhere, orm } from "../core/sql.ts";
import { makeCountError, readQuota, selectOwnQuota } from "../core/quota.ts";
import { handOver } from "./system-replacements.ts";
import { ownsBlog, isOwnSubscription } from "../core/reach.ts";

/** A webhook subscription (contract 11.1), without its secret. */
export const SUBSCRIPTION = defineResource(
  {
    _id: subscriptions.id,
    name: subscriptions.name,
    url: subscriptions.url,
    blogId: subscriptions.blogId,
    events: subscriptions.events,
    active: subscriptions.active,
    failureStreak: subscriptions.failureStreak,
    deactivationTime: subscriptions.deactivationTime,
    endTime: subscriptions.endTime,
    // Null once that one has ended. With the table's name, because `o` has such a column, too.
    replaces: sql<string | null>`(select o.id from ${subscriptions} o where o.id = ${subscriptions}.replaces)`,
    organization: subscriptions.organizationId,
    creationTime: subscriptions.creationTime,
    lastEditTime: subscriptions.lastEditTime,
  },
  subscriptions.version,
);

export type SubscriptionRecord = RecordOf<typeof SUBSCRIPTION>;

export type NewSubscription = Pick<SubscriptionRecord, "name" | "url" | "blogId" | "events"> & {
  readonly secret: string;
  /** Returns the response as it is stored for repeated calls. It contains the secret, so it is encrypted (seal.ts). */
  readonly answer: (record: SubscriptionRecord, version: string) => Promise<string>;
};

export type SubscriptionChange = {
  readonly id: string;
  readonly fields: Optional<Pick<SubscriptionRecord, "name" | "url" | "events" | "active">>;
  readonly ifMatch: IfMatch | undefined;
};

/** Selects the sequence number of the last event. A reactivated subscription gets only later events. */
const lastSeq = sql`(select coalesce(max(${events.seq}), 0) from ${events})`;

/** Returns a page of the organization's subscriptions, oldest first. Throws `invalid_cursor`. */
export async function listSubscriptions(writer: Writer, query: PageQuery): Promise<Paged<SubscriptionRecord>> {
  const page = paginateById(query, subscriptions.id, "oldest");
  const found = await orm(writer.db)
    .select(SUBSCRIPTION.members)
    .from(subscriptions)
    .where(and(eq(subscriptions.organizationId, writer.organizationId), page.from))
    .orderBy(page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(query, found, (record) => record);
}

/** Returns a subscription that the writer may touch, or null if there is none with this id. */
export async function findSubscription(writer: Writer, id: string): Promise<Versioned<SubscriptionRecord> | null> {
  const [row] = await orm(writer.db)
    .select(SUBSCRIPTION.fields)
    .from(subscriptions)
    .where(isOwnSubscription(writer, id));
  return row === undefined ? null : SUBSCRIPTION.toRecord(row);
}

/** Returns the condition that the organization may have one more subscription. */
export const hasRoom = (writer: Writer): SQL =>
  sql`(select count(*) from ${subscriptions} where ${subscriptions.organizationId} = ${writer.organizationId})
    < ${selectOwnQuota(writer, "subscriptions")}`;

/** Stores an active subscription. Throws `blog_forbidden` and `subscription_limit`. */
export async function createSubscription(
  writer: Writer,
  subscription: NewSubscription,
): Promise<Versioned<SubscriptionRecord>> {
  const license = makeLicense(writer);
  const { name, url, blogId, secret } = subscription;
  const record: SubscriptionRecord = {
    _id: newId(),
    name,
    url,
    blogId,
    events: subscription.events,
    active: true,
    failureStreak: 0,
    deactivationTime: null,
    endTime: null,
    replaces: null,
    organization: writer.organizationId,
    creationTime: license.time,
    lastEditTime: license.time,
  };
  const { _id: id, organization: organizationId, ...shown } = record;
  const row = { ...shown, id, organizationId, secret, epoch: 0, sinceSeq: lastSeq, version: license.id };
  const stored = writer.idempotency === undefined ? "" : await subscription.answer(record, license.id);
  const reachable = blogId === null ? sql`true` : ownsBlog(writer, blogId);
  const outcome = await commit(writer, license, {
    action: "webhooksubscriptions.create",
    resourceId: id,
    blogId,
    where: sql`where ${joinAnd(reachable, hasRoom(writer))}`,
    change: ({ held }) => [insertWhere(subscriptions, row, sql`where ${held}`)],
    answer: sql`${stored}`,
    diagnose: sql`select 1 where ${reachable}`,
  });
  if (!outcome.refused) return { value: record, version: license.id };
  if (outcome.diagnosis.length === 0) throw new DomainError("blog_forbidden");
  throw await makeSubscriptionLimitError(writer);
}

export const makeSubscriptionLimitError = async (writer: Writer): Promise<DomainError> =>
  makeCountError("subscription_limit", await readQuota(writer, "subscriptions"), "webhook subscriptions. Delete");

/** The columns that `active: true` sets. If the subscription was inactive, they begin a new epoch. */
export const REACTIVATED = {
  failureStreak: 0,
  warnedAt: 0,
  epoch: sql`${subscriptions.epoch} + (${subscriptions.active} = 0)`,
  sinceSeq: sql`case ${subscriptions.active} when 1 then ${subscriptions.sinceSeq} else ${lastSeq} end`,
  deactivationTime: null,
};

/**
 * Changes the given fields and returns the subscription. `active: true` sets the streak to 0. If the subscription was
 * inactive, it also begins a new epoch, which never gets earlier events. Throws `not_found` and `precondition_failed`.
 */
export async function updateSubscription(
  writer: Writer,
  change: SubscriptionChange,
): Promise<Versioned<SubscriptionRecord>> {
  const license = makeLicense(writer);
  const { name, url, events: kinds, active } = change.fields;
  const outcome = await commit(writer, license, {
    action: "webhooksubscriptions.update",
    resourceId: change.id,
    blogId: sql`${subscriptions.blogId}`,
    where: sql`from ${subscriptions}
      where ${joinAnd(isOwnSubscription(writer, change.id), ...matchVersion(subscriptions.version, change.ifMatch))}`,
    change: ({ held }) => ({
      returning: builder
        .update(subscriptions)
        .set({
          name,
          url,
          events: kinds,
          active,
          ...(active === true && REACTIVATED),
          ...(active === false && {
            deactivationTime: sql`coalesce(${subscriptions.deactivationTime}, ${license.time})`,
          }),
          version: license.id,
          lastEditTime: license.time,
        })
        .where(and(eq(subscriptions.id, change.id), held))
        .returning(SUBSCRIPTION.fields),
      again: () => builder.select(SUBSCRIPTION.fields).from(subscriptions).where(eq(subscriptions.id, change.id)),
    }),
    answer: sql`(select ${SUBSCRIPTION.answer()} from ${subscriptions} where ${subscriptions.id} = ${change.id})`,
    diagnose: sql`select ${subscriptions.id} from ${subscriptions} where ${isOwnSubscription(writer, change.id)}`,
  });
  if (outcome.refused) throw new DomainError(outcome.diagnosis.length > 0 ? "precondition_failed" : "not_found");
  return SUBSCRIPTION.toRecord(outcome.row);
}

/**
 * Deletes a subscription. Its open deliveries are never sent, unless another subscription replaces it and gets them. If
 * it replaces one itself, that one does not end. Throws `not_found` and `precondition_failed`. */
export async function deleteSubscription(writer: Writer, id: string, ifMatch: IfMatch | undefined): Promise<void> {
  const outcome = await commit(writer, makeLicense(writer), {
    action: "webhooksubscriptions.delete",
    resourceId: id,
    blogId: sql`${subscriptions.blogId}`,
    where: sql`from ${subscriptions} where ${joinAnd(isOwnSubscription(writer, id), ...matchVersion(subscriptions.version, ifMatch))}`,
    change: ({ id: version, time, held }) => [
      handOver(id, held),
      builder
        .update(subscriptions)
        .set({ endTime: null, version, lastEditTime: time })
        .where(and(sql`${subscriptions.id} = (select s.replaces from ${subscriptions} s where s.id = ${id})`, held)),
      builder.delete(subscriptions).where(and(eq(subscriptions.id, id), held)),
    ],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql`select ${subscriptions.id} from ${subscriptions} where ${isOwnSubscription(writer, id)}`,
  });
  if (!outcome.refused) return;
  throw new DomainError(outcome.diagnosis.length > 0 ? "precondition_failed" : "not_found");
}
