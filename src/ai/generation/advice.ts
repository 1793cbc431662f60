/** Advice on an article for its author. Also runs in the browser. It never prevents saving or publishing. */
import { LIMITS } from "../../domain/limits.ts";
import { canonicalizeLocale } from "../../domain/locale.ts";
import { isWebUrl } from "../../lib/web-url.ts";
import type { judgeLanguage } from "./language.ts";
import { countWords, listHeadings, toLine, listNodes, parse, markdownToPlainText, type Content } from "./markdown.ts";
import { findPlaceholders } from "./placeholders.ts";
import { countNoun } from "./sentences.ts";
import type { AvoidedTerm } from "../../domain/style-guide.ts";
import { describeAvoided, findAvoided, findAvoidedInLine } from "./style-checks.ts";
import { checkLocale, findDescriptionProblem } from "./text-checks.ts";

/** The article. `seoTitle` and the like are "" if the article's own fields stand for them. */
export type Advised = {
  readonly title: string;
  readonly description: string;
  readonly content: string;
  readonly locale: string;
  readonly coverUrl: string;
  readonly seoTitle: string;
  readonly seoDescription: string;
  readonly seoImage: string;
  /** What the style guide of its blog avoids. */
  readonly avoid: readonly AvoidedTerm[];
};

/** A field of the editor, and the characters in `content`. */
export type Place = {
  readonly field: "title" | "description" | "content" | "coverUrl" | "locale" | "seoTitle" | "seoDescription";
  readonly from?: number;
  readonly to?: number;
};

/** `text` says what is wrong, `why` says why it matters. */
export type Advice = { readonly text: string; readonly why: string; readonly at: Place };

/**
 * Returns the advice in the order of the page, a few of each kind. `judge` is `judgeLanguage`, which the browser loads
 * separately, because its data are larger than everything else.
 */
export function giveAdvice(given: Advised, judge: typeof judgeLanguage): Advice[] {
  // While somebody types a locale, it may be invalid. There is no advice on the language then.
  const locale = canonicalizeLocale(given.locale);
  const article = { ...given, locale: locale ?? "und" };
  const { children } = parse(article.content);
  const words = countWords(article.content, article.locale);
  return [
    ...adviseOnTitle(article),
    ...adviseOnDescription(article),
    ...adviseOnImages(article, children),
    ...adviseOnHeadings(children, words),
    ...adviseOnParagraphs(children, article.locale),
    ...adviseOnLinks(article, children),
    ...adviseOnHtml(children),
    ...adviseOnPlaceholders(article),
    ...adviseOnStyle(article),
    ...(locale === null ? [] : adviseOnLocale(article, judge)),
  ];
}

const MOST = 5;

/** Search engines cut titles by their width, at about 60 to 65 Latin letters. */
const TITLE_LENGTH = 65;

function adviseOnTitle({ title, seoTitle }: Advised): Advice[] {
  const [shown, field] =
    seoTitle.trim() === "" ? [title.trim(), "title" as const] : [seoTitle.trim(), "seoTitle" as const];
  if (shown === "") return [{ text: "The article has no title.", why: WHY.title, at: { field } }];
  const { length } = Array.from(shown);
  if (length <= TITLE_LENGTH) return [];
  return [
    {
      text: `The title has ${length} characters; search engines show about ${TITLE_LENGTH}.`,
      why: WHY.longTitle,
      at: { field },
    },
  ];
}

function adviseOnDescription({ description, seoDescription }: Advised): Advice[] {
  const isOwn = seoDescription.trim() === "";
  const text = findDescriptionProblem((isOwn ? description : seoDescription).trim());
  const field = isOwn ? "description" : "seoDescription";
  return text === "" ? [] : [{ text, why: WHY.description, at: { field } }];
}

