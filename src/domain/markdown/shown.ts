/** Adapts the headings, links, images and tables of a sanitized tree to the page that shows it. */
import type { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { sizedPicture, TEXT_SIZES } from "../pictures.ts";
import { isWebUrl } from "../../lib/web-url.ts";

type Node = Parameters<typeof toJsxRuntime>[0];
export type Tree = Extract<Node, { type: "root" }>;
export type Element = Extract<Node, { type: "element" }>;
export type Content = Element["children"][number];

/** The largest depth of elements. Deeper ones are replaced by their text, because rendering is recursive. */
export const MOST_DEPTH = 64;

/** The level of the page's heading above the text. Headings in the text begin one level below it. */
const LEVEL_ABOVE = 2;

/** The prefix that the sanitizer adds to ids, so that a text cannot use an id of the page. */
const PREFIX = "user-content-";

/** Changes the tree in place and returns it. `origin` is the service's own, whose pictures it can show smaller. */
export function tidied(tree: Tree, origin: string | null): Tree {
  const fix = fixer(origin);
  const children = tree.children as Content[];
  tree.children = children.flatMap((child) => (child.type === "element" ? fix(child, 1) : [child]));
  return tree;
}

function fixer(origin: string | null) {
  const level = outline(LEVEL_ABOVE);
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
        return image(element, origin);
      case "input":
        element.properties["ariaLabel"] = element.properties["checked"] ? "Done" : "Not done";
        return [element];
      case "pre":
        // A code block can scroll, so it must be reachable by keyboard.
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

/**
 * Returns a function that gives the level of each heading. Call it once for each heading, in document order. The levels
 * keep the nesting, lie below the level `above` of the page's own headings, have no gaps, and are at most 6.
 */
export function outline(above: number): (depth: number) => number {
  const open: number[] = [];
  return (depth) => {
    while ((open.at(-1) ?? 0) >= depth) open.pop();
    open.push(depth);
    return Math.min(above + open.length, 6);
  };
}

/** Returns the heading with its level on the page, or nothing for a heading without text and images. */
function heading(element: Element, level: (depth: number) => number): Content[] {
  if (textOf(element).trim() === "" && !hasImage(element)) return [];
  element.tagName = `h${level(Number(element.tagName[1]))}`;
  return [element];
}

/**
 * Adapts a link. A link to a fragment stays within the text. Any other link opens a new tab, because the page may
 * contain unsaved text. A link without a permitted URL becomes text with a warning.
 */
function link(element: Element): Content[] {
  const { href } = element.properties;
  if (typeof href !== "string") return [...element.children, ...refused("link not allowed")];
  if (href.startsWith("#")) element.properties["href"] = `#${PREFIX}${href.slice(1)}`;
  else Object.assign(element.properties, { target: "_blank", rel: ["noopener", "noreferrer", "nofollow"] });
  return [element];
}

/** Shows an image only if its URL is absolute. A relative URL would mean another image on each site. */
function image(element: Element, origin: string | null): Content[] {
  const { src, alt } = element.properties;
  if (typeof src !== "string" || !isWebUrl(src)) return [text(alt ?? ""), ...refused("image not allowed")];
  Object.assign(element.properties, { loading: "lazy", referrerPolicy: "no-referrer", ...sizesOf(src, origin) });
  return [element];
}

/** Returns size and smaller files of a picture of the library, if its address ends with its pixels (contract 19.10). */
function sizesOf(src: string, origin: string | null): Record<string, unknown> {
  const url = new URL(src);
  const picture = sizedPicture(src);
  if (url.origin !== origin || !url.pathname.startsWith("/media/") || picture === null) return {};
  const { width, height, srcset } = picture;
  return { width, height, ...(srcset !== null && { srcset, sizes: TEXT_SIZES }) };
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

export const text = (value: string): Content => ({ type: "text", value });

const hasImage = (node: Node): boolean =>
  "children" in node &&
  node.children.some((child) => (child.type === "element" && child.tagName === "img") || hasImage(child));

/** Returns the text of a tree. It does not recurse, so any depth is safe. */
export function textOf(node: Node): string {
  const rest: Node[] = [node];
  let all = "";
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next.type === "text") all += next.value;
    else if ("children" in next) rest.push(...next.children.toReversed());
  }
  return all;
}
