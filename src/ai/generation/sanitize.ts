import { GAP, repeatUntilStable, removeAddresses } from "../../lib/addresses.ts";
import { removeInvisible } from "../../lib/invisible.ts";
import { isTag, plainLine } from "../../lib/plain-line.ts";
import { joinLines } from "../../lib/text.ts";
import { findLeadingAddress, findAllowedTarget, isMailLiteral, type LinkRules } from "./links.ts";
import { toLine, type Content, type ContentByType, type Root } from "./markdown.ts";
import { countNoun, describeRemovedLinks } from "./sentences.ts";

export type Rules = {
  readonly links: LinkRules;
  readonly images: ReadonlySet<string>;
};

export type Label = (label: string) => string;

/** Counts of removals. A removed link with a text is replaced by its text. */
export type Removed = { readonly links: number; readonly images: number; readonly html: number };

/** Returns the allowed content of a tree. References become inline, so that blocks can be moved to another text. */
export function sanitize(tree: Root, rules: Rules, label: Label): { blocks: Content[]; removed: Removed } {
  const work = { rules, label, removed: { links: 0, images: 0, html: 0 } };
  return { blocks: cleanBlocks(tree.children, work), removed: work.removed };
}

export const sumRemoved = (all: readonly Removed[]): Removed => ({
  links: all.reduce((sum, { links }) => sum + links, 0),
  images: all.reduce((sum, { images }) => sum + images, 0),
  html: all.reduce((sum, { html }) => sum + html, 0),
});

export function describeRemoved({ links, images, html }: Removed): string[] {
  return [
    links > 0 ? describeRemovedLinks(links) : "",
    images > 0 ? `${countNoun(images, "image")} that nobody provided ${images === 1 ? "was" : "were"} removed.` : "",
    html > 0 ? `${countNoun(html, "piece")} of HTML ${html === 1 ? "was" : "were"} removed.` : "",
  ].filter((sentence) => sentence !== "");
}

type Work = {
  readonly rules: Rules;
  readonly label: Label;
  readonly removed: { links: number; images: number; html: number };
};

function cleanAll(nodes: readonly Content[], work: Work): Content[] {
  const cleaned = withoutScripts(nodes).flatMap((node) => clean(node, work));
  // Addresses come last: removing the text between pieces can form one.
  return separateCode(mergeText(cleaned).map((node) => (node.type === "text" ? cleanText(node, work) : node)));
}

/** Cleans blocks. HTML blocks that turn out to be text become paragraphs. */
const cleanBlocks = (nodes: readonly Content[], work: Work): Content[] =>
  cleanAll(nodes, work).flatMap((node): Content[] => {
    if (node.type !== "text") return [node];
    return isBlank([node]) ? [] : [{ type: "paragraph", children: [node] }];
  });

/**
 * Removes the content and the end tag of inline `<script>` and `<style>`, whose content Markdown parses as text.
 * `cleanHtml` removes and counts the start tag.
 */
function withoutScripts(nodes: readonly Content[]): Content[] {
  let closing: string | null = null;
  return nodes.filter((node) => {
    const html = node.type === "html" ? node.value.toLowerCase() : "";
    if (closing !== null) {
      if (html.startsWith(closing)) closing = null;
      return false;
    }
    const [, element] = /^<(script|style)\b[^<]*>$/.exec(html) ?? [];
    if (element !== undefined) closing = `</${element}`;
    return true;
  });
}

function mergeText(nodes: readonly Content[]): Content[] {
  const all: Content[] = [];
  for (const node of nodes) {
    const last = all.at(-1);
    if (node.type === "text" && last?.type === "text") {
      all[all.length - 1] = { type: "text", value: last.value + node.value };
    } else all.push(node);
  }
  return all;
}

/** Puts a space between two code spans. Printed without it, their backticks would be read as one run. */
const separateCode = (nodes: readonly Content[]): Content[] =>
  nodes
    .filter((node) => node.type !== "text" || node.value !== "")
    .flatMap((node, index, all): Content[] =>
      node.type === "inlineCode" && all[index - 1]?.type === "inlineCode"
        ? [{ type: "text", value: " " }, node]
        : [node],
    );

function clean(node: Content, work: Work): Content[] {
  const { type } = node;
  if (type === "html") return cleanHtml(node, work);
  // It becomes text again, so that it is checked together with the text around it.
  if (type === "link" && isMailLiteral(node)) return [{ type: "text", value: toLine(node) }];
  if (type === "link") return cleanLink(node, work);
  if (type === "image") return cleanImage(node, work);
  if (type === "element") return cleanElement(node, work);
  if (type === "break" && node.written === "html") return [{ type: "text", value: " " }];
  if (type === "definition") return [];
  // A line break in code means a space. Printed in a heading, it would end the heading and the code.
  if (type === "inlineCode") return [{ ...node, value: node.value.replaceAll(/[\r\n]+/g, " ") }];
  if (type === "footnoteReference" || type === "footnoteDefinition") return [relabel(node, work)];
  if (type === "heading") return cleanChildren(toOneLine(node), work);
  return cleanChildren(node, work);
}

