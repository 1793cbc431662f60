/** Notes that the operators of a failing webhook are warned, exactly once for each count (contract 11.23). */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { newId } from "../../lib/ids.ts";
import { audit, organizations } from "../../schema/core.ts";
import { members, users } from "../../schema/people.ts";
import { deliveries, webhookSubscriptions as subscriptions } from "../../schema/webhooks.ts";
import { isActive } from "../core/suspension.ts";
import { isStored } from "../core/commit.ts";
import { insertWhere, queryRows, runTransaction, toColumnName, type Database } from "../core/sql.ts";
import { BY_SETTLED, IS_UNSUCCESSFUL } from "./system-deliveries.ts";

const MOST = 20;

/** The count of the warning that a streak calls for: the highest that it has reached. */
const LEVEL = sql.raw(
  `case ${LIMITS.streakWarnings
    .toReversed()
    .map((count) => `when failure_streak >= ${count} then ${count}`)
    .join(" ")} end`,
);

/** The condition of the index, and that nobody was warned yet. */
const IS_DUE = sql`${subscriptions.failureStreak} >= ${sql.raw(String(Math.min(...LIMITS.streakWarnings)))}
  and ${subscriptions.warnedAt} < ${LEVEL}`;

export type Warning = {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly organization: string;
  /** 10, 14, 18 or 20. */
  readonly failures: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly recipients: readonly string[];
};

type Due = { readonly id: string; readonly organizationId: string; readonly level: number };

/** Returns some webhooks whose operators have to be warned. */
export const listDueWarnings = (db: Database): Promise<Due[]> =>
  queryRows(
    db,
    sql`select ${subscriptions.id}, ${subscriptions.organizationId} as "organizationId", ${LEVEL} as "level"
      from ${subscriptions} where ${IS_DUE} and ${isActive(subscriptions.organizationId)} limit ${MOST}`,
  );

/** Selects a column of the last failed delivery. */
const lastFailure = (column: SQL) =>
  sql`(select ${column} from ${deliveries} ${BY_SETTLED} where ${deliveries.subscriptionId} = ${subscriptions.id}
    and ${deliveries.state} = 'failed' and ${IS_UNSUCCESSFUL} order by ${deliveries.eventId} desc limit 1)`;

/**
 * Notes a warning, with an entry in the audit log, and returns what to write to whom. Returns null if it has been noted
 * by another call, or if the streak has ended or grown to the next count meanwhile.
 */
export async function noteWarning(
  db: Database,
  { id, organizationId, level }: Due,
  now: Date,
): Promise<Warning | null> {
  const entry = newId();
  const held = isStored(organizationId, entry);
  const isIt = sql`${subscriptions.id} = ${id}`;
  const logged = {
    id: entry,
    organizationId,
    actorKind: "service",
    actorId: id,
    action: level >= LIMITS.failureStreak ? "webhooksubscriptions.deactivate" : "webhooksubscriptions.warn",
    resourceId: id,
    blogId: subscriptions.blogId,
    requestId: entry,
    creationTime: now.toISOString(),
  };
  const { warning, recipients } = await runTransaction(db, {
    logged: insertWhere(audit, logged, sql`from ${subscriptions} where ${isIt} and ${IS_DUE} and ${LEVEL} = ${level}`),
    noted: sql`update ${subscriptions} set ${toColumnName(subscriptions.warnedAt)} = ${level} where ${isIt} and ${held}`,
    warning: sql<Omit<Warning, "recipients">>`select ${subscriptions.id}, ${subscriptions.name}, ${subscriptions.url},
        ${organizations.name} as "organization", ${level} as "failures",
        ${lastFailure(toColumnName(deliveries.status))} as "status", ${lastFailure(toColumnName(deliveries.error))} as "error"
      from ${subscriptions} join ${organizations} on ${organizations.id} = ${subscriptions.organizationId}
      where ${isIt} and ${held}`,
    recipients: sql<{
      email: string;
    }>`select distinct ${users.email} from ${members} join ${users} on ${users.id} = ${members.userId}
      where ${members.organizationId} = ${organizationId} and ${members.role} in ('owner', 'admin') order by ${users.email}`,
  });
  const [found] = warning;
  return found === undefined ? null : { ...found, recipients: recipients.map(({ email }) => email) };
}
