/** Scores items: the day, plus days for votes and for closeness to the blog. */
import { DAY_MS } from "../../lib/time.ts";
import type { SourceItem } from "./item.ts";
import { toWordSet } from "./words.ts";

/** The day from which scores count. */
const EPOCH = Date.UTC(2020, 0, 1);
/** In days: what ten times as many votes are worth, and what a title is worth of which the blog uses all words. */
const ENGAGEMENT_DAYS = 2;
const CLOSENESS_DAYS = 4;
/** Votes above this number do not count, because a source may report any number. */
const MOST_ENGAGEMENT = 1_000_000;

/**
 * Returns the score of an item: the day of its publication, counted from `EPOCH`, plus days for its votes and for words
 * of the blog's vocabulary. Does not depend on the item's age, so it is stored once. Rounded to three decimals.
 */
export function computeScore(item: SourceItem, vocabulary: ReadonlySet<string>, now: Date): number {
  const day = ((item.time === null ? now.getTime() : Date.parse(item.time)) - EPOCH) / DAY_MS;
  return roundScore(day + countEngagementDays(item.engagement) + computeCloseness(item, vocabulary) * CLOSENESS_DAYS);
}

/** Returns the days that votes and comments add to a score. */
export const countEngagementDays = (engagement: number): number =>
  Math.log10(1 + Math.min(engagement, MOST_ENGAGEMENT)) * ENGAGEMENT_DAYS;

/** Rounds to three decimals. `|| 0` turns -0 into 0, because a cursor cannot hold -0. */
export const roundScore = (score: number): number => Math.round(score * 1000) / 1000 || 0;

/** Returns the share of the item's words that the blog uses, 0 to 1. Ignores short words. */
function computeCloseness(item: SourceItem, vocabulary: ReadonlySet<string>): number {
  const words = [...toWordSet([item.title, ...item.keywords].join(" "))].filter(
    (word) => word.length > 2 || !ASCII.test(word),
  );
  return words.length === 0 ? 0 : words.filter((word) => vocabulary.has(word)).length / words.length;
}

const ASCII = /^[\x20-\x7e]*$/;
