/** Compares a reworked passage with the original, and warns about differences. */
import { nameOf } from "../../domain/language-name.ts";
import type { PassageTask } from "./assist-tasks.ts";
import { judgeLanguage } from "./language.ts";
import { linksOf } from "./links.ts";
import { countWords, nodesOf, parse, plainText } from "./markdown.ts";
import { count } from "./sentences.ts";
import { LANGUAGES_DIFFER } from "./translate.ts";

type Before = { readonly task: PassageTask; readonly passage: string; readonly locale: string };
type After = { readonly text: string; readonly locale: string };

export const warningsOf = (before: Before, after: After): string[] =>
  [languageProblem(after), lengthProblem(before, after), ...partsProblems(before, after)].filter(
    (sentence) => sentence !== "",
  );

/** Words that a passage needs for its language and length to be judged. */
const JUDGED = 15;

function languageProblem({ text, locale }: After): string {
  if (countWords(text, locale) < JUDGED) return "";
  const verdict = judgeLanguage(plainText(text), locale);
  if (verdict.kind !== "differs") return "";
  return `The text is ${verdict.found === "" ? "in a different script from" : `${verdict.found}, not`} ${nameOf(locale)}.`;
}

/** The factor by which the number of words may change. */
const MAY_CHANGE: Readonly<Record<Exclude<PassageTask, "shorten">, number>> = {
  correct: 1.25,
  rephrase: 1.7,
  translate: LANGUAGES_DIFFER,
};

function lengthProblem({ task, passage, locale }: Before, after: After): string {
  const [was, is] = [countWords(passage, locale), countWords(after.text, after.locale)];
  const told = `it has ${count(is, "word")} now, and had ${was}.`;
  if (task === "shorten") return is < was ? "" : `It is not shorter: ${told}`;
  const most = MAY_CHANGE[task];
  if (was < JUDGED || (is <= was * most && is >= was / most)) return "";
  return `Its length has changed a lot: ${told}`;
}

/** What must stay the same: kinds of parts, each with a function that lists them as texts. */
const PARTS: readonly { readonly noun: string; readonly of: (markdown: string) => string[] }[] = [
  { noun: "link", of: (markdown) => Object.values(linksOf(markdown)).flat() },
  {
    noun: "link definition",
    of: (markdown) =>
      nodesOf(parse(markdown).children, "definition").map(({ identifier, url }) => `${identifier} ${url}`),
  },
  { noun: "image", of: (markdown) => nodesOf(parse(markdown).children, "image").map(({ url }) => url) },
  { noun: "code block", of: (markdown) => nodesOf(parse(markdown).children, "code").map(({ value }) => value) },
  {
    noun: "piece of code",
    of: (markdown) => nodesOf(parse(markdown).children, "inlineCode").map(({ value }) => value),
  },
  { noun: "heading", of: (markdown) => nodesOf(parse(markdown).children, "heading").map(({ depth }) => `${depth}`) },
  { noun: "footnote", of: (markdown) => markdown.match(/\[\^[^\]\s]+\]/g) ?? [] },
];

/** Reports parts that were removed or added. A shortened text may leave some out. */
function partsProblems({ task, passage }: Before, { text }: After): string[] {
  return PARTS.map(({ noun, of }) => {
    const [was, is] = [of(passage), of(text)];
    const [gone, added] = [without(was, is), without(is, was)];
    if (gone.length > 0 && task !== "shorten") return `${plural(gone.length, noun)} changed or left out.`;
    return added.length > 0 ? `${plural(added.length, noun)} new or changed.` : "";
  });
}

function without(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const plural = (number: number, noun: string): string => {
  const [first = "", ...rest] = noun.split(" ");
  const name = first === "piece" ? `${count(number, first)} ${rest.join(" ")}` : count(number, noun);
  return `${name} ${number === 1 ? "is" : "are"}`;
};
