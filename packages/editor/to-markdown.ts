/** Converts nodes of the rich editor to Markdown, in the style of the text. */
import type { Node } from "prosemirror-model";
import { print, type Style as PrintedStyle } from "../markdown/print.ts";
import type { Align, Block, ContentByType } from "../markdown/tree.ts";
import { writeInlines } from "./inline.ts";

/** How an author writes what Markdown allows in several ways. */
export type Style = PrintedStyle & { readonly eol: "\n" | "\r\n" };

/** Returns the style of a text: how it first writes each thing. */
export function detectStyle(text: string): Style {
  const first = <T extends string>(pattern: RegExp, fallback: T): T =>
    (pattern.exec(text)?.[1] as T | undefined) ?? fallback;
  return {
    bullet: first<"-" | "*" | "+">(/^ {0,3}([*+-])[ \t]+[^\s*-]/m, "-"),
    emphasis: first<"*" | "_">(/(?<![*_\w\\])([*_])(?![*_\s])[^*_\n]{1,200}\1(?![*_\w])/, "*"),
    strong: first<"*" | "_">(/(?<![*_\w\\])([*_])\1(?![*_\s])[^*_\n]{1,200}\1\1(?![*_\w])/, "*"),
    fence: first<"`" | "~">(/^ {0,3}(`|~)\1\1/m, "`"),
    rule: first<"-" | "*" | "_">(/^ {0,3}([*_-])(?:[ \t]*\1){2,20}[ \t]*$/m, "-"),
    eol: /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n",
  };
}

/** Returns a block as Markdown, without a line end after it. `former` is its source before it was changed. */
export function writeBlock(node: Node, { eol, ...style }: Style, former = ""): string {
  // Lists whose items all have the same number stay so.
  const isSameNumber = /^ {0,3}(\d+)[.)][ \t][\s\S]*?^ {0,3}\1[.)][ \t]/m.test(former);
  return print(toTree(node), { ...style, isSameNumber }).replaceAll("\n", eol);
}

function toBlock(node: Node): Block {
  const { attrs } = node;
  switch (node.type.name) {
    case "heading":
      return { type: "heading", depth: attrs["level"] as number, children: writeInlines(node) };
    case "horizontal_rule":
      return { type: "thematicBreak" };
    case "blockquote":
      return {
        type: "blockquote",
        alert: attrs["alert"] as ContentByType<"blockquote">["alert"] & {},
        children: toBlocks(node),
      };
    case "bullet_list":
    case "ordered_list":
      return toList(node);
    case "code_block": {
      const { language, meta } = attrs as { language: string; meta: string };
      return { type: "code", lang: language || null, meta: (language && meta) || null, value: node.textContent };
    }
    case "source_block":
      return { type: "html", value: node.textContent };
    case "table":
      return toTable(node);
    case "footnote_definition":
      return { type: "footnoteDefinition", label: attrs["label"] as string, children: toBlocks(node) };
    default:
      return { type: "paragraph", children: writeInlines(node) };
  }
}

/** Whether it is an empty paragraph: a place to write, which Markdown does not have. */
export const isEmpty = (node: Node): boolean =>
  node.type.name === "paragraph" &&
  node.content.size === node.textContent.length &&
  /^[ \t\n]*$/.test(node.textContent);

const toBlocks = (node: Node): Block[] => node.children.filter((child) => !isEmpty(child)).flatMap(toTree);

function toTree(node: Node): Block[] {
  if (node.type.name !== "html_box") return [toBlock(node)];
  const html = (name: "open" | "close"): Block => ({ type: "html", value: String(node.attrs[name]) });
  return [html("open"), ...toBlocks(node), html("close")];
}

function toList(node: Node): ContentByType<"list"> {
  const { start, tight, marker } = node.attrs as { start?: number; tight: boolean; marker: string };
  const ordered = node.type.name === "ordered_list";
  const children = node.children.map((item): ContentByType<"listItem"> => {
    const { checked, tight } = item.attrs as { checked: boolean | null; tight: boolean };
    return { type: "listItem", checked, spread: !tight, children: toBlocks(item) };
  });
  return { type: "list", ordered, start: ordered ? (start ?? 1) : null, spread: !tight, marker, children };
}

function toTable(node: Node): ContentByType<"table"> {
  const align = (node.firstChild?.children ?? []).map((cell) => cell.attrs["align"] as Align | null);
  const children = node.children.map((row): ContentByType<"tableRow"> => {
    const cells = row.children.map((cell) => ({
      type: "tableCell" as const,
      children: cell.children.flatMap(writeInlines),
    }));
    return { type: "tableRow", children: cells };
  });
  return { type: "table", align, children };
}
