/** From the items of a source to ideas: what is new, what an idea already covers, what is left out. */
import normalizeUrl from "normalize-url";
import { LIMITS } from "../domain/limits.ts";
import { DAY_MS } from "../lib/time.ts";
import type { Board, Merge, NewIdea, Origin } from "../store/topics/system-ideas.ts";
import type { SourceItem } from "./item.ts";
import { mentioned, type Mention } from "./mention.ts";
import { scoreOf } from "./score.ts";
import { isNearDuplicate, wordsOf } from "./words.ts";

export type Plan = {
  readonly ideas: readonly NewIdea[];
  readonly merges: readonly Merge[];
  /** Items that an idea already covers, be it stored or one of these. */
  readonly merged: number;
  readonly refused: Readonly<Record<string, number>>;
};

/** Why items are left out that could have been ideas. */
const KNOWN = "is known";
const WRITTEN = "is already an article of the blog";
/** An idea is kept for a year: an older item would come back as a new one. */
const OLD = "is older than a year";

/** An idea that further items may be merged into, be it stored or planned. */
type Candidate = {
  readonly words: ReadonlySet<string>;
  merge(mention: Mention): void;
};

/** Plans what a source's items come to on a board. Near-duplicates become mentions of one idea. */
export function planItems(items: readonly SourceItem[], board: Board, source: Origin, now: Date): Plan {
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
    const idea = ideaOf(item, key, { source, board, score: score(item) });
    ideas.push(idea);
    candidates.push({ words, merge: (mention) => Object.assign(idea, mentioned(idea, mention)) });
  }
  return { ideas, merges, merged, refused };
}

/** Says of one item after another why it cannot be an idea; null where it can. */
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
  { source, board, score }: { source: Origin; board: Board; score: number },
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

/** The form in which URLs are compared: without protocol, `www`, fragment and what only tells where a reader came from. */
export function urlKeyOf(url: string): string {
  try {
    return normalizeUrl(url, { stripProtocol: true, stripHash: true, removeQueryParameters: TRACKING });
  } catch {
    return url;
  }
}

const TRACKING = [/^utm_\w+$/i, "fbclid", "gclid", "mc_cid", "mc_eid", "ref"];
