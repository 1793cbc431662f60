/** Converts a Markdown tree to nodes of the rich editor. */
import type { Mark, Node } from "prosemirror-model";
import { isBlockElement } from "../markdown/elements.ts";
import { print } from "../markdown/print.ts";
import type { Block, Content, ContentByType, HtmlPiece, Inline, Root } from "../markdown/tree.ts";
import { isWebUrl } from "../../src/lib/web-url.ts";
import { schema } from "./schema.ts";
import { normalizeLineBreaks } from "../../src/lib/text.ts";

/** The text that a tree was parsed from, and its pieces of HTML by start and by end. */
export type Source = {
  readonly text: string;
  readonly begins: ReadonlyMap<number | undefined, HtmlPiece>;
  readonly ends: ReadonlyMap<number | undefined, HtmlPiece>;
};

export const makeSource = (text: string, { html = [] }: Root): Source => ({
  text,
  begins: new Map(html.map((piece) => [piece.from, piece])),
  ends: new Map(html.map((piece) => [piece.to, piece])),
});

/** Thrown for what has no node. The block that contains it is shown as source. */
export class Unshowable extends Error {}

const { nodes, marks } = schema;

/** Returns the node for a block. Throws `Unshowable`. */
export function readBlock(block: Block, source: Source): Node {
  switch (block.type) {
    case "paragraph":
      return nodes.paragraph.create(null, readInlines(block.children, source));
    case "heading":
      return nodes.heading.createChecked({ level: block.depth }, readInlines(block.children, source));
    case "thematicBreak":
      return nodes.horizontal_rule.create();
    case "blockquote":
      return nodes.blockquote.createChecked({ alert: block.alert ?? null }, readBlocks(block.children, source));
    case "list":
      return readList(block, source);
    case "code":
      return nodes.code_block.create({ language: block.lang ?? "", meta: block.meta ?? "" }, toText(block.value));
    case "table":
      return readTable(block, source);
    case "footnoteDefinition":
      return nodes.footnote_definition.createChecked({ label: block.label }, readBlocks(block.children, source));
    case "html":
      return makeSourceBlock("HTML", block.value);
    case "definition":
      return makeSourceBlock("Link definition", print([block]));
    case "element":
    default:
      // Within HTML, images and links can stand beside blocks.
      return readHtml(block, source);
  }
}

/** The largest HTML with Markdown in it, in characters. In larger blocks, unedited text would not keep its source. */
const MOST_OF_BOX = 10_000;

/** Returns a box around the Markdown in allowed HTML, or a source block (html-views.ts). Throws `Unshowable`. */
function readHtml(html: Content, source: Source): Node {
  const [open, close] = [source.begins.get(html.from), source.ends.get(html.to)];
  if (open !== undefined && open === close) return makeSourceBlock("HTML", open.value.trimEnd());
  const isLarge = (html.to ?? 0) - (html.from ?? 0) > MOST_OF_BOX;
  if (open === undefined || close === undefined || html.type !== "element" || isLarge) throw new Unshowable(html.type);
  const inside = findInside(html, open.to ?? 0, close.from ?? 0);
  const attrs = { open: open.value.trimEnd(), close: close.value.trimEnd() };
  return nodes.html_box.createChecked(attrs, readBlocks(inside, source));
}

/** Returns the Markdown between these offsets of an element. Throws `Unshowable` if there is other HTML. */
function findInside({ name, to, children }: ContentByType<"element">, start: number, end: number): Block[] {
  const first = children.findIndex(({ from = 0 }) => from >= start);
  const last = children.at(-1);
  if (first === -1 && last?.type === "element" && last.to === to) return findInside(last, start, end);
  const inside = first === -1 ? [] : children.slice(first);
  if (inside.length === 0 || !inside.every((each) => each.from !== undefined && (each.to ?? 0) <= end))
    throw new Unshowable(name);
  return inside as Block[];
}

export const makeSourceBlock = (kind: string, text: string): Node => nodes.source_block.create({ kind }, toText(text));

export const getSourceKind = (lines: string, named: string): string => (/^\s*</.test(lines) ? "HTML" : named);

const toText = (text: string): Node | null => (text === "" ? null : schema.text(normalizeLineBreaks(text)));

const readBlocks = (blocks: readonly Block[], source: Source): Node[] =>
  blocks.length === 0 ? [nodes.paragraph.create()] : blocks.map((block) => readBlock(block, source));

