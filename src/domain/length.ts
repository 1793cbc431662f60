import { SPACELESS } from "./search-text.ts";

/** Reading speed: words, and characters of scripts without spaces. */
const WORDS_A_MINUTE = 230;
const CHARACTERS_A_MINUTE = 500;

const SPACELESS_RUN = new RegExp(`${SPACELESS.source}+`, "gu");
const SECOND_HALVES = /[\udc00-\udfff]/g;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu;

/** Returns the reading time in minutes, as a fraction. */
export function estimateMinutes(text: string): number {
  let [words, characters] = [0, 0];
  const rest = text.replaceAll(SPACELESS_RUN, (run) => ((characters += run.replaceAll(SECOND_HALVES, "").length), " "));
  for (const _ of rest.matchAll(WORD)) words++;
  return words / WORDS_A_MINUTE + characters / CHARACTERS_A_MINUTE;
}

/** Counts words by Unicode segmentation, which also works for scripts without spaces. */
export function countWordsInText(text: string, locale?: string): number {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(locale, { granularity: "word" }).segment(text)) {
    if (isWordLike === true) words++;
  }
  return words;
}
