/** HTML as a tree, of a size in proportion to its text. */
import { fromParse5 } from "hast-util-from-parse5";
import { defaultTreeAdapter, parseFragment, type DefaultTreeAdapterMap, type TreeAdapter } from "parse5";
import { LIMITS } from "../../domain/limits.ts";
import { Unusable } from "./article.ts";

/** Characters of HTML that may become an article: marks take more room in it than in Markdown. */
const MOST_HTML = LIMITS.contentBytes * 4;
/** Elements within elements: several times what page builders and mails nest. */
const MOST_DEPTH = 100;
/** Characters of tags in the tree for each of the HTML, and for however short a text. */
const MOST_TAGS = { each: 4, always: 4096 };

export type Root = Extract<ReturnType<typeof fromParse5>, { type: "root" }>;
export type Element = Extract<Root["children"][number], { type: "element" }>;
export type Inside = Element["children"][number];
export type Child = Root["children"][number] | Inside;

/** Throws `Unusable` for so many characters of HTML that no article can come of them. */
export function requireSizeOfArticle(length: number): void {
  if (length > MOST_HTML) throw new Unusable(`its HTML is larger than ${MOST_HTML / 1024 / 1024} MiB`);
}

/**
 * Parses a fragment as browsers do. Throws `Unusable` where it is too large, nested too deeply, or has so many tags
 * left open that it becomes a multiple of itself: as many as are open in a paragraph are opened again in the next.
 */
export function treeFrom(html: string): Root {
  requireSizeOfArticle(html.length);
  // Not by rehype-parse: it knows of no bounds, and the parser itself has to stop at them.
  const fragment = parseFragment(html, { treeAdapter: adapterFor(html.length), scriptingEnabled: false });
  return fromParse5(fragment) as Root;
}

/** Makes the nodes of one tree, and throws where they become too many. */
function adapterFor(length: number): TreeAdapter<DefaultTreeAdapterMap> {
  const mostTags = Math.min(MOST_TAGS.always + MOST_TAGS.each * length, MOST_HTML);
  let tags = 0;
  let depth = 0;
  return {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      tags += name.length + 2;
      for (const { name, value } of attributes) tags += name.length + value.length + 2;
      if (tags > mostTags) throw new Unusable("its HTML leaves too many tags open");
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
    onItemPush() {
      if (++depth > MOST_DEPTH) throw new Unusable("is nested too deeply");
    },
    onItemPop() {
      depth--;
    },
  };
}
