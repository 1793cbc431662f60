/** Claims deliveries, so that each is attempted at most once. system-settlement.ts stores the outcomes. */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { deliveries, events, webhookSubscriptions as subscriptions } from "../../schema/webhooks.ts";
import {
  selectDistinct,
  toColumnName,
  defineQuery,
  queryRows,
  runTransaction,
  type Database,
  type Names,
  type Results,
} from "../core/sql.ts";
import { isDelivering } from "../core/suspension.ts";
import { matches } from "./matching.ts";

/** Deliveries to quick and to slow receivers go through different queues. */
export type Lane = "quick" | "slow";

/** A delivery that only the invocation with the claim's token may send. */
export type ClaimedDelivery = {
  readonly id: string;
  readonly eventId: string;
  readonly subscriptionId: string;
  readonly epoch: number;
  readonly url: string;
  readonly secret: string;
  readonly kind: string;
  /** JSON text. */
  readonly data: string;
  /** How often operators had it delivered again. */
  readonly redeliveries: number;
};

/** `token` identifies the claim. */
export type Claim = { readonly organizationId: string; readonly lane: Lane; readonly token: string };

/**
 * Claims some of the oldest open deliveries of an organization in a lane, for one invocation to send concurrently. Only
 * claimed deliveries may be sent, so a queue message that arrives twice sends nothing twice. A repeated call with the
 * same token returns the same deliveries, because the first response may have been lost.
 *
 * It claims no more than the credits of the organization and of each subscription allow. A delivery becomes `skipped`
 * if its subscription is inactive, has a new epoch or no longer wants the event. `progress` is true if anything was
 * claimed or skipped.
 */
export async function claimDeliveries(db: Database, asked: Claim, now: Date): Promise<Claimed> {
  return toClaimed(await runTransaction(db, buildClaim(asked, now)));
}

export type Claimed = { readonly claimed: ClaimedDelivery[]; readonly progress: boolean };

/** Returns the statements of a claim. {@link toClaimed} reads their rows. */
export function buildClaim({ organizationId, lane, token }: Claim, now: Date) {
  const values = { ...makeScope(organizationId, lane, now), token, time: now.toISOString() };
  return { skipped: skipInactive(values), changed: claim(values), claimed: findClaimed(values) };
}

export const toClaimed = ({ skipped, changed, claimed }: Results<ReturnType<typeof buildClaim>>): Claimed => ({
  claimed,
  progress: claimed.length + changed.length + skipped.length > 0,
});

/** Reopens the claimed deliveries. Call it only if nothing of the claim was sent. */
export async function releaseClaim(db: Database, { organizationId, token }: Claim): Promise<void> {
  await queryRows(
    db,
    sql`update ${deliveries} set ${toColumnName(deliveries.state)} = 'open', ${toColumnName(deliveries.token)} = null,
        ${toColumnName(deliveries.claimTime)} = null
      where ${deliveries.organizationId} = ${organizationId} and ${deliveries.state} = 'claimed'
        and ${deliveries.token} = ${token}`,
  );
}

type Scope = {
  readonly organizationId: string;
  /** 1 for the slow lane. */
  readonly slow: number;
  readonly credits: number;
  /** A subscription with a request that was claimed before this time counts as slow. */
  readonly slowSince: string;
};

type Claiming = Scope & { readonly token: string; readonly time: string };

/** Returns the values that the statements about a lane need. */
export const makeScope = (organizationId: string, lane: Lane, now: Date): Scope => ({
  organizationId,
  slow: lane === "slow" ? 1 : 0,
  credits: LIMITS.deliveryCredits[lane],
  slowSince: new Date(now.getTime() - LIMITS.slowDeliveryMs).toISOString(),
});

const toLiteral = (value: number): SQL => sql.raw(String(value));
const ALL_CREDITS = toLiteral(LIMITS.deliveryCredits.quick + LIMITS.deliveryCredits.slow);
const PER_SUBSCRIPTION = toLiteral(LIMITS.requestsOfSubscription);

/** Selects how many requests to each subscription are under way, and since when the first one is. */
const selectOutstanding = ({ organizationId }: Pick<Names<Scope>, "organizationId">): SQL =>
  sql`select ${deliveries.subscriptionId} as id, count(*) as requests, min(${deliveries.claimTime}) as since
    from ${deliveries} where ${deliveries.organizationId} = ${organizationId} and ${deliveries.state} = 'claimed'
    group by ${deliveries.subscriptionId}`;

/**
 * Selects the organization's active subscriptions of a lane, and how many requests to each are under way; none while it is
 * suspended, so that its deliveries wait. A
 * subscription is slow if its last attempt took long, or if a request to it has been under way for long.
 */
