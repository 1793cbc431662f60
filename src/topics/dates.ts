/** Parses the dates of feeds: RFC 822 in RSS, RFC 3339 in Atom, and the variants that generators write. */
import { DAY_MS } from "../lib/time.ts";

/**
 * Returns the time of an item in RFC 3339. A time up to one day in the future comes from a wrong clock or zone, and
 * becomes `now`. Returns null for later times, for times before the Web, and for text that is no date.
 */
export function pastTime(time: string | number | undefined, now: Date): string | null {
  const milliseconds = typeof time === "string" ? parseDate(time) : time;
  if (milliseconds === undefined || !(milliseconds >= OLDEST && milliseconds <= now.getTime() + DAY_MS)) return null;
  return new Date(Math.min(milliseconds, now.getTime())).toISOString();
}

/**
 * Returns a date as milliseconds since 1970, or undefined if the text is no date. A time without a zone counts as UTC.
 * `Date.parse` cannot be used, because it finds a date in texts such as "Chapter 5".
 */
function parseDate(text: string): number | undefined {
  const trimmed = text.slice(0, 100).trim();
  const iso = ISO.exec(trimmed)?.groups;
  if (iso !== undefined) return timeOf(iso, Number(iso["month"]));
  const rfc822 = RFC_822.exec(trimmed)?.groups;
  if (rfc822 === undefined) return undefined;
  const month = MONTHS.indexOf((rfc822["month"] ?? "").slice(0, 3).toLowerCase()) + 1;
  return timeOf(rfc822, month);
}

function timeOf(parts: Record<string, string | undefined>, month: number): number | undefined {
  const { year = "", day = "", hour = "0", minute = "0", second = "0", fraction = "0" } = parts;
  const zone = offsetMinutes(parts["zone"] ?? "");
  if (zone === undefined || month < 1 || month > 12) return undefined;
  const midnight = Date.UTC(fullYear(year), month - 1, Number(day));
  // Date.UTC accepts 30 February and returns a day in March.
  if (new Date(midnight).getUTCDate() !== Number(day)) return undefined;
  const minutes = Number(hour) * 60 + Number(minute) - zone;
  return midnight + minutes * 60_000 + Math.floor((Number(second) + Number(`0.${fraction}`)) * 1000);
}

/** Returns the year. Years of two digits come from RFC 822 and are read by RFC 5322, 4.3. */
function fullYear(year: string): number {
  if (year.length !== 2) return Number(year);
  return Number(year) + (Number(year) < 50 ? 2000 : 1900);
}

/** Returns the offset of a zone in minutes; undefined if unknown, because the time could be wrong by half a day. */
function offsetMinutes(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign !== undefined) return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
  return zone === "" ? 0 : ZONES.get(zone.toUpperCase());
}

const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?`;
const ZONE = String.raw`(?<zone>[+-]\d{2}:?\d{2}|[+-]\d{2}|[A-Za-z]{1,5})?`;

/** RFC 3339, with the variants of W3CDTF: a space instead of the T; seconds, time or zone may be missing. */
const ISO = new RegExp(
  String.raw`^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T\s]\s*${TIME}\s*${ZONE})?$`,
  "i",
);

/** RFC 822 and 5322. Ignores the weekday and a comment at the end. Month names may be written out. */
const RFC_822 = new RegExp(
  String.raw`^(?:[A-Za-z]{2,10}\.?,?\s+)?(?<day>\d{1,2})[\s-]+(?<month>[A-Za-z]{3,9})\.?[\s-]+(?<year>\d{4}|\d{2})` +
    String.raw`(?:,?\s+${TIME}(?:\s*(?:GMT|UTC)?${ZONE}))?(?:\s+\([^)]*\))?$`,
  "i",
);

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Offsets in minutes of the zones of RFC 822, and of zones of Europe and Asia in feeds. Without ambiguous zones. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ...["Z", "UT", "UTC", "GMT", "WET"].map((zone) => [zone, 0] as const),
  ["EST", -300],
  ["EDT", -240],
  ["CST", -360],
  ["CDT", -300],
  ["MST", -420],
  ["MDT", -360],
  ["PST", -480],
  ["PDT", -420],
  ["WEST", 60],
  ["BST", 60],
  ["CET", 60],
  ["MEZ", 60],
  ["CEST", 120],
  ["MESZ", 120],
  ["EET", 120],
  ["EEST", 180],
  ["MSK", 180],
  ["JST", 540],
  ["KST", 540],
  ["AEST", 600],
  ["AEDT", 660],
]);

/** The beginning of the Web. Generators that do not know the date write 1970 or the year 1. */
const OLDEST = Date.UTC(1990, 0);
