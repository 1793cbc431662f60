/** Links to places in the same text: headings have names of their own here (contract 20.3), and other places have none. */
import { visit } from "unist-util-visit";
import { lineIn, said } from "./html-nodes.ts";
import type { Element, Root } from "./html-tree.ts";
import type { Remarks } from "./remarks.ts";

/** Has links to headings use the names that these get from their texts. Adds a remark for links to other places. */
export function linkHeadings(tree: Root, remarks: Remarks): void {
  const names = namesIn(tree);
  const all = new Set(names.values());
  visit(tree, "element", (node) => {
    const href = said(node, "href");
    if (node.tagName !== "a" || !/^#./.test(href)) return;
    const place = href.slice(1);
    const name = names.get(place);
    if (name !== undefined) node.properties["href"] = `#${name}`;
    else if (!all.has(place)) remarks.add("links to places in the text that are no headings");
  });
}

/** Returns the names of headings by the ids that they, or the anchors in and before them, have in the source. */
function namesIn(tree: Root): Map<string, string> {
  const names = new Map<string, string>();
  const times = new Map<string, number>();
  let before: string[] = [];
  visit(tree, (node) => {
    if (node.type === "text" && node.value.trim() !== "") before = [];
    if (node.type !== "element") return;
    const ids = [node, ...(isHeading(node) ? node.children : [])].flatMap(idsOf);
    if (!isHeading(node)) {
      before.push(...ids);
      return;
    }
    const name = nameOf(lineIn(node));
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    for (const id of [...before, ...ids, nameOf(lineIn(node))])
      if (!names.has(id)) names.set(id, time === 1 ? name : `${name}-${time}`);
    before = [];
  });
  return names;
}

const isHeading = ({ tagName }: Element): boolean => /^h[1-6]$/.test(tagName);

const idsOf = (node: Root["children"][number]): string[] =>
  node.type === "element" ? [said(node, "id"), node.tagName === "a" ? said(node, "name") : ""].filter(Boolean) : [];

const nameOf = (title: string): string =>
  title
    .slice(0, 80)
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
