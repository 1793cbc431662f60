/** Splits texts into the words of the full text index. */
import { toPlainLetters } from "../lib/plain-letters.ts";

/** A folded word, that is, without differences that search ignores, such as case and accents. */
export type Word = { readonly word: string; readonly start: number; readonly end: number };

/** Characters of words, including soft hyphens and joiners. A word has at least one letter or number. */
const RUN = /[\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060]+/gu;
const SOUND = /[\p{L}\p{N}]/u;
const PLAIN = /^[a-z0-9]+$/;

/** Scripts without spaces. Each character counts as a word; several in a query form a phrase. */
const SPACELESS_SCRIPTS = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
export const SPACELESS = new RegExp(`[${SPACELESS_SCRIPTS}]`, "u");
const PIECE = new RegExp(`[${SPACELESS_SCRIPTS}]\\p{M}*|[^${SPACELESS_SCRIPTS}]+`, "gu");

/** Accents of Latin, Greek and Cyrillic, and the optional vowel signs of Hebrew and Arabic. */
const OPTIONAL_MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670]/g;

/** Invisible characters, the Arabic tatweel, and characters that turn digits into emoji. */
const STRIPPED = /[\u00ad\u0640\u200b-\u200d\u2060]|\u20e3|[\ufe00-\ufe0f]/g;

/** Longer runs are split, because the time to fold a run grows with the square of its length. */
const LONGEST_RUN = 500;

export type WordReader = (text: string) => Generator<Word>;

/**
 * Returns a reader for several texts, such as those of one page of results. It yields at most `most` words from all of
 * them together. The limit is necessary because one letter can stand for four words, and a text of 1 MB for a million.
 * Folding an unknown piece counts as several words. So where the reader stops depends only on the texts, not on time.
 */
export function makeWordReader(most: number): WordReader {
  const known = new Map<string, readonly string[]>();
  let left = most;
  const foldPiece = (piece: string): readonly string[] => {
    const found = known.get(piece);
    if (found !== undefined) return found;
    left -= FOLDING + piece.length;
    const words = foldWords(piece);
    if (piece.length <= LONGEST_KEPT) known.set(piece, words);
    return words;
  };
  return function* read(text) {
    for (const { 0: run, index } of text.matchAll(RUN)) {
      for (let from = 0; from < run.length; from += LONGEST_RUN) {
        for (const word of splitRun(run.slice(from, from + LONGEST_RUN), index + from, foldPiece)) {
          if (left-- <= 0) return;
          yield word;
        }
        if (left <= 0) return;
      }
    }
  };
}

/** How many words folding a piece counts as, in addition to its characters. */
const FOLDING = 4;
/** Maximum characters of pieces whose words are cached. */
const LONGEST_KEPT = 30;

function* splitRun(run: string, start: number, foldText: (piece: string) => readonly string[]): Generator<Word> {
  const lower = run.toLowerCase();
  if (PLAIN.test(lower)) return yield { word: lower, start, end: start + run.length };
  let end = start;
  // The pieces cover the whole run.
  for (const piece of run.match(PIECE) ?? []) {
    const from = end;
    end += piece.length;
    for (const word of foldText(piece)) yield { word, start: from, end };
  }
}

/** Folding can turn one character into several words, even with punctuation between them. */
const foldWords = (piece: string): string[] =>
  IDEOGRAPH.test(piece)
    ? [piece]
    : Array.from(fold(piece).matchAll(RUN))
        .flatMap(([part]) => Array.from(part.matchAll(PIECE), ([word]) => word))
        .filter((word) => SOUND.test(word));

/** Folding does not change these, and a text may have thousands of different ones. */
const IDEOGRAPH = /^[\u4e00-\u9fff]$/;

const fold = (text: string): string =>
  // Upper case first, because the upper case of "ß" is "SS".
  toPlainLetters(
    text
      .normalize("NFKD")
      .replaceAll(OPTIONAL_MARKS, "")
      .replaceAll(STRIPPED, "")
      .normalize("NFC")
      .toUpperCase()
      .toLowerCase()
      .replaceAll("ς", "σ"),
  );

/** Returns whether a word can be a prefix. Words of scripts without spaces cannot. */
export const canBePrefix = (word: string): boolean => !SPACELESS.test(word);

/** A numeric character reference, such as `&#x6587;`. */
const REFERENCE = /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi;

/**
 * Decodes numeric references of letters and numbers in Markdown. The editor writes them beside `**太字。**`, because
 * Markdown would otherwise not recognize the bold text.
 */
export const decodeLetters = (markdown: string): string =>
  markdown.replaceAll(REFERENCE, (written: string, hex: string | undefined, decimal: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const character = code > 0x10ffff ? "" : String.fromCodePoint(code);
    return LETTER.test(character) ? character : written;
  });

const LETTER = /^[\p{L}\p{N}\p{M}]$/u;
