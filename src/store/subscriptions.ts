/** An organization's webhook subscriptions and the log of their deliveries. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { commit, newLicence, type EventKind, type Writer } from "./commit.ts";
import { pageClause, toPage, type Page, type PageQuery, type Versioned } from "./paging.ts";
import { holds, refusal, type Optional, type Preconditions } from "./preconditions.ts";
import { blogs, deliveries, events, webhookSubscriptions as subscriptions } from "./schema.ts";
import { all, assignments, bare, insertInto, jsonBoolean, jsonObject, rows, transaction } from "./sql.ts";

/** A Webhook subscription (specification, Resources), without its secret. */
export type SubscriptionRecord = {
  _id: string;
  url: string;
  blogId: string | null;
  events: Exclude<EventKind, "ping">[];
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

/** One attempt to tell one subscription of one event. */
export type DeliveryRecord = {
  _id: string;
  event: EventKind;
  state: "open" | "claimed" | "succeeded" | "failed" | "skipped" | "unknown";
  /** The receiver's HTTP status, where it answered. */
  status: number | null;
  /** Milliseconds from the request to the response headers or the failure. */
  durationMs: number | null;
  /** The class of the failure, such as `timeout`. */
  error: string | null;
  creationTime: string;
  attemptTime: string | null;
  settleTime: string | null;
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

const { url: _, events: __, active: ___, ...READ_ONLY } = COLUMNS;

const RETURNED = sql.join(
  [
    ...Object.entries(COLUMNS).map(([name, column]) => sql`${bare(column)} as ${sql.identifier(name)}`),
    sql`version as "rowVersion"`,
  ],
  sql`, `,
);

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

/** The subscription methods of an organization's store. */
export function organizationSubscriptions(writer: Writer) {
  const { db, organizationId } = writer;
  const own = (id: string): SQL =>
    all(sql`${subscriptions.id} = ${id}`, sql`${subscriptions.organizationId} = ${organizationId}`);

  return {
    /** All subscriptions of the organization, oldest first. */
    async listSubscriptions(): Promise<SubscriptionRecord[]> {
      const found = await rows<SubscriptionRow>(
        db,
        sql`select ${RETURNED} from ${subscriptions} where organization_id = ${organizationId} order by id`,
      );
      return found.map((row) => toSubscription(row).value);
    },

    /** Stores a new, active subscription. */
    async createSubscription(subscription: NewSubscription): Promise<Versioned<SubscriptionRecord>> {
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
        organization: organizationId,
        creationTime: licence.time,
        lastEditTime: licence.time,
      };
      const { into, values } = insertInto(subscriptions, {
        id: record._id,
        organizationId,
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
      const reachable =
        blogId === null
          ? sql`true`
          : sql`exists (select 1 from ${blogs} where id = ${blogId} and organization_id = ${organizationId})`;
      const outcome = await commit(writer, licence, {
        action: "webhooksubscriptions.create",
        resourceId: record._id,
        blogId,
        where: sql`where ${reachable}`,
        change: ({ held }) => [sql`${into} select ${values} where ${held}`],
        answer: sql`${stored}`,
      });
      if ("refused" in outcome) throw new DomainError("blog_forbidden");
      return { value: record, version: licence.id };
    },

    /**
     * Changes the given members. `active: true` clears the streak; where the subscription was inactive
     * it also begins a new life, which events of the time before it never reach.
     */
    async updateSubscription(change: SubscriptionChange): Promise<Versioned<SubscriptionRecord>> {
      const licence = newLicence(writer);
      const { url, events: kinds, active } = change.fields;
      const outcome = await commit(writer, licence, {
        action: "webhooksubscriptions.update",
        resourceId: change.id,
        blogId: sql`${subscriptions.blogId}`,
        where: sql`from ${subscriptions}
          where ${all(own(change.id), ...holds(change, subscriptions.version, READ_ONLY))}`,
        change: ({ held }) => [
          sql`update ${subscriptions} set ${assignments(subscriptions, {
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
        ],
        answer: sql`(select ${answer} from ${subscriptions} where id = ${change.id})`,
        diagnose: sql`select ${RETURNED} from ${subscriptions} where ${own(change.id)}`,
      });
      if ("refused" in outcome) throw updateRefusal(outcome.diagnosis[0], change);
      return toSubscription(outcome.rows[0]?.[0] as SubscriptionRow);
    },

    /** Removes a subscription; what was not yet sent to it never will be. */
    async deleteSubscription(id: string): Promise<void> {
      const outcome = await commit(writer, newLicence(writer), {
        action: "webhooksubscriptions.delete",
        resourceId: id,
        blogId: sql`${subscriptions.blogId}`,
        where: sql`from ${subscriptions} where ${own(id)}`,
        change: ({ held }) => [sql`delete from ${subscriptions} where ${all(sql`id = ${id}`, held)}`],
        answer: sql`json_object('value', json_object('_id', ${id}))`,
      });
      if ("refused" in outcome) throw new DomainError("not_found");
    },

    /** A page of a subscription's deliveries, newest first; `not_found` where there is no subscription. */
    async listDeliveries(id: string, query: PageQuery): Promise<Page<DeliveryRecord>> {
      const [known = [], found = []] = await transaction(db, [
        sql`select 1 from ${subscriptions} where ${own(id)}`,
        sql`select ${deliveries.id} as "_id", ${events.kind} as "event", ${deliveries.state} as "state",
            ${deliveries.status} as "status", ${deliveries.durationMs} as "durationMs",
            ${deliveries.error} as "error", ${deliveries.creationTime} as "creationTime",
            ${deliveries.claimTime} as "attemptTime", ${deliveries.settleTime} as "settleTime"
          from ${deliveries} join ${events} on ${events.id} = ${deliveries.eventId}
          where ${deliveries.subscriptionId} = ${id} and ${deliveries.organizationId} = ${organizationId}
          ${pageClause(query, deliveries.creationTime, deliveries.id)}`,
      ]);
      if (known.length === 0) throw new DomainError("not_found");
      return toPage(query, found as DeliveryRecord[], (row) => ({ value: row, version: row._id }));
    },

    /** Stores a `ping` for one active subscription alone; returns its delivery. */
    async ping(id: string): Promise<DeliveryRecord> {
      const licence = newLicence(writer);
      const deliveryId = newId();
      const target = all(own(id), sql`${subscriptions.active} = 1`);
      const delivery: DeliveryRecord = {
        _id: deliveryId,
        event: "ping",
        state: "open",
        status: null,
        durationMs: null,
        error: null,
        creationTime: licence.time,
        attemptTime: null,
        settleTime: null,
      };
      const outcome = await commit(writer, licence, {
        action: "webhooksubscriptions.ping",
        resourceId: id,
        blogId: sql`${subscriptions.blogId}`,
        where: sql`from ${subscriptions} where ${target}`,
        change: ({ held }) => [
          sql`insert into ${deliveries}
              (id, organization_id, event_id, subscription_id, epoch, state, creation_time, enqueue_time)
            select ${deliveryId}, organization_id, ${licence.id}, id, epoch, 'open', ${licence.time}, ${licence.time}
            from ${subscriptions} where ${all(target, held)}`,
        ],
        event: {
          kind: "ping",
          blogId: sql`${subscriptions.blogId}`,
          data: jsonObject({ subscriptionId: sql`${subscriptions.id}` }),
          from: sql`from ${subscriptions} where ${target}`,
        },
        answer: sql`${JSON.stringify({ value: delivery })}`,
        diagnose: sql`select id from ${subscriptions} where ${own(id)}`,
      });
      if (!("refused" in outcome)) return delivery;
      throw new DomainError(outcome.diagnosis.length > 0 ? "subscription_inactive" : "not_found");
    },
  };
}

function updateRefusal(found: unknown, change: SubscriptionChange): DomainError {
  const reason = found === undefined ? null : refusal(change, found as ReadOnly & { rowVersion: string });
  return reason ?? new DomainError("not_found");
}
