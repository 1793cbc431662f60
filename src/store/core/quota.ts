/**
 * Quotas of organizations: the deployment's, or those that the organization has in place of them. Triggers count what an
 * organization stores, and its events of a day, in its own row (schema/core.ts). A write that adds something gets its license only if the result stays within the quota. The check
 * runs inside the transaction, so two concurrent writers never share the last free place.
 */
import { sql, type Placeholder, type SQL, type SQLWrapper } from "drizzle-orm";
import { COUNTED, type Written } from "../../domain/article-fields.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Quota } from "../../domain/quotas.ts";
import { REDIRECT_LIMITS } from "../../domain/redirects.ts";
import { DomainError } from "../../domain/errors.ts";
import { utf8Length } from "../../lib/text.ts";
import { toDay, getNextDay } from "../../lib/time.ts";
import type { Writer } from "./writer.ts";
import { articles } from "../../schema/articles.ts";
import { organizations } from "../../schema/core.ts";
import { jsonObject, queryFirstRow } from "./sql.ts";

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

/** Returns SQL for a quota, on a row of `organizations`: its own one, or else that of the deployment. */
export const selectQuota = <Name extends keyof Quota>(
  quota: Readonly<Record<Name, number | Placeholder>>,
  name: Name,
): SQL<number> => sql<number>`coalesce(${organizations.quotas} ->> ${sql.raw(`'${name}'`)}, ${quota[name]})`;

const organizationHas = ({ organizationId }: Owner, condition: SQL): SQL =>
  sql`exists (select 1 from ${organizations} where ${organizations.id} = ${organizationId} and ${condition})`;

/** Returns the condition that the quota has room for one more article with this many bytes of text. */
export const articleFits = (owner: Owner, bytes: number): SQL =>
  organizationHas(
    owner,
    sql`${organizations.articles} < ${selectQuota(owner.quota, "articles")} and ${organizations.articleBytes} + ${bytes} <= ${selectQuota(owner.quota, "articleBytes")}`,
  );

/** Returns the condition that a text may grow by so many bytes. It may always shrink, even above the quota. */
export const growthFits = (owner: Owner, growth: SQL): SQL =>
  sql`(${growth} <= 0 or ${organizationHas(owner, sql`${organizations.articleBytes} + ${growth} <= ${selectQuota(owner.quota, "articleBytes")}`)})`;

/** Returns the condition that the response of an idempotent call may be stored with this many bytes of content. */
export const answerFits = (owner: Owner, bytes: SQL | number): SQL =>
  sql`(${bytes} = 0 or ${organizationHas(owner, sql`${organizations.answerBytes} + ${bytes} <= ${selectQuota(owner.quota, "articleBytes")}`)})`;

/** Returns the condition that the responses of idempotent calls have not used up their room, so many times the quota. */
export const answersFit = (owner: Owner, times: number): SQL =>
  organizationHas(owner, sql`${organizations.answerBytes} <= ${times} * ${selectQuota(owner.quota, "articleBytes")}`);

/** Returns the condition that the quota has room for this many more bytes of files. */
export const mediaFits = (owner: Owner, bytes: number | SQL): SQL =>
  organizationHas(owner, sql`${organizations.mediaBytes} + ${bytes} <= ${selectQuota(owner.quota, "mediaBytes")}`);

/** Returns the condition that the library has room for one more picture. */
export const pictureFits = (owner: Owner): SQL =>
  organizationHas(owner, sql`${organizations.mediaItems} < ${LIMITS.mediaItems}`);

/** Returns the condition that there is room for this many more contacts. */
export const contactsFit = (owner: Owner, more: number): SQL =>
  organizationHas(owner, sql`${organizations.contacts} + ${more} <= ${selectQuota(owner.quota, "contacts")}`);

