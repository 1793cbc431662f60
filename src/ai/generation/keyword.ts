/** Finds a keyword in a text as a reader would, also in another form or word order. */

/**
 * Returns true if `text` contains all words of `keyword`, in any order. Ignores case and diacritics, and accepts other
 * forms of a word (`booking`, `bookings`). Words of at most three letters are ignored if two longer words remain. In
 * scripts without spaces, the text must contain the keyword literally.
 */
export function namesKeyword(text: string, keyword: string): boolean {
  const [inText, inKeyword] = [folded(text), folded(keyword)];
  const words = wordsOf(inKeyword);
  if (words.length === 0) return false;
  const closed = words.join("");
  // Compared without spaces and hyphens, `e-mail` matches `email`. Short keywords would match inside other words.
  const isDistinct = UNSPACED.test(closed) || closed.length >= LONG_ENOUGH;
  if (isDistinct && wordsOf(inText).join("").includes(closed)) return true;
  const candidates = wordsOf(inText);
  return weighty(words).every((word) => candidates.some((other) => isFormOf(other, word)));
}

const LONG_ENOUGH = 5;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[ßı]/gu, (letter) => (letter === "ß" ? "ss" : "i"));

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the words that have to match: not the short ones, as articles and prepositions change with the sentence. */
function weighty(words: readonly string[]): readonly string[] {
  const long = words.filter((word) => word.length > 3);
  return long.length >= 2 ? long : words;
}

/**
 * Returns true if `other` is a form of `word`: it has another ending, or is a compound with `word`. Some languages also
 * write articles and prepositions together with a word.
 */
function isFormOf(other: string, word: string): boolean {
  if (other === word || (word.length > 3 && other.includes(word))) return true;
  let shared = 0;
  while (shared < word.length && other[shared] === word[shared]) shared++;
  return shared >= 3 && shared >= 0.55 * Math.max(word.length, other.length);
}
