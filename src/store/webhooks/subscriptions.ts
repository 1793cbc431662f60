/** An organization's webhook subscriptions. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import type { EventKind } from "../../domain/events.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import type { Versioned } from "../core/paging.ts";
import { holds, refusal, versionIn, type IfMatch, type Optional, type Preconditions } from "../core/preconditions.ts";
import { events, webhookSubscriptions as subscriptions } from "./schema.ts";
import { all, assignments, insertInto, jsonBoolean, jsonObject, returned, rows } from "../core/sql.ts";
import { ownBlog, ownSubscription as own } from "../core/reach.ts";

/** A webhook subscription (contract 11.1), without its secret. */
export type SubscriptionRecord = {
  _id: string;
  url: string;
  blogId: string | null;
  events: EventKind[];
  active: boolean;
  failureStreak: number;
  deactivationTime: string | null;
  organization: string;
  creationTime: string;
  lastEditTime: string;
};

type SubscriptionRow = Omit<SubscriptionRecord, "events" | "active"> & {
  events: string;
  active: number;
  rowVersion: string;
};

export type NewSubscription = Pick<SubscriptionRecord, "url" | "blogId" | "events"> & {
  readonly secret: string;
  /** The stored form of the answer, which carries the secret: already sealed. */
  readonly answer: (record: SubscriptionRecord, version: string) => Promise<string>;
};

type ReadOnly = Pick<
  SubscriptionRecord,
  "_id" | "blogId" | "organization" | "failureStreak" | "deactivationTime" | "creationTime" | "lastEditTime"
>;

export type SubscriptionChange = Preconditions<ReadOnly> & {
  readonly id: string;
  readonly fields: Optional<Pick<SubscriptionRecord, "url" | "events" | "active">>;
};

const COLUMNS = {
  _id: subscriptions.id,
  url: subscriptions.url,
  blogId: subscriptions.blogId,
  events: subscriptions.events,
  active: subscriptions.active,
  failureStreak: subscriptions.failureStreak,
  deactivationTime: subscriptions.deactivationTime,
  organization: subscriptions.organizationId,
  creationTime: subscriptions.creationTime,
  lastEditTime: subscriptions.lastEditTime,
} as const;

const { url: _, events: __, active: ___, ...READ_ONLY_COLUMNS } = COLUMNS;

const RETURNED = returned(COLUMNS, subscriptions.version);

const answer = jsonObject({
  value: jsonObject({
    ...COLUMNS,
    events: sql`json(${subscriptions.events})`,
    active: jsonBoolean(subscriptions.active),
  }),
  version: sql`${subscriptions.version}`,
});

function toSubscription({ rowVersion, ...row }: SubscriptionRow): Versioned<SubscriptionRecord> {
  const value = { ...row, events: JSON.parse(row.events) as SubscriptionRecord["events"], active: row.active === 1 };
  return { value, version: rowVersion };
}

/** The sequence number of the last event: what comes later is for a subscription that begins now. */
const lastSeq = sql`(select coalesce(max(seq), 0) from ${events})`;

/** All subscriptions of the organization, oldest first. */
export async function listSubscriptions(writer: Writer): Promise<SubscriptionRecord[]> {
  const found = await rows<SubscriptionRow>(
    writer.db,
    sql`select ${RETURNED} from ${subscriptions} where organization_id = ${writer.organizationId} order by id`,
  );
  return found.map((row) => toSubscription(row).value);
}

/** That the organization may have one more. */
const hasRoom = ({ organizationId }: Writer): SQL =>
  sql`(select count(*) from ${subscriptions} where organization_id = ${organizationId}) < ${LIMITS.subscriptions}`;

