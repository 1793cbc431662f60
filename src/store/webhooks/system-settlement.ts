/** Stores the outcomes of attempts, with the streaks of subscriptions and the counts of the hour, exactly once. */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { toHour } from "../../lib/time.ts";
import { deliveries, deliveryHours, webhookSubscriptions as subscriptions } from "../../schema/webhooks.ts";
import { toColumnName, defineQuery, insertWhere, runTransaction, type Database, type Names } from "../core/sql.ts";
import {
  toClaimed,
  buildClaim,
  findClaimable,
  makeScope,
  type Claim,
  type Claimed,
  type ClaimedDelivery,
  type Lane,
} from "./system-deliveries.ts";

/** An attempt and its outcome. */
export type Settlement = {
  readonly delivery: Pick<ClaimedDelivery, "eventId" | "subscriptionId" | "epoch" | "kind" | "redeliveries">;
  readonly succeeded: boolean;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
};

/**
 * Stores the outcomes of attempts of one claim, in the order in which they ended. Returns the lanes in which the
 * organization then has deliveries that can be claimed.
 *
 * It changes only deliveries that are still claimed, or `unknown` because their outcome is late. Their subscriptions
 * and the hour are changed first, by the same condition. So calling it again changes nothing.
 *
 * The streak does not count pings, redeliveries, attempts of an earlier epoch of the subscription, and attempts that end
 * after the subscription was deactivated. The hour counts all attempts. A ping can mark its receiver as slow, but not as quick:
 * otherwise a receiver that hangs could use pings to stay in the quick lane.
 */
export async function settleDeliveries(
  db: Database,
  claim: Settling,
  settlements: readonly Settlement[],
  now: Date,
): Promise<Lane[]> {
  return toLanes(await runTransaction(db, buildSettlement(claim, settlements, now)));
}

/** Does the same as {@link settleDeliveries}, and claims the next deliveries in the same transaction. */
export async function settleAndClaim(
  db: Database,
  { claim, settlements }: { readonly claim: Settling; readonly settlements: readonly Settlement[] },
  next: Claim,
  now: Date,
): Promise<Claimed & { readonly lanes: Lane[] }> {
  const { settled, quick, slow } = buildSettlement(claim, settlements, now);
  const answers = await runTransaction(db, { settled, ...buildClaim(next, now), quick, slow });
  return { ...toClaimed(answers), lanes: toLanes(answers) };
}

type Settling = { readonly organizationId: string; readonly token: string };

function buildSettlement({ organizationId, token }: Settling, settlements: readonly Settlement[], now: Date) {
  const values = {
    organizationId,
    token,
    outcomes: JSON.stringify(settlements.map(toOutcome)),
    streaks: JSON.stringify(countStreaks(settlements)),
    hour: toHour(now),
    time: now.toISOString(),
  };
  return {
    settled: settlements.length === 0 ? [] : [updateStreaks(values), countHour(values), settle(values)],
    quick: findClaimable(makeScope(organizationId, "quick", now)),
    slow: findClaimable(makeScope(organizationId, "slow", now)),
  };
}

const toLanes = ({ quick, slow }: Readonly<Record<Lane, readonly unknown[]>>): Lane[] => [
  ...(quick.length > 0 ? (["quick"] as const) : []),
  ...(slow.length > 0 ? (["slow"] as const) : []),
];

const toOutcome = ({ delivery, succeeded, status, durationMs, error }: Settlement) => ({
  event: delivery.eventId,
  subscription: delivery.subscriptionId,
  state: succeeded ? "succeeded" : "failed",
  status,
  durationMs,
  error,
});

type Streak = {
  readonly subscription: string;
  readonly epoch: number;
  /** One delivery's event. All are settled together, so its state says whether the streak is to be counted. */
  readonly event: string;
  /** 1 if the receiver was slow in the last attempt, 0 if it was quick, null if that is unknown. */
  slow: number | null;
  /** Failures before the first success. */
  failed: number;
  /** Failures after the last success; null if nothing succeeded. */
  failedSince: number | null;
};

function countStreaks(settlements: readonly Settlement[]): Streak[] {
  const streaks = new Map<string, Streak>();
  for (const { delivery, succeeded, durationMs } of settlements) {
    const { subscriptionId: subscription, epoch, eventId: event, kind, redeliveries } = delivery;
    const streak = streaks.get(subscription) ?? {
      subscription,
      epoch,
      event,
      slow: null,
      failed: 0,
      failedSince: null,
    };
    streaks.set(subscription, streak);
    // Includes timeouts.
    if (durationMs > LIMITS.slowDeliveryMs) streak.slow = 1;
    else if (kind !== "ping") streak.slow = 0;
    if (kind === "ping" || redeliveries > 0) continue;
    if (succeeded) streak.failedSince = 0;
    else if (streak.failedSince === null) streak.failed++;
    else streak.failedSince++;
  }
  return [...streaks.values()];
}

