/** Checks that generation and the advice for authors (advice.ts) share. */
import { getLanguageName } from "../../domain/language-name.ts";
import { countWordsInText } from "../../domain/length.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Check } from "./brief.ts";
import type { judgeLanguage } from "./language.ts";
import { toLine, parse, splitAtHeadings, markdownToPlainText, blocksToPlainText } from "./markdown.ts";

type Text = { readonly content: string; readonly locale: string };

const DESCRIPTION = { least: 50, most: LIMITS.metaDescription };

export function findDescriptionProblem(description: string): string {
  const characters = Array.from(description);
  // CJK characters count twice towards the minimum: they are twice as wide, and search results are cut by width.
  const wide = description.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu) ?? [];
  if (characters.length <= DESCRIPTION.most && characters.length + wide.length >= DESCRIPTION.least) return "";
  return `The description has ${characters.length} characters; ${DESCRIPTION.least} to ${DESCRIPTION.most} are shown in full.`;
}

/** Words that a part needs to be judged on its own, and the whole text to be judged at all. */
const WORDS_OF_PART = 40;
const WORDS_OF_TEXT = 15;

/** Checks the language of each long section, or of a short text as a whole. */
export function checkLocale({ content, locale }: Text, judge: typeof judgeLanguage): Pick<Check, "passed" | "detail"> {
  const wanted = getLanguageName(locale);
  const parts = splitAtHeadings(parse(content).children).map((part) => ({ part, text: blocksToPlainText(part) }));
  const long = parts.filter(({ text }) => countWordsInText(text, locale) >= WORDS_OF_PART);
  const all = markdownToPlainText(content);
  const whole = countWordsInText(all, locale) >= WORDS_OF_TEXT ? [{ part: [], text: all }] : [];
  const judged = long.length > 0 ? long : whole;
  const verdicts = judged.map(({ part, text }) => ({ part, verdict: judge(text, locale) }));
  const problems = verdicts.flatMap(({ part: [heading], verdict }) => {
    if (verdict.kind !== "differs") return [];
    const where = heading?.type === "heading" ? `The section “${toLine(heading)}”` : "The text";
    return [`${where} is ${verdict.found === "" ? "in a different script from" : `${verdict.found}, not`} ${wanted}.`];
  });
  if (problems.length > 0) return { passed: false, detail: problems.join(" ") };
  const isKnown = verdicts.some(({ verdict }) => verdict.kind === "fits");
  return {
    passed: true,
    detail: isKnown ? "" : `It could not be checked whether the text is ${wanted}.`,
  };
}
