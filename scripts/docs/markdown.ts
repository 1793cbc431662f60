/** Renders Markdown with the service's own renderer. */
import { html, raw } from "hono/html";
import { renderHtml, READERS } from "../../packages/markdown/html.ts";
import { parse } from "../../packages/markdown/parse.ts";

export type Html = ReturnType<typeof html>;

export const renderMarkdown = (text: string): Html => html`${raw(renderHtml(parse(text), READERS).html)}`;

/** Renders the text of a label or a table cell, without a paragraph around it. */
export function renderInline(text: string): Html {
  // A short cut: most texts are plain except for code, and parsing a thousand of them takes a while.
  if (!/[[*_<>&\\]|https?:/.test(text.replaceAll(/`[^`]*`/g, ""))) {
    return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
  }
  const tree = parse(text);
  const whole = renderHtml(tree, READERS).html;
  const isLine = tree.children.length === 1 && tree.children[0]?.type === "paragraph";
  return html`${raw(isLine ? whole.slice("<p>".length, -"</p>".length) : whole)}`;
}
