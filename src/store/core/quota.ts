/**
 * Quotas of organizations. Triggers count what an organization stores, and its events of a day, in its own row
 * (schema/core.ts). A write that adds something gets its license only if the result stays within the quota. The check
 * runs inside the transaction, so two concurrent writers never share the last free place.
 */
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { COUNTED, type Written } from "../../domain/article-fields.ts";
import { LIMITS } from "../../domain/limits.ts";
import { REDIRECT_LIMITS } from "../../domain/redirects.ts";
import { DomainError } from "../../domain/errors.ts";
import { utf8Length } from "../../lib/text.ts";
import { toDay, getNextDay } from "../../lib/time.ts";
import type { Quota, Writer } from "./writer.ts";
import { articles } from "../../schema/articles.ts";
import { organizations } from "../../schema/core.ts";
import { jsonObject } from "./sql.ts";

type Owner = Pick<Writer, "organizationId" | "quota">;

type Texts = { readonly [Name in keyof Written]?: string | null | undefined };

const listGiven = (texts: Texts) => COUNTED.filter((name) => texts[name] !== undefined);

/** Returns the sum of the UTF-8 bytes of the given texts. */
export const countBytes = (texts: Texts): number =>
  listGiven(texts).reduce((sum, name) => sum + utf8Length(texts[name] ?? ""), 0);

/** Returns by how many bytes an update lengthens an article, as SQL on its row, or null if it contains no text. */
export function computeGrowth(texts: Texts): SQL | null {
  const names = listGiven(texts);
  if (names.length === 0) return null;
  const stored = names.map((name) => sql`coalesce(octet_length(${articles[name]}), 0)`);
  return sql`(${countBytes(texts)} - ${sql.join(stored, sql` - `)})`;
}

const organizationHas = ({ organizationId }: Owner, condition: SQL): SQL =>
  sql`exists (select 1 from ${organizations} where ${organizations.id} = ${organizationId} and ${condition})`;

/** Returns the condition that the quota has room for one more article with this many bytes of text. */
export const articleFits = (owner: Owner, bytes: number): SQL =>
  organizationHas(
    owner,
    sql`${organizations.articles} < ${owner.quota.articles} and ${organizations.articleBytes} + ${bytes} <= ${owner.quota.articleBytes}`,
  );

/** Returns the condition that a text may grow by so many bytes. It may always shrink, even above the quota. */
export const growthFits = (owner: Owner, growth: SQL): SQL =>
  sql`(${growth} <= 0 or ${organizationHas(owner, sql`${organizations.articleBytes} + ${growth} <= ${owner.quota.articleBytes}`)})`;

/** Returns the condition that the response of an idempotent call may be stored with this many bytes of content. */
export const answerFits = (owner: Owner, bytes: SQL | number): SQL =>
  sql`(${bytes} = 0 or ${organizationHas(owner, sql`${organizations.answerBytes} + ${bytes} <= ${owner.quota.articleBytes}`)})`;

/** Returns the condition that the responses of idempotent calls have not used up their room. */
export const answersFit = (owner: Owner): SQL =>
  organizationHas(owner, sql`${organizations.answerBytes} <= ${owner.quota.articleBytes}`);

/** Returns the condition that the quota has room for one more contact. */
export const contactFits = (owner: Owner): SQL =>
  organizationHas(owner, sql`${organizations.contacts} < ${owner.quota.contacts}`);

/** Returns the condition that the quota has room for this many more bytes of files. */
export const mediaFits = (owner: Owner, bytes: number | SQL): SQL =>
  organizationHas(owner, sql`${organizations.mediaBytes} + ${bytes} <= ${owner.quota.mediaBytes}`);

/** Returns the condition that the library has room for one more picture. */
export const pictureFits = (owner: Owner): SQL =>
  organizationHas(owner, sql`${organizations.mediaItems} < ${LIMITS.mediaItems}`);

/** Returns the condition that there is room for this many more redirects. */
export const redirectsFit = (owner: Owner, more: number): SQL =>
  organizationHas(owner, sql`${organizations.redirects} + ${more} <= ${REDIRECT_LIMITS.redirects}`);

/** Returns the condition that the day of this time has room for one more event. */
export const eventFits = (owner: Owner, time: string): SQL =>
  organizationHas(
    owner,
    sql`(${organizations.day} < ${toDay(time)} or ${organizations.dayEvents} < ${owner.quota.eventsPerDay})`,
  );

/** Returns the condition, on a row of any organization, that it has used up its events of this day. */
export const isOutOfEvents = (organizationId: SQLWrapper, most: Pick<Quota, "eventsPerDay">, time: string): SQL =>
  sql`exists (select 1 from ${organizations} where ${organizations.id} = ${organizationId}
    and ${organizations.day} >= ${toDay(time)} and ${organizations.dayEvents} >= ${most.eventsPerDay})`;

