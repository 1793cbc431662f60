/** Reduces the cells of tables to what Markdown allows: lines of text. */
import { SKIP, visit } from "unist-util-visit";
import { makeElement, isBlock, isDropped, isElement, isSpace, getLine, wrapInlines, makeText } from "./html-nodes.ts";
import type { Element, Inside, Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";
import { isSpaceOrBreak } from "./html-kept.ts";

/**
 * Makes lines with `<br>` from the content of each cell. Items of lists get markers, headings become bold, and nested
 * tables become text. A table with a single cell is a box: its content replaces it, unless it is only text. Adds a
 * remark for each cell that loses something.
 */
export function flattenCells(tree: Root, remarks: Remarks): void {
  visit(tree, "element", (table, index, parent) => {
    if (table.tagName !== "table" || index === undefined || parent === undefined) return undefined;
    const cells = listCells(table);
    const lines = cells.map(flattenCell);
    const [box] = cells;
    if (box !== undefined && cells.length === 1 && lines[0]?.isLossy) {
      parent.children.splice(index, 1, makeElement("div", {}, box.children));
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

function listCells(table: Element): Element[] {
  const cells: Element[] = [];
  visit(table, "element", (node) => {
    if (!isElement(node, "td", "th")) return undefined;
    cells.push(node);
    return SKIP;
  });
  return cells;
}

type Line = { readonly nodes: Inside[]; readonly isLossy: boolean };

function flattenCell(cell: Element): Line {
  const state: State = { hasText: false, isBroken: false, isMarked: false, isLossy: false };
  return { nodes: flattenChildren(cell, state), isLossy: state.isLossy };
}

/** `isBroken`: a line break follows the last text. `isMarked`: the last text is the marker of an item. */
type State = { hasText: boolean; isBroken: boolean; isMarked: boolean; isLossy: boolean };

const WHOLE = new Set(["img", "input", "select", "svg", "math", "textarea"]);

function flattenChildren(parent: Element, state: State): Inside[] {
  let number = Number(parent.properties["start"] ?? 1);
  return parent.children.flatMap((node): Inside[] => {
    if (node.type === "text") return showNode(node, !isSpace(node), state);
    if (node.type !== "element" || isDropped(node)) return [];
    if (WHOLE.has(node.tagName)) return showNode(node, true, state);
    if (node.tagName === "br") return breakLine(state);
    if (!isBlock(node)) return wrapInlines(node, flattenChildren(node, state), isSpaceOrBreak);
    const marker = node.tagName !== "li" ? "" : parent.tagName === "ol" ? `${number++}. ` : "• ";
    return [...breakLine(state), ...flattenBlock(node, marker, state), ...breakLine(state)];
  });
}

const CODE = new Set(["pre", "listing", "plaintext", "xmp"]);
const STRUCTURES = new Set(["ul", "ol", "dl", "blockquote", "hr", "table"]);

function flattenBlock(block: Element, marker: string, state: State): Inside[] {
  const isCode = CODE.has(block.tagName);
  if (isCode || STRUCTURES.has(block.tagName)) state.isLossy = true;
  if (isCode) return showNode(makeElement("code", {}, [makeText(getLine(block))]), true, state);
  const start = marker === "" ? [] : showNode(makeText(marker), true, state);
  state.isMarked = marker !== "";
  const inside = [...start, ...flattenChildren(block, state)];
  return /^h[1-6]$/.test(block.tagName) ? wrapInlines(makeElement("strong", {}, []), inside, isSpaceOrBreak) : inside;
}

/** Returns a node, after a line break if one is due. White space (`isText` false) needs none. */
function showNode(node: Inside, isText: boolean, state: State): Inside[] {
  if (!isText) return [node];
  const before = state.isBroken ? [makeElement("br", {}, [])] : [];
  state.isBroken = false;
  state.isMarked = false;
  state.hasText = true;
  return [...before, node];
}

/** Ends a line. The break is only written before the next text, so that none is left at the end. */
function breakLine(state: State): Inside[] {
  state.isBroken = state.hasText && !state.isMarked;
  return [];
}
