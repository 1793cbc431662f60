/** Renders an article for its readers: HTML, plain text, an excerpt and the headings (contract 20.3). Loaded on first use. */
import { EXCERPT, type ArticleRendering } from "../../src/domain/rendering.ts";
import { estimateMinutes } from "../../src/domain/length.ts";
import { makeHighlighter } from "./code.ts";
import { renderHtml, READERS } from "./html.ts";
import { parse } from "./parse.ts";
import { makeExcerpt, toPlainText } from "./plain-text.ts";

export function renderArticle(content: string): ArticleRendering {
  const tree = parse(content);
  const { html, headings } = renderHtml(tree, { ...READERS, highlight: makeHighlighter() });
  const text = toPlainText(tree);
  const readingMinutes = Math.max(1, Math.ceil(estimateMinutes(text)));
  return { readingMinutes, excerpt: makeExcerpt(tree, EXCERPT), headings, text, html };
}
