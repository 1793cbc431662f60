/**
 * Simplifies trees so that the converter takes linear time. It searches for the next visible node after each node,
 * and joins neighbouring texts one by one.
 */
import { Unusable } from "./article.ts";
import { isBlock, isDropped } from "./html-nodes.ts";
import type { Child, Element, Root } from "./html-tree.ts";

/** Maximum nodes that an element passes up to its parent, where the converter makes each an argument of a call. */
const MOST_NODES = 50_000;

/** Blocks that become one node in Markdown. Other elements pass their content up. */
const HOLDERS = new Set("blockquote dd dir dl dt h1 h2 h3 h4 h5 h6 li ol p pre summary table td th tr ul".split(" "));
const SHOWN = new Set(
  "audio br button canvas embed iframe img input math object picture select svg textarea video wbr".split(" "),
);
/**
 * Removes invisible elements, replaces empty inline elements by their white space, and joins texts. Returns the
 * elements that contain a block. Throws `Unusable` if an element passes up too many nodes.
 */
export function simplify(tree: Root): ReadonlySet<Element> {
  const around = new Set<Element>();
  for (const node of tree.children) if (node.type === "element") simplifyWithin(node, around);
  tree.children = cleanNodes(tree.children);
  return around;
}

/**
 * Simplifies an element and returns how many nodes it passes up. In a block, a line of inline nodes between two
 * blocks counts as one, because it becomes a paragraph.
 */
function simplifyWithin(parent: Element, around: Set<Element>): number {
  let nodes = 0;
  let paragraphs = 0;
  let isLine = false;
  for (const node of parent.children) {
    const handed = node.type === "element" ? simplifyWithin(node, around) : 1;
    const hasBlock = node.type === "element" && (isBlock(node) || around.has(node));
    if (hasBlock) around.add(parent);
    nodes += handed;
    paragraphs += hasBlock ? handed : Number(!isLine);
    isLine = !hasBlock;
  }
  parent.children = cleanNodes(parent.children) as typeof parent.children;
  // The converter also writes hidden elements, but skips them when it searches for the next visible node.
  delete parent.properties["hidden"];
  if (HOLDERS.has(parent.tagName)) return 1;
  const handed = isBlock(parent) ? paragraphs : nodes;
  if (handed > MOST_NODES) throw new Unusable(`its HTML has more than ${MOST_NODES} nodes beside each other`);
  return Math.max(handed, 1);
}

function cleanNodes(nodes: readonly Child[]): Child[] {
  const result: Child[] = [];
  for (const node of nodes.flatMap(cleanNode)) {
    const last = result.at(-1);
    if (node.type === "text" && last?.type === "text") last.value += node.value;
    else result.push(node);
  }
  return result;
}

/** Returns the node or what replaces it: nothing if it is invisible, the white space of an empty inline element. */
function cleanNode(node: Child): readonly Child[] {
  if (node.type !== "element") return [node];
  if (isDropped(node) || node.properties["dataMdast"] === "ignore") return [];
  if (isBlock(node) || SHOWN.has(node.tagName)) return [node];
  return node.children.every(isSpace) ? node.children : [node];
}

const isSpace = (node: Child): boolean => node.type === "text" && !/[^ \t\n\f\r]/.test(node.value);