/** Returns SQL for a quota of the owner's organization. */
export const selectOwnQuota = ({ organizationId, quota }: Owner, name: keyof Quota): SQL<number> =>
  sql<number>`(select ${selectQuota(quota, name)} from ${organizations} where ${organizations.id} = ${organizationId})`;

/** Returns a quota of the owner's organization, to say it in a refusal. */
export async function readQuota(owner: Owner & Pick<Writer, "db">, name: keyof Quota): Promise<number> {
  const row = await queryFirstRow<{ most: number }>(owner.db, sql`select ${selectOwnQuota(owner, name)} as "most"`);
  return row?.most ?? owner.quota[name];
}

/** Returns the condition that there is room for this many more redirects. */
export const redirectsFit = (owner: Owner, more: number): SQL =>
  organizationHas(owner, sql`${organizations.redirects} + ${more} <= ${REDIRECT_LIMITS.redirects}`);

/** Returns the condition that the day of this time has room for one more event. */
export const eventFits = (owner: Owner, time: string): SQL =>
  organizationHas(
    owner,
    sql`(${organizations.day} < ${toDay(time)} or ${organizations.dayEvents} < ${selectQuota(owner.quota, "eventsPerDay")})`,
  );

/** Returns the condition, on a row of any organization, that it has used up its events of this day. */
export const isOutOfEvents = (organizationId: SQLWrapper, most: Pick<Quota, "eventsPerDay">, time: string): SQL =>
  sql`exists (select 1 from ${organizations} where ${organizations.id} = ${organizationId}
    and ${organizations.day} >= ${toDay(time)} and ${organizations.dayEvents} >= ${selectQuota(most, "eventsPerDay")})`;

/** Returns the condition that the day of this time has room for so many more deliveries. */
export const deliveriesFit = (owner: Owner, time: string, more = 1): SQL =>
  organizationHas(
    owner,
    sql`(${organizations.day} < ${toDay(time)} or ${organizations.dayDeliveries} + ${more} <= ${selectQuota(owner.quota, "deliveriesPerDay")})`,
  );

/** How much an organization has stored. The `…Bytes` fields are bytes, of texts in UTF-8. */
export type Stored = {
  readonly articles: number;
  readonly articleBytes: number;
  readonly answerBytes: number;
  readonly contacts: number;
  readonly mediaBytes: number;
};

/** `day` is the day that `dayEvents` and `dayDeliveries` count. `quotas` are the organization's own. */
export type Usage = Stored & {
  readonly day: string;
  readonly dayEvents: number;
  readonly dayDeliveries: number;
  readonly quotas: Partial<Quota> | null;
};

/** Returns what an organization uses, and the quotas that hold for it. `usage` is from {@link selectUsage}. */
export function parseUsage({ quota }: Owner, usage: string) {
  const used = JSON.parse(usage) as Usage;
  return { used, quota: { ...quota, ...used.quotas } };
}

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
    quotas: sql`json(${organizations.quotas})`,
  })} from ${organizations} where ${organizations.id} = ${organizationId})`;

export type Addition = { readonly [Name in keyof Stored]?: number | undefined };

/**
 * Returns `quota_exceeded` for a write that exceeds the quota, else null. `usage` is from {@link selectUsage}, `times` as of
 * {@link answersFit}.
 */
export function checkQuota(owner: Owner, usage: string, added: Addition, times = 1): DomainError | null {
  const { used, quota } = parseUsage(owner, usage);
  const most: Stored = { ...quota, answerBytes: times * quota.articleBytes };
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

/** Returns the error `event_limit` or `delivery_limit`: the day of `now` has no room for more than `most`. */
export function makeDayLimitError(code: "event_limit" | "delivery_limit", most: number, now: Date): DomainError {
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
  const { used, quota } = parseUsage(owner, usage);
  const isFull = used.day >= toDay(now.toISOString()) && used.dayEvents >= quota.eventsPerDay;
  return isFull ? makeDayLimitError("event_limit", quota.eventsPerDay, now) : null;
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
