/** HTML of other systems as Markdown. */
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { LIMITS } from "../../domain/limits.ts";
import { boundTree } from "./html-bounds.ts";
import { joinTexts } from "./html-inline.ts";
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
  // Cells aligned would each be as long as the longest of their column.
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: "-", emphasis: "_", rule: "-", fences: true, incrementListMarker: true });

/** Changes a tree before it becomes Markdown. */
export type Change = (tree: Root) => void;

/**
 * Turns HTML into Markdown, ending in a line break; "" for nothing. Throws `Unusable` as `treeFrom`. What Markdown
 * has no form for is a link, where it leads somewhere, and remarked.
 */
export function markdownFrom(html: string, remarks: Remarks, change: Change = () => {}): string {
  const tree = treeFrom(html);
  change(tree);
  linkEmbeds(tree, remarks);
  boundTree(tree);
  return toMarkdown.stringify(toMarkdown.runSync(tree)).replace(/^\s+$/, "");
}

/** The text of HTML on one line: titles and excerpts have tags and entities. */
export function lineFrom(html: string): string {
  let text = "";
  visit(treeFrom(html), (node) => {
    if (node.type === "text") text += node.value;
    else if (node.type === "element" && !isInline(node)) text += " ";
  });
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}

/** As `lineFrom`, and no longer than a description may be. */
export function descriptionFrom(html: string, remarks: Remarks): string {
  const line = lineFrom(html);
  if (line.length <= LIMITS.description) return line;
  remarks.add(`descriptions shortened to ${LIMITS.description} characters`);
  return `${line
    .slice(0, LIMITS.description - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "")}…`;
}

/** Comments go: editors mark their blocks with them. Frames and media would be lost: a link to what they show stays. */
function linkEmbeds(tree: Root, remarks: Remarks): void {
  visit(tree, (parent) => {
    if (parent.type !== "root" && parent.type !== "element") return;
    const children: Child[] = parent.children;
    parent.children = children.flatMap((node) => linked(node, remarks)) as typeof parent.children;
  });
}

/** The node, or what takes its place. */
function linked(node: Child, remarks: Remarks): Child[] {
  if (node.type === "comment") return [];
  if (node.type !== "element") return [node];
  if (["script", "style"].includes(node.tagName)) remarks.add(`<${node.tagName}> elements left out`);
  if (!["iframe", "embed", "video", "audio", "object"].includes(node.tagName)) return [node];
  const url = addressOf(node);
  remarks.add(url === "" ? `<${node.tagName}> elements left out` : `<${node.tagName}> elements turned into links`);
  return url === "" ? [] : [linkTo(url)];
}

function addressOf(node: Element): string {
  const source = node.children.find((child) => child.type === "element" && child.tagName === "source");
  const properties = [node, ...(source?.type === "element" ? [source] : [])].map((each) => each.properties);
  const url = properties.map(({ src, data }) => src ?? data).find((each) => typeof each === "string");
  return typeof url === "string" && /^(?:https?:)?\/\//.test(url) ? url.replace(/^\/\//, "https://") : "";
}

/** A paragraph of nothing but a link. */
export const linkTo = (url: string): Element =>
  element("p", {}, [element("a", { href: url }, [{ type: "text", value: url }])]);

/** An element of a tree. */
export const element = (
  tagName: string,
  properties: Element["properties"],
  children: Element["children"],
): Element => ({
  type: "element",
  tagName,
  properties,
  children,
});

/** Whether an element stands within a line of text. */
export const isInline = (node: Element): boolean => INLINE.has(node.tagName);

const INLINE = new Set(
  `a abbr acronym b bdi bdo big button cite code data del dfn em font i img input ins kbd label map mark meter output
  progress q ruby s samp select small span strike strong sub sup svg textarea time tt u var wbr br`.split(/\s+/),
);

/** Whether a node is an element of one of these names. */
export const isElement = (node: Child | undefined, ...names: string[]): node is Element =>
  node?.type === "element" && names.includes(node.tagName);

/** A text as HTML, for markup put together from texts. */
export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
