import { toLowered, toRaised } from "../../src/lib/raised-signs.ts";
import { isBlockElement } from "./elements.ts";
import { findCardIn, findCard, type Card } from "./embeds.ts";
import { listPictures } from "./figures.ts";
import { getChildren, isInline, type Content, type Root } from "./tree.ts";

/** Returns the text in a node without marks and alt texts. */
export function getText(node: Root | Content): string {
  if (node.type === "text" || node.type === "inlineCode" || node.type === "code") return node.value;
  if (node.type === "html") return isComment(node.value) ? "" : node.value;
  if (node.type === "break") return "\n";
  return getChildren(node).map(getText).join("");
}

/** Returns whether HTML is a comment or a declaration, which is invisible. */
export const isComment = (html: string): boolean => html.startsWith("<!");

/** Returns the text of inline nodes on one line. */
export const getLine = (node: Content): string => getText(node).replaceAll(/\s+/g, " ").trim();

/** Returns a text as readers see it: empty lines between blocks, a line for each item and row, tabs between cells. */
export function toPlainText(tree: Root): string {
  const out = new Lines();
  for (const child of tree.children) write(child, out);
  for (const child of tree.children) if (child.type === "footnoteDefinition") writeAll(child.children, out);
  return out.text;
}

/** Collects texts. Between two of them stand as many line ends as the larger request. */
class Lines {
  text = "";
  #breaks = 0;

  add(text: string): void {
    if (text === "") return;
    if (this.text !== "") this.text += "\n".repeat(this.#breaks);
    this.#breaks = 0;
    this.text += text;
  }

  breakBy(lines: number): void {
    this.#breaks = Math.max(this.#breaks, lines);
  }
}

const writeAll = (nodes: readonly Content[], out: Lines): void => {
  for (const node of nodes) write(node, out);
};

function write(node: Content, out: Lines): void {
  const card = node.type === "element" ? findCardIn(node) : node.type === "paragraph" ? findCard(node.children) : null;
  if (card !== null) return writeApart(2, out, () => out.add(getCardLines(card)));
  if (node.type === "element" && isBlockElement(node.name))
    return writeApart(TIGHT.has(node.name) ? 1 : 2, out, () => writeAll(node.children, out));
  if (isInline(node)) return out.add(getLines(node));
  switch (node.type) {
    case "paragraph": {
      const captions = listPictures(node).flatMap(({ caption }) => (caption === "" ? [] : [caption]));
      return writeApart(2, out, () => out.add(captions.length > 0 ? captions.join("\n") : getLines(node)));
    }
    case "heading":
      return writeApart(2, out, () => out.add(getLines(node)));
    case "code":
      return writeApart(2, out, () => out.add(node.value));
    case "blockquote":
    case "list":
      return writeApart(2, out, () => writeAll(node.children, out));
    case "listItem":
      return writeApart(1, out, () => writeItem(node.children, out));
    case "table":
      return writeApart(2, out, () => writeAll(node.children, out));
    case "tableRow":
      return writeApart(1, out, () => out.add(node.children.map(getLine).join("\t")));
    case "thematicBreak":
    case "definition":
    case "footnoteDefinition":
    case "tableCell":
  }
}

/** Elements on their own line, without empty lines around them. */
const TIGHT = new Set("dd div dl dt figcaption li summary tbody td tfoot th thead tr".split(" "));

function writeApart(lines: number, out: Lines, inside: () => void): void {
  out.breakBy(lines);
  inside();
  out.breakBy(lines);
}

/** Puts the first paragraph of an item on the item's line. */
function writeItem([first, ...others]: readonly Content[], out: Lines): void {
  if (first?.type === "paragraph") {
    out.add(getLines(first));
    if (others.length > 0) out.breakBy(others[0]?.type === "list" ? 1 : 2);
  } else if (first !== undefined) write(first, out);
  for (const node of others) writeAll(node.type === "list" ? node.children : [node], out);
}

const getCardLines = ({ title, link, caption }: Card): string =>
  [title, link.url, caption ? getLine(caption) : ""].filter((line) => line !== "").join("\n");

/** Returns the text of inline nodes. Line ends of the source are spaces. */
function getLines(node: Content): string {
  if (node.type === "text") return node.value.replaceAll(/\s+/g, " ");
  if (node.type === "break") return "\n";
  if (node.type === "inlineCode" || node.type === "html") return getText(node);
  const text = getChildren(node).map(getLines).join("");
  if (node.type === "element" && (node.name === "sup" || node.name === "sub")) return toSigns(text, node.name);
  return node.type === "paragraph" || node.type === "heading" ? text.replaceAll(/(?<! ) *\n */g, "\n").trim() : text;
}

/** Returns superscript or subscript text: 10⁶ is not 106. Words stay. Other superscripts get a "^". */
function toSigns(text: string, name: string): string {
  const signs = /^[-+=()\dni]+$/.test(text) ? (name === "sup" ? toRaised : toLowered)(text) : null;
  return signs ?? (name === "sup" && /^\d/.test(text) ? `^${text}` : text);
}

/** Returns the start of the paragraphs on one line of at most `length` characters, cut after a word, without cards. */
export function makeExcerpt(tree: Root, length: number): string {
  let line = "";
  for (const child of tree.children) {
    if (child.type !== "paragraph" || findCard(child.children) !== null) continue;
    line = `${line} ${getLines(child).replaceAll("\n", " ")}`.trim();
    if (line.length > length) break;
  }
  if (line.length <= length) return line;
  const cut = line.slice(0, length);
  const end = cut.lastIndexOf(" ");
  // Scripts without spaces are cut anywhere, but not within a character.
  return `${(end > length / 2 ? cut.slice(0, end) : cut).replace(/[\ud800-\udbff]$/, "")}…`;
}
