/** Pictures with captions and galleries (contract 20.3). */
import { SKIP, visit } from "unist-util-visit";
import { decodeAddress } from "../markdown/parser.ts";
import {
  makeElement,
  findElements,
  hasClass,
  isDropped,
  isElement,
  isSpace,
  getLine,
  getProperty,
  makeText,
} from "./html-nodes.ts";
import type { Element, Inside, Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";

/**
 * Turns figures of a single picture into a paragraph, with the caption as the title. A caption with links or
 * formatting stays a figure (`CAPTIONED`). Skips lists and tables, where readers see no titles.
 */
export function captionPictures(tree: Root, remarks: Remarks): void {
  dropTitles(tree, remarks);
  visit(tree, "element", (node, index, parent) => {
    const isGallery = [node.properties.className].flat().some((name) => /gallery/.test(String(name)));
    if (isElement(node, "li", "dd", "td", "th", "caption")) return SKIP;
    if (index === undefined || parent === undefined) return undefined;
    const group = isElement(node, "figure") || isGallery || hasClass(node, "wp-caption") ? findGroup(node) : null;
    const [first, ...others] = group?.items ?? [];
    if (group === null || first === undefined || !group.items.every(isAbsolute)) return undefined;
    if (others.length === 0) {
      if (first.caption === null) return undefined;
      parent.children[index] = makeFigure(first, first.caption);
      return SKIP;
    }
    remarks.add("captions in galleries, now without links and formatting", group.items.filter(isFormatted).length);
    const pictures = group.items.flatMap((item): Inside[] => [addTitle(item), makeText(" ")]);
    const own = group.caption === null ? [] : [makeElement("figcaption", {}, group.caption.children)];
    parent.children.splice(index, 1, makeElement("p", {}, pictures), ...own);
    return index + 1;
  });
}

export const CAPTIONED = "dataCaptioned";

type Item = { readonly picture: Element; readonly caption: Element | null };
type Group = { readonly items: readonly Item[]; readonly caption: Element | null };

const CONTAINERS = ["figure", "div", "p", "span", "ul", "li", "dl", "dt", "center", "picture"];

/** Returns the pictures in an element with their captions, and the caption of all; null if it contains anything else. */
function findGroup(parent: Element): Group | null {
  const items: Item[] = [];
  const captions: Element[] = [];
  for (const child of parent.children) {
    if (isSpace(child)) continue;
    if (child.type !== "element") return null;
    if (child.tagName === "br" || isDropped(child)) continue;
    if (findImage(child) !== undefined) items.push({ picture: child, caption: null });
    else if (child.tagName === "figcaption" || /caption/.test(String(child.properties.className))) captions.push(child);
    else {
      const inner = isElement(child, ...CONTAINERS) ? findGroup(child) : null;
      if (inner === null) return null;
      items.push(...inner.items);
      if (inner.caption !== null) captions.push(inner.caption);
    }
  }
  const [caption = null, ...more] = captions.filter((each) => getLine(each) !== "");
  const [only, ...others] = items;
  if (more.length > 0) return null;
  if (only === undefined || others.length > 0 || only.caption !== null) return { items, caption };
  return { items: [{ ...only, caption }], caption: null };
}

function findImage(node: Element): Element | undefined {
  if (node.tagName === "img") return node;
  const [only, ...others] = node.tagName === "a" ? node.children.filter((child) => !isSpace(child)) : [];
  return isElement(only, "img") && others.length === 0 ? only : undefined;
}

const isAbsolute = ({ picture }: Item): boolean => /^https?:\/\//i.test(getProperty(findImage(picture), "src"));

const PLAIN = ["p", "div", "span", "font", "br"];

const isFormatted = ({ caption }: Item): boolean =>
  caption !== null && findElements(caption, (node) => !isElement(node, ...PLAIN)).length > 0;

function addTitle({ picture, caption }: Item): Element {
  const image = findImage(picture);
  if (image !== undefined && caption !== null) image.properties["title"] = getLine(caption);
  return picture;
}

function makeFigure(item: Item, caption: Element): Element {
  if (!isFormatted(item)) return makeElement("p", {}, [addTitle(item)]);
  return makeElement("figure", { [CAPTIONED]: "" }, [item.picture, makeElement("div", {}, caption.children)]);
}

/** Removes the titles of pictures, which only show on hover and often are file names. */
function dropTitles(tree: Root, remarks: Remarks): void {
  visit(tree, "element", (node) => {
    const title = node.tagName === "img" ? getProperty(node, "title") : "";
    const known = normalizeText(getProperty(node, "alt") + decodeAddress(getProperty(node, "src")));
    if (title !== "" && !known.includes(normalizeText(title)))
      remarks.add("titles of pictures, shown on hover, left out");
    if (node.tagName === "img") delete node.properties["title"];
  });
}

const normalizeText = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
