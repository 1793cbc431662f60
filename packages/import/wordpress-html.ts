/** Does what WordPress does before it shows a post: adds paragraphs, and replaces addresses by links. */
import { visit } from "unist-util-visit";
import { toPageUrl } from "./html-embeds.ts";
import { makeElement, isBlock, isElement, isInline, isSpace, makeLink, wrapInlines } from "./html-nodes.ts";
import { requireSizeOfArticle, type Element, type Inside, type Root } from "./html-tree.ts";

/** Returns whether the content is from the block editor. That of the classic editor has no paragraphs. */
export const isBlockContent = (html: string): boolean => html.includes("<!-- wp:");

/**
 * Makes paragraphs from bare lines, as `wpautop` does: an empty line ends a paragraph, also within inline elements,
 * which begin again in the next one. A single line break becomes `<br>`
 * (https://developer.wordpress.org/reference/functions/wpautop/). Throws `Unusable` if the post becomes too large.
 * Also calls `linkAddresses`.
 */
export function addParagraphs(tree: Root): void {
  const around = new Set<Element>();
  collectAround(tree, around);
  addWithin(tree, { around, copied: 0 });
  linkAddresses(tree);
}

/**
 * Makes a link of an address that is alone in a paragraph. WordPress embeds it
 * (https://wordpress.org/documentation/article/embeds/), and so do sites of articles.
 */
export function linkAddresses(tree: Root): void {
  visit(tree, "element", (node: Element) => {
    const [only, ...more] = node.children;
    if (!isElement(node, "p", "div", "figure") || only?.type !== "text" || more.length > 0) return;
    const url = only.value.trim();
    if (/^https?:\/\/[^\s<>"]+$/.test(url)) node.children = [makeLink(toPageUrl(url))];
  });
}

/** `around`: elements that contain a block. `copied`: characters of the tags that begin again. */
type State = { readonly around: ReadonlySet<Element>; copied: number };

/** Adds the elements below a node that contain a block. Returns whether there is a block. */
function collectAround({ children }: Root | Element, around: Set<Element>): boolean {
  let hasBlock = false;
  for (const node of children) {
    if (node.type !== "element") continue;
    if (collectAround(node, around)) around.add(node);
    hasBlock ||= isBlock(node) || around.has(node);
  }
  return hasBlock;
}

const AROUND = "div blockquote section article aside header footer main figure center ul ol dl".split(" ");
/** Blocks that only have paragraphs if there are several. */
const LINES = ["address", "li", "dd", "dt", "figcaption", "details"];

function addWithin(parent: Root | Element, state: State): void {
  const children: (Root["children"][number] | Inside)[] = [];
  let run: Inside[] = [];
  const flush = () => {
    const paragraphs = toParagraphs(run, state);
    const [only, ...more] = paragraphs;
    const isLine = only?.type === "element" && more.length === 0 && isElement(parent as Element, ...LINES);
    for (const each of isLine ? only.children : paragraphs) children.push(each);
    run = [];
  };
  for (const child of parent.children) {
    const isInside = child.type === "element" && isInline(child);
    if (child.type === "text" || (isInside && !state.around.has(child))) {
      run.push(child);
      continue;
    }
    flush();
    if (isInside || isElement(child, ...AROUND, ...LINES)) addWithin(child, state);
    children.push(child);
  }
  flush();
  parent.children = children as typeof parent.children;
}

const toParagraphs = (run: readonly Inside[], state: State): Inside[] =>
  split(run, state)
    .map(trimBreaks)
    .filter((nodes) => nodes.length > 0)
    .map((nodes) => makeElement("p", {}, nodes));

/** Splits inline nodes into parts, each of which becomes a paragraph. */
function split(nodes: readonly Inside[], state: State): Inside[][] {
  let last: Inside[] = [];
  const parts = [last];
  for (const node of nodes) {
    for (const [index, part] of splitNode(node, state).entries()) {
      if (index > 0) parts.push((last = []));
      // A line break in the text after `<br>` is the same one.
      const isSame = node.type === "text" && isElement(last.at(-1), "br") && isEmpty(part[0]);
      for (const each of isSame ? part.slice(2) : part) last.push(each);
    }
  }
  return parts;
}

/** Inline elements whose content is not part of the text. */
const WHOLE = new Set(["textarea", "select", "svg"]);

function splitNode(node: Inside, state: State): Inside[][] {
  if (node.type === "text")
    return isolateAddresses(node.value)
      .split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/)
      .map(breakLines);
  if (node.type !== "element" || WHOLE.has(node.tagName) || node.children.length === 0) return [[node]];
  return split(node.children, state).map((children, index) => {
    if (index > 0) requireSizeOfArticle((state.copied += tagLength(node)));
    return wrapInlines(node, children, isEmpty);
  });
}

/** Puts empty lines around each line that is an address alone, which WordPress embeds. */
const isolateAddresses = (text: string): string =>
  text.replaceAll(/(\n[ \t]*)(https?:\/\/[^\s<>"]+)(?=[ \t]*\r?\n)/g, "\n\n$2\n");

const tagLength = ({ tagName, properties }: Element): number =>
  Object.values(properties).reduce((sum: number, value) => sum + String(value).length, 2 * tagName.length + 5);

const breakLines = (text: string): Inside[] =>
  text.split(/\r?\n/).flatMap((line, index): Inside[] => {
    const value: Inside = { type: "text", value: line };
    return index === 0 ? [value] : [makeElement("br", {}, []), value];
  });

const isEmpty = (node: Inside | undefined): boolean => isElement(node, "br") || (node !== undefined && isSpace(node));

function trimBreaks(nodes: readonly Inside[]): Inside[] {
  let [from, to] = [0, nodes.length];
  while (from < to && isEmpty(nodes[from])) from++;
  while (to > from && isEmpty(nodes[to - 1])) to--;
  return nodes.slice(from, to);
}
