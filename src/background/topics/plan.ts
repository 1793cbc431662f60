/** Decides what becomes of each item of a source: a new idea, a mention of an idea, or nothing. */
import normalizeUrl from "normalize-url";
import { LIMITS } from "../../domain/limits.ts";
import type { TopicOrigin } from "../../domain/topic-source.ts";
import { DAY_MS } from "../../lib/time.ts";
import type { Board, Merge, NewIdea } from "../../store/topics/system-ideas.ts";
import type { SourceItem } from "./item.ts";
import { mentioned, type Mention } from "./mention.ts";
import { scoreOf } from "./score.ts";
import { isNearDuplicate, wordsOf } from "./words.ts";

export type Plan = {
  readonly ideas: readonly NewIdea[];
  readonly merges: readonly Merge[];
  /** How many items became mentions of an idea, be it a stored one or one of `ideas`. */
  readonly merged: number;
  readonly refused: Readonly<Record<string, number>>;
};

/** Reasons for items that could have been ideas. */
const KNOWN = "is known";
const WRITTEN = "is already an article of the blog";
/** Ideas are deleted after a year. An older item would come back as a new idea. */
const OLD = "is older than a year";
/** Such an item is not stored, so the next day's refresh finds it again, and it is not `KNOWN` then. */
export const BEYOND = "is more than the organization's new ideas of a day";

/** An idea that can get mentions, stored or planned. */
type Candidate = {
  readonly words: ReadonlySet<string>;
  merge(mention: Mention): void;
};

/** Plans the items of a source. Items about the same subject become mentions of one idea. */
export function planItems(items: readonly SourceItem[], board: Board, source: TopicOrigin, now: Date): Plan {
  const refused: Record<string, number> = {};
  const vocabulary = wordsOf([board.blogName, ...board.articleTitles].join(" "));
  const score = (item: SourceItem) => scoreOf(item, vocabulary, now);
  const merges: Merge[] = [];
  const ideas: NewIdea[] = [];
  const candidates: Candidate[] = board.ideas.map((idea) => ({
    words: wordsOf(idea.itemTitle),
    merge: (mention) => merges.push({ topicId: idea.id, ...mention }),
  }));
  const reasonAgainst = refusals(board, now);
  let merged = 0;
  for (const item of items) {
    const key = urlKeyOf(item.url);
    const words = wordsOf(item.title);
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
    const idea = ideaOf(item, key, { source, board, score: score(item) });
    ideas.push(idea);
    candidates.push({ words, merge: (mention) => Object.assign(idea, mentioned(idea, mention)) });
  }
  return { ideas, merges, merged, refused };
}

/**
 * Returns a function that says why an item cannot be an idea, or null if it can. It has to be called for one item after
 * another, because it remembers their URLs.
 */
function refusals(
  board: Board,
  now: Date,
): (item: SourceItem, key: string, words: ReadonlySet<string>) => string | null {
  const keys = new Set(board.knownKeys);
  const written = board.articleTitles.map(wordsOf);
  const oldest = new Date(now.getTime() - LIMITS.keptDays.topics * DAY_MS).toISOString();
  return ({ time }, key, words) => {
    if (keys.has(key)) return KNOWN;
    keys.add(key);
    if (time !== null && time < oldest) return OLD;
    return written.some((title) => isNearDuplicate(title, words)) ? WRITTEN : null;
  };
}

function ideaOf(
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

/**
 * Returns the key by which URLs are compared: the URL without protocol, `www`, fragment and tracking parameters.
 * Returns the URL itself if it cannot be parsed.
 */
export function urlKeyOf(url: string): string {
  try {
    return normalizeUrl(url, { stripProtocol: true, stripHash: true, removeQueryParameters: TRACKING });
  } catch {
    return url;
  }
}

const TRACKING = [/^utm_\w+$/i, "fbclid", "gclid", "mc_cid", "mc_eid", "ref"];
