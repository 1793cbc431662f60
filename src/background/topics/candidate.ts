/** Turns the entries of feeds and forums into items that may be stored. */
import { LIMITS } from "../../domain/limits.ts";
import { canonicalizeLocale } from "../../domain/locale.ts";
import type { SourceItem } from "./item.ts";
import { truncate, type Markup, toOneLine, toParagraph, toTitle } from "./plain-text.ts";
import { removeTracking } from "./tracking.ts";
import { parseDate } from "../../lib/dates.ts";
import { DAY_MS } from "../../lib/time.ts";

/** An entry of a source, not validated yet. */
export type Candidate = {
  /** May be relative to `base`. */
  readonly url: string | undefined;
  readonly base: string;
  readonly title: Markup | undefined;
  readonly text: Markup | undefined;
  /** A date in any format of feeds, or milliseconds since 1970. */
  readonly time: string | number | undefined;
  readonly engagement: number;
  readonly keywords: readonly (string | undefined)[];
  readonly locale: string | undefined;
};

/** Why an entry is left out, as the end of a sentence that begins with "1 item", such as "has no title". */
export type Refusal = { readonly refused: string };

/** The items that were chosen, and how many entries were left out for each reason. */
export type Choice = {
  readonly items: readonly SourceItem[];
  readonly refused: Readonly<Record<string, number>>;
};

/** Chooses the newest usable items, at most `LIMITS.sourceItems`, and returns them in the order of the source. */
export function chooseItems(listed: readonly (Candidate | Refusal)[], now: Date): Choice {
  const reasons: string[] = listed.flatMap((one) => ("refused" in one ? [one.refused] : []));
  const candidates = listed.flatMap((one, index) =>
    "refused" in one ? [] : [{ candidate: one, index, time: toPastTime(one.time, now) }],
  );
  const chosen: { index: number; item: SourceItem }[] = [];
  const urls = new Set<string>();
  for (const { candidate, index, time } of candidates.sort((a, b) => compareTimes(a.time, b.time))) {
    const item = chosen.length < LIMITS.sourceItems ? toItem(candidate, time) : TOO_MANY;
    if ("refused" in item) reasons.push(item.refused);
    else if (urls.has(item.url)) reasons.push("repeats another item");
    else chosen.push({ index, item });
    if ("url" in item) urls.add(item.url);
  }
  const items = chosen.sort((a, b) => a.index - b.index).map(({ item }) => item);
  return { items, refused: countReasons(reasons) };
}

/** Compares two times for sorting. Entries without a date come last, in the order of the source. */
function compareTimes(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? 1 : -1;
}

/** Validates an entry. Returns the item, or why it is left out. Without a title, the text lends its beginning. */
function toItem(candidate: Candidate, time: string | null): SourceItem | Refusal {
  const url = parseLink(candidate);
  if (typeof url !== "string") return url;
  const text = candidate.text === undefined ? "" : toParagraph(candidate.text);
  const ownTitle = candidate.title === undefined ? "" : toTitle(candidate.title);
  const title = ownTitle === "" ? truncate(text, BORROWED_TITLE) : truncate(ownTitle, LIMITS.title);
  if (title === "") return { refused: "has no title" };
  return {
    url,
    title,
    summary: truncate(text, LIMITS.topicSummary),
    time,
    engagement: Number.isFinite(candidate.engagement) ? Math.max(0, Math.round(candidate.engagement)) : 0,
    keywords: toKeywords(candidate.keywords),
    locale: parseLocale(candidate.locale),
  };
}

/** Returns the absolute URL of an entry without its credentials and tracking parameters, or why it cannot be used. */
function parseLink({ url: raw, base }: Candidate): string | Refusal {
  if (raw === undefined || raw.trim() === "") return { refused: "has no link" };
  if (!URL.canParse(raw, base)) return { refused: "has a link that is not valid" };
  const url = new URL(raw, base);
  if (url.protocol !== "https:" && url.protocol !== "http:") return { refused: "has a link that is not http or https" };
  url.username = "";
  url.password = "";
  removeTracking(url);
  return url.href.length > LIMITS.url ? { refused: "has a link that is too long" } : url.href;
}

/** Returns the keywords in lower case, without duplicates and without those that are too long. */
function toKeywords(given: readonly (string | undefined)[]): string[] {
  const words = given
    .slice(0, KEYWORDS_LOOKED_AT)
    .filter((word) => word !== undefined)
    .map((word) => toTitle({ kind: "html", value: word }).toLowerCase())
    .filter((word) => word !== "" && word.length <= LIMITS.keyword && !MEANINGLESS.has(word));
  return [...new Set(words)].slice(0, LIMITS.keywords);
}

/**
 * Returns the declared language as a canonical BCP 47 tag, or null. Accepts `en_us` for `en-US`, but not words such as
 * "English", which only look like a tag.
 */
function parseLocale(declared: string | undefined): string | null {
  const tag = canonicalizeLocale(toOneLine(declared ?? "").replaceAll("_", "-"));
  if (tag === null || tag.length > LIMITS.locale) return null;
  const { language } = new Intl.Locale(tag);
  return language.length > LONGEST_LANGUAGE || NO_LANGUAGE.has(language) ? null : tag;
}

function countReasons(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

const TOO_MANY: Refusal = { refused: `is not among the ${LIMITS.sourceItems} newest` };

/** Characters of a title that is taken from the text. */
const BORROWED_TITLE = 100;

/** How many keywords of an entry are read. An article needs far fewer. */
const KEYWORDS_LOOKED_AT = 50;

/** The category that WordPress gives to articles without one. */
const MEANINGLESS: ReadonlySet<string> = new Set(["uncategorized"]);

/** Letters of the longest language codes of ISO 639. */
const LONGEST_LANGUAGE = 3;

/** Codes of ISO 639-2 that name no language: undetermined, multiple, no linguistic content. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(["und", "mul", "zxx"]);

/**
 * Returns the time of an item in RFC 3339, or null if it is implausible. A time up to one day in the future comes from a
 * wrong clock or zone, and becomes `now`.
 */
function toPastTime(time: string | number | undefined, now: Date): string | null {
  const milliseconds = typeof time === "string" ? parseDate(time) : time;
  if (milliseconds === undefined || !(milliseconds >= OLDEST && milliseconds <= now.getTime() + DAY_MS)) return null;
  return new Date(Math.min(milliseconds, now.getTime())).toISOString();
}

/** The beginning of the Web. Generators that do not know the date write 1970 or the year 1. */
const OLDEST = Date.UTC(1990, 0);
