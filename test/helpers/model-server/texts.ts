/** Makes readable texts of a given length. The same prompt always gets the same text. */
import { type Language, LANGUAGES } from "./languages.ts";
import type { Wanted } from "./prompt.ts";

/** Counts the words of a text by the rules of its language, because Japanese has no spaces. */
export function wordsIn(text: string, language: string): number {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(language, { granularity: "word" }).segment(text))
    if (isWordLike === true) words += 1;
  return words;
}

const languageOf = ({ language }: Wanted): Language => {
  const known = LANGUAGES[language];
  if (known === undefined) throw new Error(`the test server does not speak ${language}`);
  return known;
};

const pick = (list: readonly string[], at: number): string => list[at % list.length] ?? "";

/** Replaces `{k}` by a keyword. */
function about(wanted: Wanted, text: string, at: number): string {
  const { keywords } = wanted.keywords.length > 0 ? wanted : languageOf(wanted);
  return text.replaceAll("{k}", pick(keywords, at));
}

/** Returns a title about the first keyword. */
export const titleOf = (wanted: Wanted, at: number): string =>
  about(wanted, pick(languageOf(wanted).titles, wanted.seed + at), 0);

export const headingOf = (wanted: Wanted, at: number): string => pick(languageOf(wanted).headings, wanted.seed + at);

export const keywordOf = (wanted: Wanted, at: number): string =>
  wanted.keywords[at] ?? pick(languageOf(wanted).keywords, at);

/** Returns the sentence with the number `at`. The first sentence of a text contains the first keyword. */
function sentenceOf(wanted: Wanted, at: number): string {
  const { sentences } = languageOf(wanted);
  const named = sentences.filter((sentence) => sentence.includes("{k}"));
  return about(wanted, at === 0 ? pick(named, wanted.seed) : pick(sentences, wanted.seed + at), at);
}

/** Returns at most `atMost` sentences with at most `most` characters. */
export function sentencesOf(wanted: Wanted, most: number, at = 0, atMost = 2): string {
  const { space } = languageOf(wanted);
  let text = sentenceOf(wanted, at).slice(0, most);
  for (let i = 1; i < atMost; i += 1) {
    const longer = `${text}${space}${sentenceOf(wanted, at + i)}`;
    if (longer.length > most) break;
    text = longer;
  }
  return text;
}

/** Returns Markdown: paragraphs of four sentences, a list in the second part, and headings of level 2 if wanted. */
export function markdownOf(wanted: Wanted, { headings, most }: { headings: boolean; most: number }): string {
  const { space, sentences } = languageOf(wanted);
  const blocks: string[] = [];
  let words = 0;
  const add = (block: string): boolean => {
    if (blocks.join("\n\n").length + block.length + 2 > most) return false;
    blocks.push(block);
    words += wordsIn(block, wanted.language);
    return words < wanted.words;
  };
  for (let part = 0, at = 0; part < 1000; part += 1) {
    if (headings && part > 0 && part % 2 === 1 && !add(`## ${headingOf(wanted, part >> 1)}`)) break;
    const four = [0, 1, 2, 3].map((i) => sentenceOf(wanted, at + i)).join(space);
    at += 4;
    if (!add(four)) break;
    if (part === 1 && !add([1, 2, 3].map((i) => `- ${sentenceOf(wanted, at + i + sentences.length)}`).join("\n")))
      break;
  }
  return blocks.join("\n\n") || sentencesOf(wanted, most);
}
