/** Converts Lexical, the document format of Ghost's editor since version 5, into pieces of HTML and Markdown. */
import { isMembers, listOf, pieceOfCard, textMember, type Members, type Piece } from "./ghost-cards.ts";
import { escapeHtml, wrapHtml } from "./html-nodes.ts";
import type { Remarks } from "./remarks.ts";

/** Returns the pieces of a document, `{"root": {"children": […]}}`; none for anything else. */
export function piecesOfLexical(document: unknown, remarks: Remarks): Piece[] {
  const root = isMembers(document) && isMembers(document["root"]) ? document["root"] : {};
  return listOf(root, "children").map(
    (node) => pieceOfCard(textMember(node, "type"), node, remarks) ?? { html: htmlOf(node, remarks) },
  );
}

const inside = (node: Members, remarks: Remarks): string =>
  listOf(node, "children")
    .map((child) => htmlOf(child, remarks))
    .join("");

function htmlOf(node: Members, remarks: Remarks): string {
  const type = textMember(node, "type").replace(/^extended-/, "");
  switch (type) {
    case "text":
      return formatted(escapeHtml(textMember(node, "text")), node["format"]);
    case "linebreak":
      return "<br>";
    case "tab":
      return " ";
    case "paragraph":
      return `<p>${inside(node, remarks)}</p>`;
    case "quote":
    case "aside":
      return `<blockquote><p>${inside(node, remarks)}</p></blockquote>`;
    case "heading":
    case "list":
    case "listitem":
      return wrapHtml(tagOf(type, node), inside(node, remarks));
    case "link":
    case "autolink":
      return `<a href="${escapeHtml(textMember(node, "url"))}">${inside(node, remarks)}</a>`;
    default:
      return unknown(type, node, remarks);
  }
}

function unknown(type: string, node: Members, remarks: Remarks): string {
  const html = inside(node, remarks);
  if (html === "") remarks.add(`Ghost cards "${type.slice(0, 40)}" left out`);
  return html;
}

function tagOf(type: "heading" | "list" | "listitem", node: Members): string {
  if (type === "listitem") return "li";
  const tag = textMember(node, "tag");
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

function formatted(html: string, format: unknown): string {
  const bits = typeof format === "number" ? format : 0;
  return FORMATS.reduceRight((text, [bit, tag]) => ((bits & bit) === 0 ? text : wrapHtml(tag, text)), html);
}
