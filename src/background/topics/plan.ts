/** Decides what becomes of each item of a source: a new idea, a mention of an idea, or nothing. */
import { LIMITS } from "../../domain/limits.ts";
import type { TopicOrigin } from "../../domain/topic-source.ts";
import { DAY_MS } from "../../lib/time.ts";
import type { BoardIdea } from "../../store/topics/board.ts";
import type { Board, NewIdea, Update } from "../../store/topics/system-ideas.ts";
import type { SourceItem } from "./item.ts";
import { addMention, type ScoredMention } from "./mention.ts";
import { computeScore } from "./score.ts";
import { toUrlKey } from "./url-key.ts";
import { isNearDuplicate, toWordSet } from "./words.ts";

export type Plan = {
  readonly ideas: readonly NewIdea[];
  /** The stored ideas that change. */
  readonly updates: readonly Update[];
  /** How many items belong to an idea that another item made, be it a stored one or one of `ideas`. */
  readonly merged: number;
  readonly refused: Readonly<Record<string, number>>;
};

const REPEATED = "repeats another item";
const WRITTEN = "is already an article of the blog";
/** Ideas are deleted after a year. An older item would come back as a new idea. */
const OLD = "is older than a year";
/** Such an item is not stored, so the next day's refresh finds it again. */
export const BEYOND = "is more than the organization's new ideas of a day";

/** An idea that can get mentions, stored or planned. */
type Candidate = {
  readonly words: ReadonlySet<string>;
  merge(mention: ScoredMention): void;
};

/** Plans the items of a source. Items with the same URL, or about the same subject, become mentions of one idea. */
export function planItems(items: readonly SourceItem[], board: Board, source: TopicOrigin, now: Date): Plan {
  const refused: Record<string, number> = {};
  const refuse = (reason: string) => void (refused[reason] = (refused[reason] ?? 0) + 1);
  const vocabulary = toWordSet([board.blogName, ...board.articleTitles].join(" "));
  const stored = collectUpdates();
  const ideas: NewIdea[] = [];
  const candidates: Candidate[] = board.ideas.map((idea) => ({
    words: toWordSet(idea.itemTitle),
    merge: (mention) => stored.merge(idea, mention, true),
  }));
  const findReason = makeRefusalCheck(board, now);
  const seen = new Set<string>();
  let merged = 0;
  for (const item of items) {
    const urlKey = toUrlKey(item.url);
    const words = toWordSet(item.title);
    const known = board.known.get(urlKey);
    const score = computeScore(item, vocabulary, now);
    const mention = { url: item.url, urlKey, source, engagement: item.engagement, score };
    const reason = seen.has(urlKey) ? REPEATED : known === undefined ? findReason(item, words) : null;
    const same = candidates.find((candidate) => reason === null && isNearDuplicate(candidate.words, words));
    seen.add(urlKey);
    if (reason !== null) refuse(reason);
    else if (known !== undefined) {
      // Without a date, the score is that of an item of today. It would rise with each day on which it is found.
      stored.merge(known, { ...mention, score: item.time === null ? 0 : score }, false);
      merged++;
    } else if (same !== undefined) {
      same.merge(mention);
      merged++;
    } else if (ideas.length >= board.room) refuse(BEYOND);
    else {
      const idea = toIdea(item, mention, board.locale);
      ideas.push(idea);
      candidates.push({
        words,
        merge: (next) => Object.assign(idea, addMention(idea, next), { urlKeys: [...idea.urlKeys, next.urlKey] }),
      });
    }
  }
  return { ideas, updates: stored.list(), merged, refused };
}

/** Collects what changes in stored ideas. An idea to which an item adds nothing is not among them. */
function collectUpdates() {
  const updates = new Map<string, Update>();
  return {
    list: () => [...updates.values()],
    merge(idea: BoardIdea, mention: ScoredMention, isNewKey: boolean): void {
      const earlier = updates.get(idea.id);
      const before = { ...idea, ...earlier };
      const { id, mentions, score } = addMention(before, mention);
      if (mentions === before.mentions && score === before.score && !isNewKey) return;
      const urlKeys = [...(earlier?.urlKeys ?? []), ...(isNewKey ? [mention.urlKey] : [])];
      updates.set(id, { id, mentions, score, urlKeys });
    },
  };
}

/** Returns a function that says why an item cannot be a new idea, or null. */
function makeRefusalCheck(board: Board, now: Date): (item: SourceItem, words: ReadonlySet<string>) => string | null {
  const written = board.articleTitles.map(toWordSet);
  const oldest = new Date(now.getTime() - LIMITS.keptDays.topics * DAY_MS).toISOString();
  return ({ time }, words) => {
    if (time !== null && time < oldest) return OLD;
    return written.some((title) => isNearDuplicate(title, words)) ? WRITTEN : null;
  };
}

function toIdea(item: SourceItem, mention: ScoredMention, locale: string): NewIdea {
  const { url, urlKey, source, engagement, score } = mention;
  return {
    title: item.title,
    summary: item.summary,
    angle: "",
    url,
    itemTitle: item.title,
    source,
    mentions: [{ url, source, engagement }],
    keywords: item.keywords,
    locale: item.locale ?? locale,
    score,
    urlKeys: [urlKey],
  };
}

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
