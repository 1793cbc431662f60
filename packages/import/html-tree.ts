/** Parses HTML into a tree in proportion to its length. */
import { fromParse5 } from "hast-util-from-parse5";
import { defaultTreeAdapter, parseFragment, type DefaultTreeAdapterMap, type TreeAdapter } from "parse5";
import { LIMITS } from "../../src/domain/limits.ts";
import { Unusable } from "./article.ts";

/** Maximum characters of HTML for one article. Tags need more characters than Markdown. */
const MOST_HTML = LIMITS.contentBytes * 4;
/** Maximum depth of nested elements, several times that of page builders and emails. */
const MOST_DEPTH = 100;
/** Maximum characters of tags in the tree: `each` for every character of HTML, plus `always`. */
const MOST_TAGS = { each: 4, always: 4096 };

export type Root = Extract<ReturnType<typeof fromParse5>, { type: "root" }>;
export type Element = Extract<Root["children"][number], { type: "element" }>;
export type Inside = Element["children"][number];
export type Child = Root["children"][number] | Inside;

export function requireSizeOfArticle(length: number): void {
  if (length > MOST_HTML) throw new Unusable(`its HTML is larger than ${MOST_HTML / 1024 / 1024} MiB`);
}

/**
 * Parses a fragment of HTML as browsers do. Throws `Unusable` if it is too large or nested too deeply, or leaves too
 * many tags open: the parser opens them again in each paragraph.
 */
export function parseHtml(html: string): Root {
  requireSizeOfArticle(html.length);
  // Not rehype-parse: limits must stop the parser while it works.
  const fragment = parseFragment(html, { treeAdapter: makeAdapter(html.length), scriptingEnabled: false });
  return fromParse5(fragment) as Root;
}

function makeAdapter(length: number): TreeAdapter<DefaultTreeAdapterMap> {
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
