/** From what a source lists to items that may be stored: the same rules for feeds and forums. */
import { LIMITS } from "../domain/limits.ts";
import { canonicalLocale } from "../domain/locale.ts";
import { pastTime } from "./dates.ts";
import type { SourceItem } from "./item.ts";
import { cut, type Markup, oneLine, paragraphOf, titleOf } from "./plain-text.ts";

/** What a source says about one thing, before anything of it is believed. */
export type Candidate = {
  /** Relative to `base`. */
  readonly url: string | undefined;
  readonly base: string;
  readonly title: Markup | undefined;
  readonly text: Markup | undefined;
  /** A date as feeds write them, or milliseconds since 1970. */
  readonly time: string | number | undefined;
  readonly engagement: number;
  readonly keywords: readonly (string | undefined)[];
  readonly locale: string | undefined;
};

/** Why something is left out, to follow "1 item": such as "has no title". */
export type Refusal = { readonly refused: string };

export type Choice = {
  readonly items: readonly SourceItem[];
  readonly refused: Readonly<Record<string, number>>;
};

/** The newest items that can be used, in the source's order, and why the others are left out. */
export function choose(listed: readonly (Candidate | Refusal)[], now: Date): Choice {
  const reasons: string[] = listed.flatMap((one) => ("refused" in one ? [one.refused] : []));
  const candidates = listed.flatMap((one, index) =>
    "refused" in one ? [] : [{ candidate: one, index, time: pastTime(one.time, now) }],
  );
  const chosen: { index: number; item: SourceItem }[] = [];
  const urls = new Set<string>();
  for (const { candidate, index, time } of candidates.sort((a, b) => newestFirst(a.time, b.time))) {
    const item = chosen.length < LIMITS.sourceItems ? itemOf(candidate, time) : TOO_MANY;
    if ("refused" in item) reasons.push(item.refused);
    else if (urls.has(item.url)) reasons.push("repeats another item");
    else chosen.push({ index, item });
    if ("url" in item) urls.add(item.url);
  }
  const items = chosen.sort((a, b) => a.index - b.index).map(({ item }) => item);
  return { items, refused: tally(reasons) };
}

/** What has no date comes last, in the source's order. */
function newestFirst(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? 1 : -1;
}

function itemOf(candidate: Candidate, time: string | null): SourceItem | Refusal {
  const url = linkOf(candidate);
  if (typeof url !== "string") return url;
  const text = candidate.text === undefined ? "" : paragraphOf(candidate.text);
  const ownTitle = candidate.title === undefined ? "" : titleOf(candidate.title);
  const title = ownTitle === "" ? cut(text, BORROWED_TITLE) : cut(ownTitle, LIMITS.title);
  if (title === "") return { refused: "has no title" };
  return {
    url,
    title,
    summary: cut(text, LIMITS.topicSummary),
    time,
    engagement: Number.isFinite(candidate.engagement) ? Math.max(0, Math.round(candidate.engagement)) : 0,
    keywords: keywordsOf(candidate.keywords),
    locale: localeOf(candidate.locale),
  };
}

function linkOf({ url: raw, base }: Candidate): string | Refusal {
  if (raw === undefined || raw.trim() === "") return { refused: "has no link" };
  if (!URL.canParse(raw, base)) return { refused: "has a link that is not valid" };
  const url = new URL(raw, base);
  if (url.protocol !== "https:" && url.protocol !== "http:") return { refused: "has a link that is not http or https" };
  url.username = "";
  url.password = "";
  return url.href.length > LIMITS.url ? { refused: "has a link that is too long" } : url.href;
}

/** A keyword that is too long is not a keyword, and neither is half of one. */
function keywordsOf(given: readonly (string | undefined)[]): string[] {
  const words = given
    .slice(0, KEYWORDS_LOOKED_AT)
    .filter((word) => word !== undefined)
    .map((word) => titleOf({ kind: "html", value: word }).toLowerCase())
    .filter((word) => word !== "" && word.length <= LIMITS.keyword && !MEANINGLESS.has(word));
  return [...new Set(words)].slice(0, LIMITS.keywords);
}

/** `en_us` is written for `en-US`, and "English" looks like a tag, but is none. */
function localeOf(declared: string | undefined): string | null {
  const tag = canonicalLocale(oneLine(declared ?? "").replaceAll("_", "-"));
  if (tag === null || tag.length > LIMITS.locale) return null;
  const { language } = new Intl.Locale(tag);
  return language.length > LONGEST_LANGUAGE || NO_LANGUAGE.has(language) ? null : tag;
}

function tally(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

const TOO_MANY: Refusal = { refused: `is not among the ${LIMITS.sourceItems} newest` };

/** Characters of a title that is the beginning of the text. */
const BORROWED_TITLE = 100;

/** More than any article needs; each one costs time. */
const KEYWORDS_LOOKED_AT = 50;

/** WordPress's category of articles that have none. */
const MEANINGLESS: ReadonlySet<string> = new Set(["uncategorized"]);

/** Letters of ISO 639's codes. */
const LONGEST_LANGUAGE = 3;

/** ISO 639-2: undetermined, multiple, no linguistic content. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(["und", "mul", "zxx"]);
