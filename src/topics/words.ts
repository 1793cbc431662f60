/** Titles as sets of words, to tell whether two of them say the same. */

/** The words of a text as written, without punctuation. Works for scripts without spaces. */
export function wordsIn(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) words.push(segment);
  return words;
}

/** The words of a text, folded: case, accents, width and punctuation make no difference. */
export function wordsOf(text: string): Set<string> {
  const bare = text.normalize("NFKD").replaceAll(ACCENTS, "").normalize("NFC");
  // By way of upper case, in which "ß" is "SS".
  return new Set(wordsIn(bare.toUpperCase().toLowerCase()));
}

/** Marks that a reader does without. In other scripts they are vowels, or make another letter. */
const ACCENTS =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]\p{M}*)\p{M}/gu;

/** Locale-independent: ideas of many languages meet in one blog. */
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Words that two titles share at least, and their part of all words of both. */
const LEAST_SHARED = 3;
const LEAST_PART = 0.6;

/**
 * Whether two titles are about the same thing: most of their words are shared, and their numbers are the
 * same, as "Node 24 is out" is not a duplicate of "Node 26 is out". Titles of one or two words, such as
 * "Weekly links", say too little to tell.
 */
export function isNearDuplicate(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - shared;
  if (shared < LEAST_SHARED || shared / all < LEAST_PART) return false;
  return numbersOf(a) === numbersOf(b);
}

const numbersOf = (words: ReadonlySet<string>): string =>
  [...words]
    .filter((word) => /\p{N}/u.test(word))
    .sort()
    .join(" ");
