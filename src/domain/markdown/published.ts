/** Adapts a sanitized tree to be a part of any page: the HTML of an article (contract 20.3). */
import { isWebUrl } from "../../lib/web-url.ts";
import { sizedPicture, TEXT_SIZES } from "../pictures.ts";
import type { Heading } from "../rendering.ts";
import { MOST_DEPTH, outline, text, textOf, type Content, type Element, type Tree } from "./shown.ts";

/** The level of the page's heading above the text: the article's title. */
const LEVEL_ABOVE = 1;

/** What the ids of headings begin with, so that they differ from all ids of the page around them. */
const PREFIX = "h-";
const MOST_ID = 80;

/** Changes the tree in place. Returns its headings, in order. */
export function published(tree: Tree): Heading[] {
  const headings = headingsOf();
  const fix = fixer(headings);
  tree.children = (tree.children as Content[]).flatMap((child) => (child.type === "element" ? fix(child, 1) : [child]));
  const known = new Map(headings.list.map(({ id }) => [id.slice(PREFIX.length), id]));
  for (const link of headings.links) {
    const id = known.get(decoded(String(link.properties["href"]).slice(1)));
    if (id !== undefined) link.properties["href"] = `#${id}`;
  }
  return headings.list;
}

/** What is collected on the way: the headings, and the links to places in the text, which may come before these. */
type Collected = {
  readonly list: Heading[];
  readonly links: Element[];
  /** Makes the element a heading with an id, or returns nothing for one without text and images. */
  readonly add: (element: Element) => Content[];
};

function headingsOf(): Collected {
  const level = outline(LEVEL_ABOVE);
  const times = new Map<string, number>();
  const list: Heading[] = [];
  const add = (element: Element): Content[] => {
    const title = textOf(element).replaceAll(/\s+/g, " ").trim();
    if (title === "" && element.children.length === 0) return [];
    const depth = level(Number(element.tagName[1]));
    const id = PREFIX + unused(times, nameOf(title));
    element.tagName = `h${depth}`;
    element.properties = { id };
    list.push({ level: depth, id, text: title });
    return [element];
  };
  return { list, links: [], add };
}

const nameOf = (title: string): string =>
  title
    .slice(0, MOST_ID)
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-/, "")
    .replace(/-$/, "") || "section";

/** Returns a name that no earlier heading has: the second "notes" is "notes-2". */
function unused(times: Map<string, number>, name: string): string {
  for (let n = (times.get(name) ?? 0) + 1; ; n++) {
    times.set(name, n);
    const id = n === 1 ? name : `${name}-${n}`;
    if (n === 1 || !times.has(id)) {
      times.set(id, times.get(id) ?? 1);
      return id;
    }
  }
}

function fixer(headings: Collected) {
  const fix = (element: Element, depth: number): Content[] => {
    if (element.tagName === "section") endnotes(element);
    element.children =
      depth < MOST_DEPTH
        ? element.children.flatMap((child) => (child.type === "element" ? fix(child, depth + 1) : [child]))
        : [text(textOf(element))];
    const { tagName, properties } = element;
    if (/^h[1-6]$/.test(tagName)) return headings.add(element);
    switch (tagName) {
      case "a":
        return link(element, headings.links);
      case "img":
        return image(element);
      case "input":
        properties["ariaLabel"] = properties["checked"] ? "✓" : "–";
        return [element];
      case "p":
        delete properties["className"];
        return [embed(element) ?? element];
      case "pre":
        // A code block can scroll, so it must be reachable by keyboard.
        properties["tabIndex"] = 0;
        return [element];
      case "table":
        return [
          { type: "element", tagName: "div", properties: { className: ["table"], tabIndex: 0 }, children: [element] },
        ];
      default:
        return [element];
    }
  };
  return fix;
}

/** A link without a permitted URL becomes its text. */
function link(element: Element, inText: Element[]): Content[] {
  const { properties } = element;
  const { href } = properties;
  if (typeof href !== "string") return element.children;
  if (properties["dataFootnoteRef"] !== undefined) properties["role"] = "doc-noteref";
  else if (properties["dataFootnoteBackref"] !== undefined) properties["role"] = "doc-backlink";
  else if (href.startsWith("#")) inText.push(element);
  delete properties["ariaDescribedBy"];
  delete properties["ariaLabel"];
  return [element];
}

/** Of the section of footnotes, the role says what it is: without a heading in one language, also in the list of headings. */
function endnotes(element: Element): void {
  element.properties["role"] = "doc-endnotes";
  element.children = element.children.filter((child) => child.type !== "element" || !/^h[1-6]$/.test(child.tagName));
}

/** Shows a picture only if its URL is absolute. A relative URL would mean another picture on each site. */
function image(element: Element): Content[] {
  const { src, alt } = element.properties;
  if (typeof src !== "string" || !isWebUrl(src)) return [text(typeof alt === "string" ? alt : "")];
  Object.assign(element.properties, { alt: alt ?? "", loading: "lazy", decoding: "async", ...sizesOf(src) });
  return [element];
}

/** Returns the size of a picture whose address ends with its pixels, and of one in a library also its smaller files. */
function sizesOf(src: string): Record<string, unknown> {
  const picture = sizedPicture(src);
  if (picture === null) return {};
  const { srcset, ...whole } = picture;
  return { ...whole, ...(srcset !== null && { srcSet: srcset, sizes: TEXT_SIZES }) };
}

/** Where videos and the like are. A front end may put a player in place of the link; the text itself loads nothing. */
const PROVIDERS: readonly (readonly [name: string, address: RegExp])[] = [
  ["youtube", /^https:\/\/(?:(?:www|m)\.)?(?:youtube\.com\/watch\?(?:[^#]*&)?v=|youtu\.be\/)([\w-]{11})(?:[?&#]|$)/],
  ["vimeo", /^https:\/\/(?:www\.)?vimeo\.com\/(\d{5,12})(?:[/?#]|$)/],
  ["spotify", /^https:\/\/open\.spotify\.com\/((?:track|album|playlist|episode|show)\/[A-Za-z0-9]{22})(?:[?#]|$)/],
  ["codepen", /^https:\/\/codepen\.io\/([\w-]{1,60}\/pen\/\w{4,40})(?:[/?#]|$)/],
];

/** Returns the figure for a paragraph that is only the bare address of something that can be embedded; otherwise null. */
function embed(paragraph: Element): Element | null {
  const [only, ...others] = paragraph.children;
  if (only?.type !== "element" || only.tagName !== "a" || others.length > 0) return null;
  const { href } = only.properties;
  if (typeof href !== "string" || textOf(only) !== href) return null;
  for (const [provider, address] of PROVIDERS) {
    const id = address.exec(href)?.[1];
    if (id === undefined) continue;
    const properties = { className: ["embed"], dataProvider: provider, dataId: id };
    return { type: "element", tagName: "figure", properties, children: [only] };
  }
  return null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
