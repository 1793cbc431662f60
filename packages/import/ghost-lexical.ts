/** Converts Lexical, the document format of Ghost's editor since version 5, into pieces of HTML and Markdown. */
import { isObject, listMembers, convertCard, getText, type Members, type Piece } from "./ghost-cards.ts";
import { escapeHtml, wrapHtml } from "./html-nodes.ts";
import type { Remarks } from "./remarks.ts";

/** Returns the pieces of a document, `{"root": {"children": […]}}`; none for anything else. */
export function convertLexical(document: unknown, remarks: Remarks): Piece[] {
  const root = isObject(document) && isObject(document["root"]) ? document["root"] : {};
  return listMembers(root, "children").map(
    (node) => convertCard(getText(node, "type"), node, remarks) ?? { html: toHtml(node, remarks) },
  );
}

const renderChildren = (node: Members, remarks: Remarks): string =>
  listMembers(node, "children")
    .map((child) => toHtml(child, remarks))
    .join("");

function toHtml(node: Members, remarks: Remarks): string {
  const type = getText(node, "type").replace(/^extended-/, "");
  switch (type) {
    case "text":
      return applyFormat(escapeHtml(getText(node, "text")), node["format"]);
    case "linebreak":
      return "<br>";
    case "tab":
      return " ";
    case "paragraph":
      return `<p>${renderChildren(node, remarks)}</p>`;
    case "quote":
    case "aside":
      return `<blockquote><p>${renderChildren(node, remarks)}</p></blockquote>`;
    case "heading":
    case "list":
    case "listitem":
      return wrapHtml(getTag(type, node), renderChildren(node, remarks));
    case "link":
    case "autolink":
      return `<a href="${escapeHtml(getText(node, "url"))}">${renderChildren(node, remarks)}</a>`;
    default:
      return renderUnknown(type, node, remarks);
  }
}

function renderUnknown(type: string, node: Members, remarks: Remarks): string {
  const html = renderChildren(node, remarks);
  if (html === "") remarks.add(`Ghost cards "${type.slice(0, 40)}" left out`);
  return html;
}

function getTag(type: "heading" | "list" | "listitem", node: Members): string {
  if (type === "listitem") return "li";
  const tag = getText(node, "tag");
  if (type === "list") return tag === "ol" || node["listType"] === "number" ? "ol" : "ul";
  return /^h[1-6]$/.test(tag) ? tag : "h2";
}

/** The bits of Lexical's `format` and their HTML tags, the outermost first. */
const FORMATS: readonly (readonly [bit: number, tag: string])[] = [
  [1, "strong"],
  [2, "em"],
  [4, "del"],
  [8, "u"],
  [128, "mark"],
  [32, "sub"],
  [64, "sup"],
  [16, "code"],
];

function applyFormat(html: string, format: unknown): string {
  const bits = typeof format === "number" ? format : 0;
  return FORMATS.reduceRight((text, [bit, tag]) => ((bits & bit) === 0 ? text : wrapHtml(tag, text)), html);
}
