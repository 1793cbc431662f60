/** The examples of the specifications that the parser follows: CommonMark's and GitHub's (contract 20.3). */
import { tests } from "commonmark-spec";
import { describe, expect, it } from "vitest";
import { parse } from "../../packages/markdown/parse.ts";
import { encodeAddress } from "../../packages/markdown/parser.ts";
import type { Content, ContentByType } from "../../packages/markdown/tree.ts";

/** Writes nodes as the specifications do, whatever they link to. */
function html(node: Content): string {
  switch (node.type) {
    case "text":
      return escaped(node.value);
    case "inlineCode":
      return `<code>${escaped(node.value)}</code>`;
    case "emphasis":
      return `<em>${inside(node)}</em>`;
    case "strong":
      return `<strong>${inside(node)}</strong>`;
    case "delete":
      return `<del>${inside(node)}</del>`;
    case "break":
      return "<br />\n";
    case "link":
      return `<a href="${address(node.url)}"${titled(node.title)}>${inside(node)}</a>`;
    case "image":
      return `<img src="${address(node.url)}" alt="${escaped(node.alt)}"${titled(node.title)} />`;
    case "thematicBreak":
      return "<hr />";
    case "paragraph":
      return `<p>${inside(node)}</p>`;
    case "heading":
      return `<h${node.depth}>${inside(node)}</h${node.depth}>`;
    case "blockquote":
      return lines(["<blockquote>", blocks(node.children), "</blockquote>"]);
    case "code": {
      const language = node.lang == null ? "" : ` class="language-${escaped(node.lang)}"`;
      return `<pre><code${language}>${escaped(node.value)}${node.value === "" ? "" : "\n"}</code></pre>`;
    }
    case "list":
      return list(node);
    case "table":
      return table(node);
    case "html":
    case "element":
    case "definition":
    case "footnoteReference":
    case "footnoteDefinition":
    case "listItem":
    case "tableRow":
    case "tableCell":
      return "";
  }
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const address = (url: string): string => escaped(encodeAddress(url));
const titled = (title: string | null | undefined): string => (title == null ? "" : ` title="${escaped(title)}"`);
const inside = ({ children }: { readonly children: readonly Content[] }): string => children.map(html).join("");
const lines = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n");
const blocks = (nodes: readonly Content[]): string => lines(nodes.map(html));

function list({ ordered, start, spread, children }: ContentByType<"list">): string {
  const isLoose = spread === true || children.some((item) => item.spread === true);
  const items = children.map(({ children: own }) => {
    const parts = own.map((node) => (node.type === "paragraph" && !isLoose ? inside(node) : html(node)));
    const [first, last] = [own[0], own.at(-1)];
    const isBlock = (node: Content | undefined): boolean =>
      node !== undefined && (isLoose || node.type !== "paragraph");
    return `<li>${isBlock(first) ? "\n" : ""}${lines(parts)}${isBlock(last) ? "\n" : ""}</li>`;
  });
  const name = ordered ? "ol" : "ul";
  return lines([`<${name}${ordered && start !== 1 ? ` start="${start}"` : ""}>`, ...items, `</${name}>`]);
}

function table({ align, children: [head, ...rows] }: ContentByType<"table">): string {
  const row = (name: string, { children }: ContentByType<"tableRow">): string =>
    lines([
      "<tr>",
      ...children.map(
        (cell, n) => `<${name}${align[n] == null ? "" : ` align="${align[n]}"`}>${inside(cell)}</${name}>`,
      ),
      "</tr>",
    ]);
  const body = rows.length === 0 ? [] : ["<tbody>", ...rows.map((each) => row("td", each)), "</tbody>"];
  return lines(["<table>", "<thead>", head === undefined ? "" : row("th", head), "</thead>", ...body, "</table>"]);
}

describe("CommonMark 0.31.2", () => {
  /** Where we differ on purpose, by the number of the example. */
  const DIFFERENT: Readonly<Record<number, string>> = Object.fromEntries(
    [602, 608, 611, 612].map((number) => [number, "an address without brackets is a link (GitHub)"]),
  );
  /** HTML is not passed on as it is, but only what is allowed of it. */
  const hasHtml = (markdown: string): boolean => parse(markdown).html !== undefined;

  it("each example becomes what the specification says", () => {
    const wrong = tests.flatMap(({ markdown, html: expected, number }) => {
      const text = markdown.replaceAll("→", "\t");
      if (hasHtml(text) || number in DIFFERENT) return [];
      const found = blocks(parse(text).children);
      return found === expected.replaceAll("→", "\t").trim() ? [] : [{ number, text, expected, found }];
    });
    expect(wrong).toEqual([]);
  });
});