function adviseOnImages({ coverUrl, seoImage }: Advised, blocks: readonly Content[]): Advice[] {
  const cover: Advice[] =
    coverUrl.trim() === "" && seoImage.trim() === ""
      ? [{ text: "The article has no cover image.", why: WHY.cover, at: { field: "coverUrl" } }]
      : [];
  const pictures = listNodes(blocks, "image").map((node) => ({ node, url: node.url }));
  const silent = pictures.filter(({ node }) => node.alt.trim() === "");
  const relative = pictures.filter(({ url }) => !isWebUrl(url));
  return [
    ...cover,
    ...silent.slice(0, MOST).map(({ node, url }) => ({
      text: `The image ${quoteFileName(url)} has no alt text.`,
      why: WHY.alt,
      at: toPlace(node),
    })),
    ...relative.slice(0, MOST).map(({ node, url }) => ({
      text: `The image “${url}” has no complete URL.`,
      why: WHY.relative,
      at: toPlace(node),
    })),
  ];
}

function quoteFileName(url: string): string {
  const [path = url] = url.split(/[?#]/);
  return `“${path.split("/").findLast((part) => part !== "") ?? url}”`;
}

const NEEDS_HEADINGS = 300;

function adviseOnHeadings(blocks: readonly Content[], words: number): Advice[] {
  const headings = listHeadings(blocks);
  if (headings.length === 0 && words > NEEDS_HEADINGS) {
    return [
      { text: `The text has ${words} words and no headings.`, why: WHY.headings, at: { field: "content", from: 0 } },
    ];
  }
  const advice: Advice[] = [];
  let above = 1;
  for (const heading of headings) {
    const named = `The heading “${toLine(heading)}”`;
    if (heading.depth === 1) {
      const text = `${named} is at level 1, which is for the title.`;
      advice.push({ text, why: WHY.firstLevel, at: toPlace(heading) });
    } else if (heading.depth > above + 1) {
      const text = `${named} is at level ${heading.depth} directly below one at level ${above}.`;
      advice.push({ text, why: WHY.levels, at: toPlace(heading) });
    } else if (toLine(heading) === "" && listNodes([heading], "image").length === 0) {
      advice.push({ text: "A heading is empty.", why: WHY.levels, at: toPlace(heading) });
    }
    above = heading.depth;
  }
  return advice.slice(0, MOST);
}

const LONG_PARAGRAPH = 150;

function adviseOnParagraphs(blocks: readonly Content[], locale: string): Advice[] {
  const long = listNodes(blocks, "paragraph").flatMap((paragraph) => {
    const words = countWords(toLine(paragraph), locale);
    return words > LONG_PARAGRAPH ? [{ paragraph, words }] : [];
  });
  return long.slice(0, MOST).map(({ paragraph, words }) => ({
    text: `A paragraph has ${words} words.`,
    why: WHY.paragraph,
    at: toPlace(paragraph),
  }));
}

function adviseOnLinks({ content, locale }: Advised, blocks: readonly Content[]): Advice[] {
  const links = listNodes(blocks, "link").map((node) => ({ node, url: node.url }));
  const advice = links.flatMap(({ node, url }): Advice[] => {
    const text = toLine(node).toLowerCase();
    const hasPicture = listNodes([node], "image").some(({ alt }) => alt.trim() !== "");
    const at = toPlace(node);
    if (isRefused(url)) return [{ text: `The link to “${url}” is shown as text.`, why: WHY.refusedLink, at }];
    if (text === "" && !hasPicture) return [{ text: `The link to “${url}” has no text.`, why: WHY.linkText, at }];
    if (!MEANINGLESS.has(text)) return [];
    return [{ text: `The text of a link is only “${toLine(node)}”.`, why: WHY.linkText, at }];
  });
  const isLong = countWords(content, locale) > NEEDS_HEADINGS;
  const hasOwn = links.some(({ url }) => url.startsWith("/"));
  const own: Advice[] =
    isLong && !hasOwn
      ? [{ text: "The text links to none of your other articles.", why: WHY.ownLinks, at: { field: "content" } }]
      : [];
  return [...advice.slice(0, MOST), ...own];
}

/** Link texts that say nothing by themselves, in common languages. */
const MEANINGLESS: ReadonlySet<string> = new Set(
  (
    "here|click here|this|link|this link|more|read more|learn more|hier|mehr|weiterlesen|dieser link|ici|cliquez ici|" +
    "lire la suite|en savoir plus|aquí|haz clic aquí|leer más|más|aqui|clique aqui|leia mais|saiba mais|qui|clicca qui|" +
    "leggi di più|klik hier|lees meer|tutaj|kliknij tutaj|więcej|здесь|подробнее|ここ|こちら|点击这里|这里|更多"
  ).split("|"),
);

/** Returns true if the console shows the link as text, because of its scheme. */
function isRefused(url: string): boolean {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(url.trim()) ?? [];
  return scheme !== undefined && !["http", "https", "mailto"].includes(scheme.toLowerCase());
}

function adviseOnHtml(blocks: readonly Content[]): Advice[] {
  const [first, ...others] = listNodes(blocks, "html").filter(({ value }) => !value.startsWith("<!"));
  if (first === undefined) return [];
  const text = `The text has ${countNoun(1 + others.length, "piece")} of HTML, which readers see as plain text.`;
  return [{ text, why: WHY.html, at: toPlace(first) }];
}

function adviseOnPlaceholders({ title, description, content }: Advised): Advice[] {
  const found = findPlaceholders([title, description, markdownToPlainText(content)].join("\n"));
  return found.slice(0, MOST).map((placeholder) => {
    const from = content.indexOf(placeholder);
    const at: Place = from < 0 ? { field: "title" } : { field: "content", from, to: from + placeholder.length };
    return { text: `“${placeholder}” looks like a placeholder.`, why: WHY.placeholder, at };
  });
}

const LINES = {
  title: "title",
  description: "description",
  seoTitle: "meta title",
  seoDescription: "meta description",
} as const;

function adviseOnStyle(article: Advised): Advice[] {
  const { content, avoid } = article;
  const inLines = Object.entries(LINES).flatMap(([name, where]) => {
    const field = name as keyof typeof LINES;
    return findAvoidedInLine(article[field], avoid).map((term) => ({ term, where, at: { field } }));
  });
  const inText = findAvoided(content, avoid).map((term) => ({ term, where: "text", at: toPlace(term) }));
  return [...inLines, ...inText]
    .slice(0, MOST)
    .map(({ term, where, at }) => ({ text: describeAvoided(term, ` (${where})`), why: WHY.style, at }));
}

function adviseOnLocale({ content, locale }: Advised, judge: typeof judgeLanguage): Advice[] {
  const { passed, detail } = checkLocale({ content, locale }, judge);
  return passed ? [] : [{ text: detail, why: WHY.locale, at: { field: "locale" } }];
}

const toPlace = ({ from = 0, to = 0 }: Pick<Content, "from" | "to">): Place => ({ field: "content", from, to });

const WHY = {
  title: "Lists, search results and shared links show it first.",
  longTitle: "The rest is cut off in search results. A shorter meta title can replace it there.",
  description: `Search results and shared links show it below the title. Without one, search engines choose a passage; what is longer than ${LIMITS.metaDescription} characters is cut off.`,
  cover: "Shared links to the article have no image.",
  alt: "People who cannot see the image, and search engines, do not know what it shows. Leave it empty if the image is only decoration.",
  relative: "It would be a different image on each site, so it is not shown. Use a URL that begins with https://.",
  headings: "Readers scan the headings first, and screen readers navigate by them.",
  firstLevel: "A page has one level 1 heading, its title. Begin with ##.",
  levels: "People who navigate by headings expect no gap between the levels.",
  paragraph: "Long paragraphs are hard to read on a screen. Most end after three to five sentences.",
  linkText: "Screen readers list links by their text, and search engines read it as a description of the target.",
  refusedLink: "A link can be an http, https or mailto URL, or a path of the site.",
  ownLinks: "Such links show readers what to read next, and help search engines find it.",
  html: "Only HTML that can do no harm on a page is rendered, such as <sub> and <details>. Use Markdown instead.",
  placeholder: "Replace it, or remove it.",
  style: "The blog’s texts use the same words for the same things.",
  locale:
    "Browsers read and hyphenate the text in its locale, and search engines show it to those who read that language.",
} as const;
