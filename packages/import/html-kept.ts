/** What has no form in Markdown, but shows in an article: kept elements, superscripts and subscripts, captions. */
import type { Handle } from "hast-util-to-mdast";
import { SKIP, visit } from "unist-util-visit";
import { toLowered, toRaised } from "../../src/lib/raised-signs.ts";
import { CAPTIONED } from "./html-figures.ts";
import {
  makeElement,
  findElements,
  escapeHtml,
  hasClass,
  isElement,
  isSpace,
  getLine,
  getProperty,
  makeText,
} from "./html-nodes.ts";
import type { Element, Inside, Root } from "./html-tree.ts";

export const KEPT = "kbd mark u ins small sup sub ruby rt rp".split(" ");
/** Elements that only stay if they have a title, and their names. */
const TITLED: Readonly<Record<string, string>> = { abbr: "abbr", acronym: "abbr", dfn: "dfn" };

/** The type of a node for an inline element. The converter takes it for a part of a line, and HTML nodes for blocks. */
export const INLINE = "mdxJsxTextElement";

const keepInline = (state: Parameters<Handle>[0], node: Element, name: string, title = ""): ReturnType<Handle> => {
  const children = state.all(node);
  // The HTML parser may put blocks into inline elements. Such an element gives way to them.
  if (children.some(({ type }) => BLOCKS.has(type))) return children;
  return { type: INLINE, name, attributes: title === "" ? {} : { title }, children } as never;
};

const BLOCKS = new Set("blockquote code heading html list listItem paragraph table thematicBreak".split(" "));

export const KEEPING: Record<string, Handle> = {
  ...Object.fromEntries(KEPT.map((name): [string, Handle] => [name, (state, node) => keepInline(state, node, name)])),
  ...Object.fromEntries(
    Object.entries(TITLED).map(([from, name]): [string, Handle] => [
      from,
      (state, node) => {
        const { title } = node.properties;
        return typeof title === "string" && title.trim() !== ""
          ? keepInline(state, node, name, title)
          : state.all(node);
      },
    ]),
  ),
  sup: (state, node) => {
    const label = getProperty(node, "dataNumber");
    return label === "" ? keepInline(state, node, "sup") : { type: "footnoteReference", identifier: label, label };
  },
  aside: (state, node) => {
    const [label, children] = [getProperty(node, "dataNumber"), state.toFlow(state.all(node))];
    return label === "" ? children : ({ type: "footnoteDefinition", identifier: label, label, children } as never);
  },
  details: (state, node) => {
    const summary = node.children.find((child): child is Element => isElement(child, "summary"));
    const inside = state.toFlow(state.all({ ...node, children: node.children.filter((child) => child !== summary) }));
    if (summary !== undefined && showsMore(summary)) {
      const blocks = [...state.toFlow(state.all(summary)), { type: "html", value: "</summary>" }, ...inside];
      return wrapBlocks("<details>\n<summary>", blocks, "</details>");
    }
    const title = summary === undefined ? "" : escapeHtml(getLine(summary));
    return wrapBlocks(`<details>\n<summary>${title || "…"}</summary>`, inside, "</details>");
  },
  figure: (state, node) => {
    if (node.properties[CAPTIONED] === undefined) return state.all(node);
    const [picture = [], caption = []] = node.children.map((child) =>
      state.toFlow(state.all({ ...node, children: [child] })),
    );
    const blocks = [...picture, { type: "html", value: "<figcaption>" }, ...caption];
    return wrapBlocks("<figure>", blocks, "</figcaption>\n</figure>");
  },
};

const showsMore = ({ children }: Element): boolean =>
  children.some((child) => child.type === "element" && (/^(?:a|img)$/.test(child.tagName) || showsMore(child)));

const wrapBlocks = (start: string, blocks: readonly unknown[], end: string) =>
  [{ type: "html", value: start }, ...blocks, { type: "html", value: end }] as never;

/** Replaces superscripts and subscripts by Unicode characters where they exist. */
export function raiseSigns(tree: Root): void {
  visit(tree, "element", (node, index, parent) => {
    if (!isElement(node, "sup", "sub") || index === undefined || parent === undefined) return undefined;
    if (getProperty(node, "dataNumber") !== "") return SKIP;
    const signs = toSigns(node);
    if (signs === null) return undefined;
    parent.children.splice(index, 1, { type: "text", value: signs });
    return SKIP;
  });
}

