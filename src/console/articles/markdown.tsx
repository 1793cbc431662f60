/**
 * Renders Markdown. It never builds HTML from strings: the parsed tree is reduced to an allowlist of elements and then
 * converted to JSX. HTML inside the Markdown is shown as text.
 */
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import type { Child, FC } from "hono/jsx";
import { Fragment, jsx, jsxs } from "hono/jsx/jsx-runtime";
import rehypeSanitize, { type Options as Allowlist } from "rehype-sanitize";
import remarkRehype, { type Options as Conversion } from "remark-rehype";
import { unified } from "unified";
import { canonicalLocale } from "../../domain/locale.ts";
import { LIMITS } from "../../domain/limits.ts";
import { parseMarkdown, type Root } from "../../domain/markdown/parser.ts";
import { tidied, type Tree } from "./tidy.ts";

/** Renders a Markdown text in its language. `origin` is the service's own. If the text is too long or too complex, it renders only the beginning. */
export const Markdown: FC<{ text: string; locale: string; origin: string | null }> = ({ text, locale, origin }) => {
  const { shown, rendered } = rendering(text, origin);
  return (
    <>
      {shown < text.length && <Cut shown={shown} of={text.length} />}
      <div class="prose" lang={canonicalLocale(locale) ?? undefined} dir="auto">
        {rendered}
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

/** The largest number of characters (UTF-16 units) that are rendered. */
const MOST_CHARACTERS = 200_000;

/** `shown` is the number of characters that `rendered` covers. */
type Rendering = { readonly shown: number; readonly rendered: Child };

/**
 * Renders as much of the beginning of a text as bounded time allows, in at most two attempts. If both fail, it returns
 * the source text unrendered.
 */
function rendering(text: string, origin: string | null): Rendering {
  const longest = upTo(text, MOST_CHARACTERS);
  let source = longest;
  let steps: number = LIMITS.markdownSteps;
  for (let attempt = 0; attempt < 2; attempt++) {
    const { tree, reached } = parseMarkdown(source, steps);
    const rendered = tree && elementsOf(tree, origin);
    if (rendered !== null) return { shown: source.length, rendered };
    if (reached >= source.length) break;
    // The parser reads all blocks before their contents. So two thirds of what it reached usually need far fewer steps.
    source = upTo(source, (reached * 2) / 3);
    steps /= 2;
  }
  return { shown: longest.length, rendered: <pre tabindex={0}>{longest}</pre> };
}

/** Returns at most `length` characters from the start of a text, cut after a line break if there is one. */
function upTo(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf("\n", length - 1) + 1;
  return text.slice(0, end > 0 ? end : length);
}

/** Converts the tree to JSX. Returns null if the tree is nested too deeply. */
function elementsOf(tree: Root, origin: string | null): Child {
  try {
    return toJsx(tidied(processor.runSync(tree), origin));
  } catch (error) {
    // The libraries process the tree recursively, so deep nesting can exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

const toJsx = (tree: Tree): Child =>
  toJsxRuntime(tree, {
    Fragment,
    jsx,
    jsxs,
    elementAttributeNameCase: "html",
    // Keep `align` attributes. The page's Content-Security-Policy blocks `style` attributes.
    tableCellAlignToStyle: false,
  }) as Child;

/** Nodes that contain blocks. HTML directly in one of them is shown as a paragraph of its own. */
const FLOW = new Set(["root", "blockquote", "listItem", "footnoteDefinition"]);

const CONVERSION: Conversion = {
  // No prefix for ids here, because the sanitizer adds one.
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

/** The elements and attributes that Markdown itself produces. Everything else is removed. */
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

const processor = unified().use(remarkRehype, CONVERSION).use(rehypeSanitize, ALLOWLIST).freeze();
