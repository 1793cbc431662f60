import { visit } from "unist-util-visit";
import { toLine } from "../../src/lib/text.ts";
import type { Child, Element, Inside, Root } from "./html-tree.ts";

export const makeElement = (
  tagName: string,
  properties: Element["properties"],
  children: Element["children"],
): Element => ({
  type: "element",
  tagName,
  properties,
  children,
});

export const makeLink = (url: string): Element => makeElement("a", { href: url }, [{ type: "text", value: url }]);

export const makeLinkParagraph = (url: string): Element => makeElement("p", {}, [makeLink(url)]);

export const isElement = (node: Child | undefined, ...names: string[]): node is Element =>
  node?.type === "element" && names.includes(node.tagName);

export const hasClass = ({ properties }: Element, name: string): boolean =>
  Array.isArray(properties.className) && properties.className.includes(name);

/** Returns a property that is a text, trimmed; else "". */
export function getProperty(node: Element | undefined, name: string): string {
  const value = node?.properties[name];
  return typeof value === "string" ? value.trim() : "";
}

const toNames = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

export const isInline = (node: Element): boolean => INLINE.has(node.tagName);

const INLINE = toNames(
  `a abbr acronym b bdi bdo big button cite code data del dfn em font i img input ins kbd label map mark meter output
  progress q ruby s samp select small span strike strong sub sup svg textarea time tt u var wbr br`,
);

export const isBlock = (node: Element): boolean => BLOCKS.has(node.tagName);

const BLOCKS = toNames(
  `address article aside blockquote caption center col colgroup dd details dialog dir div dl dt fieldset figcaption
  figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu multicol nav ol optgroup option p
  plaintext pre section summary table tbody td tfoot th thead tr ul xmp`,
);

/** Returns whether an element is invisible and does not become Markdown. Datalists would be repeated for each input. */
export const isDropped = (node: Element): boolean => DROPPED.has(node.tagName);

const DROPPED = toNames(
  "area base basefont datalist link meta noembed noframes param script source style template title track",
);

export function findElements(parent: Root | Element, holds: (node: Element) => boolean): Element[] {
  const found: Element[] = [];
  visit(parent, "element", (node) => {
    if (node !== parent && holds(node)) found.push(node);
  });
  return found;
}

/** Returns the visible text on one line, with a space for each line break and around blocks. */
export const getLine = (parent: Root | Element): string => toLine(collectText(parent));

function collectText({ children }: Root | Element): string {
  let text = "";
  for (const node of children) {
    if (node.type === "text") text += node.value;
    if (node.type !== "element" || isDropped(node)) continue;
    const space = isBlock(node) || isElement(node, "br") ? " " : "";
    text += space + collectText(node) + space;
  }
  return text;
}

/**
 * Returns an inline element with these children. Nodes at both ends for which `isOutside` holds stay outside, because
 * a mark cannot begin or end with them.
 */
export function wrapInlines(
  node: Element,
  children: readonly Inside[],
  isOutside: (each: Inside) => boolean,
): Inside[] {
  const from = children.findIndex((each) => !isOutside(each));
  if (from === -1) return [...children];
  const to = children.findLastIndex((each) => !isOutside(each)) + 1;
  return [...children.slice(0, from), { ...node, children: children.slice(from, to) }, ...children.slice(to)];
}

export const isSpace = (node: Child): boolean => node.type === "text" && node.value.trim() === "";

export const wrapHtml = (name: string, html: string): string => `<${name}>${html}</${name}>`;

export const wrapFigure = (html: string, caption = ""): string =>
  `<figure>${html}${caption === "" ? "" : `<figcaption>${caption}</figcaption>`}</figure>`;

export const makeText = (value: string): Inside => ({ type: "text", value });

/** Escapes a text for HTML and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
