import { MENTION_BONUS, MOST_MENTIONS, type Merge, type NewIdea } from "../../store/topics/system-ideas.ts";

/** Another item about the subject of an idea. */
export type Mention = Omit<Merge, "topicId">;

/**
 * Returns the idea with one more mention. Its score becomes the higher one of both items, plus a bonus if the mention
 * is the first one of its source. If the idea has `MOST_MENTIONS` already, the mention is not listed and there is no
 * bonus.
 *
 * This is for ideas that are not stored. For stored ideas, `insertMerges` (store/topics/system-ideas.ts) applies the
 * same rule in SQL. Otherwise each source would have to read the mentions of all ideas of the blog, to change one or
 * two.
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