const selectLane = (names: Names<Scope>): SQL =>
  sql`select ${subscriptions.id} as id, ${subscriptions.epoch} as epoch, coalesce(o.requests, 0) as requests
    from ${subscriptions} left join (${selectOutstanding(names)}) o on o.id = ${subscriptions.id}
    where ${subscriptions.organizationId} = ${names.organizationId} and ${subscriptions.active} = 1
      and ${isDelivering(names.organizationId)} and max(${subscriptions.slow}, coalesce(o.since < ${names.slowSince}, 0)) = ${names.slow}`;

const AT_ONCE = toLiteral(LIMITS.connectionsAtOnce);

/**
 * Selects the subscriptions of the lane whose first open deliveries are the oldest: as many as one claim takes
 * deliveries, so the oldest deliveries are among theirs. Each subscription costs two index entries, whatever its number
 * of deliveries.
 */
const selectForemost = (names: Names<Scope>): SQL =>
  sql`select id, epoch, requests from (select l.*, (select min(d.event_id) from ${deliveries} d
      where d.subscription_id = l.id and d.state = 'open') as first
    from (${selectLane(names)}) l where l.requests < ${PER_SUBSCRIPTION})
    where first is not null order by first, id limit ${AT_ONCE}`;

/** Selects their oldest open deliveries. `nth` counts the deliveries of a subscription and its requests under way. */
const selectHeads = (names: Names<Scope>): SQL =>
  sql`select d.event_id, d.subscription_id, f.epoch,
      f.requests + row_number() over (partition by d.subscription_id order by d.event_id) as nth
    from (${selectForemost(names)}) f join ${deliveries} d on d.subscription_id = f.id and d.state = 'open'
      and d.event_id <= coalesce((select x.event_id from ${deliveries} x
        where x.subscription_id = f.id and x.state = 'open' order by x.event_id
        limit 1 offset ${PER_SUBSCRIPTION} - 1), '~')`;

/** Returns how many credits the organization has left in the lane; the lanes share a total. Never negative. */
const computeCredit = (names: Names<Scope>): SQL =>
  sql`max(0, min(${names.credits} - (select coalesce(sum(requests), 0) from (${selectLane(names)})),
    ${ALL_CREDITS} - (select coalesce(sum(requests), 0) from (${selectOutstanding(names)}))))`;

/** Selects one row if an organization has open deliveries in a lane that can be claimed. */
export const findClaimable = defineQuery<Scope>(
  (names) => sql`select 1 from (${selectLane(names)}) l
    where l.requests < ${PER_SUBSCRIPTION} and ${computeCredit(names)} > 0 and exists (select 1 from ${deliveries}
      where ${deliveries.subscriptionId} = l.id and ${deliveries.state} = 'open') limit 1`,
);

/** The condition of the index of deliveries that ended, but not with a success. */
export const IS_UNSUCCESSFUL = sql`${deliveries.settleTime} is not null and ${deliveries.state} <> 'succeeded'`;

/** Names that index, and that of open deliveries, where SQLite would read all deliveries of a subscription. */
export const BY_SETTLED = sql`indexed by deliveries_settled`;
export const BY_OPEN = sql`indexed by deliveries_open`;

/** A random UUID (RFC 9562, version 4). */
export const NEW_UUID =
  sql.raw(`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
  || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`);

/** The columns of a delivery that is inserted again: it is sent once more, under the same id. */
export const REOPENED = {
  epoch: sql`excluded.epoch`,
  state: "open" as const,
  token: null,
  status: null,
  durationMs: null,
  error: null,
  claimTime: null,
  settleTime: null,
  redeliveries: sql`${deliveries.redeliveries} + 1`,
};

const KEY = sql`(${toColumnName(deliveries.subscriptionId)}, ${toColumnName(deliveries.eventId)})`;

const skipInactive = defineQuery<Claiming>(
  ({ organizationId, time }) => sql`update ${deliveries} set ${toColumnName(deliveries.state)} = 'skipped',
      ${toColumnName(deliveries.error)} = 'subscription_changed', ${toColumnName(deliveries.settleTime)} = ${time}
    where ${KEY} in (select d.subscription_id, d.event_id
      from ${subscriptions} join ${deliveries} d on d.subscription_id = ${subscriptions.id} and d.state = 'open'
      where ${subscriptions.organizationId} = ${organizationId} and ${subscriptions.active} = 0 limit 200)
    returning 1`,
);

const isHeldBy = ({ organizationId, token }: Names<Pick<Claiming, "organizationId" | "token">>): SQL =>
  sql`${deliveries.organizationId} = ${organizationId} and ${deliveries.state} = 'claimed'
    and ${deliveries.token} = ${token}`;