/** Does the same in a line of plain text. Others get a `^` or `_`. */
export function raiseInLine(tree: Root): void {
  raiseSigns(tree);
  visit(tree, "element", (node) => {
    if (isElement(node, "sup", "sub") && /^[\p{L}\p{N}]/u.test(getLine(node)))
      node.children.unshift({ type: "text", value: node.tagName === "sup" ? "^" : "_" });
  });
}

function toSigns({ tagName, children }: Element): string | null {
  const [only, ...others] = children;
  if (only?.type !== "text" || others.length > 0 || only.value.length > 40) return null;
  // Words are hard to read in these characters.
  if (/\p{L}.*\p{L}.*\p{L}.*\p{L}/su.test(only.value)) return null;
  return (tagName === "sup" ? toRaised : toLowered)(only.value.trim());
}

/** Emphasizes captions, so that they differ from the text below, and moves those of tables above the table. */
export function emphasizeCaptions(tree: Root): void {
  visit(tree, "element", (node, index, parent) => {
    if (isElement(node, "figcaption") || hasClass(node, "wp-caption-text")) node.children = [emphasize(node)];
    if (node.tagName !== "table" || index === undefined || parent === undefined) return undefined;
    const caption = node.children.find((child): child is Element => isElement(child, "caption"));
    if (caption === undefined || getLine(caption) === "") return undefined;
    node.children = node.children.filter((child) => child !== caption);
    parent.children.splice(index, 0, makeElement("p", {}, [emphasize(caption)]));
    return index + 1;
  });
}

export const isSpaceOrBreak = (node: Inside): boolean => isSpace(node) || isElement(node, "br");

function emphasize({ children }: Element): Element {
  const [only, ...others] = children.filter((node) => !isSpace(node));
  if (isElement(only, "p") && others.length === 0) return emphasize(only);
  const from = children.findIndex((node) => !isSpaceOrBreak(node));
  const to = children.findLastIndex((node) => !isSpaceOrBreak(node)) + 1;
  return makeElement("em", {}, from === -1 ? [] : children.slice(from, to));
}

/** Elements whose text the converter would drop, and what they become. */
const AS: Readonly<Record<string, string>> = { dialog: "div", menu: "ul", math: "span" };

/** Renames elements whose text would be lost. A formula is reduced to its TeX source, if it has one. */
export function renameTextual(tree: Root): void {
  visit(tree, "element", (node) => {
    if (node.tagName === "math") {
      const source = findTexSource(node);
      node.children = [{ type: "text", value: source === "" ? getLine(node) : `$${source}$` }];
    }
    if (node.tagName === "ruby" && !node.children.some((child) => isElement(child, "rp"))) parenthesize(node);
    node.tagName = AS[node.tagName] ?? node.tagName;
  });
  showPictures(tree);
}

/** Moves pictures out of code, of which the converter only takes the text. */
function showPictures(tree: Root): void {
  visit(tree, "element", (node, index, parent) => {
    if (!isElement(node, "pre", "code") || index === undefined || parent === undefined) return undefined;
    const images = findElements(node, ({ tagName }) => tagName === "img");
    const isBlock = node.tagName === "pre";
    if (images.length > 0 && getLine(node) === "") node.tagName = isBlock ? "div" : "span";
    else if (images.length > 0)
      parent.children.splice(index + 1, 0, ...(isBlock ? [makeElement("p", {}, images)] : images));
    return SKIP;
  });
}

/** Puts parentheses around the readings of ruby, for excerpts and search. */
function parenthesize(ruby: Element): void {
  ruby.children = ruby.children.flatMap((child): Inside[] =>
    isElement(child, "rt") ? [makeParenthesis("("), child, makeParenthesis(")")] : [child],
  );
}

const makeParenthesis = (value: string): Element => makeElement("rp", {}, [makeText(value)]);

const isTex = ({ tagName, properties }: Element): boolean =>
  tagName === "annotation" && String(properties["encoding"]).includes("tex");

function findTexSource(math: Element): string {
  const source = findElements(math, isTex).at(-1);
  return source === undefined ? "" : getLine(source);
}
