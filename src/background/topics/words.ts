/** Compares titles as sets of words, to find two about the same thing. */

/** Returns the words of a text as written, without punctuation. Works for scripts without spaces. */
export function listWords(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) words.push(segment);
  return words;
}

/** Returns the words of a text in a form for comparison: without differences of case, accents and width. */
export function toWordSet(text: string): Set<string> {
  const bare = text.normalize("NFKD").replaceAll(ACCENTS, "").normalize("NFC");
  // Upper case first, because it turns "ß" into "SS".
  return new Set(listWords(bare.toUpperCase().toLowerCase()));
}

/** Accents, in scripts where readers can do without them. In other scripts such marks are vowels or other letters. */
const ACCENTS =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]\p{M}*)\p{M}/gu;

/** Independent of a locale, because a blog can have ideas in many languages. */
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** How many words two titles must share, and which part of all their words this must be. */
const LEAST_SHARED = 3;
const LEAST_PART = 0.6;

/**
 * Returns true if two titles are about the same thing: they share most of their words, and contain the same numbers.
 * "Node 24 is out" is no duplicate of "Node 26 is out". Titles of one or two words, such as "Weekly links", are too
 * short to compare.
 */
export function isNearDuplicate(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - shared;
  if (shared < LEAST_SHARED || shared / all < LEAST_PART) return false;
  return listNumbers(a) === listNumbers(b);
}

const listNumbers = (words: ReadonlySet<string>): string =>
  [...words]
    .filter((word) => /\p{N}/u.test(word))
    .sort()
    .join(" ");
