/** Claim and settle: what makes an attempt happen once at most, and count once. */
import { and, eq, inArray, lt, sql, type SQL } from "drizzle-orm";
import { hourOf } from "../../lib/hours.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { DeliveryState } from "../../domain/events.ts";
import { matches } from "./matching.ts";
import { deliveries, deliveryHours, events, webhookSubscriptions as subscriptions } from "./schema.ts";
import { bare, family, insertInto, orm, transaction, type Database, type Names } from "../core/sql.ts";

/** A delivery to hand to a queue. */
export type OpenDelivery = {
  readonly id: string;
  readonly organizationId: string;
  /** Whether its subscription has shown to be slow. */
  readonly slow: boolean;
};

/** A delivery that this invocation alone may send. */
export type ClaimedDelivery = {
  readonly id: string;
  readonly token: string;
  readonly subscriptionId: string;
  readonly epoch: number;
  readonly url: string;
  readonly secret: string;
  readonly kind: string;
  /** JSON text. */
  readonly data: string;
};

export type Settlement = {
  readonly succeeded: boolean;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
};

/**
 * Claims a delivery. The row changed is the only licence to send, so a message that the queue delivers
 * twice sends nothing twice; the same token may claim again, as its answer may have been lost on the way.
 *
 * A delivery whose subscription is gone, inactive, reactivated since or no longer interested is
 * `skipped` instead. Returns null where there is nothing to send.
 */
export async function claimDelivery(
  db: Database,
  id: string,
  token: string,
  now: Date,
): Promise<ClaimedDelivery | null> {
  const values = { id, token, time: now.toISOString() };
  const { found } = await transaction(db, {
    claimed: claim(values),
    skipped: skip(values),
    found: findClaimed(values),
  });
  return found[0] ?? null;
}

type Claim = { readonly id: string; readonly token: string; readonly time: string };

// Each delivery asks these: they are composed once, which the builder would do each time.
const WANTED = sql`exists (select 1 from ${subscriptions} join ${events} on ${events.id} = ${deliveries.eventId}
  where ${subscriptions.id} = ${deliveries.subscriptionId} and ${subscriptions.active} = 1
    and ${subscriptions.epoch} = ${deliveries.epoch} and (${events.kind} = 'ping' or ${matches(events)}))`;

const claim = family<Claim>(
  ({ id, token, time }) => sql`update ${deliveries} set ${bare(deliveries.state)} = 'claimed',
      ${bare(deliveries.token)} = ${token}, ${bare(deliveries.claimTime)} = ${time}
    where ${deliveries.id} = ${id} and (${deliveries.state} = 'open'
      or (${deliveries.state} = 'claimed' and ${deliveries.token} = ${token})) and ${WANTED}`,
);

const skip = family<Claim>(
  ({ id, time }) => sql`update ${deliveries} set ${bare(deliveries.state)} = 'skipped',
      ${bare(deliveries.error)} = 'subscription_changed', ${bare(deliveries.settleTime)} = ${time}
    where ${deliveries.id} = ${id} and ${deliveries.state} = 'open'`,
);

const findClaimed = family<Claim, never, ClaimedDelivery>(
  ({ id, token }) => sql`select ${deliveries.id}, ${deliveries.token}, ${deliveries.subscriptionId} as "subscriptionId",
      ${deliveries.epoch}, ${subscriptions.url}, ${subscriptions.secret}, ${events.kind}, ${events.data}
    from ${deliveries} join ${subscriptions} on ${subscriptions.id} = ${deliveries.subscriptionId}
      join ${events} on ${events.id} = ${deliveries.eventId}
    where ${deliveries.id} = ${id} and ${deliveries.state} = 'claimed' and ${deliveries.token} = ${token}`,
);

/**
 * Records how an attempt ended. The subscription and the hour go first, and only while the delivery is
 * still claimed, so that a repetition changes nothing. For the streak a failure of an earlier life
 * (another epoch) does not count, nor does a ping, nor what ends after the subscription was deactivated;
 * for the hour everything that was sent does. A ping does tell whether its receiver is slow.
 */
export async function settleDelivery(
  db: Database,
  delivery: ClaimedDelivery,
  outcome: Settlement,
  now: Date,
): Promise<void> {
  const { id, token, subscriptionId, epoch } = delivery;
  const { succeeded, status, durationMs, error } = outcome;
  const values: Settled = {
    id,
    token,
    subscriptionId,
    epoch,
    status,
    durationMs,
    error,
    state: succeeded ? "succeeded" : "failed",
    // A timeout takes longer than this, too.
    slow: durationMs > LIMITS.slowDeliveryMs ? 1 : 0,
    succeeded: succeeded ? 1 : 0,
    failed: succeeded ? 0 : 1,
    hour: hourOf(now),
    time: now.toISOString(),
  };
  const note = delivery.kind === "ping" ? notePing : succeeded ? noteSuccess : noteFailure;
  await transaction(db, { noted: note(values), counted: countHour(values), settled: settle(values) });
}

