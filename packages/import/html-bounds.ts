/** Limits HTML trees whose Markdown would be many times larger, or take the converter too long. */
import { LIMITS } from "../../src/domain/limits.ts";
import { visit } from "unist-util-visit";
import { Unusable } from "./article.ts";
import { simplify } from "./html-inline.ts";
import { KEPT } from "./html-kept.ts";
import { findElements } from "./html-nodes.ts";
import type { Child, Element, Root } from "./html-tree.ts";

/** Maximum depth of nested quotes and list items, as in the service. Each level adds a mark before every line. */
const MOST_CONTAINERS = 24;
const CONTAINERS = new Set(["blockquote", "li", "dt", "dd"]);

/**
 * Removes what makes the Markdown larger without any meaning. Throws `Unusable` if quotes and lists are nested too
 * deeply, tables have too many cells, or an element passes up too many nodes (html-inline.ts).
 */
export function boundTree(tree: Root): void {
  requireFlat(tree, 0);
  unwrapMarks(tree, [], simplify(tree));
  let cells = 0;
  visit(tree, "element", (node) => {
    // The converter would repeat the options of a datalist for each input that uses it.
    if (node.tagName === "input") delete node.properties["list"];
    if (node.tagName !== "table") return;
    narrowRows(node);
    cells += countCells(node, LIMITS.tableCells - cells);
    if (cells > LIMITS.tableCells) throw new Unusable(TOO_MANY_CELLS);
  });
}

const TOO_MANY_CELLS = `its tables have more than ${LIMITS.tableCells.toLocaleString("en")} cells`;

function requireFlat({ children }: Root | Element, containers: number): void {
  if (containers > MOST_CONTAINERS) throw new Unusable("is nested too deeply");
  for (const node of children) {
    if (node.type === "element") requireFlat(node, containers + (CONTAINERS.has(node.tagName) ? 1 : 0));
  }
}

const MARKS = new Map(
  ["b strong", "em i", "del s strike", "a", ...KEPT].flatMap((names) => names.split(" ").map((name) => [name, names])),
);

/** Marks that may contain blocks, in each of which the converter marks the text. */
const AROUND_BLOCKS = new Set(["a", "del s strike"]);

/**
 * Unwraps elements whose mark has no effect: in the same mark, or a link without an address. Nested marks take cubic
 * time to print. Also unwraps bold and emphasis around blocks, which the converter would put on one line.
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

/** Limits the span of a cell that is alone in its row to the widest other row: a huge span means "all columns". */
function narrowRows(table: Element): void {
  const alone: Element[] = [];
  let widest = 0;
  for (const { children } of listRows(table)) {
    const cells = children.filter((node) => node.type === "element");
    const width = cells.reduce((sum, cell) => sum + getSpan(cell, "colSpan"), 0);
    const [cell] = cells;
    if (cell !== undefined && cells.length === 1 && width > 1) alone.push(cell);
    else widest = Math.max(widest, width);
  }
  if (widest === 0) return;
  for (const cell of alone) cell.properties["colSpan"] = Math.min(getSpan(cell, "colSpan"), widest);
}

const listRows = (table: Element): Element[] => findElements(table, ({ tagName }) => tagName === "tr");

/** Returns the number of cells if all rows are filled up to the longest. Stops counting above `most`. */
function countCells(table: Element, most: number): number {
  const rows = listRows(table);
  const lengths = rows.map(() => 0);
  let spanned = 0;
  for (const [index, row] of rows.entries()) {
    for (const cell of row.children) {
      if (cell.type !== "element") continue;
      const columns = getSpan(cell, "colSpan");
      const end = Math.min(index + getSpan(cell, "rowSpan"), rows.length);
      spanned += columns * (end - index);
      if (spanned > most) return spanned;
      for (let each = index; each < end; each++) lengths[each] = (lengths[each] ?? 0) + columns;
    }
  }
  return lengths.length * lengths.reduce((longest, length) => Math.max(longest, length), 0);
}

const getSpan = ({ properties }: Element, name: "colSpan" | "rowSpan"): number =>
  Math.max(Number.parseInt(String(properties[name]), 10) || 1, 1);
