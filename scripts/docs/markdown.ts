/** Renders Markdown: the descriptions of the OpenAPI document, and the guides. */
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { html, raw } from "hono/html";
import { Fragment, jsx } from "hono/jsx/jsx-runtime";
import { toString } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { visit } from "unist-util-visit";

export type Html = ReturnType<typeof html>;

const parser = unified().use(remarkParse).use(remarkGfm).freeze();
const toHast = unified().use(remarkRehype).freeze();

type MarkdownTree = ReturnType<typeof parser.parse>;
type Rendered = Parameters<typeof toJsxRuntime>[0];

/** A heading of the second level, with its anchor. */
export type Heading = { readonly id: string; readonly text: string };

/** Renders a text as blocks. */
export function markdown(text: string): Html {
  return text === "" ? html`` : render(parser.parse(text));
}

/** Renders the text of a label or a table cell: code, links and emphasis, without a paragraph around them. */
export function inline(text: string): Html {
  // Most texts are plain but for code, and parsing a thousand of them takes a while.
  if (!/[[*_<>&\\]|https?:/.test(text.replaceAll(/`[^`]*`/g, ""))) {
    return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
  }
  const tree = parser.parse(text);
  const [only] = tree.children;
  if (tree.children.length === 1 && only?.type === "paragraph") {
    return render({ type: "root", children: only.children } as unknown as MarkdownTree);
  }
  return render(tree);
}

/** Renders a guide: its title, the first paragraph, its sections and its body without the title. */
export function guide(path: string, text: string) {
  const tree = parser.parse(text);
  const [first, second] = tree.children;
  if (first?.type !== "heading" || first.depth !== 1) throw new Error("A guide begins with its title.");
  const headings: Heading[] = [];
  visit(tree, "heading", (node) => {
    const title = toString(node);
    node.data = { hProperties: { id: anchorOf(title) } };
    if (node.depth === 2) headings.push({ id: anchorOf(title), text: title });
  });
  visit(tree, "link", (node) => {
    // Guides lead to each other as files, so that their links also work in the repository.
    node.url = node.url.replace(/^([a-z-]+)\.md(?=$|#)/, "/docs/guides/$1");
  });
  const body = render({ ...tree, children: tree.children.slice(1) });
  return { path, title: toString(first), lead: second === undefined ? "" : toString(second), headings, body };
}

/** Returns the anchor that GitHub generates for a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

function render(tree: MarkdownTree): Html {
  const hast = toHast.runSync(tree) as Rendered;
  visit(hast, "element", (node) => {
    // Wide code scrolls, and so has to be reachable by keyboard.
    if (node.tagName === "pre") node.properties["tabIndex"] = 0;
  });
  return raw(String(toJsxRuntime(hast, { Fragment, jsx, jsxs: jsx, elementAttributeNameCase: "html" })));
}
