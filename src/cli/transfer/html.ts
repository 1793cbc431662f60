/** Converts the HTML of other systems into Markdown. */
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { LIMITS } from "../../domain/limits.ts";
import { shortened } from "../../lib/text.ts";
import { boundTree } from "./html-bounds.ts";
import { flattenCells } from "./html-cells.ts";
import { joinTexts } from "./html-inline.ts";
import { lineIn, linkTo } from "./html-nodes.ts";
import { treeFrom, type Child, type Element, type Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";

const toMarkdown = unified()
  .use(rehypeRemark, {
    nodeHandlers: {
      root: (state, node: Root) => {
        const root = { type: "root" as const, children: state.toFlow(state.all(node)) };
        joinTexts(root);
        return root;
      },
    },
  })
  // Aligned cells would all be as long as the longest cell of their column.
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: "-", emphasis: "_", rule: "-", fences: true, incrementListMarker: true });

/** Changes a tree before it becomes Markdown. */
export type Change = (tree: Root) => void;

/**
 * Converts HTML into Markdown that ends with a line break; returns "" if there is no content. `change` edits the tree
 * before the conversion. Frames and media become links, or are left out if they have no address, with a remark. Throws
 * `Unusable` as `treeFrom` and `boundTree` do.
 */
export function markdownFrom(html: string, remarks: Remarks, change: Change = () => {}): string {
  const tree = treeFrom(html);
  change(tree);
  linkEmbeds(tree, remarks);
  flattenCells(tree, remarks);
  boundTree(tree);
  return toMarkdown.stringify(toMarkdown.runSync(tree)).replace(/^\s+$/, "");
}

/** Returns the text of HTML on one line, without tags and entities: for titles and excerpts. Throws `Unusable`. */
export const lineFrom = (html: string): string => lineIn(treeFrom(html));

/** Returns `lineFrom`, shortened to the maximum length of a description, with a remark. Throws `Unusable`. */
export function descriptionFrom(html: string, remarks: Remarks): string {
  const line = lineFrom(html);
  if (line.length > LIMITS.description) remarks.add(`descriptions shortened to ${LIMITS.description} characters`);
  return shortened(line, LIMITS.description);
}

/**
 * Removes comments, which editors use to mark their blocks. Replaces frames and media, which Markdown does not have, by
 * links to their content.
 */
function linkEmbeds(tree: Root, remarks: Remarks): void {
  visit(tree, (parent) => {
    if (parent.type !== "root" && parent.type !== "element") return;
    const children: Child[] = parent.children;
    parent.children = children.flatMap((node) => linked(node, remarks)) as typeof parent.children;
  });
}

/** Returns the node, or what replaces it. */
function linked(node: Child, remarks: Remarks): Child[] {
  if (node.type === "comment") return [];
  if (node.type !== "element") return [node];
  if (node.tagName === "img" && !node.properties["src"]) {
    remarks.add("pictures without an address left out");
    return [];
  }
  if (["script", "style"].includes(node.tagName)) remarks.add(`<${node.tagName}> elements left out`);
  if (!["iframe", "embed", "video", "audio", "object"].includes(node.tagName)) return [node];
  const url = addressOf(node);
  remarks.add(url === "" ? `<${node.tagName}> elements left out` : `<${node.tagName}> elements turned into links`);
  return url === "" ? [] : [linkTo(url)];
}

/** Returns the absolute http or https address of a frame or media element; "" if it has none. */
function addressOf(node: Element): string {
  const source = node.children.find((child) => child.type === "element" && child.tagName === "source");
  const properties = [node, ...(source?.type === "element" ? [source] : [])].map((each) => each.properties);
  const url = properties.map(({ src, data }) => src ?? data).find((each) => typeof each === "string");
  return typeof url === "string" && /^(?:https?:)?\/\//.test(url) ? url.replace(/^\/\//, "https://") : "";
}
