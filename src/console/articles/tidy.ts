/** Makes a sanitized tree part of a page: its headings, links, images and tables fit in. */
import type { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { isWebUrl } from "../../lib/web-url.ts";

type Node = Parameters<typeof toJsxRuntime>[0];
export type Tree = Extract<Node, { type: "root" }>;
type Element = Extract<Node, { type: "element" }>;
type Content = Element["children"][number];

/** Deeper than this, only the text is left: what renders the tree recurses. */
const MOST_DEPTH = 64;

/** A heading of the page stands above the text. */
const LEVEL_ABOVE = 2;

/** What the sanitizer puts before identifiers, so that no text can shadow one of the page. */
const PREFIX = "user-content-";

/** The tree, tidied in place. */
export function tidied(tree: Tree): Tree {
  const fix = fixer();
  const children = tree.children as Content[];
  tree.children = children.flatMap((child) => (child.type === "element" ? fix(child, 1) : [child]));
  return tree;
}

function fixer() {
  const level = outline();
  let tables = 0;
  const fix = (element: Element, depth: number): Content[] => {
    element.children =
      depth < MOST_DEPTH
        ? element.children.flatMap((child) => (child.type === "element" ? fix(child, depth + 1) : [child]))
        : [text(textOf(element))];
    switch (element.tagName) {
      case "a":
        return link(element);
      case "img":
        return image(element);
      case "input":
        element.properties["ariaLabel"] = element.properties["checked"] ? "Done" : "Not done";
        return [element];
      case "pre":
        // It scrolls: the keyboard has to reach it.
        element.properties["tabIndex"] = 0;
        return [element];
      case "table":
        return [scrolling(element, `Table ${++tables}`)];
      default:
        return /^h[1-6]$/.test(element.tagName) ? heading(element, level) : [element];
    }
  };
  return fix;
}

/** Levels for headings in their order: nested as they are, below the page's own, and without gaps. */
function outline(): (depth: number) => number {
  const open: number[] = [];
  return (depth) => {
    while ((open.at(-1) ?? 0) >= depth) open.pop();
    open.push(depth);
    return Math.min(LEVEL_ABOVE + open.length, 6);
  };
}

function heading(element: Element, level: (depth: number) => number): Content[] {
  if (textOf(element).trim() === "" && !hasImage(element)) return [];
  element.tagName = `h${level(Number(element.tagName[1]))}`;
  return [element];
}

/** A link stays in the text, or leads out of the console, into a tab of its own: a text may be unsaved. */
function link(element: Element): Content[] {
  const { href } = element.properties;
  if (typeof href !== "string") return [...element.children, ...refused("link not allowed")];
  if (href.startsWith("#")) element.properties["href"] = `#${PREFIX}${href.slice(1)}`;
  else Object.assign(element.properties, { target: "_blank", rel: ["noopener", "noreferrer", "nofollow"] });
  return [element];
}

/** An image is shown where its address would mean the same on every site. */
function image(element: Element): Content[] {
  const { src, alt } = element.properties;
  if (typeof src !== "string" || !isWebUrl(src)) return [text(alt ?? ""), ...refused("image not allowed")];
  Object.assign(element.properties, { loading: "lazy", referrerPolicy: "no-referrer" });
  return [element];
}

const scrolling = (table: Element, label: string): Element => ({
  type: "element",
  tagName: "div",
  properties: { className: ["scroll"], tabIndex: 0, role: "group", ariaLabel: label },
  children: [table],
});

const refused = (why: string): Content[] => [
  text(" "),
  { type: "element", tagName: "span", properties: { className: ["badge", "warn"] }, children: [text(why)] },
];

const text = (value: string): Content => ({ type: "text", value });

const hasImage = (node: Node): boolean =>
  "children" in node &&
  node.children.some((child) => (child.type === "element" && child.tagName === "img") || hasImage(child));

/** The text of a tree, however deep it is. */
function textOf(node: Node): string {
  const rest: Node[] = [node];
  let all = "";
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next.type === "text") all += next.value;
    else if ("children" in next) rest.push(...next.children.toReversed());
  }
  return all;
}
