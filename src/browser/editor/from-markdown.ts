/** Turns the tree of a Markdown text into nodes of the rich editor. */
import type { Mark, Node } from "prosemirror-model";
import { print } from "../../domain/markdown/print.ts";
import type { Block, ContentOf, Inline } from "../../domain/markdown/tree.ts";
import { isWebUrl } from "../../lib/web-url.ts";
import { schema } from "./schema.ts";

/** The text that a tree was parsed from. */
export type Source = { readonly text: string };

/** Thrown for what has no node of its own. The block that contains it is shown as its source. */
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
      return nodes.code_block.create({ language: block.lang ?? "", meta: block.meta ?? "" }, textOf(block.value));
    case "table":
      return readTable(block, source);
    case "footnoteDefinition":
      return nodes.footnote_definition.createChecked({ label: block.label }, readBlocks(block.children, source));
    case "html":
      return sourceBlock("HTML", block.value);
    case "definition":
      return sourceBlock("Link definition", print([block]));
    case "element":
      throw new Unshowable(block.name);
  }
}

/** Returns a block that is shown as it is written. */
export const sourceBlock = (kind: string, text: string): Node => nodes.source_block.create({ kind }, textOf(text));

/** Returns what a block that is shown as its source is called. */
export const sourceKind = (lines: string, named: string): string => (/^\s*</.test(lines) ? "HTML" : named);

const textOf = (text: string): Node | null => (text === "" ? null : schema.text(unix(text)));

const unix = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

const readBlocks = (blocks: readonly Block[], source: Source): Node[] =>
  blocks.length === 0 ? [nodes.paragraph.create()] : blocks.map((block) => readBlock(block, source));

function readList(list: ContentOf<"list">, source: Source): Node {
  const items = list.children.map(({ checked = null, spread, children }) =>
    nodes.list_item.createChecked({ checked, tight: spread !== true }, readBlocks(children, source)),
  );
  const shared = { tight: list.spread !== true, marker: list.marker ?? "" };
  return list.ordered
    ? nodes.ordered_list.createChecked({ ...shared, start: list.start ?? 1 }, items)
    : nodes.bullet_list.createChecked(shared, items);
}

/** Rows may have fewer cells than the head, and more, which readers do not see: such a table stays as it is. */
function readTable({ align, children }: ContentOf<"table">, { text }: Source): Node {
  const width = children[0]?.children.length ?? 0;
  const rows = children.map((row, index) => {
    const line = text.slice(row.from ?? 0, row.to ?? 0).replace(/^[\s>|]+/, "");
    if (line.replace(/(?<!\\)\|\s*$/, "").split(/(?<!\\)\|/).length > width) {
      throw new Unshowable("a cell beyond the head of its table");
    }
    const type = index === 0 ? nodes.table_header : nodes.table_cell;
    const cells = Array.from({ length: width }, (_, column) => {
      const inlines = readInlines(row.children[column]?.children ?? [], { text });
      return type.createChecked({ align: align[column] ?? null }, nodes.paragraph.create(null, inlines));
    });
    return nodes.table_row.createChecked(null, cells);
  });
  return nodes.table.createChecked(null, rows);
}

const readInlines = (children: readonly Inline[], source: Source, outer: readonly Mark[] = []): Node[] =>
  children.flatMap((child) => readInline(child, source, outer));

/** Returns the nodes for a part of a text. References of pictures and HTML that is not shown stay as they are written. */
function readInline(inline: Inline, source: Source, outer: readonly Mark[]): Node[] {
  const within = (children: readonly Inline[], mark: Mark): Node[] => {
    const read = readInlines(children, source, mark.addToSet(outer));
    // A mark needs something to be on: `[](address)` has nothing.
    return read.length === 0 ? raw(inline, source, outer) : read;
  };
  switch (inline.type) {
    case "text":
      return lines(unix(inline.value), outer);
    case "emphasis":
      return within(inline.children, marks.em.create());
    case "strong":
      return within(inline.children, marks.strong.create());
    case "delete":
      return within(inline.children, marks.strike.create());
    case "inlineCode":
      return inline.value === ""
        ? []
        : [schema.text(unix(inline.value).replaceAll("\n", " "), marks.code.create().addToSet(outer))];
    case "break":
      return [nodes.hard_break.create({ written: inline.written ?? "" }, null, outer)];
    case "link": {
      const { url: href, title = null, written, label: reference = null } = inline;
      return within(inline.children, marks.link.create({ href, title, reference, bare: written === "bare" }));
    }
    case "image": {
      const { url: src, alt, title = null, written, attributes = {} } = inline;
      const isShown =
        written === "html" ? isWebUrl(src) && Object.keys(attributes).length === 0 : written !== "reference";
      if (!isShown) return raw(inline, source, outer);
      return [nodes.image.create({ src, alt, title }, null, outer)];
    }
    case "footnoteReference":
      return [nodes.footnote_reference.create({ label: inline.label }, null, outer)];
    case "html":
      return raw(inline, source, outer);
    case "element":
      return readElement(inline, source, outer);
    default:
      // HTML can open a heading or a line within a paragraph.
      throw new Unshowable("a block within a line");
  }
}

/** Elements within a line are shown as readers see them. */
function readElement(element: ContentOf<"element">, source: Source, outer: readonly Mark[]): Node[] {
  const { name, attributes } = element;
  const isPlain = Object.keys(attributes).length === 0;
  if (!isPlain || !(name in SHOWN)) return raw(element, source, outer);
  const read = readInlines(
    element.children as Inline[],
    source,
    SHOWN[name as keyof typeof SHOWN].create().addToSet(outer),
  );
  return read.length === 0 ? raw(element, source, outer) : read;
}

const SHOWN = { kbd: marks.kbd, mark: marks.mark, sub: marks.sub, sup: marks.sup, u: marks.u } as const;

/** A text with the ends of its lines as nodes. */
function lines(text: string, outer: readonly Mark[]): Node[] {
  return text.split("\n").flatMap((line, index) => {
    const end = index === 0 ? [] : [nodes.soft_break.create(null, null, outer)];
    return line === "" ? end : end.concat(schema.text(line, outer));
  });
}

/** What has no node, as it is written. Throws `Unshowable` if it has several lines: in a quote, each of them has a `>`. */
function raw(inline: Inline, { text }: Source, outer: readonly Mark[]): Node[] {
  const { from, to } = inline;
  const slice = inline.type === "html" ? inline.value : from === undefined ? "" : text.slice(from, to);
  if (slice === "" || /[\r\n]/.test(slice)) throw new Unshowable("a part of several lines");
  return [schema.text(slice, marks.raw.create().addToSet(outer))];
}
