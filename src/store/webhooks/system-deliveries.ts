/** Claim and settle: what makes an attempt happen once at most, and count once. */
import { sql } from "drizzle-orm";
import { hourOf } from "../../lib/hours.ts";
import { LIMITS } from "../../domain/limits.ts";
import { deliveries, deliveryHours, events, webhookSubscriptions as subscriptions } from "./schema.ts";
import { all, rows, transaction, type Database } from "../core/sql.ts";

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
  const time = now.toISOString();
  const wanted = sql`exists (select 1 from ${subscriptions} s join ${events} e on e.id = ${deliveries.eventId}
    where s.id = ${deliveries.subscriptionId} and s.active = 1 and s.epoch = ${deliveries.epoch}
      and (e.kind = 'ping' or s.events = '[]' or exists (select 1 from json_each(s.events) where value = e.kind)))`;
  const mayClaim = sql`(state = 'open' or (state = 'claimed' and token = ${token}))`;
  const { found } = await transaction(db, {
    claimed: sql`update ${deliveries} set state = 'claimed', token = ${token}, claim_time = ${time}
      where ${all(sql`id = ${id}`, mayClaim, wanted)}`,
    skipped: sql`update ${deliveries} set state = 'skipped', error = 'subscription_changed', settle_time = ${time}
      where ${all(sql`id = ${id}`, sql`state = 'open'`)}`,
    found: sql<ClaimedDelivery>`select d.id, d.token, d.subscription_id as "subscriptionId", d.epoch, s.url, s.secret, e.kind, e.data
      from ${deliveries} d join ${subscriptions} s on s.id = d.subscription_id join ${events} e on e.id = d.event_id
      where d.id = ${id} and d.state = 'claimed' and d.token = ${token}`,
  });
  return found[0] ?? null;
}

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
  const time = now.toISOString();
  const claimed = sql`id = ${delivery.id} and token = ${delivery.token} and state = 'claimed'`;
  const streak = outcome.succeeded
    ? sql`, failure_streak = 0`
    : sql`, failure_streak = failure_streak + 1,
        active = case when failure_streak + 1 >= ${LIMITS.failureStreak} then 0 else active end,
        deactivation_time = case when failure_streak + 1 >= ${LIMITS.failureStreak} then ${time}
          else deactivation_time end`;
  // A timeout takes longer than this, too.
  const slow = outcome.durationMs > LIMITS.slowDeliveryMs ? 1 : 0;
  const noteSubscription = sql`update ${subscriptions} set slow = ${slow}${delivery.kind === "ping" ? sql`` : streak}
    where id = ${delivery.subscriptionId} and epoch = ${delivery.epoch} and active = 1 and exists (select 1 from ${deliveries} where ${claimed})`;
  const countHour = sql`insert into ${deliveryHours} (organization_id, hour, succeeded, failed)
    select organization_id, ${hourOf(now)}, ${outcome.succeeded ? 1 : 0}, ${outcome.succeeded ? 0 : 1}
    from ${deliveries} where ${claimed}
    on conflict (organization_id, hour) do update
      set succeeded = succeeded + excluded.succeeded, failed = failed + excluded.failed`;
  const settle = sql`update ${deliveries} set state = ${outcome.succeeded ? "succeeded" : "failed"},
      status = ${outcome.status}, duration_ms = ${outcome.durationMs}, error = ${outcome.error}, settle_time = ${time}
    where ${claimed}`;
  await transaction(db, { noteSubscription, countHour, settle });
}

/** Open deliveries that nobody claimed, taken for sending to a queue again. */
export async function takeStrandedDeliveries(
  db: Database,
  olderThan: Date,
  now: Date,
  most: number,
): Promise<OpenDelivery[]> {
  const found = await rows<Omit<OpenDelivery, "slow"> & { slow: number | null }>(
    db,
    sql`update ${deliveries} set enqueue_time = ${now.toISOString()} where id in (
        select id from ${deliveries} where state = 'open' and enqueue_time < ${olderThan.toISOString()}
        order by enqueue_time limit ${most})
      returning id, organization_id as "organizationId",
        (select slow from ${subscriptions} where id = subscription_id) as "slow"`,
  );
  return found.map(({ id, organizationId, slow }) => ({ id, organizationId, slow: slow === 1 }));
}

/**
 * Gives up on claims whose invocation must have ended: whether the receiver saw the request is
 * unknown, so it is never sent again. Returns their ids.
 */
export async function abandonClaims(db: Database, olderThan: Date, now: Date): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`update ${deliveries} set state = 'unknown', error = 'interrupted', settle_time = ${now.toISOString()}
      where id in (select id from ${deliveries} where state = 'claimed' and claim_time < ${olderThan.toISOString()}
        limit 1000) returning id`,
  );
  return found.map((row) => row.id);
}
