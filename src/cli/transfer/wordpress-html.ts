/** What WordPress does to a post's content before it shows it: paragraphs of bare lines, and shortcodes. */
import { requireSizeOfArticle, type Element, type Inside, type Root } from "./html-tree.ts";
import { element, escapeHtml, isElement, isInline } from "./html.ts";
import type { Remarks } from "./remarks.ts";

/** Posts of the block editor have their paragraphs; those of the classic one only have line breaks. */
export const isBlockContent = (html: string): boolean => html.includes("<!-- wp:");

/**
 * Makes paragraphs of bare lines in a tree, as `wpautop` does: an empty line ends a paragraph, a line break
 * is one (https://developer.wordpress.org/reference/functions/wpautop/).
 */
export function addParagraphs(parent: Root | Element): void {
  const children: (Root["children"][number] | Inside)[] = [];
  let run: Inside[] = [];
  const flush = () => {
    for (const paragraph of paragraphsOf(run)) children.push(paragraph);
    run = [];
  };
  for (const child of parent.children) {
    if (child.type === "text" || (child.type === "element" && isInline(child))) {
      run.push(child);
      continue;
    }
    flush();
    if (isElement(child, "div", "blockquote", "section", "article", "figure", "center")) addParagraphs(child);
    children.push(child);
  }
  flush();
  parent.children = children as typeof parent.children;
}

/** The paragraphs of inline nodes between two blocks. */
function paragraphsOf(run: readonly Inside[]): Inside[] {
  const paragraphs: Inside[][] = [[]];
  for (const node of run) {
    if (node.type !== "text") {
      paragraphs.at(-1)?.push(node);
      continue;
    }
    for (const [index, text] of node.value.split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/).entries()) {
      if (index > 0) paragraphs.push([]);
      for (const part of brokenLines(text)) paragraphs.at(-1)?.push(part);
    }
  }
  return paragraphs
    .map(trimmed)
    .filter((nodes) => nodes.length > 0)
    .map((nodes) => element("p", {}, nodes));
}

const brokenLines = (text: string): Inside[] =>
  text.split(/\r?\n/).flatMap((line, index): Inside[] => {
    const value: Inside = { type: "text", value: line };
    return index === 0 ? [value] : [element("br", {}, []), value];
  });

const isEmpty = (node: Inside | undefined): boolean =>
  isElement(node, "br") || (node?.type === "text" && node.value.trim() === "");

/** Without the breaks and empty texts at its ends. */
function trimmed(nodes: readonly Inside[]): Inside[] {
  let [from, to] = [0, nodes.length];
  while (from < to && isEmpty(nodes[from])) from++;
  while (to > from && isEmpty(nodes[to - 1])) to--;
  return nodes.slice(from, to);
}

/** The addresses of attachments by their identifiers. */
export type Attachments = ReadonlyMap<string, string>;

/**
 * Shortcodes of WordPress itself as HTML (https://codex.wordpress.org/Shortcode); those of plugins stay as the
 * text they are, and are remarked. Throws `Unusable` where that is more than an article can be. Attributes end at
 * the next bracket, whichever it is: brackets that nothing closes would otherwise each be read to the end.
 */
export function expandShortcodes(html: string, attachments: Attachments, remarks: Remarks): string {
  requireSizeOfArticle(html.length);
  const galleries = new Galleries(attachments, remarks);
  return expandCaptions(html)
    .replaceAll(/\[embed\b[^[\]]*\]([^[]*)\[\/embed\]/g, (_, url: string) => frame(url.trim()))
    .replaceAll(/\[gallery\b([^[\]]*)\]/g, (_, words: string) => galleries.expand(attributeOf(words, "ids")))
    .replaceAll(/\[(audio|video|playlist)\b([^[\]]*)\](?:\[\/\1\])?/g, (whole, _, words: string) => media(whole, words))
    .replaceAll(/\[\/?([a-z][\w-]{2,40})\b(?: [^[\]]*)?\](?!\()/g, (whole, name: string) => {
      if (!whole.startsWith("[/")) remarks.add(`shortcodes [${name}], left as text`);
      return whole;
    });
}

/** Each from its start to the next end; what is left has no end. */
function expandCaptions(html: string): string {
  const end = "[/caption]";
  let expanded = "";
  let from = 0;
  for (const { index, 0: start } of html.matchAll(/\[caption\b[^[\]]*\]/g)) {
    if (index < from) continue;
    const to = html.indexOf(end, index + start.length);
    if (to < 0) break;
    expanded += html.slice(from, index) + figure(html.slice(index + start.length, to));
    from = to + end.length;
  }
  return expanded + html.slice(from);
}

/** An image, and behind it its caption. */
function figure(inside: string): string {
  const [, image = "", caption = ""] = /^\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([^]*)$/.exec(inside) ?? [];
  return image === "" ? inside : `<figure>${image}<figcaption>${caption.trim()}</figcaption></figure>`;
}

const frame = (url: string): string => `\n\n<iframe src="${escapeHtml(url)}"></iframe>\n\n`;

/** The galleries of a post: a short list of numbers can name long addresses, again and again. */
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

function media(whole: string, words: string): string {
  const url = ["src", "mp4", "m4v", "webm", "ogv", "mp3", "m4a", "ogg", "wav"]
    .map((name) => attributeOf(words, name))
    .find(Boolean);
  return url === undefined ? whole : frame(url);
}

const attributeOf = (words: string, name: string): string =>
  new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)'|([^\\s"']+))`).exec(words)?.slice(1).find(Boolean) ?? "";