/** Removes line breaks: an underlined heading can have several lines, but headings are printed on one. */
function toOneLine(node: Content): Content {
  if (node.type === "break") return { type: "text", value: " " };
  if (node.type === "text") return { ...node, value: joinLines(node.value) };
  // The cast is safe: text is allowed wherever a break is.
  return "children" in node ? ({ ...node, children: node.children.map(toOneLine) } as Content) : node;
}

function cleanChildren(node: Content, work: Work): Content[] {
  if (!("children" in node)) return [node];
  let children = HOLDS_BLOCKS.has(node.type) ? cleanBlocks(node.children, work) : cleanAll(node.children, work);
  if (HOLDS_LINES.has(node.type)) children = trimNodes(children);
  if (isBlank(children) && !MAY_BE_EMPTY.has(node.type)) return [];
  // The cast is safe: nodes are only replaced by nodes that are allowed in the same place.
  return [{ ...node, children } as Content];
}

const HOLDS_BLOCKS = new Set<Content["type"]>(["blockquote", "listItem"]);
const HOLDS_LINES = new Set<Content["type"]>(["paragraph", "heading", "tableCell"]);

/** Removes spaces and breaks at both ends, where other content was removed. */
function trimNodes(nodes: readonly Content[]): Content[] {
  const start = nodes.findIndex((node) => !isBlank([node]));
  const end = nodes.findLastIndex((node) => !isBlank([node]));
  const kept = nodes.slice(Math.max(0, start), end + 1);
  return kept.map((node, index) => {
    if (node.type !== "text") return node;
    const started = index === 0 ? node.value.trimStart() : node.value;
    return { type: "text", value: index === kept.length - 1 ? started.trimEnd() : started };
  });
}

/** Parts of a table stay even if they are empty, to keep its rows and columns. */
const MAY_BE_EMPTY = new Set<Content["type"]>(["tableRow", "tableCell"]);

const isBlank = (nodes: readonly Content[]): boolean =>
  nodes.every((node) => node.type === "break" || (node.type === "text" && node.value.trim() === ""));

/**
 * Removes addresses, references to missing footnotes and invisible characters from a text, and the double spaces and
 * blank lines that other removals left.
 */
function cleanText({ value }: ContentByType<"text">, work: Work): ContentByType<"text"> {
  const rule = {
    mayStay: (mail: string) => work.rules.links.mails.has(mail),
    onRemoved: () => void work.removed.links++,
  };
  const text = repeatUntilStable(value, (text) =>
    removeAddresses(removeInvisible(text).replaceAll(/\[\^\d{1,3}\]/g, GAP), rule),
  );
  return { type: "text", value: text.replaceAll(/[ \t]{2,}/g, " ").replaceAll(/\n\s*\n/g, "\n") };
}

/** Elements that may stay, without attributes, because Markdown has no marks for them. */
const KEPT = new Set(["sub", "sup", "kbd", "ruby", "rp", "rt"]);

function cleanElement(node: ContentByType<"element">, work: Work): Content[] {
  const children = cleanAll(node.children, work);
  if (KEPT.has(node.name)) return isBlank(children) ? children : [{ ...node, attributes: {}, children }];
  work.removed.html++;
  return children;
}

function cleanLink(node: ContentByType<"link">, work: Work): Content[] {
  const { url, title = null } = node;
  const text = toLine(node);
  const address = findLeadingAddress(text);
  const rest = text.slice(address.length);
  if (address !== "" && rest === "") return cleanAddress(url, work);
  // GitHub's autolinks do not end at CJK punctuation, and such texts have no spaces. The text after it is no address.
  if (address !== "" && url.endsWith(text)) {
    return [...cleanAddress(url.slice(0, -rest.length), work), { type: "text", value: rest }];
  }
  const children = cleanAll(node.children, work);
  const target = findAllowedTarget(work.rules.links.linked, url);
  if (target === null) work.removed.links++;
  if (target === null || isBlank(children)) return children;
  return [
    {
      type: "link",
      url: target,
      title: plainLine(title ?? "") || null,
      children: children as ContentByType<"link">["children"],
    },
  ];
}

/** The target replaces the text of the link, which could name another address. */
function cleanAddress(url: string, work: Work): Content[] {
  const target = findAllowedTarget(work.rules.links.bare, url);
  if (target !== null)
    return [{ type: "link", url: target, written: "autolink", children: [{ type: "text", value: target }] }];
  work.removed.links++;
  return [{ type: "text", value: GAP }];
}

function cleanImage({ url, title, alt }: ContentByType<"image">, work: Work): Content[] {
  if (work.rules.images.has(url))
    return [{ type: "image", url, title: plainLine(title ?? "") || null, alt: plainLine(alt) }];
  work.removed.images++;
  return [];
}

/** Removes HTML. Keeps other words in angle brackets, which Markdown took for HTML. */
function cleanHtml({ value }: ContentByType<"html">, work: Work): Content[] {
  if (/^<[^<>]*>$/.test(value) && !isTag(value)) return [{ type: "text", value }];
  // The end tag belongs to what was counted.
  if (!value.startsWith("</")) work.removed.html++;
  return [];
}

function relabel(node: ContentByType<"footnoteReference" | "footnoteDefinition">, work: Work): Content {
  const renamed = { ...node, label: work.label(node.label) };
  return renamed.type === "footnoteReference"
    ? renamed
    : { ...renamed, children: cleanBlocks(renamed.children, work) as typeof renamed.children };
}
