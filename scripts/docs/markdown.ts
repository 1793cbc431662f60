/** Renders Markdown with the service's own renderer. */
import { html, raw } from "hono/html";
import { htmlOf, READERS } from "../../packages/markdown/html.ts";
import { parse } from "../../packages/markdown/parse.ts";
import { lineOf } from "../../packages/markdown/plain-text.ts";
import { nodesOf } from "../../packages/markdown/tree.ts";
import type { Heading } from "../../src/domain/rendering.ts";

export type { Heading };
export type Html = ReturnType<typeof html>;

export const markdown = (text: string): Html => html`${raw(htmlOf(parse(text), READERS).html)}`;

/** Renders the text of a label or a table cell, without a paragraph around it. */
export function inline(text: string): Html {
  // A short cut: most texts are plain except for code, and parsing a thousand of them takes a while.
  if (!/[[*_<>&\\]|https?:/.test(text.replaceAll(/`[^`]*`/g, ""))) {
    return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
  }
  const tree = parse(text);
  const whole = htmlOf(tree, READERS).html;
  const isLine = tree.children.length === 1 && tree.children[0]?.type === "paragraph";
  return html`${raw(isLine ? whole.slice("<p>".length, -"</p>".length) : whole)}`;
}

export function guide(path: string, text: string) {
  const tree = parse(text);
  const [first, second] = tree.children;
  if (first?.type !== "heading" || first.depth !== 1) throw new Error("A guide begins with its title.");
  // Guides link to each other as files, so that their links also work in the repository.
  for (const link of nodesOf(tree.children, "link"))
    link.url = link.url.replace(/^([a-z-]+)\.md(?=$|#)/, "/docs/guides/$1");
  const { html: body, headings } = htmlOf({ ...tree, children: tree.children.slice(1) }, READERS);
  const sections = headings.filter(({ level }) => level === 2);
  return {
    path,
    title: lineOf(first),
    lead: second === undefined ? "" : lineOf(second),
    headings: sections,
    body: raw(body),
  };
}
