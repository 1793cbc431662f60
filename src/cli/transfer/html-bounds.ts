/** What makes the Markdown of a tree a multiple of it, or takes the converter more than its share of time. */
import { visit } from "unist-util-visit";
import { Unusable } from "./article.ts";
import { simplify } from "./html-inline.ts";
import type { Child, Element, Root } from "./html-tree.ts";

/** Cells of tables, with those that spans stand for and those that fill short rows up; as many as the service shows. */
const MOST_CELLS = 50_000;
/** Quotes and items of lists within each other, as many as the service shows: each is a mark in front of every line. */
const MOST_CONTAINERS = 24;
const CONTAINERS = new Set(["blockquote", "li", "dt", "dd"]);

/**
 * Takes out of a tree what multiplies and says nothing. Throws `Unusable` where its quotes and lists are nested too
 * deeply, its tables have too many cells, or an element hands up too many nodes.
 */
export function boundTree(tree: Root): void {
  requireFlat(tree, 0);
  unwrapMarks(tree, [], simplify(tree));
  let cells = 0;
  visit(tree, "element", (node) => {
    // What a list suggests for an input would be repeated for each.
    if (node.tagName === "input") delete node.properties["list"];
    if (node.tagName !== "table") return;
    narrowRows(node);
    cells += cellsOf(node, MOST_CELLS - cells);
    if (cells > MOST_CELLS) throw new Unusable(`its tables have more than ${MOST_CELLS} cells`);
  });
}

function requireFlat({ children }: Root | Element, containers: number): void {
  if (containers > MOST_CONTAINERS) throw new Unusable("is nested too deeply");
  for (const node of children) {
    if (node.type === "element") requireFlat(node, containers + (CONTAINERS.has(node.tagName) ? 1 : 0));
  }
}

/** Elements that become the same mark. */
const MARKS = new Map(
  ["b strong", "em i u mark", "del s strike", "a"].flatMap((names) => names.split(" ").map((name) => [name, names])),
);

/** Marks that blocks can stand in: the converter marks what is in each. The others hold no more than a line. */
const AROUND_BLOCKS = new Set(["a", "del s strike"]);

/**
 * Bold text within bold text is bold, and links that lead nowhere are text: such marks say nothing in Markdown, and
 * writing them takes the cube of their depth. Bold text around blocks, as editors leave it, would be one line of them.
 */
function unwrapMarks(parent: Root | Element, within: readonly string[], aroundBlocks: ReadonlySet<Element>): void {
  const children: Child[] = parent.children;
  parent.children = children.flatMap((node): Child[] => {
    if (node.type !== "element") return [node];
    const mark = MARKS.get(node.tagName);
    const isIdle =
      mark !== undefined &&
      (within.includes(mark) ||
        (mark === "a" && !node.properties["href"]) ||
        (aroundBlocks.has(node) && !AROUND_BLOCKS.has(mark)));
    unwrapMarks(node, mark === undefined || isIdle ? within : [...within, mark], aroundBlocks);
    return isIdle ? node.children : [node];
  }) as typeof parent.children;
}

/** A cell alone in its row may span more columns than there are: "all of them" is often written so. */
function narrowRows(table: Element): void {
  const alone: Element[] = [];
  let widest = 0;
  for (const { children } of rowsOf(table)) {
    const cells = children.filter((node) => node.type === "element");
    const width = cells.reduce((sum, cell) => sum + spanOf(cell, "colSpan"), 0);
    const [cell] = cells;
    if (cell !== undefined && cells.length === 1 && width > 1) alone.push(cell);
    else widest = Math.max(widest, width);
  }
  if (widest === 0) return;
  for (const cell of alone) cell.properties["colSpan"] = Math.min(spanOf(cell, "colSpan"), widest);
}

function rowsOf(table: Element): Element[] {
  const rows: Element[] = [];
  visit(table, "element", (node) => {
    if (node.tagName === "tr") rows.push(node);
  });
  return rows;
}

/** The cells that a table has when each of its rows is as long as the longest; any number above `most` for more. */
function cellsOf(table: Element, most: number): number {
  const rows = rowsOf(table);
  const lengths = rows.map(() => 0);
  let spanned = 0;
  for (const [index, row] of rows.entries()) {
    for (const cell of row.children) {
      if (cell.type !== "element") continue;
      const columns = spanOf(cell, "colSpan");
      const end = Math.min(index + spanOf(cell, "rowSpan"), rows.length);
      spanned += columns * (end - index);
      if (spanned > most) return spanned;
      for (let each = index; each < end; each++) lengths[each] = (lengths[each] ?? 0) + columns;
    }
  }
  return lengths.length * lengths.reduce((longest, length) => Math.max(longest, length), 0);
}

const spanOf = ({ properties }: Element, name: "colSpan" | "rowSpan"): number =>
  Math.max(Number.parseInt(String(properties[name]), 10) || 1, 1);
