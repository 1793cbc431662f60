/** Parses dates of feeds and exports: RFC 3339 (Atom), RFC 822 (RSS), and common variants. */

/**
 * Returns a date in Unix milliseconds, or undefined. A time without a zone counts as UTC. `Date.parse` finds dates in
 * texts such as "Chapter 5", and uses the zone of the computer.
 */
export function parseDate(text: string): number | undefined {
  const trimmed = text.slice(0, 100).trim();
  const iso = ISO.exec(trimmed)?.groups;
  if (iso !== undefined) return toTime(iso, Number(iso["month"]));
  const named = (RFC_822.exec(trimmed) ?? MONTH_FIRST.exec(trimmed))?.groups;
  if (named === undefined) return undefined;
  const month = MONTHS.indexOf((named["month"] ?? "").slice(0, 3).toLowerCase()) + 1;
  return toTime(named, month);
}

function toTime(parts: Record<string, string | undefined>, month: number): number | undefined {
  const { year = "", day = "", hour = "0", minute = "0", second = "0", fraction = "" } = parts;
  const zone = parseOffset(parts["zone"] ?? "");
  if (zone === undefined || month < 1 || month > 12) return undefined;
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  // Date.UTC would read the year 1 as 1901.
  const midnight = new Date(0).setUTCFullYear(toFullYear(year), month - 1, Number(day));
  // setUTCFullYear turns 30 February into a day in March.
  if (new Date(midnight).getUTCDate() !== Number(day)) return undefined;
  const minutes = Number(hour) * 60 + Number(minute) - zone;
  // Integers only: 1.001 * 1000 is a little less than 1001.
  return midnight + minutes * 60_000 + Number(second) * 1000 + Number(fraction.padEnd(3, "0").slice(0, 3));
}

/** Years of two digits come from RFC 822; RFC 5322, 4.3 says how to read them. */
function toFullYear(year: string): number {
  if (year.length !== 2) return Number(year);
  return Number(year) + (Number(year) < 50 ? 2000 : 1900);
}

/** Returns the offset of a zone in minutes; undefined if unknown, because the time could be wrong by half a day. */
function parseOffset(zone: string): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign !== undefined) return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
  return zone === "" ? 0 : ZONES.get(zone.toUpperCase());
}

const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?`;
const ZONE = String.raw`(?<zone>[+-]\d{2}:?\d{2}|[+-]\d{1,2}|[A-Za-z]{1,5})?`;

/** RFC 3339, and variants of W3CDTF, YAML and Hexo: a space for the T, slashes, no seconds, time or zone. */
const ISO = new RegExp(
  String.raw`^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})(?:[T\s]\s*${TIME}\s*${ZONE})?$`,
  "i",
);

const WEEKDAY = String.raw`(?:[A-Za-z]{2,10}\.?,?\s+)?`;
const MONTH = String.raw`(?<month>[A-Za-z]{3,9})\.?`;
const DAY = String.raw`(?<day>\d{1,2})`;

const REST = String.raw`(?:,?\s+${TIME}(?:\s*(?:GMT|UTC)?${ZONE}))?(?:\s+\([^)]*\))?`;

/** RFC 822 and 5322. Ignores the weekday and a comment at the end. Month names may be written out. */
const RFC_822 = new RegExp(String.raw`^${WEEKDAY}${DAY}(?:\s+|-)${MONTH}(?:\s+|-)(?<year>\d{4}|\d{2})${REST}$`, "i");

/** As in front matter, JavaScript and Astro's templates: "Jul 08 2022", "July 8, 2022". */
const MONTH_FIRST = new RegExp(String.raw`^${WEEKDAY}${MONTH}\s+${DAY},?\s+(?<year>\d{4})${REST}$`, "i");

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Offsets in minutes: RFC 822, and European and Asian zones that occur in feeds. No ambiguous zones. */
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