/** Stores a new, active subscription, if the organization has room for one more. */
export async function createSubscription(
  writer: Writer,
  subscription: NewSubscription,
): Promise<Versioned<SubscriptionRecord>> {
  const licence = newLicence(writer);
  const { url, blogId, secret } = subscription;
  const record: SubscriptionRecord = {
    _id: newId(),
    url,
    blogId,
    events: subscription.events,
    active: true,
    failureStreak: 0,
    deactivationTime: null,
    organization: writer.organizationId,
    creationTime: licence.time,
    lastEditTime: licence.time,
  };
  const { into, values } = insertInto(subscriptions, {
    id: record._id,
    organizationId: writer.organizationId,
    blogId,
    url,
    events: JSON.stringify(record.events),
    active: 1,
    secret,
    failureStreak: 0,
    epoch: 0,
    sinceSeq: lastSeq,
    version: licence.id,
    creationTime: licence.time,
    lastEditTime: licence.time,
  });
  const stored = writer.idempotency === undefined ? "" : await subscription.answer(record, licence.id);
  const reachable = blogId === null ? sql`true` : ownBlog(writer, blogId);
  const outcome = await commit(writer, licence, {
    action: "webhooksubscriptions.create",
    resourceId: record._id,
    blogId,
    where: sql`where ${all(reachable, hasRoom(writer))}`,
    change: ({ held }) => [sql`${into} select ${values} where ${held}`],
    answer: sql`${stored}`,
    diagnose: sql`select 1 where ${reachable}`,
  });
  if (!outcome.refused) return { value: record, version: licence.id };
  throw new DomainError(outcome.diagnosis.length > 0 ? "subscription_limit" : "blog_forbidden");
}

/**
 * Changes the given members. `active: true` clears the streak; where the subscription was inactive
 * it also begins a new life, which events of the time before it never reach.
 */
export async function updateSubscription(
  writer: Writer,
  change: SubscriptionChange,
): Promise<Versioned<SubscriptionRecord>> {
  const licence = newLicence(writer);
  const { url, events: kinds, active } = change.fields;
  const outcome = await commit(writer, licence, {
    action: "webhooksubscriptions.update",
    resourceId: change.id,
    blogId: sql`${subscriptions.blogId}`,
    where: sql`from ${subscriptions}
      where ${all(own(writer, change.id), ...holds(change, subscriptions.version, READ_ONLY_COLUMNS))}`,
    change: ({ held }) => ({
      returning: sql<SubscriptionRow>`update ${subscriptions} set ${assignments(subscriptions, {
        url,
        events: kinds && JSON.stringify(kinds),
        active: active === undefined ? undefined : Number(active),
        ...(active === true && {
          failureStreak: 0,
          epoch: sql`epoch + (active = 0)`,
          sinceSeq: sql`case active when 1 then since_seq else ${lastSeq} end`,
          deactivationTime: null,
        }),
        ...(active === false && { deactivationTime: sql`coalesce(deactivation_time, ${licence.time})` }),
        version: licence.id,
        lastEditTime: licence.time,
      })} where ${all(sql`id = ${change.id}`, held)} returning ${RETURNED}`,
    }),
    answer: sql`(select ${answer} from ${subscriptions} where id = ${change.id})`,
    diagnose: sql<SubscriptionRow>`select ${RETURNED} from ${subscriptions} where ${own(writer, change.id)}`,
  });
  if (outcome.refused) throw updateRefusal(outcome.diagnosis[0], change);
  return toSubscription(outcome.row);
}

/** Removes a subscription; what was not yet sent to it never will be. */
export async function deleteSubscription(writer: Writer, id: string, ifMatch: IfMatch | undefined): Promise<void> {
  const outcome = await commit(writer, newLicence(writer), {
    action: "webhooksubscriptions.delete",
    resourceId: id,
    blogId: sql`${subscriptions.blogId}`,
    where: sql`from ${subscriptions} where ${all(own(writer, id), ...versionIn(subscriptions.version, ifMatch))}`,
    change: ({ held }) => [sql`delete from ${subscriptions} where ${all(sql`id = ${id}`, held)}`],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
    diagnose: sql`select id from ${subscriptions} where ${own(writer, id)}`,
  });
  if (!outcome.refused) return;
  throw new DomainError(outcome.diagnosis.length > 0 ? "precondition_failed" : "not_found");
}

function updateRefusal(found: SubscriptionRow | undefined, change: SubscriptionChange): DomainError {
  const reason = found === undefined ? null : refusal(change, found);
  return reason ?? new DomainError("not_found");
}
