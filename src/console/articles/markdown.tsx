/**
 * Markdown as its readers see it. Nothing of it becomes HTML by way of a string: the parsed tree is
 * restricted to an allowlist, then turned into JSX. HTML within Markdown shows as text.
 */
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import type { Child, FC } from "hono/jsx";
import { Fragment, jsx, jsxs } from "hono/jsx/jsx-runtime";
import rehypeSanitize, { type Options as Allowlist } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype, { type Options as Conversion } from "remark-rehype";
import { unified } from "unified";
import { canonicalLocale } from "../../lib/locale.ts";
import { isBearable, renderable } from "../../lib/markdown-bounds.ts";
import { tidied, type Tree } from "./tidy.ts";

/** A text as its readers see it, in its language. */
export const Markdown: FC<{ text: string; locale: string }> = ({ text, locale }) => {
  const length = renderable(text);
  return (
    <>
      {length < text.length && <Cut shown={length} of={text.length} />}
      <div class="prose" lang={canonicalLocale(locale) ?? undefined} dir="auto">
        {rendered(text.slice(0, length))}
      </div>
    </>
  );
};

const Cut: FC<{ shown: number; of: number }> = ({ shown, of }) => (
  <p class="alert warn">
    This shows the first {shown.toLocaleString("en")} of {of.toLocaleString("en")} characters: the rest is too long or
    too complex for a preview. All of it is saved and published.
  </p>
);

function rendered(text: string): Child {
  try {
    const parsed = processor.parse(text);
    if (isBearable(parsed)) return toJsx(tidied(processor.runSync(parsed)));
  } catch (error) {
    // The parser recurses: nesting can exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
  }
  return <pre tabindex={0}>{text}</pre>;
}

const toJsx = (tree: Tree): Child =>
  toJsxRuntime(tree, {
    Fragment,
    jsx,
    jsxs,
    elementAttributeNameCase: "html",
    // As `style` attributes, the policy of the page would refuse them.
    tableCellAlignToStyle: false,
  }) as Child;

const FLOW = new Set(["root", "blockquote", "listItem", "footnoteDefinition"]);

const CONVERSION: Conversion = {
  // The sanitizer adds its own.
  clobberPrefix: "",
  footnoteLabelProperties: {},
  handlers: {
    html(_state, node: { value: string }, parent: { type: string } | undefined) {
      const text = { type: "text" as const, value: node.value };
      if (parent === undefined || !FLOW.has(parent.type)) return text;
      return { type: "element", tagName: "p", properties: { className: ["source"] }, children: [text] };
    },
  },
};

const BLOCKS = "h1 h2 h3 h4 h5 h6 p blockquote hr pre ul ol li section table thead tbody tr th td".split(" ");
const INLINE = "a img code em strong del sup br input".split(" ");

/** What Markdown itself can make, and nothing else. */
const ALLOWLIST: Allowlist = {
  tagNames: BLOCKS.concat(INLINE),
  attributes: {
    a: ["href", "title", "id", "ariaLabel", "ariaDescribedBy", "dataFootnoteRef", "dataFootnoteBackref"],
    img: ["src", "alt", "title"],
    code: [["className", /^language-[\w+#.-]+$/]],
    h2: ["id"],
    input: [["type", "checkbox"], ["disabled", true], "checked"],
    li: ["id", ["className", "task-list-item"]],
    ol: ["start", ["className", "contains-task-list"]],
    p: [["className", "source"]],
    section: ["dataFootnotes", ["className", "footnotes"]],
    td: [["align", "left", "center", "right"]],
    th: [["align", "left", "center", "right"]],
    ul: [["className", "contains-task-list"]],
  },
  required: { input: { type: "checkbox", disabled: true } },
  protocols: { href: ["http", "https", "mailto"], src: ["http", "https"] },
  clobber: ["ariaDescribedBy", "id"],
  clobberPrefix: "user-content-",
  strip: [],
  ancestors: {},
};

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, CONVERSION)
  .use(rehypeSanitize, ALLOWLIST)
  .freeze();
