/** Renders an article for its readers: HTML, plain text, an excerpt and the headings (contract 20.3). Loaded on first use. */
import { EXCERPT, type ArticleRendering } from "../../src/domain/rendering.ts";
import { minutesFor } from "../../src/domain/length.ts";
import { highlighter } from "./code.ts";
import { htmlOf, READERS } from "./html.ts";
import { parse } from "./parse.ts";
import { excerptOf, plainText } from "./plain-text.ts";

export function renderArticle(content: string): ArticleRendering {
  const tree = parse(content);
  const { html, headings } = htmlOf(tree, { ...READERS, highlight: highlighter() });
  const text = plainText(tree);
  const readingMinutes = Math.max(1, Math.ceil(minutesFor(text)));
  return { readingMinutes, excerpt: excerptOf(tree, EXCERPT), headings, text, html };
}
