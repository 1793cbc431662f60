/** Adds a mention to an idea, and to its score. */
import type { Mention, TopicOrigin } from "../../domain/topic-source.ts";
import { countEngagementDays, roundScore } from "./score.ts";
import { toUrlKey } from "./url-key.ts";

const MOST_MENTIONS = 10;
/** How much each further source adds to the score of an idea, until the idea lists {@link MOST_MENTIONS}. */
const MENTION_BONUS = 0.5;

/** An item as a mention of an idea, with its key and its own score. */
export type ScoredMention = Mention & { readonly urlKey: string; readonly engagement: number; readonly score: number };

/** What a mention changes, and the source of the first item. */
type Mentioned = { readonly source: TopicOrigin; readonly mentions: readonly Mention[]; readonly score: number };

/**
 * Returns the idea with one more mention, or with a mention as it is now, if its source has told of this URL before. Its
 * score is the highest of its items, plus a bonus for each further source. An idea that has `MOST_MENTIONS` already
 * lists no more.
 */
export function addMention<T extends Mentioned>(idea: T, added: ScoredMention): T {
  const { url, source, engagement } = added;
  const place = idea.mentions.findIndex(
    (mention) => isSameOrigin(mention.source, source) && toUrlKey(mention.url) === added.urlKey,
  );
  const told = idea.mentions[place];
  if (told?.engagement === engagement) return idea;
  const best = idea.score - computeBonus(idea);
  const mentions =
    told !== undefined
      ? idea.mentions.with(place, { ...told, engagement })
      : idea.mentions.length < MOST_MENTIONS
        ? [...idea.mentions, { url, source, engagement }]
        : idea.mentions;
  // An item that is known counts by what it gained since: some sources give each item the date of today.
  const gained = countEngagementDays(engagement) - countEngagementDays(told?.engagement ?? 0);
  const own = told === undefined ? added.score : Math.min(added.score, best + gained);
  const score = roundScore(Math.max(best, own) + computeBonus({ ...idea, mentions }));
  return { ...idea, mentions, score };
}

function computeBonus({ source, mentions }: Mentioned): number {
  const further = mentions.filter((mention) => !isSameOrigin(mention.source, source));
  const names = new Set(further.map((mention) => JSON.stringify([mention.source.kind, mention.source.name])));
  return names.size * MENTION_BONUS;
}

const isSameOrigin = (a: TopicOrigin, b: TopicOrigin): boolean => a.kind === b.kind && a.name === b.name;
