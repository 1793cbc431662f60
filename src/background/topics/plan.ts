/** Decides what becomes of each item of a source: a new idea, a mention of an idea, or nothing. */
import normalizeUrl from "normalize-url";
import { LIMITS } from "../../domain/limits.ts";
import type { TopicOrigin } from "../../domain/topic-source.ts";
import { DAY_MS } from "../../lib/time.ts";
import { MENTION_BONUS, MOST_MENTIONS, type Board, type Merge, type NewIdea } from "../../store/topics/system-ideas.ts";
import type { SourceItem } from "./item.ts";
import { isNearDuplicate, toWordSet } from "./words.ts";

export type Plan = {
  readonly ideas: readonly NewIdea[];
  readonly merges: readonly Merge[];
  /** How many items became mentions of an idea, be it a stored one or one of `ideas`. */
  readonly merged: number;
  readonly refused: Readonly<Record<string, number>>;
};

const KNOWN = "is known";
const WRITTEN = "is already an article of the blog";
/** Ideas are deleted after a year. An older item would come back as a new idea. */
const OLD = "is older than a year";
/** Such an item is not stored, so the next day's refresh finds it again. */
export const BEYOND = "is more than the organization's new ideas of a day";

/** Another item about the subject of an idea. */
type Mention = Omit<Merge, "topicId">;

/** An idea that can get mentions, stored or planned. */
type Candidate = {
  readonly words: ReadonlySet<string>;
  merge(mention: Mention): void;
};

/** Plans the items of a source. Items about the same subject become mentions of one idea. */
export function planItems(items: readonly SourceItem[], board: Board, source: TopicOrigin, now: Date): Plan {
  const refused: Record<string, number> = {};
  const vocabulary = toWordSet([board.blogName, ...board.articleTitles].join(" "));
  const score = (item: SourceItem) => computeScore(item, vocabulary, now);
  const merges: Merge[] = [];
  const ideas: NewIdea[] = [];
  const candidates: Candidate[] = board.ideas.map((idea) => ({
    words: toWordSet(idea.itemTitle),
    merge: (mention) => merges.push({ topicId: idea.id, ...mention }),
  }));
  const reasonAgainst = makeRefusalCheck(board, now);
  let merged = 0;
  for (const item of items) {
    const key = toUrlKey(item.url);
    const words = toWordSet(item.title);
    const reason = reasonAgainst(item, key, words);
    if (reason !== null) {
      refused[reason] = (refused[reason] ?? 0) + 1;
      continue;
    }
    const same = candidates.find((candidate) => isNearDuplicate(candidate.words, words));
    if (same !== undefined) {
      same.merge({ url: item.url, urlKey: key, source, score: score(item) });
      merged++;
      continue;
    }
    if (ideas.length >= board.room) {
      refused[BEYOND] = (refused[BEYOND] ?? 0) + 1;
      continue;
    }
    const idea = toIdea(item, key, { source, board, score: score(item) });
    ideas.push(idea);
    candidates.push({ words, merge: (mention) => Object.assign(idea, addMention(idea, mention)) });
  }
  return { ideas, merges, merged, refused };
}

/** Returns a function that says why an item cannot be an idea, or null. It remembers the URLs of earlier calls. */
function makeRefusalCheck(
  board: Board,
  now: Date,
): (item: SourceItem, key: string, words: ReadonlySet<string>) => string | null {
  const keys = new Set(board.knownKeys);
  const written = board.articleTitles.map(toWordSet);
  const oldest = new Date(now.getTime() - LIMITS.keptDays.topics * DAY_MS).toISOString();
  return ({ time }, key, words) => {
    if (keys.has(key)) return KNOWN;
    keys.add(key);
    if (time !== null && time < oldest) return OLD;
    return written.some((title) => isNearDuplicate(title, words)) ? WRITTEN : null;
  };
}

/**
 * Returns the idea with one more mention. Its score becomes the higher one of both, plus a bonus for the first mention by
 * a source. An idea that has `MOST_MENTIONS` already lists no more and gets no bonus.
 *
 * This is for ideas that are not stored. `insertMerges` (store/topics/system-ideas.ts) applies the same rule in SQL, so
 * that the mentions of stored ideas need not be read.
 */
export function addMention(idea: NewIdea, { url, urlKey, score, source }: Mention): NewIdea {
  const full = idea.mentions.length >= MOST_MENTIONS;
  const told = [idea.source, ...idea.mentions.map((mention) => mention.source)];
  const bonus = full || told.some(({ kind, name }) => kind === source.kind && name === source.name) ? 0 : MENTION_BONUS;
  return {
    ...idea,
    score: Math.round((Math.max(idea.score, score) + bonus) * 1000) / 1000,
    mentions: full ? idea.mentions : [...idea.mentions, { url, source }],
    urlKeys: [...idea.urlKeys, urlKey],
  };
}

function toIdea(
  item: SourceItem,
  key: string,
  { source, board, score }: { source: TopicOrigin; board: Board; score: number },
): NewIdea {
  return {
    title: item.title,
    summary: item.summary,
    angle: "",
    url: item.url,
    itemTitle: item.title,
    source,
    mentions: [],
    keywords: item.keywords,
    locale: item.locale ?? board.locale,
    score,
    urlKeys: [key],
  };
}

/** Returns the URL without protocol, `www`, fragment and tracking parameters, for comparison. */
export function toUrlKey(url: string): string {
  try {
    return normalizeUrl(url, { stripProtocol: true, stripHash: true, removeQueryParameters: TRACKING });
  } catch {
    return url;
  }
}

const TRACKING = [/^utm_\w+$/i, "fbclid", "gclid", "mc_cid", "mc_eid", "ref"];

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
  const engagement = Math.log10(1 + Math.min(item.engagement, MOST_ENGAGEMENT)) * ENGAGEMENT_DAYS;
  const score = day + engagement + computeCloseness(item, vocabulary) * CLOSENESS_DAYS;
  // `|| 0` turns -0 into 0, because a cursor cannot hold -0.
  return Math.round(score * 1000) / 1000 || 0;
}

/** Returns the share of the item's words that the blog uses, 0 to 1. Ignores short words. */
function computeCloseness(item: SourceItem, vocabulary: ReadonlySet<string>): number {
  const words = [...toWordSet([item.title, ...item.keywords].join(" "))].filter(
    (word) => word.length > 2 || !ASCII.test(word),
  );
  return words.length === 0 ? 0 : words.filter((word) => vocabulary.has(word)).length / words.length;
}

const ASCII = /^[\x20-\x7e]*$/;

/** Adds up the numbers of items that were left out, by reason. */
export function addCounts(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  const all = { ...a };
  for (const [reason, count] of Object.entries(b)) all[reason] = (all[reason] ?? 0) + count;
  return all;
}

export const sumCounts = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((a, b) => a + b, 0);
