/** How good an idea is. */
import { DAY_MS } from "../lib/time.ts";
import type { SourceItem } from "./item.ts";
import { wordsOf } from "./words.ts";

/** Scores count the days from here. */
const EPOCH = Date.UTC(2020, 0, 1);
/** What ten times the votes are worth, and a title all of whose words the blog uses, in days. */
const ENGAGEMENT_DAYS = 2;
const CLOSENESS_DAYS = 4;
/** More votes than this do not count: the numbers are the source's own claim. */
const MOST_ENGAGEMENT = 1_000_000;

/**
 * The score of an item: the day on which it was published, plus what its votes and its closeness to the
 * blog are worth in days. A fixed number, by which newer ideas pass older ones: the order is right at any
 * time without counting again. Three decimals.
 *
 * @param vocabulary The words that the blog uses in its name and titles.
 */
export function scoreOf(item: SourceItem, vocabulary: ReadonlySet<string>, now: Date): number {
  const day = ((item.time === null ? now.getTime() : Date.parse(item.time)) - EPOCH) / DAY_MS;
  const engagement = Math.log10(1 + Math.min(item.engagement, MOST_ENGAGEMENT)) * ENGAGEMENT_DAYS;
  const score = day + engagement + closenessOf(item, vocabulary) * CLOSENESS_DAYS;
  // Not -0, which no cursor names.
  return Math.round(score * 1000) / 1000 || 0;
}

/** 0 to 1: the part of the item's words that the blog uses. Short words say nothing. */
function closenessOf(item: SourceItem, vocabulary: ReadonlySet<string>): number {
  const words = [...wordsOf([item.title, ...item.keywords].join(" "))].filter(
    (word) => word.length > 2 || !ASCII.test(word),
  );
  return words.length === 0 ? 0 : words.filter((word) => vocabulary.has(word)).length / words.length;
}

const ASCII = /^[\x20-\x7e]*$/;