type Settled = Claim & {
  readonly subscriptionId: string;
  readonly epoch: number;
  readonly state: DeliveryState;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly slow: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly hour: string;
};

const isClaimed = ({ id, token }: Names<Settled>): SQL =>
  sql`${deliveries.id} = ${id} and ${deliveries.token} = ${token} and ${deliveries.state} = 'claimed'`;

/** Notes at the subscription whether its receiver is slow, and how its streak goes on. */
const noting = (streak: (names: Names<Settled>) => SQL) =>
  family<Settled>(
    (names) => sql`update ${subscriptions} set ${bare(subscriptions.slow)} = ${names.slow}${streak(names)}
      where ${subscriptions.id} = ${names.subscriptionId} and ${subscriptions.epoch} = ${names.epoch}
        and ${subscriptions.active} = 1 and exists (select 1 from ${deliveries} where ${isClaimed(names)})`,
  );

const IS_LAST_FAILURE = sql`${subscriptions.failureStreak} + 1 >= ${sql.raw(String(LIMITS.failureStreak))}`;

const notePing = noting(() => sql``);
const noteSuccess = noting(() => sql`, ${bare(subscriptions.failureStreak)} = 0`);
const noteFailure = noting(
  ({ time }) => sql`, ${bare(subscriptions.failureStreak)} = ${subscriptions.failureStreak} + 1,
    ${bare(subscriptions.active)} = case when ${IS_LAST_FAILURE} then 0 else ${subscriptions.active} end,
    ${bare(subscriptions.deactivationTime)} = case when ${IS_LAST_FAILURE} then ${time}
      else ${subscriptions.deactivationTime} end`,
);

const INTO_HOURS = insertInto(deliveryHours, ["organizationId", "hour", "succeeded", "failed"]);

const countHour = family<Settled>(
  (names) => sql`${INTO_HOURS} select ${deliveries.organizationId}, ${names.hour}, ${names.succeeded}, ${names.failed}
    from ${deliveries} where ${isClaimed(names)}
    on conflict (${bare(deliveryHours.organizationId)}, ${bare(deliveryHours.hour)}) do update
      set ${bare(deliveryHours.succeeded)} = ${deliveryHours.succeeded} + ${names.succeeded},
        ${bare(deliveryHours.failed)} = ${deliveryHours.failed} + ${names.failed}`,
);

const settle = family<Settled>(
  (names) => sql`update ${deliveries} set ${bare(deliveries.state)} = ${names.state},
      ${bare(deliveries.status)} = ${names.status}, ${bare(deliveries.durationMs)} = ${names.durationMs},
      ${bare(deliveries.error)} = ${names.error}, ${bare(deliveries.settleTime)} = ${names.time}
    where ${isClaimed(names)}`,
);

/** Open deliveries that nobody claimed, taken for sending to a queue again. */
export async function takeStrandedDeliveries(
  db: Database,
  olderThan: Date,
  now: Date,
  most: number,
): Promise<OpenDelivery[]> {
  const stranded = orm(db)
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.state, "open"), lt(deliveries.enqueueTime, olderThan.toISOString())))
    .orderBy(deliveries.enqueueTime)
    .limit(most);
  const found = await orm(db)
    .update(deliveries)
    .set({ enqueueTime: now.toISOString() })
    .where(inArray(deliveries.id, stranded))
    .returning({
      id: deliveries.id,
      organizationId: deliveries.organizationId,
      slow: sql<number | null>`(select ${subscriptions.slow} from ${subscriptions}
        where ${subscriptions.id} = ${deliveries.subscriptionId})`,
    });
  return found.map(({ id, organizationId, slow }) => ({ id, organizationId, slow: slow === 1 }));
}

/**
 * Gives up on claims whose invocation must have ended: whether the receiver saw the request is
 * unknown, so it is never sent again. Returns their ids.
 */
export async function abandonClaims(db: Database, olderThan: Date, now: Date): Promise<string[]> {
  const stale = orm(db)
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.state, "claimed"), lt(deliveries.claimTime, olderThan.toISOString())))
    .limit(1000);
  const found = await orm(db)
    .update(deliveries)
    .set({ state: "unknown", error: "interrupted", settleTime: now.toISOString() })
    .where(inArray(deliveries.id, stale))
    .returning({ id: deliveries.id });
  return found.map((row) => row.id);
}
