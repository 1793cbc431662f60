/** What keeps the converter linear: it looks behind every node for the next that shows, and joins texts one by one. */
import { Unusable } from "./article.ts";
import type { Child, Element, Root } from "./html-tree.ts";

/** Nodes that one element may hand up to those around it; the converter passes each on as an argument of a call. */
const MOST_NODES = 50_000;

const names = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Elements that end a line of text. */
const BLOCKS = names(
  `address article aside blockquote caption center col colgroup dd details dialog dir div dl dt fieldset figcaption
  figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu multicol nav ol optgroup option p
  plaintext pre section summary table tbody td tfoot th thead tr ul xmp`,
);
/** Those of them that keep to themselves what is in them. */
const HOLDERS = names("blockquote dd dir dl dt h1 h2 h3 h4 h5 h6 li ol p pre summary table td th tr ul");
/** Elements within a line that show without a text. */
const SHOWN = names("audio br button canvas embed iframe img input math object picture select svg textarea video wbr");
/** Elements that neither show nor become Markdown, and what an input suggests, which would be repeated for each. */
const DROPPED = names(
  "area base basefont datalist link meta noembed noframes param script source style template title track",
);

/**
 * Drops elements that never show, leaves of those that hold nothing only their space, and joins texts. Gives the
 * elements with a block somewhere in them. Throws `Unusable` where one hands up too many nodes.
 */
export function simplify(tree: Root): ReadonlySet<Element> {
  const around = new Set<Element>();
  for (const node of tree.children) if (node.type === "element") simplifyWithin(node, around);
  tree.children = kept(tree.children);
  return around;
}

/** The number of nodes that it hands up: each line between the blocks of a block is one, a paragraph. */
function simplifyWithin(parent: Element, around: Set<Element>): number {
  let nodes = 0;
  let paragraphs = 0;
  let isLine = false;
  for (const node of parent.children) {
    const handed = node.type === "element" ? simplifyWithin(node, around) : 1;
    const isBlock = node.type === "element" && (BLOCKS.has(node.tagName) || around.has(node));
    if (isBlock) around.add(parent);
    nodes += handed;
    paragraphs += isBlock ? handed : Number(!isLine);
    isLine = !isBlock;
  }
  parent.children = kept(parent.children) as typeof parent.children;
  // The converter shows what is hidden, but looks for the next text behind it.
  delete parent.properties["hidden"];
  if (HOLDERS.has(parent.tagName)) return 1;
  const handed = BLOCKS.has(parent.tagName) ? paragraphs : nodes;
  if (handed > MOST_NODES) throw new Unusable(`its HTML has more than ${MOST_NODES} nodes beside each other`);
  return Math.max(handed, 1);
}

function kept(nodes: readonly Child[]): Child[] {
  const result: Child[] = [];
  for (const node of nodes.flatMap(withoutNothing)) {
    const last = result.at(-1);
    if (node.type === "text" && last?.type === "text") last.value += node.value;
    else result.push(node);
  }
  return result;
}

/** The node, or what it says where that is none. */
function withoutNothing(node: Child): readonly Child[] {
  if (node.type !== "element") return [node];
  if (DROPPED.has(node.tagName) || node.properties["dataMdast"] === "ignore") return [];
  if (BLOCKS.has(node.tagName) || SHOWN.has(node.tagName)) return [node];
  return node.tagName === "rp" || node.children.every(isSpace) ? node.children : [node];
}

const isSpace = (node: Child): boolean => node.type === "text" && !/[^ \t\n\f\r]/.test(node.value);

type Markdown = { type: string; value?: string; children?: Markdown[] };

/** Joins neighbouring texts: the converter would read what it has joined again with every text that it adds. */
export function joinTexts(parent: Markdown): void {
  const joined: Markdown[] = [];
  for (const node of parent.children ?? []) {
    const last = joined.at(-1);
    if (node.type === "text" && last?.type === "text") last.value = `${last.value ?? ""}${node.value ?? ""}`;
    else joined.push(node);
  }
  if (parent.children !== undefined) parent.children = joined;
  for (const node of joined) joinTexts(node);
}
