/** How many generations an organization may begin. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/time.ts";
import { generations } from "../../schema/generation.ts";
import type { Writer } from "../core/writer.ts";

/** How many generations an organization may begin in a minute and in a day. */
export type GenerationQuota = { readonly perMinute: number; readonly perDay: number };

/**
 * Returns the condition that another generation may begin, the statements that find what stands in its way, and the error
 * for what they found: `generation_limit`, with the seconds until the next one may begin. A transaction that counts and
 * inserts keeps the limits exactly, even if many generations begin at the same time.
 */
export function openLimits({ organizationId, now }: Pick<Writer, "organizationId" | "now">, quota: GenerationQuota) {
  const time = now();
  const window = (name: string, most: number, ms: number): Window => ({
    name,
    most,
    ms,
    since: new Date(time.getTime() - ms).toISOString(),
  });
  const minute = window("minute", quota.perMinute, MINUTE_MS);
  const day = window("day", quota.perDay, DAY_MS);
  const begun = (since: string) =>
    sql`from ${generations}
      where ${generations.organizationId} = ${organizationId} and ${generations.creationTime} > ${since}`;
  const isFree = ({ most, since }: Window) => sql`(select count(*) ${begun(since)}) < ${most}`;
  // Selects the generation that must leave the window before another one may begin.
  const selectBlocking = ({ most, since }: Window): SQL<Blocking> =>
    sql`select ${generations.creationTime} as "time" ${begun(since)}
      order by ${generations.creationTime} desc limit 1 offset ${Math.max(most - 1, 0)}`;
  const full = ({ name, most, ms }: Window, found: readonly Blocking[]) =>
    found.map((each) => ({ most, name, wait: Math.ceil((Date.parse(each.time) + ms - time.getTime()) / 1000) }));
  return {
    isFree: sql`(${isFree(minute)} and ${isFree(day)})`,
    blocking: { minute: selectBlocking(minute), day: selectBlocking(day) },
    makeError: (found: { readonly minute: readonly Blocking[]; readonly day: readonly Blocking[] }) =>
      makeLimitError([...full(minute, found.minute), ...full(day, found.day)], quota),
  };
}

type Blocking = { readonly time: string };

/** A window of time that ends now: its length in milliseconds, its start, and how many generations may begin in it. */
type Window = { readonly name: string; readonly most: number; readonly ms: number; readonly since: string };

/** A window whose limit is reached. `wait` is the number of seconds until there is room again. */
type Full = { readonly most: number; readonly name: string; readonly wait: number };

function makeLimitError(full: readonly Full[], quota: GenerationQuota): DomainError {
  const reached = full.map(({ most, name }) => `${most} a ${name}`).join(" and ");
  const detail =
    reached === ""
      ? "This deployment does not allow generations."
      : `The organization has reached its limit of ${reached}.`;
  return new DomainError("generation_limit", detail, {
    retryAfterSeconds: Math.max(1, ...full.map(({ wait }) => wait)),
    limits: [
      { name: "minute", quota: quota.perMinute, seconds: 60 },
      { name: "day", quota: quota.perDay, seconds: 86_400 },
    ],
  });
}
