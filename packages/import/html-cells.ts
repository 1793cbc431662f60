/** Makes the cells of tables what they are in Markdown: lines of text, without lists, headings or code blocks. */
import { SKIP, visit } from "unist-util-visit";
import { element, isBlock, isDropped, isElement, isSpace, lineIn, marked, textNode } from "./html-nodes.ts";
import type { Element, Inside, Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";

/**
 * Makes what is in each cell lines with `<br>` between them. Items of lists get their markers, headings become bold, code
 * blocks become code; tables in cells become text. A table with one cell only is no table, but a box: what is in it takes
 * its place, if it is more than text. Adds a remark for each cell of which
 * something is lost.
 */
export function flattenCells(tree: Root, remarks: Remarks): void {
  visit(tree, "element", (table, index, parent) => {
    if (table.tagName !== "table" || index === undefined || parent === undefined) return undefined;
    const cells = cellsOf(table);
    const lines = cells.map(lineOf);
    const [box] = cells;
    if (box !== undefined && cells.length === 1 && lines[0]?.isLossy) {
      parent.children.splice(index, 1, element("div", {}, box.children));
      return index;
    }
    for (const [at, cell] of cells.entries()) cell.children = lines[at]?.nodes ?? [];
    remarks.add(
      "cells of tables with lists, quotes or code, now lines of text",
      lines.filter(({ isLossy }) => isLossy).length,
    );
    return SKIP;
  });
}

/** Returns the cells of a table, without those of tables in them. */
function cellsOf(table: Element): Element[] {
  const cells: Element[] = [];
  visit(table, "element", (node) => {
    if (!isElement(node, "td", "th")) return undefined;
    cells.push(node);
    return SKIP;
  });
  return cells;
}

/** The content of a cell on one line, and whether something of it is lost. */
type Line = { readonly nodes: Inside[]; readonly isLossy: boolean };

function lineOf(cell: Element): Line {
  const state: State = { hasText: false, isBroken: false, isMarked: false, isLossy: false };
  return { nodes: flat(cell, state), isLossy: state.isLossy };
}

/** `isBroken`: there is a line break since the last text. `isMarked`: the last text is the marker of an item. */
type State = { hasText: boolean; isBroken: boolean; isMarked: boolean; isLossy: boolean };

/** Elements that are shown as they are, or have no line of text in them. */
const WHOLE = new Set(["img", "input", "select", "svg", "math", "textarea"]);

function flat(parent: Element, state: State): Inside[] {
  let number = Number(parent.properties["start"] ?? 1);
  return parent.children.flatMap((node): Inside[] => {
    if (node.type === "text") return shown(node, !isSpace(node), state);
    if (node.type !== "element" || isDropped(node)) return [];
    if (WHOLE.has(node.tagName)) return shown(node, true, state);
    if (node.tagName === "br") return broken(state);
    if (!isBlock(node)) return marked(node, flat(node, state), isOutside);
    const marker = node.tagName !== "li" ? "" : parent.tagName === "ol" ? `${number++}. ` : "• ";
    return [...broken(state), ...flatBlock(node, marker, state), ...broken(state)];
  });
}

const isOutside = (node: Inside): boolean => isSpace(node) || isElement(node, "br");

const CODE = new Set(["pre", "listing", "plaintext", "xmp"]);
const STRUCTURES = new Set(["ul", "ol", "dl", "blockquote", "hr", "table"]);

function flatBlock(block: Element, marker: string, state: State): Inside[] {
  const isCode = CODE.has(block.tagName);
  if (isCode || STRUCTURES.has(block.tagName)) state.isLossy = true;
  if (isCode) return shown(element("code", {}, [textNode(lineIn(block))]), true, state);
  const start = marker === "" ? [] : shown(textNode(marker), true, state);
  state.isMarked = marker !== "";
  const inside = [...start, ...flat(block, state)];
  return /^h[1-6]$/.test(block.tagName) ? marked(element("strong", {}, []), inside, isOutside) : inside;
}

/** Returns a node that is shown, or a text that is not if it has only white space. */
function shown(node: Inside, isText: boolean, state: State): Inside[] {
  if (!isText) return [node];
  const before = state.isBroken ? [element("br", {}, [])] : [];
  state.isBroken = false;
  state.isMarked = false;
  state.hasText = true;
  return [...before, node];
}

/** Ends a line. The break itself is written before the next text, so that none is left at the end. */
function broken(state: State): Inside[] {
  state.isBroken = state.hasText && !state.isMarked;
  return [];
}