/** Returns the condition that the day of this time has room for so many more deliveries. */
export const deliveriesFit = (owner: Owner, time: string, more = 1): SQL =>
  organizationHas(
    owner,
    sql`(${organizations.day} < ${toDay(time)} or ${organizations.dayDeliveries} + ${more} <= ${owner.quota.deliveriesPerDay})`,
  );

/** How much an organization has stored. The `…Bytes` fields are bytes, of texts in UTF-8. */
export type Stored = {
  readonly articles: number;
  readonly articleBytes: number;
  readonly answerBytes: number;
  readonly contacts: number;
  readonly mediaBytes: number;
};

/** `day` is the day that `dayEvents` and `dayDeliveries` count. */
export type Usage = Stored & { readonly day: string; readonly dayEvents: number; readonly dayDeliveries: number };

/** Returns an SQL expression for the organization's {@link Usage} as JSON text: one column of a diagnosis. */
export const selectUsage = ({ organizationId }: Owner): SQL<string> =>
  sql<string>`(select ${jsonObject({
    articles: organizations.articles,
    articleBytes: organizations.articleBytes,
    answerBytes: organizations.answerBytes,
    contacts: organizations.contacts,
    mediaBytes: organizations.mediaBytes,
    day: organizations.day,
    dayEvents: organizations.dayEvents,
    dayDeliveries: organizations.dayDeliveries,
  })} from ${organizations} where ${organizations.id} = ${organizationId})`;

export type Addition = { readonly [Name in keyof Stored]?: number | undefined };

/** Returns `quota_exceeded` for a write that exceeds the quota, else null. `usage` is from {@link selectUsage}. */
export function checkQuota({ quota }: Owner, usage: string, added: Addition): DomainError | null {
  const used = JSON.parse(usage) as Usage;
  const most: Stored = { ...quota, answerBytes: quota.articleBytes };
  const names = Object.keys(REFUSALS) as (keyof Stored)[];
  const full = names.find((name) => (added[name] ?? 0) > 0 && used[name] + (added[name] ?? 0) > most[name]);
  if (full === undefined) return null;
  const shown = full.endsWith("Bytes") ? formatMebibytes : formatCount;
  return new DomainError("quota_exceeded", REFUSALS[full](shown(used[full]), shown(most[full])));
}

/** Returns the error for one too many. `what` names it and how to make room: "webhook subscriptions. Delete". */
export const makeCountError = (
  code: "credential_limit" | "subscription_limit",
  most: number,
  what: string,
): DomainError =>
  new DomainError(code, `An organization can have at most ${formatCount(most)} ${what} one that you no longer need.`);

/** Returns the error `event_limit` or `delivery_limit`: the day of `now` has no room. */
export function makeDayLimitError(code: "event_limit" | "delivery_limit", { quota }: Owner, now: Date): DomainError {
  const most = code === "event_limit" ? quota.eventsPerDay : quota.deliveriesPerDay;
  const what = code === "event_limit" ? "changes that fire an event" : "webhook deliveries";
  const detail = `The organization has used up its ${formatCount(most)} ${what} for today. The next day begins at midnight UTC.`;
  const retryAfterSeconds = Math.ceil((getNextDay(now).getTime() - now.getTime()) / 1000);
  return new DomainError(code, detail, {
    retryAfterSeconds,
    limits: [{ name: code, quota: most, seconds: 86_400 }],
  });
}

/** Returns `event_limit` if the day has no room for one more event, else null. `usage` is from {@link selectUsage}. */
export function checkEventLimit(owner: Owner, usage: string, now: Date): DomainError | null {
  const { day, dayEvents } = JSON.parse(usage) as Usage;
  const isFull = day >= toDay(now.toISOString()) && dayEvents >= owner.quota.eventsPerDay;
  return isFull ? makeDayLimitError("event_limit", owner, now) : null;
}

const REFUSALS: Readonly<Record<keyof Stored, (used: string, most: string) => string>> = {
  articles: (used, most) => `The organization has ${used} of ${most} articles. Delete some first.`,
  articleBytes: (used, most) =>
    `The texts of the organization's articles use ${used} of ${most} MiB, and this one does not fit. Delete or shorten some first.`,
  answerBytes: (used, most) =>
    `The responses kept for Idempotency-Keys use ${used} of ${most} MiB, each for a day. Send \`content\` in the request, or no Idempotency-Key.`,
  contacts: (used, most) => `The organization has ${used} of ${most} contacts. Erase some first.`,
  mediaBytes: (used, most) =>
    `The organization's images use ${used} of ${most} MiB, and this one does not fit. Delete some from the library first.`,
};

const formatCount = (number: number): string => number.toLocaleString("en");

/** Formats bytes as MiB with one decimal. Rounds up, so that a full quota never looks as if it had room. */
const formatMebibytes = (bytes: number): string => (Math.ceil((bytes / 1024 / 1024) * 10) / 10).toLocaleString("en");
