import { MENTION_BONUS, MOST_MENTIONS, type Merge, type NewIdea } from "../../store/topics/system-ideas.ts";

/** Another item about the subject of an idea. */
export type Mention = Omit<Merge, "topicId">;

/**
 * Returns the idea with one more mention. Its score becomes the higher one of both, plus a bonus for the first mention by
 * a source. An idea that has `MOST_MENTIONS` already lists no more and gets no bonus.
 *
 * This is for ideas that are not stored. `insertMerges` (store/topics/system-ideas.ts) applies the same rule in SQL, so
 * that the mentions of stored ideas need not be read.
 */
export function mentioned(idea: NewIdea, { url, urlKey, score, source }: Mention): NewIdea {
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
