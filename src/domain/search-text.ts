/** The words of texts, as the full text index knows them. */

/** A word in its folded form, and its place in the text that it was found in. */
export type Word = { readonly word: string; readonly start: number; readonly end: number };

/** Soft hyphens and joiners stand within words; a word has a letter or a number. */
const RUN = /[\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060]+/gu;
const SOUND = /[\p{L}\p{N}]/u;
const PLAIN = /^[a-z0-9]+$/;

/** Scripts that are written without spaces: each character is a word, and a search for several asks for them in a row. */
const SPACELESS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const PIECE =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** Accents of Latin, Greek and Cyrillic, and the vowel signs that Hebrew and Arabic may leave out. */
const OPTIONAL_MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]/g;

/** Invisible characters, the stretching of Arabic words, and what makes emoji of digits. */
const STRIPPED = /[\u00ad\u0640\u200b-\u200d\u2060]|\u20e3|[\ufe00-\ufe0f]/g;

/** Characters of a run that are taken as one: nobody searches for a longer word, and folding takes its square. */
const LONGEST_RUN = 500;

/** Reads the words of texts, in their order. */
export type WordReader = (text: string) => Generator<Word>;

/**
 * A reader for texts that belong together, such as those of one page of results. In all of them it reads so many words
 * at most, and ends where they are used up: a letter can stand for four words, and a text of a megabyte for a million.
 * Folding a piece takes as long as several words and counts as them, the first time that it is met; how far a text is
 * read depends on nothing else than on the texts.
 */
export function openWords(most: number): WordReader {
  const known = new Map<string, readonly string[]>();
  let left = most;
  const foldedPiece = (piece: string): readonly string[] => {
    const found = known.get(piece);
    if (found !== undefined) return found;
    left -= FOLDING + piece.length;
    const words = foldedWords(piece);
    if (piece.length <= LONGEST_KEPT) known.set(piece, words);
    return words;
  };
  return function* read(text) {
    for (const { 0: run, index } of text.matchAll(RUN)) {
      for (let from = 0; from < run.length; from += LONGEST_RUN) {
        for (const word of wordsOfRun(run.slice(from, from + LONGEST_RUN), index + from, foldedPiece)) {
          if (left-- <= 0) return;
          yield word;
        }
        if (left <= 0) return;
      }
    }
  };
}

/** As how many words folding a piece counts, besides its characters; and how long one is whose words are kept. */
const FOLDING = 4;
const LONGEST_KEPT = 30;

function* wordsOfRun(run: string, start: number, foldedPiece: (piece: string) => readonly string[]): Generator<Word> {
  const lower = run.toLowerCase();
  if (PLAIN.test(lower)) return yield { word: lower, start, end: start + run.length };
  for (const { 0: piece, index } of run.matchAll(PIECE)) {
    const place = { start: start + index, end: start + index + piece.length };
    for (const word of foldedPiece(piece)) yield { word, ...place };
  }
}

/** The words of a piece: folded, one character may be several, also with a sign between. */
const foldedWords = (piece: string): string[] =>
  Array.from(folded(piece).matchAll(RUN))
    .flatMap(([part]) => Array.from(part.matchAll(PIECE), ([word]) => word))
    .filter((word) => SOUND.test(word));

const folded = (text: string): string =>
  // By way of upper case, in which "ß" is "SS".
  text
    .normalize("NFKD")
    .replaceAll(OPTIONAL_MARKS, "")
    .replaceAll(STRIPPED, "")
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ");

/** Whether more letters could follow a word: one of a script without spaces is complete. */
export const mayGrow = (word: string): boolean => !SPACELESS.test(word);
