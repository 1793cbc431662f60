/** WordPress's blocks whose content is not in the post itself: reusable blocks, footnotes and dynamic ones. */
import { visit } from "unist-util-visit";
import { parseJson } from "../../src/lib/json.ts";
import { isObject, getText } from "./ghost-cards.ts";
import { escapeHtml, isElement, getProperty } from "./html-nodes.ts";
import { requireSizeOfArticle, type Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";

/** A block without content. The editor escapes angle brackets in its attributes. */
const ALONE = /<!-- wp:([a-z][a-z\d-]*(?:\/[a-z][a-z\d-]*)?) ([^<>]*)\/-->/g;
const MOST_DEPTH = 5;
const SILENT = new Set(["footnotes", "more", "nextpage", "spacer", "separator"]);

/** Inserts the content of reusable blocks. Adds a remark for other blocks without content in the post. */
export function expandBlocks(html: string, blocks: ReadonlyMap<string, string>, remarks: Remarks): string {
  let length = html.length;
  const expand = (text: string, depth: number): string =>
    text.replaceAll(ALONE, (whole, name: string, attributes: string) => {
      const [, ref = ""] = /"ref":(\d+)/.exec(attributes) ?? [];
      const content = name === "block" && depth < MOST_DEPTH ? blocks.get(ref) : renderLinkItem(name, attributes);
      if (content === undefined && !SILENT.has(name)) remarks.add(`blocks "${name}" left out`);
      if (content === undefined) return whole;
      requireSizeOfArticle((length += content.length + 1));
      return expand(content, depth + 1);
    });
  return expand(html, 0);
}

/** Returns a list item for a block that is a link; undefined for other blocks. */
function renderLinkItem(name: string, attributes: string): string | undefined {
  const said = LINKS.has(name) ? parseJson(attributes) : null;
  if (!isObject(said) || getText(said, "url") === "") return undefined;
  const label = getText(said, "label") || getText(said, "service");
  return `<li><a href="${escapeHtml(getText(said, "url"))}">${label}</a></li>`;
}

const LINKS = new Set(["social-link", "navigation-link"]);

/** Returns a post's footnotes, which are in a custom field, as HTML to append to its text. */
export function renderFootnotes(field: string): string {
  const notes = parseJson(field);
  const list = Array.isArray(notes) ? notes.filter(isObject) : [];
  return list
    .map((note) => `<aside data-note="${escapeHtml(getText(note, "id"))}">${getText(note, "content")}</aside>`)
    .join("");
}

export function numberNotes(tree: Root): void {
  const numbers = new Map<string, string>();
  visit(tree, "element", (node) => {
    const id = getProperty(node, node.tagName === "sup" ? "dataFn" : "dataNote");
    if (id === "" || !isElement(node, "sup", "aside")) return;
    const number = numbers.get(id) ?? String(numbers.size + 1);
    numbers.set(id, number);
    node.properties["dataNumber"] = number;
    if (node.tagName === "sup") node.children = [{ type: "text", value: number }];
  });
}
