/** Does what WordPress does with the content of a post before it shows it: adds paragraphs and expands shortcodes. */
import { visit } from "unist-util-visit";
import { element, escapeHtml, isBlock, isElement, isInline, isSpace, linkOf, marked } from "./html-nodes.ts";
import { requireSizeOfArticle, type Element, type Inside, type Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";

/**
 * Returns whether the content is from the block editor. Such content has paragraphs; the content of the classic editor
 * has only line breaks.
 */
export const isBlockContent = (html: string): boolean => html.includes("<!-- wp:");

/**
 * Makes paragraphs from the bare lines in a tree, as `wpautop` does: an empty line ends a paragraph, also within inline
 * elements, which begin again in the next; and a single line break becomes `<br>`
 * (https://developer.wordpress.org/reference/functions/wpautop/). Throws `Unusable` if that makes a post too large.
 * Addresses become links as in `linkAddresses`.
 */
export function addParagraphs(tree: Root): void {
  const around = new Set<Element>();
  collectAround(tree, around);
  addWithin(tree, { around, copied: 0 });
  linkAddresses(tree);
}

/**
 * Makes links of addresses that are all there is in a paragraph: WordPress shows what is there, such as a video
 * (https://wordpress.org/documentation/article/embeds/), and so do the sites of articles with such a link.
 */
export function linkAddresses(tree: Root): void {
  visit(tree, "element", (node: Element) => {
    const [only, ...more] = node.children;
    if (!isElement(node, "p", "div", "figure") || only?.type !== "text" || more.length > 0) return;
    const url = only.value.trim();
    if (/^https?:\/\/[^\s<>"]+$/.test(url)) node.children = [linkOf(url)];
  });
}

/** `around`: elements with a block somewhere inside. `copied`: characters of the tags that begin again. */
type State = { readonly around: ReadonlySet<Element>; copied: number };

/** Adds the elements below a node that have a block somewhere inside. Returns whether there is a block. */
function collectAround({ children }: Root | Element, around: Set<Element>): boolean {
  let hasBlock = false;
  for (const node of children) {
    if (node.type !== "element") continue;
    if (collectAround(node, around)) around.add(node);
    hasBlock ||= isBlock(node) || around.has(node);
  }
  return hasBlock;
}

function addWithin(parent: Root | Element, state: State): void {
  const children: (Root["children"][number] | Inside)[] = [];
  let run: Inside[] = [];
  const flush = () => {
    for (const paragraph of paragraphsOf(run, state)) children.push(paragraph);
    run = [];
  };
  for (const child of parent.children) {
    const isInside = child.type === "element" && isInline(child);
    if (child.type === "text" || (isInside && !state.around.has(child))) {
      run.push(child);
      continue;
    }
    flush();
    if (isInside || isElement(child, "div", "blockquote", "section", "article", "figure", "center"))
      addWithin(child, state);
    children.push(child);
  }
  flush();
  parent.children = children as typeof parent.children;
}

/** Returns the paragraphs for a run of inline nodes between two blocks. */
const paragraphsOf = (run: readonly Inside[], state: State): Inside[] =>
  split(run, state)
    .map(trimmed)
    .filter((nodes) => nodes.length > 0)
    .map((nodes) => element("p", {}, nodes));

/** Returns inline nodes in parts, each of which becomes a paragraph. */
function split(nodes: readonly Inside[], state: State): Inside[][] {
  let last: Inside[] = [];
  const parts = [last];
  for (const node of nodes) {
    for (const [index, part] of partsOf(node, state).entries()) {
      if (index > 0) parts.push((last = []));
      // A line break in the text behind `<br>` is the same.
      const isSame = node.type === "text" && isElement(last.at(-1), "br") && isEmpty(part[0]);
      for (const each of isSame ? part.slice(2) : part) last.push(each);
    }
  }
  return parts;
}

/** The inline elements whose content is not of the text around them. */
const WHOLE = new Set(["textarea", "select", "svg"]);

function partsOf(node: Inside, state: State): Inside[][] {
  if (node.type === "text")
    return aloneInLines(node.value)
      .split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/)
      .map(brokenLines);
  if (node.type !== "element" || WHOLE.has(node.tagName) || node.children.length === 0) return [[node]];
  return split(node.children, state).map((children, index) => {
    if (index > 0) requireSizeOfArticle((state.copied += tagLength(node)));
    return marked(node, children, isEmpty);
  });
}

/** Returns the text with empty lines around each line that is an address alone: it is shown as what is there. */
const aloneInLines = (text: string): string =>
  text.replaceAll(/(\n[ \t]*)(https?:\/\/[^\s<>"]+)(?=[ \t]*\r?\n)/g, "\n\n$2\n");

/** Returns about how many characters the tags of an element have. */
const tagLength = ({ tagName, properties }: Element): number =>
  Object.values(properties).reduce((sum: number, value) => sum + String(value).length, 2 * tagName.length + 5);

const brokenLines = (text: string): Inside[] =>
  text.split(/\r?\n/).flatMap((line, index): Inside[] => {
    const value: Inside = { type: "text", value: line };
    return index === 0 ? [value] : [element("br", {}, []), value];
  });

const isEmpty = (node: Inside | undefined): boolean => isElement(node, "br") || (node !== undefined && isSpace(node));

/** Returns the nodes without line breaks and empty texts at the start and end. */
function trimmed(nodes: readonly Inside[]): Inside[] {
  let [from, to] = [0, nodes.length];
  while (from < to && isEmpty(nodes[from])) from++;
  while (to > from && isEmpty(nodes[to - 1])) to--;
  return nodes.slice(from, to);
}

/** The URLs of attachments by their ids. */
export type Attachments = ReadonlyMap<string, string>;

/**
 * Replaces WordPress's own shortcodes by HTML (https://codex.wordpress.org/Shortcode). Shortcodes of plugins stay as
 * text, with a remark, and so do, without one, those in code: posts about WordPress have them. Throws `Unusable` if the
 * result is too large for an article. In the patterns, attributes end at the next bracket of either kind: otherwise each
 * unclosed bracket would be read to the end of the text.
 */
export function expandShortcodes(html: string, attachments: Attachments, remarks: Remarks): string {
  requireSizeOfArticle(html.length);
  const galleries = new Galleries(attachments, remarks);
  return expandCaptions(withoutCode(unescaped(html)))
    .replaceAll(/\[embed\b[^[\]]*\]([^[]*)\[\/embed\]/g, (_, url: string) => frame(url.trim()))
    .replaceAll(/\[gallery\b([^[\]]*)\]/g, (_, words: string) => galleries.expand(attributeOf(words, "ids")))
    .replaceAll(/\[(audio|video|playlist)\b([^[\]]*)\](?:\[\/\1\])?/g, (whole, _, words: string) => media(whole, words))
    .replaceAll(/\[\/?([a-z][\w-]{2,40})\b(?: [^[\]]*)?\](?!\()/g, (whole, name: string) => {
      if (!whole.startsWith("[/")) remarks.add(`shortcodes [${name}], left as text`);
      return whole;
    });
}

const CORE = "audio|caption|embed|gallery|playlist|video";
const ESCAPED = new RegExp(String.raw`\[(\[(${CORE})\b[^[\]]*\](?:[^[\]]*\[/\2\])?)\]`, "g");

/** Returns the text without the second brackets of shortcodes that are to be shown: `[[gallery]]` shows `[gallery]`. */
const unescaped = (html: string): string => html.replaceAll(ESCAPED, (_, shortcode: string) => bracketless(shortcode));

/** Returns the text with references in the place of opening brackets, as the block editor writes them in code. */
const bracketless = (text: string): string => text.replaceAll("[", "&#91;");

/** Returns the text without opening brackets in code, where they begin no shortcode. Code that nothing closes is none. */
function withoutCode(html: string): string {
  let text = "";
  let from = 0;
  let code: { readonly name: string; readonly at: number } | null = null;
  for (const { index, 1: slash, 2: tag = "" } of html.matchAll(/<(\/?)(pre|code)(?=[\s>])/gi)) {
    const name = tag.toLowerCase();
    if (slash === "") code ??= { name, at: index };
    else if (code?.name === name) {
      text += html.slice(from, code.at) + bracketless(html.slice(code.at, index));
      from = index;
      code = null;
    }
  }
  return text + html.slice(from);
}

/** Replaces captions by figures. A caption ends at the next end tag; captions without an end tag stay as they are. */
function expandCaptions(html: string): string {
  const end = "[/caption]";
  let expanded = "";
  let from = 0;
  for (const { index, 0: start } of html.matchAll(/\[caption\b[^[\]]*\]/g)) {
    if (index < from) continue;
    const to = html.indexOf(end, index + start.length);
    if (to < 0) break;
    const words = start.slice("[caption".length, -1);
    expanded += html.slice(from, index) + figure(html.slice(index + start.length, to), attributeOf(words, "caption"));
    from = to + end.length;
  }
  return expanded + html.slice(from);
}

/**
 * Returns a figure for the inside of a caption. Before WordPress 3.4, the text was an attribute; since then it follows the
 * image. Returns other content unchanged.
 */
function figure(inside: string, text: string): string {
  if (text !== "") return `<figure>${inside}<figcaption>${text}</figcaption></figure>`;
  const [, image = "", caption = ""] = /^\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([^]*)$/.exec(inside) ?? [];
  return image === "" ? inside : `<figure>${image}<figcaption>${caption.trim()}</figcaption></figure>`;
}

const frame = (url: string): string => `\n\n<iframe src="${escapeHtml(url)}"></iframe>\n\n`;

/**
 * Expands the galleries of a post and limits their total size: short ids can stand for long addresses, and can be
 * repeated.
 */
class Galleries {
  readonly #attachments: Attachments;
  readonly #remarks: Remarks;
  #length = 0;

  constructor(attachments: Attachments, remarks: Remarks) {
    this.#attachments = attachments;
    this.#remarks = remarks;
  }

  expand(ids: string): string {
    let html = "";
    for (const id of ids.split(",")) {
      const url = this.#attachments.get(id.trim());
      if (url === undefined) continue;
      const image = `<figure><img src="${escapeHtml(url)}" alt=""></figure>`;
      html += image;
      this.#length += image.length;
      requireSizeOfArticle(this.#length);
    }
    if (html === "") this.#remarks.add("galleries left out whose images the export does not name");
    return html;
  }
}

/** Returns a frame for a media shortcode, or the shortcode itself if it names no file. */
function media(whole: string, words: string): string {
  const url = ["src", "mp4", "m4v", "webm", "ogv", "mp3", "m4a", "ogg", "wav"]
    .map((name) => attributeOf(words, name))
    .find(Boolean);
  return url === undefined ? whole : frame(url);
}

const attributeOf = (words: string, name: string): string =>
  new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)'|([^\\s"']+))`).exec(words)?.slice(1).find(Boolean) ?? "";
