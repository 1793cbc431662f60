/** Converts the HTML of other systems into Markdown. */
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { LIMITS } from "../domain/limits.ts";
import { shortened } from "../lib/text.ts";
import { boundTree } from "./html-bounds.ts";
import { linkHeadings } from "./html-anchors.ts";
import { flattenCells } from "./html-cells.ts";
import { linkEmbeds, showBackgrounds } from "./html-embeds.ts";
import { joinTexts } from "./html-inline.ts";
import { emphasizeCaptions, KEEPING, raiseInLine, raiseSigns, renameTextual, WRITTEN } from "./html-kept.ts";
import { lineIn } from "./html-nodes.ts";
import { treeFrom, type Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";

const toMarkdown = unified()
  .use(rehypeRemark, {
    handlers: KEEPING,
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
  .use(remarkStringify, {
    bullet: "-",
    emphasis: "_",
    rule: "-",
    fences: true,
    incrementListMarker: true,
    handlers: WRITTEN,
  });

/** Changes a tree before it becomes Markdown. */
export type Change = (tree: Root) => void;

/**
 * Converts HTML into Markdown that ends with a line break; returns "" if there is no content. `change` edits the tree
 * before the conversion. Adds a remark for what is left out. Throws `Unusable` as `treeFrom` and `boundTree` do.
 */
export function markdownFrom(html: string, remarks: Remarks, change: Change = () => {}): string {
  const tree = treeFrom(html);
  showBackgrounds(tree, remarks);
  change(tree);
  linkEmbeds(tree, remarks);
  linkHeadings(tree, remarks);
  renameTextual(tree);
  raiseSigns(tree);
  emphasizeCaptions(tree);
  flattenCells(tree, remarks);
  boundTree(tree);
  return toMarkdown.stringify(toMarkdown.runSync(tree)).replace(/^\s+$/, "");
}

/** Returns the text of HTML on one line, without tags and entities: for titles and excerpts. Throws `Unusable`. */
export function lineFrom(html: string): string {
  const tree = treeFrom(html);
  raiseInLine(tree);
  return lineIn(tree);
}

/** Returns `lineFrom`, shortened to the maximum length of a description, with a remark. Throws `Unusable`. */
export function descriptionFrom(html: string, remarks: Remarks): string {
  const line = lineFrom(html);
  if (line.length > LIMITS.description) remarks.add(`descriptions shortened to ${LIMITS.description} characters`);
  return shortened(line, LIMITS.description);
}