type Settled = {
  readonly organizationId: string;
  readonly token: string;
  readonly outcomes: string;
  readonly streaks: string;
  readonly hour: string;
  readonly time: string;
};

const isUnsettled = ({ token }: Names<Pick<Settled, "token">>): SQL =>
  sql`${deliveries.token} = ${token} and ${deliveries.state} in ('claimed', 'unknown')`;

const LAST_FAILURE = sql.raw(String(LIMITS.failureStreak));
const IS_LAST_FAILURE = sql`${subscriptions.failureStreak} + s.failed >= ${LAST_FAILURE}`;

/** What a streak changes: nothing, as a rule. */
const CHANGED = {
  slow: sql`coalesce(s.slow, ${subscriptions.slow})`,
  failureStreak: sql`case when ${IS_LAST_FAILURE} then ${LAST_FAILURE}
    else coalesce(s.failedSince, ${subscriptions.failureStreak} + s.failed) end`,
  warnedAt: sql`iif(s.failedSince is null or ${IS_LAST_FAILURE}, ${subscriptions.warnedAt}, 0)`,
};
const { slow, failureStreak, warnedAt } = subscriptions;
const IS_CHANGED = sql`(${slow}, ${failureStreak}, ${warnedAt})
  is not (${CHANGED.slow}, ${CHANGED.failureStreak}, ${CHANGED.warnedAt})`;

const updateStreaks = defineQuery<Settled>(
  (names) => sql`update ${subscriptions} set ${toColumnName(slow)} = ${CHANGED.slow},
      ${toColumnName(failureStreak)} = ${CHANGED.failureStreak}, ${toColumnName(warnedAt)} = ${CHANGED.warnedAt},
      ${toColumnName(subscriptions.active)} = case when ${IS_LAST_FAILURE} then 0 else ${subscriptions.active} end,
      ${toColumnName(subscriptions.deactivationTime)} = case when ${IS_LAST_FAILURE} then ${names.time}
        else ${subscriptions.deactivationTime} end
    from (select value ->> 'subscription' as id, value ->> 'epoch' as epoch, value ->> 'event' as event,
      value ->> 'slow' as slow, value ->> 'failed' as failed, value ->> 'failedSince' as failedSince
      from json_each(${names.streaks})) s
    where ${subscriptions.id} = s.id and ${subscriptions.epoch} = s.epoch and ${subscriptions.active} = 1 and ${IS_CHANGED}
      and exists (select 1 from ${deliveries} where ${deliveries.eventId} = s.event
        and ${deliveries.subscriptionId} = s.id and ${isUnsettled(names)})`,
);

const selectOutcomes = (names: Names<Settled>): SQL =>
  sql`(select value ->> 'event' as event, value ->> 'subscription' as subscription, value ->> 'state' as state,
      value ->> 'status' as status, value ->> 'durationMs' as duration, value ->> 'error' as error
      from json_each(${names.outcomes})) o`;

const isSameDelivery = (names: Names<Settled>): SQL =>
  sql`${deliveries.eventId} = o.event and ${deliveries.subscriptionId} = o.subscription and ${isUnsettled(names)}`;

const countHour = defineQuery<Settled>((names) =>
  insertWhere(
    deliveryHours,
    {
      organizationId: sql`${names.organizationId}`,
      hour: sql`${names.hour}`,
      succeeded: sql`sum(o.state = 'succeeded')`,
      failed: sql`sum(o.state = 'failed')`,
    },
    sql`from ${selectOutcomes(names)} join ${deliveries} on ${isSameDelivery(names)} having count(*) > 0`,
  ).onConflictDoUpdate({
    target: [deliveryHours.organizationId, deliveryHours.hour],
    set: {
      succeeded: sql`${deliveryHours.succeeded} + excluded.succeeded`,
      failed: sql`${deliveryHours.failed} + excluded.failed`,
    },
  }),
);

const settle = defineQuery<Settled>(
  (
    names,
  ) => sql`update ${deliveries} set ${toColumnName(deliveries.state)} = o.state, ${toColumnName(deliveries.status)} = o.status,
      ${toColumnName(deliveries.durationMs)} = o.duration, ${toColumnName(deliveries.error)} = o.error,
      ${toColumnName(deliveries.settleTime)} = ${names.time}, ${toColumnName(deliveries.token)} = null
    from ${selectOutcomes(names)} where ${isSameDelivery(names)}`,
);
