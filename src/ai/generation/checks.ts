/** Checks that an editor would make before publishing. A failed check is only reported. */
import type { Check, CheckName } from "./brief.ts";
import { judgeLanguage } from "./language.ts";
import { listLinks } from "./links.ts";
import { countWords, listHeadings, toLine, parse, markdownToPlainText, type Root } from "./markdown.ts";
import { findPlaceholders } from "./placeholders.ts";
import { countNoun, describeRemovedLinks } from "./sentences.ts";
import type { AvoidedTerm } from "../../domain/style-guide.ts";
import { findStyleProblem } from "./style-checks.ts";
import { checkLocale, findDescriptionProblem } from "./text-checks.ts";

export type Draft = {
  readonly title: string;
  readonly description: string;
  readonly content: string;
  readonly locale: string;
  readonly keyword: string;
  readonly links: {
    /** Links that were removed because their targets are not allowed. */
    readonly removed: number;
    /** The blog's articles that the text may link to, such as `/about`. */
    readonly offered: readonly string[];
  };
  /** The wanted length, and the limits of the length check. */
  readonly words: { readonly wanted: number; readonly least: number; readonly most: number };
  /** What the blog's style guide avoids. */
  readonly avoid: readonly AvoidedTerm[];
  /** The Markdown of a translation's source; otherwise null. */
  readonly source: string | null;
};

/** Returns the results in the order of `CheckName`. */
export function checkArticle(draft: Draft): Check[] {
  const tree = parse(draft.content);
  const first = tree.children.find(({ type }) => type === "paragraph");
  return [
    makeCheck("title", findTitleProblem(draft, tree)),
    makeCheck(
      "headings",
      draft.source === null ? findHeadingProblem(tree) : findStructureProblem(tree, parse(draft.source)),
    ),
    makeCheck("description", findDescriptionProblem(draft.description)),
    makeCheck("keyword_in_title", findKeywordProblem(draft.title, "The title", draft.keyword)),
    makeCheck(
      "keyword_in_first_paragraph",
      findKeywordProblem(first === undefined ? "" : toLine(first), "The first paragraph", draft.keyword),
    ),
    makeCheck("placeholders", findPlaceholderProblem(draft)),
    { name: "locale", ...checkLocale(draft, judgeLanguage) },
    makeCheck("length", findLengthProblem(draft)),
    makeCheck("links", findLinkProblem(draft)),
    makeCheck("style", findStyleProblem(draft, draft.avoid)),
  ];
}

const makeCheck = (name: CheckName, problem: string): Check => ({ name, passed: problem === "", detail: problem });

function findTitleProblem({ title }: Draft, tree: Root): string {
  if (title.trim() === "") return "The article has no title.";
  const more = listHeadings(tree.children).filter(({ depth }) => depth === 1).length;
  return more === 0 ? "" : `The content has ${countNoun(more, "heading")} of the first level in addition to the title.`;
}

function findHeadingProblem(tree: Root): string {
  let above = 1;
  for (const heading of listHeadings(tree.children)) {
    if (heading.depth > above + 1) {
      return `The heading “${toLine(heading)}” is at level ${heading.depth} directly below one at level ${above}.`;
    }
    above = heading.depth;
  }
  return above === 1 ? "The text has no headings." : "";
}

/** A translation must have the heading levels of its source, even if these skip a level. */
function findStructureProblem(tree: Root, source: Root): string {
  const levels = [tree, source].map(({ children }) => listHeadings(children).map(({ depth }) => depth));
  const [own = [], wanted = []] = levels;
  if (own.length !== wanted.length) {
    return `The translation has ${countNoun(own.length, "heading")}, its source ${wanted.length}.`;
  }
  const isSame = own.every((depth, index) => depth === wanted[index]);
  return isSame ? "" : "The headings are not at the same levels as those of the source.";
}

function findKeywordProblem(text: string, where: string, keyword: string): string {
  if (keyword === "") return "There is no primary keyword.";
  return mentionsKeyword(text, keyword) ? "" : `${where} does not name the keyword “${keyword}”.`;
}

function findPlaceholderProblem({ title, description, content }: Draft): string {
  const found = findPlaceholders([title, description, markdownToPlainText(content)].join("\n"));
  return found.length === 0 ? "" : `Placeholders were left in the text: ${found.slice(0, 5).join(", ")}.`;
}

function findLengthProblem({ content, locale, words, source }: Draft): string {
  const own = countWords(content, locale);
  if (own >= words.least && own <= words.most) return "";
  return `The text has ${countNoun(own, "word")}; ${source === null ? `${words.wanted} were asked for` : `its source has ${words.wanted}`}.`;
}

function findLinkProblem({ content, links, source }: Draft): string {
  if (links.removed > 0) return describeRemovedLinks(links.removed);
  const targets = listTargets(content);
  if (source !== null) {
    const wanted = listTargets(source).length;
    return targets.length === wanted
      ? ""
      : `The translation has ${countNoun(targets.length, "link")}, its source ${wanted}.`;
  }
  const hasInternal = links.offered.length === 0 || targets.some((target) => links.offered.includes(target));
  return hasInternal ? "" : "The text links to none of the blog's other articles.";
}

function listTargets(markdown: string): string[] {
  const { written, literal } = listLinks(markdown);
  return written.concat(literal);
}

/**
 * Returns true if `text` contains all words of `keyword`, in any order and form (`booking`, `bookings`). Ignores case,
 * diacritics and, if two longer words remain, words of at most three letters. In scripts without spaces, the text must
 * contain the keyword literally.
 */
export function mentionsKeyword(text: string, keyword: string): boolean {
  const [inText, inKeyword] = [foldText(text), foldText(keyword)];
  const words = splitWords(inKeyword);
  if (words.length === 0) return false;
  const closed = words.join("");
  // Compared without spaces and hyphens, `e-mail` matches `email`. Short keywords would match inside other words.
  const isDistinct = UNSPACED.test(closed) || closed.length >= LONG_ENOUGH;
  if (isDistinct && splitWords(inText).join("").includes(closed)) return true;
  const candidates = splitWords(inText);
  return selectWeighty(words).every((word) => candidates.some((other) => isWordForm(other, word)));
}

const LONG_ENOUGH = 5;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[ßı]/gu, (letter) => (letter === "ß" ? "ss" : "i"));

const splitWords = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Leaves out short words: articles and prepositions change with the sentence. */
function selectWeighty(words: readonly string[]): readonly string[] {
  const long = words.filter((word) => word.length > 3);
  return long.length >= 2 ? long : words;
}

/**
 * Returns true if `other` has another ending than `word`, or is a compound with it. Some languages also write articles and
 * prepositions together with a word.
 */
function isWordForm(other: string, word: string): boolean {
  if (other === word || (word.length > 3 && other.includes(word))) return true;
  let shared = 0;
  while (shared < word.length && other[shared] === word[shared]) shared++;
  return shared >= 3 && shared >= 0.55 * Math.max(word.length, other.length);
}
