import { eq, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Quota } from "../../domain/quotas.ts";
import { toDay, getMonth, getNextDay } from "../../lib/time.ts";
import { credentials } from "../../schema/access.ts";
import { blogs } from "../../schema/blogs.ts";
import type { Writer } from "../core/writer.ts";
import { organizations } from "../../schema/core.ts";
import { orm } from "../core/sql.ts";
import { sumTokensToday } from "../generation/ceiling.ts";
import { CEILINGS, parseLedger, selectLedger, type Ledger, type Use } from "../ledger.ts";
import { waitingOutboxes, webhookSubscriptions } from "../../schema/webhooks.ts";

type Share = { readonly used: number; readonly limit: number };
/** A share per day in UTC. `resetTime` is when the next day begins. */
type DayShare = Share & { readonly resetTime: string };
/** `limit` is null without a ceiling. */
type CeilingShare = Omit<DayShare, "limit"> & { readonly limit: number | null };

export type OrganizationUsage = {
  readonly articles: Share;
  readonly articleBytes: Share;
  readonly answerBytes: Share;
  readonly mediaBytes: Share;
  readonly revisionBytes: Share;
  readonly contacts: Share;
  readonly blogs: Share;
  readonly credentials: Share;
  readonly subscriptions: Share;
  readonly eventsPerDay: DayShare;
  readonly ideasPerDay: DayShare;
  /** `waitingSince`: since when events wait because the day's deliveries are used up; null if none waits. */
  readonly deliveriesPerDay: DayShare & { readonly waitingSince: string | null };
  /** Of generations that ran on this day, or are planned by those that run. */
  readonly modelTokensPerDay: CeilingShare;
} & { readonly [Name in (typeof CEILINGS)[keyof Use]["quota"]]: CeilingShare } & Ledger;

/** Returns what the organization uses of its quotas, and what it has used in this and former months. Throws `not_found` if it does not exist. */
export async function readUsage({ db, organizationId, now, ...writer }: Writer): Promise<OrganizationUsage> {
  const time = now();
  const unexpired = sql`and (${credentials.expirationTime} is null or ${credentials.expirationTime} > ${time.toISOString()})`;
  const countRows = (table: SQLiteTable, owner: SQLiteColumn, more: SQL = sql``) =>
    sql<number>`(select count(*) from ${table} where ${owner} = ${organizationId} ${more})`;
  const [found] = await orm(db)
    .select({
      row: organizations,
      blogs: countRows(blogs, blogs.organizationId).as("blogs"),
      credentials: countRows(credentials, credentials.organizationId, unexpired).as("credentials"),
      subscriptions: countRows(webhookSubscriptions, webhookSubscriptions.organizationId).as("subscriptions"),
      waitingSince: sql<string | null>`(select ${waitingOutboxes.time} from ${waitingOutboxes}
        where ${waitingOutboxes.organizationId} = ${organizationId})`.as("waitingSince"),
      ledger: selectLedger(organizationId).as("ledger"),
      tokensToday: sumTokensToday({ organizationId, now }).as("tokensToday"),
    })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (found === undefined) throw new DomainError("not_found");
  const { row } = found;
  const quota = { ...writer.quota, ...row.quotas };
  const resetTime = getNextDay(time).toISOString();
  // A row of an earlier day says nothing about this one.
  const countToday = (used: number, day = row.day) => (day < toDay(time.toISOString()) ? 0 : used);
  return {
    articles: { used: row.articles, limit: quota.articles },
    articleBytes: { used: row.articleBytes, limit: quota.articleBytes },
    answerBytes: { used: row.answerBytes, limit: quota.articleBytes },
    mediaBytes: { used: row.mediaBytes, limit: quota.mediaBytes },
    revisionBytes: { used: row.revisionBytes, limit: quota.revisionBytes },
    contacts: { used: row.contacts, limit: quota.contacts },
    blogs: { used: found.blogs, limit: LIMITS.blogs },
    credentials: { used: found.credentials, limit: quota.credentials },
    subscriptions: { used: found.subscriptions, limit: quota.subscriptions },
    eventsPerDay: { used: countToday(row.dayEvents), limit: quota.eventsPerDay, resetTime },
    ideasPerDay: { used: countToday(row.dayIdeas, row.ideasDay), limit: quota.ideasPerDay, resetTime },
    deliveriesPerDay: {
      used: countToday(row.dayDeliveries),
      limit: quota.deliveriesPerDay,
      resetTime,
      waitingSince: found.waitingSince,
    },
    modelTokensPerDay: { used: found.tokensToday, limit: row.modelTokensPerDay, resetTime },
    ...readMonths(found.ledger, quota, time),
  };
}

function readMonths(text: string, quota: Quota, time: Date) {
  const { used, ...ledger } = parseLedger(text, time);
  const month = (name: keyof Use): CeilingShare => {
    const limit = quota[CEILINGS[name].quota];
    return {
      used: used[name],
      limit: Number.isFinite(limit) ? limit : null,
      resetTime: getMonth(time, 1).toISOString(),
    };
  };
  return {
    rowsWrittenPerMonth: month("rowsWritten"),
    deliveriesPerMonth: month("deliveries"),
    modelTokensPerMonth: month("modelTokens"),
    pictureOperationsPerMonth: month("pictureOperations"),
    ...ledger,
  };
}