/** The condition that a subscription still wants a delivery: it is in the same epoch and still matches the event. */
const WANTED = sql`exists (select 1 from ${deliveries} w join ${subscriptions} on ${subscriptions.id} = w.subscription_id
    join ${events} on ${events.id} = w.event_id and ${events.organizationId} = ${subscriptions.organizationId}
  where w.event_id = h.event_id and w.subscription_id = h.subscription_id and w.epoch = h.epoch
    and (${events.kind} = 'ping' or ${matches(events)}))`;

/** Claims the oldest deliveries that the credits allow. Skips those that their subscription does not want. */
const claim = defineQuery<Claiming>(
  (names) => sql`update ${deliveries} set ${toColumnName(deliveries.state)} = iif(c.wanted, 'claimed', 'skipped'),
      ${toColumnName(deliveries.token)} = iif(c.wanted, ${names.token}, null),
      ${toColumnName(deliveries.claimTime)} = iif(c.wanted, ${names.time}, null),
      ${toColumnName(deliveries.error)} = iif(c.wanted, null, 'subscription_changed'),
      ${toColumnName(deliveries.settleTime)} = iif(c.wanted, null, ${names.time})
    from (select h.event_id, h.subscription_id, ${WANTED} as wanted from (${selectHeads(names)}) h
      where h.nth <= ${PER_SUBSCRIPTION} order by h.event_id, h.subscription_id
      limit min(${AT_ONCE}, ${computeCredit(names)})) c
    where ${deliveries.eventId} = c.event_id and ${deliveries.subscriptionId} = c.subscription_id
      and not exists (select 1 from ${deliveries} d where d.organization_id = ${names.organizationId}
        and d.state = 'claimed' and d.token = ${names.token})
    returning 1`,
);

const findClaimed = defineQuery<Claiming, never, ClaimedDelivery>(
  (names) => sql`select ${deliveries.id}, ${deliveries.eventId} as "eventId",
      ${deliveries.subscriptionId} as "subscriptionId", ${deliveries.epoch}, ${subscriptions.url},
      ${subscriptions.secret}, ${events.kind}, ${events.data}, ${deliveries.redeliveries}
    from ${deliveries} join ${subscriptions} on ${subscriptions.id} = ${deliveries.subscriptionId}
      join ${events} on ${events.id} = ${deliveries.eventId}
    where ${isHeldBy(names)} order by ${deliveries.eventId}, ${deliveries.subscriptionId}`,
);

/** Returns each organization and lane with open deliveries, but for suspended ones. Reads two rows per subscription that has any. */
export async function listWaitingLanes(db: Database): Promise<{ organizationId: string; lane: Lane }[]> {
  const found = await queryRows<{ organizationId: string; slow: number }>(
    db,
    sql`select distinct ${subscriptions.organizationId} as "organizationId", ${subscriptions.slow} as "slow"
      from (${WAITING}) waiting join ${subscriptions} on ${subscriptions.id} = waiting.id
      where ${isDelivering(subscriptions.organizationId)}`,
  );
  return found.map(({ organizationId, slow }) => ({ organizationId, lane: slow === 1 ? "slow" : "quick" }));
}

const WAITING = selectDistinct(deliveries.subscriptionId, sql`${deliveries.state} = 'open'`);

/** Skips at most 1000 open deliveries whose subscription was deleted, because no turn would find them. */
export async function skipOrphans(db: Database, now: Date): Promise<void> {
  await queryRows(
    db,
    sql`update ${deliveries} set ${toColumnName(deliveries.state)} = 'skipped',
        ${toColumnName(deliveries.error)} = 'subscription_changed', ${toColumnName(deliveries.settleTime)} = ${now.toISOString()}
      where ${KEY} in (select d.subscription_id, d.event_id from (${WAITING}) w
        join ${deliveries} d on d.subscription_id = w.id and d.state = 'open'
        where not exists (select 1 from ${subscriptions} where ${subscriptions.id} = w.id) limit 1000)`,
  );
}

/**
 * Marks deliveries as `unknown` that were claimed before a time and not settled, and returns their ids. They are never
 * sent again, because the receiver may have got the request. An outcome that arrives later replaces `unknown`.
 */
export async function abandonClaims(db: Database, before: Date, now: Date): Promise<string[]> {
  const found = await queryRows<{ id: string }>(
    db,
    sql`update ${deliveries} set ${toColumnName(deliveries.state)} = 'unknown', ${toColumnName(deliveries.error)} = 'interrupted',
        ${toColumnName(deliveries.settleTime)} = ${now.toISOString()}
      where ${deliveries.state} = 'claimed' and ${deliveries.claimTime} < ${before.toISOString()}
      returning ${toColumnName(deliveries.id)} as "id"`,
  );
  return found.map(({ id }) => id);
}
