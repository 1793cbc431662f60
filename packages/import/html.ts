import { toMdast } from "hast-util-to-mdast";
import { LIMITS } from "../../src/domain/limits.ts";
import { toHeadingName } from "../markdown/anchors.ts";
import { print, STYLE } from "../markdown/print.ts";
import type { Block } from "../markdown/tree.ts";
import { shorten } from "../../src/lib/text.ts";
import { boundTree } from "./html-bounds.ts";
import { flattenCells } from "./html-cells.ts";
import { linkEmbeds, showBackgrounds } from "./html-embeds.ts";
import { captionPictures } from "./html-figures.ts";
import { emphasizeCaptions, INLINE, KEEPING, raiseInLine, raiseSigns, renameTextual } from "./html-kept.ts";
import { getLine, getProperty } from "./html-nodes.ts";
import { parseHtml, type Root, type Element } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";
import { visit } from "unist-util-visit";

export type Change = (tree: Root) => void;

/**
 * Converts HTML into Markdown that ends with a line break; "" if there is no content. `change` edits the tree before the
 * conversion. Adds a remark for what is left out. Throws `Unusable` if the HTML is too large or nested too deeply.
 */
export function htmlToMarkdown(html: string, remarks: Remarks, change: Change = () => {}): string {
  const tree = parseHtml(html);
  showBackgrounds(tree, remarks);
  change(tree);
  linkEmbeds(tree, remarks);
  linkHeadings(tree, remarks);
  renameTextual(tree);
  raiseSigns(tree);
  captionPictures(tree, remarks);
  emphasizeCaptions(tree);
  flattenCells(tree, remarks);
  boundTree(tree);
  const text = print(toBlocks(tree), { ...STYLE, emphasis: "_" });
  return text.trim() === "" ? "" : `${text}\n`;
}

function toBlocks(tree: Root): Block[] {
  const { children } = toMdast(tree, {
    document: true,
    handlers: KEEPING,
    nodeHandlers: {
      root: (state, node: Root) => ({
        type: "root",
        children: adapt(state.toFlow(state.all(node)) as Converted[]) as never[],
      }),
    },
  }) as { readonly children: unknown };
  return children as Block[];
}

type Converted = Partial<Record<"value" | "url" | "written", string>> & {
  type: string;
  alt?: string | null;
  title?: string | null;
  children?: Converted[];
};

/** Returns the converter's nodes as those of our tree. Joins neighbouring texts in linear time. */
function adapt(nodes: readonly Converted[]): Converted[] {
  const adapted: Converted[] = [];
  for (const node of nodes) {
    const last = adapted.at(-1);
    if (node.type === "text" && last?.type === "text") last.value = `${last.value ?? ""}${node.value ?? ""}`;
    else adapted.push(node);
    if (node.type === INLINE) node.type = "element";
    if (node.type === "image") node.alt ??= "";
    if (node.type === "link" && !node.title && /^(?:https?:\/\/|mailto:)/i.test(node.url ?? ""))
      node.written = "autolink";
    if (node.children !== undefined) node.children = adapt(node.children);
  }
  return adapted;
}
/** Returns the text of HTML on one line, without tags and entities, for titles and excerpts. Throws `Unusable`. */
export function htmlToLine(html: string): string {
  const tree = parseHtml(html);
  raiseInLine(tree);
  return getLine(tree);
}

/** Returns the text of HTML, shortened to the length of a description with a remark. Throws `Unusable`. */
export function htmlToDescription(html: string, remarks: Remarks): string {
  const line = htmlToLine(html);
  if (line.length > LIMITS.description) remarks.add(`descriptions shortened to ${LIMITS.description} characters`);
  return shorten(line, LIMITS.description);
}

/** Makes links to headings use the ids that these get from their texts. Adds a remark for links to other places. */
function linkHeadings(tree: Root, remarks: Remarks): void {
  const names = listHeadingNames(tree);
  const all = new Set(names.values());
  visit(tree, "element", (node) => {
    const href = getProperty(node, "href");
    if (node.tagName !== "a" || !/^#./.test(href)) return;
    const place = href.slice(1);
    const name = names.get(place);
    if (name !== undefined) node.properties["href"] = `#${name}`;
    else if (!all.has(place)) remarks.add("links to places in the text that are no headings");
  });
}

/** Returns the names of headings by the ids in the source: those of the heading itself, and of anchors in and before it. */
function listHeadingNames(tree: Root): Map<string, string> {
  const names = new Map<string, string>();
  const times = new Map<string, number>();
  let before: string[] = [];
  visit(tree, (node) => {
    if (node.type === "text" && node.value.trim() !== "") before = [];
    if (node.type !== "element") return;
    const ids = [node, ...(isHeading(node) ? node.children : [])].flatMap(listIds);
    if (!isHeading(node)) {
      before.push(...ids);
      return;
    }
    const name = toHeadingName(getLine(node));
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    for (const id of [...before, ...ids, name])
      if (!names.has(id)) names.set(id, time === 1 ? name : `${name}-${time}`);
    before = [];
  });
  return names;
}

const isHeading = ({ tagName }: Element): boolean => /^h[1-6]$/.test(tagName);

const listIds = (node: Root["children"][number]): string[] =>
  node.type === "element"
    ? [getProperty(node, "id"), node.tagName === "a" ? getProperty(node, "name") : ""].filter(Boolean)
    : [];
