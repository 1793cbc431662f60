/** Compares a reworked passage with the original, and warns about differences. */
import { getLanguageName } from "../../domain/language-name.ts";
import type { PassageTask } from "./assist-tasks.ts";
import { judgeLanguage } from "./language.ts";
import { listLinks } from "./links.ts";
import { countWords, listNodes, parse, markdownToPlainText } from "./markdown.ts";
import { countNoun } from "./sentences.ts";
import { LANGUAGES_DIFFER } from "./translate.ts";

type Before = { readonly task: PassageTask; readonly passage: string; readonly locale: string };
type After = { readonly text: string; readonly locale: string };

export const listWarnings = (before: Before, after: After): string[] =>
  [findLanguageProblem(after), findLengthProblem(before, after), ...findPartProblems(before, after)].filter(
    (sentence) => sentence !== "",
  );

/** Words that a passage needs for its language and length to be judged. */
const JUDGED = 15;

function findLanguageProblem({ text, locale }: After): string {
  if (countWords(text, locale) < JUDGED) return "";
  const verdict = judgeLanguage(markdownToPlainText(text), locale);
  if (verdict.kind !== "differs") return "";
  return `The text is ${verdict.found === "" ? "in a different script from" : `${verdict.found}, not`} ${getLanguageName(locale)}.`;
}

/** The factor by which the number of words may change. */
const MAY_CHANGE: Readonly<Record<Exclude<PassageTask, "shorten">, number>> = {
  correct: 1.25,
  rephrase: 1.7,
  translate: LANGUAGES_DIFFER,
};

function findLengthProblem({ task, passage, locale }: Before, after: After): string {
  const [was, is] = [countWords(passage, locale), countWords(after.text, after.locale)];
  const told = `it has ${countNoun(is, "word")} now, and had ${was}.`;
  if (task === "shorten") return is < was ? "" : `It is not shorter: ${told}`;
  const most = MAY_CHANGE[task];
  if (was < JUDGED || (is <= was * most && is >= was / most)) return "";
  return `Its length has changed a lot: ${told}`;
}

/** What must stay the same: kinds of parts, each with a function that lists them as texts. */
const PARTS: readonly { readonly noun: string; readonly of: (markdown: string) => string[] }[] = [
  { noun: "link", of: (markdown) => Object.values(listLinks(markdown)).flat() },
  {
    noun: "link definition",
    of: (markdown) =>
      listNodes(parse(markdown).children, "definition").map(({ identifier, url }) => `${identifier} ${url}`),
  },
  { noun: "image", of: (markdown) => listNodes(parse(markdown).children, "image").map(({ url }) => url) },
  { noun: "code block", of: (markdown) => listNodes(parse(markdown).children, "code").map(({ value }) => value) },
  {
    noun: "piece of code",
    of: (markdown) => listNodes(parse(markdown).children, "inlineCode").map(({ value }) => value),
  },
  { noun: "heading", of: (markdown) => listNodes(parse(markdown).children, "heading").map(({ depth }) => `${depth}`) },
  { noun: "footnote", of: (markdown) => markdown.match(/\[\^[^\]\s]+\]/g) ?? [] },
];

/** Reports parts that were removed or added. A shortened text may leave some out. */
function findPartProblems({ task, passage }: Before, { text }: After): string[] {
  return PARTS.map(({ noun, of }) => {
    const [was, is] = [of(passage), of(text)];
    const [gone, added] = [subtract(was, is), subtract(is, was)];
    if (gone.length > 0 && task !== "shorten") return `${countWithVerb(gone.length, noun)} changed or left out.`;
    return added.length > 0 ? `${countWithVerb(added.length, noun)} new or changed.` : "";
  });
}

function subtract(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const countWithVerb = (number: number, noun: string): string => {
  const [first = "", ...rest] = noun.split(" ");
  const name = first === "piece" ? `${countNoun(number, first)} ${rest.join(" ")}` : countNoun(number, noun);
  return `${name} ${number === 1 ? "is" : "are"}`;
};
