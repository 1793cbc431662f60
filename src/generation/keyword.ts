/** Whether a text names a keyword, as a reader would see it and not as `includes` does. */

/**
 * Compares without case and diacritics. All words of the keyword have to be there, in any order and in other
 * forms of theirs (`booking`, `bookings`); short words beside longer ones do not matter. Scripts without spaces
 * are compared by inclusion.
 */
export function namesKeyword(text: string, keyword: string): boolean {
  const [inText, inKeyword] = [folded(text), folded(keyword)];
  const words = wordsOf(inKeyword);
  if (words.length === 0) return false;
  const closed = words.join("");
  // Also `e-mail` for `email`. Short ones would turn up within other words by chance.
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

/** Articles and prepositions change with the sentence: where two longer words remain, they do not count. */
function weighty(words: readonly string[]): readonly string[] {
  const long = words.filter((word) => word.length > 3);
  return long.length >= 2 ? long : words;
}

/** Endings differ, and some languages write articles, prepositions and other nouns together with a word. */
function isFormOf(other: string, word: string): boolean {
  if (other === word || (word.length > 3 && other.includes(word))) return true;
  let shared = 0;
  while (shared < word.length && other[shared] === word[shared]) shared++;
  return shared >= 3 && shared >= 0.55 * Math.max(word.length, other.length);
}
