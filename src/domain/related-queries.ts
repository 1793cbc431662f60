/** The searches that find articles about the same as a text. */
import { LIMITS } from "./limits.ts";
import { limitQuery } from "./search-query.ts";

/** In Latin script, shorter words say little about the subject. */
const LEAST_LETTERS = 5;

/** What a text is about: its title and headings, and its tags or keywords. */
export type About = { readonly texts: readonly string[]; readonly tags: readonly string[] };

/** How many searches find what is related to a text. */
const SEARCHES = 5;

/** Returns the queries: the tags as phrases, then the words that the texts have most often. The first text counts double. */
export function buildRelatedQueries({ texts, tags }: About, locale: string): string[] {
  const phrases = tags.map((tag) => tag.replaceAll('"', " ").trim()).filter((tag) => /[\p{L}\p{N}]/u.test(tag));
  const words = new Map<string, number>();
  const segmenter = new Intl.Segmenter(locale || undefined, { granularity: "word" });
  for (const [index, text] of texts.slice(0, 50).entries()) {
    for (const { segment, isWordLike } of segmenter.segment(text.slice(0, LIMITS.title))) {
      const word = segment.toLowerCase();
      const isWeighty = /^\p{Script=Latin}+$/u.test(word) ? word.length >= LEAST_LETTERS : word.length >= 2;
      // A word of the title says more than one of a heading.
      if (isWordLike && isWeighty) words.set(word, (words.get(word) ?? 0) + (index === 0 ? 2 : 1));
    }
  }
  const best = [...words].toSorted(([a, first], [b, second]) => second - first || b.length - a.length);
  const asked = [...phrases.slice(0, 2).map((phrase) => `"${phrase}"`), ...best.map(([word]) => `"${word}"`)];
  const short = asked.map((query) => limitQuery(query.slice(0, LIMITS.searchQuery).toWellFormed(), LIMITS.searchWords));
  return [...new Set(short)].slice(0, SEARCHES);
}
