/** Scores ideas. */
import { DAY_MS } from "../../lib/time.ts";
import type { SourceItem } from "./item.ts";
import { wordsOf } from "./words.ts";

/** The day from which scores count. */
const EPOCH = Date.UTC(2020, 0, 1);
/** In days: what ten times as many votes are worth, and what a title is worth if the blog uses all of its words. */
const ENGAGEMENT_DAYS = 2;
const CLOSENESS_DAYS = 4;
/** Votes above this number do not count, because a source may report any number. */
const MOST_ENGAGEMENT = 1_000_000;

/**
 * Returns the score of an item: the day of its publication, counted from `EPOCH`, plus days for its votes and for words
 * that it shares with the blog. The score does not depend on the age of the item, so it is stored once; newer ideas get
 * higher scores and pass older ones. Rounded to three decimals.
 *
 * @param vocabulary The words of the blog's name and titles.
 */
export function scoreOf(item: SourceItem, vocabulary: ReadonlySet<string>, now: Date): number {
  const day = ((item.time === null ? now.getTime() : Date.parse(item.time)) - EPOCH) / DAY_MS;
  const engagement = Math.log10(1 + Math.min(item.engagement, MOST_ENGAGEMENT)) * ENGAGEMENT_DAYS;
  const score = day + engagement + closenessOf(item, vocabulary) * CLOSENESS_DAYS;
  // `|| 0` turns -0 into 0, because a cursor cannot hold -0.
  return Math.round(score * 1000) / 1000 || 0;
}

/** Returns the share of the item's words that the blog uses, 0 to 1. Ignores short words, which mean little. */
function closenessOf(item: SourceItem, vocabulary: ReadonlySet<string>): number {
  const words = [...wordsOf([item.title, ...item.keywords].join(" "))].filter(
    (word) => word.length > 2 || !ASCII.test(word),
  );
  return words.length === 0 ? 0 : words.filter((word) => vocabulary.has(word)).length / words.length;
}

const ASCII = /^[\x20-\x7e]*$/;
