import { MENTION_BONUS, MOST_MENTIONS, type Merge, type NewIdea } from "../store/topics/system-ideas.ts";

/** A further item about the subject of an idea. */
export type Mention = Omit<Merge, "topicId">;

/**
 * The idea with one more mention. The best item's score counts, and each further source adds to it; a source that
 * repeats itself does not, nor does one that is no longer listed.
 *
 * This is for ideas that are not stored. For those that are, `insertMerges` (store/topics/system-ideas.ts) says the same
 * in SQL: to merge here, each source would have to read the mentions of all the blog's ideas, to change one or two.
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