function readList(list: ContentByType<"list">, source: Source): Node {
  const items = list.children.map(({ checked = null, spread, children }) =>
    nodes.list_item.createChecked({ checked, tight: spread !== true }, readBlocks(children, source)),
  );
  const shared = { tight: list.spread !== true, marker: list.marker ?? "" };
  return list.ordered
    ? nodes.ordered_list.createChecked({ ...shared, start: list.start ?? 1 }, items)
    : nodes.bullet_list.createChecked(shared, items);
}

/** Throws `Unshowable` if a row has more cells than the head, because readers do not see those. */
function readTable({ align, children }: ContentByType<"table">, source: Source): Node {
  const width = children[0]?.children.length ?? 0;
  const rows = children.map((row, index) => {
    const line = source.text.slice(row.from ?? 0, row.to ?? 0).replace(/^[\s>|]+/, "");
    if (line.replace(/(?<!\\)\|\s*$/, "").split(/(?<!\\)\|/).length > width) {
      throw new Unshowable("a cell beyond the head of its table");
    }
    const type = index === 0 ? nodes.table_header : nodes.table_cell;
    const cells = Array.from({ length: width }, (_, column) => {
      const inlines = readInlines(row.children[column]?.children ?? [], source);
      return type.createChecked({ align: align[column] ?? null }, nodes.paragraph.create(null, inlines));
    });
    return nodes.table_row.createChecked(null, cells);
  });
  return nodes.table.createChecked(null, rows);
}

const readInlines = (children: readonly Inline[], source: Source, outer: readonly Mark[] = []): Node[] =>
  children.flatMap((child) => readInline(child, source, outer));

/** Returns the nodes for a part of a line. Image references and HTML that is not shown stay raw Markdown. */
function readInline(inline: Inline, source: Source, outer: readonly Mark[]): Node[] {
  const within = (children: readonly Inline[], mark: Mark): Node[] => {
    const read = readInlines(children, source, mark.addToSet(outer));
    // A mark needs content: `[](address)` has none.
    return read.length === 0 ? raw(inline, source, outer) : read;
  };
  switch (inline.type) {
    case "text":
      return lines(normalizeLineBreaks(inline.value), outer);
    case "emphasis":
      return within(inline.children, marks.em.create());
    case "strong":
      return within(inline.children, marks.strong.create());
    case "delete":
      return within(inline.children, marks.strike.create());
    case "inlineCode":
      return inline.value === ""
        ? []
        : [schema.text(normalizeLineBreaks(inline.value).replaceAll("\n", " "), marks.code.create().addToSet(outer))];
    case "break":
      return [nodes.hard_break.create({ written: inline.written ?? "" }, null, outer)];
    case "link": {
      const { url: href, title = null, written, label: reference = null } = inline;
      return within(inline.children, marks.link.create({ href, title, reference, bare: written === "bare" }));
    }
    case "image": {
      const { url: src, alt, title = null, written, attributes = {} } = inline;
      const isShown = written === "html" ? isWebUrl(src) : written !== "reference";
      if (!isShown) return raw(inline, source, outer);
      return [nodes.image.create({ src, alt, title, attributes }, null, outer)];
    }
    case "footnoteReference":
      return [nodes.footnote_reference.create({ label: inline.label }, null, outer)];
    case "html":
      return raw(inline, source, outer);
    case "element":
      return readElement(inline, source, outer);
    default:
      // HTML can open a heading or a divider within a paragraph.
      throw new Unshowable("a block within a line");
  }
}

function readElement(element: ContentByType<"element">, source: Source, outer: readonly Mark[]): Node[] {
  const { name, attributes, children } = element;
  if (isBlockElement(name)) return raw(element, source, outer);
  const mark = name === "sub" || name === "sup" ? marks[name] : marks.element;
  const read = readInlines(children as Inline[], source, mark.create({ name, attributes }).addToSet(outer));
  return read.length === 0 ? raw(element, source, outer) : read;
}

function lines(text: string, outer: readonly Mark[]): Node[] {
  return text.split("\n").flatMap((line, index) => {
    const end = index === 0 ? [] : [nodes.soft_break.create(null, null, outer)];
    return line === "" ? end : end.concat(schema.text(line, outer));
  });
}

/** Returns what has no node as raw Markdown. Throws `Unshowable` for several lines: in a quote, each has a `>`. */
function raw(inline: Inline, { text }: Source, outer: readonly Mark[]): Node[] {
  const { from, to } = inline;
  const slice = inline.type === "html" ? inline.value : from === undefined ? "" : text.slice(from, to);
  if (slice === "" || /[\r\n]/.test(slice)) throw new Unshowable("a part of several lines");
  return [schema.text(slice, marks.raw.create().addToSet(outer))];
}
