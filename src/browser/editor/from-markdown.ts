/** Turns the parser's tree of a Markdown text into nodes of the rich editor. */
import type { Definition, List, Nodes, Parents, PhrasingContent, RootContent, Table } from "mdast";
import type { Mark, Node } from "prosemirror-model";
import { schema } from "./schema.ts";

/** The text that a tree was parsed from, and its link definitions by identifier. */
export type Source = { readonly text: string; readonly definitions: ReadonlyMap<string, Definition> };

/** Thrown for what has no node of its own. The block that contains it is shown as its source. */
export class Unshowable extends Error {}

const { nodes, marks } = schema;

const SHOWABLE = [
  "paragraph",
  "heading",
  "thematicBreak",
  "blockquote",
  "list",
  "code",
  "table",
  "footnoteDefinition",
  "html",
  "definition",
] as const;

type Showable = Extract<RootContent, { readonly type: (typeof SHOWABLE)[number] }>;

const isShowable = (block: RootContent): block is Showable => (SHOWABLE as readonly string[]).includes(block.type);

/** Returns the node for a block. Throws `Unshowable`. */
export function readBlock(block: RootContent, source: Source): Node {
  if (!isShowable(block)) throw new Unshowable(block.type);
  switch (block.type) {
    case "paragraph":
      return nodes.paragraph.create(null, readInlines(block.children, source));
    case "heading":
      return nodes.heading.createChecked({ level: block.depth }, readInlines(block.children, source));
    case "thematicBreak":
      return nodes.horizontal_rule.create();
    case "blockquote":
      return nodes.blockquote.createChecked(null, readBlocks(block, source));
    case "list":
      return readList(block, source);
    case "code":
      return nodes.code_block.create({ language: block.lang ?? "", meta: block.meta ?? "" }, textOf(block.value));
    case "table":
      return readTable(block, source);
    case "footnoteDefinition":
      return nodes.footnote_definition.createChecked({ label: labelOf(block) }, readBlocks(block, source));
    case "html":
      return sourceBlock("HTML", block.value);
    case "definition":
      return sourceBlock("Link definition", onOneLine(block, source));
  }
}

/** Returns a block that is shown as it is written. */
export const sourceBlock = (kind: string, text: string): Node => nodes.source_block.create({ kind }, textOf(text));

const textOf = (text: string): Node | null => (text === "" ? null : schema.text(unix(text)));

const unix = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

const readBlocks = (parent: { readonly children: readonly RootContent[] }, source: Source): Node[] =>
  parent.children.length === 0 ? [nodes.paragraph.create()] : parent.children.map((child) => readBlock(child, source));

function readList(list: List, source: Source): Node {
  const items = list.children.map((item) =>
    nodes.list_item.createChecked({ checked: item.checked ?? null, tight: !item.spread }, readBlocks(item, source)),
  );
  const marker = /^(?:[*+-]|\d+([.)]))/.exec(sliceOf(list, source));
  const shared = { tight: !list.spread, marker: marker?.[1] ?? marker?.[0] ?? "" };
  return list.ordered
    ? nodes.ordered_list.createChecked({ ...shared, start: list.start ?? 1 }, items)
    : nodes.bullet_list.createChecked(shared, items);
}

/** Rows may have fewer cells than the head, and more, which readers do not see: such a table stays as it is. */
function readTable(table: Table, source: Source): Node {
  const align = table.align ?? [];
  const width = table.children[0]?.children.length ?? 0;
  const rows = table.children.map((row, index) => {
    if (row.children.length > width) throw new Unshowable("a cell beyond the head of its table");
    const type = index === 0 ? nodes.table_header : nodes.table_cell;
    const cells = Array.from({ length: width }, (_, column) => {
      const inlines = readInlines(row.children[column]?.children ?? [], source);
      return type.createChecked({ align: align[column] ?? null }, nodes.paragraph.create(null, inlines));
    });
    return nodes.table_row.createChecked(null, cells);
  });
  return nodes.table.createChecked(null, rows);
}

function readInlines(children: readonly PhrasingContent[], source: Source, outer: readonly Mark[] = []): Node[] {
  return children.flatMap((child) => readInline(child, source, outer));
}

const INLINE = [
  "text",
  "emphasis",
  "strong",
  "delete",
  "inlineCode",
  "break",
  "link",
  "linkReference",
  "image",
  "footnoteReference",
] as const;

type Inline = Extract<PhrasingContent, { readonly type: (typeof INLINE)[number] }>;

const isInline = (inline: PhrasingContent): inline is Inline => (INLINE as readonly string[]).includes(inline.type);

/** Returns the nodes for a part of a text. HTML and references of pictures have none: they stay as they are written. */
function readInline(inline: PhrasingContent, source: Source, outer: readonly Mark[]): Node[] {
  if (!isInline(inline)) return raw(inline, source, outer);
  const inside = (mark: Mark) => {
    const read = readInlines((inline as Parents).children as PhrasingContent[], source, mark.addToSet(outer));
    // A mark needs something to be on: `[](address)` has nothing.
    return read.length === 0 ? raw(inline, source, outer) : read;
  };
  switch (inline.type) {
    case "text":
      return lines(unix(inline.value), outer);
    case "emphasis":
      return inside(marks.em.create());
    case "strong":
      return inside(marks.strong.create());
    case "delete":
      return inside(marks.strike.create());
    case "inlineCode":
      return inline.value === ""
        ? []
        : [schema.text(unix(inline.value).replaceAll("\n", " "), marks.code.create().addToSet(outer))];
    case "break":
      return [nodes.hard_break.create({ spaces: sliceOf(inline, source).startsWith(" ") }, null, outer)];
    case "link": {
      const { url, title = null } = inline;
      return inside(marks.link.create({ href: url, title, bare: !/^[<[]/.test(sliceOf(inline, source)) }));
    }
    case "linkReference": {
      const definition = source.definitions.get(inline.identifier.toUpperCase());
      if (definition === undefined) return raw(inline, source, outer);
      const { url, title = null } = definition;
      return inside(marks.link.create({ href: url, title, reference: labelOf(inline) }));
    }
    case "image":
      return [nodes.image.create({ src: inline.url, alt: inline.alt ?? "", title: inline.title ?? null }, null, outer)];
    case "footnoteReference":
      return [nodes.footnote_reference.create({ label: labelOf(inline) }, null, outer)];
  }
}

/** A text with the ends of its lines as nodes. */
function lines(text: string, outer: readonly Mark[]): Node[] {
  return text.split("\n").flatMap((line, index) => {
    const end = index === 0 ? [] : [nodes.soft_break.create(null, null, outer)];
    return line === "" ? end : end.concat(schema.text(line, outer));
  });
}

/** What has no node, as it is written. */
function raw(inline: Nodes, source: Source, outer: readonly Mark[]): Node[] {
  return [schema.text(onOneLine(inline, source), marks.raw.create().addToSet(outer))];
}

/** Returns the source of a node. Throws `Unshowable` if it has several lines: in a quote, each of them has a `>`. */
function onOneLine(node: Nodes, source: Source): string {
  const slice = sliceOf(node, source);
  if (slice === "" || /[\r\n]/.test(slice)) throw new Unshowable("a part of several lines");
  return slice;
}

const sliceOf = ({ position }: Nodes, { text }: Source): string =>
  position === undefined ? "" : text.slice(position.start.offset, position.end.offset);

const labelOf = ({
  label,
  identifier,
}: {
  readonly label?: string | null | undefined;
  readonly identifier: string;
}): string => label ?? identifier;
