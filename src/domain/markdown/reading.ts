/**
 * Renders Markdown, for the console's pages and in its browser: the parsed tree is reduced to an allowlist of elements,
 * and the caller converts it, to JSX or to nodes of a page. HTML is never built from strings; HTML inside the Markdown is
 * shown as text. Loaded on first use.
 */
import { canonicalLocale } from "../locale.ts";
import { textDirection } from "../../lib/direction.ts";
import rehypeSanitize, { type Options as Allowlist } from "rehype-sanitize";
import remarkRehype, { type Options as Conversion } from "remark-rehype";
import { unified } from "unified";
import { LIMITS } from "../limits.ts";
import { parseMarkdown, type Root } from "./parser.ts";
import { tidied, type Tree } from "./shown.ts";

/** The largest number of characters (UTF-16 units) that are rendered. */
export const MOST_CHARACTERS = 200_000;

/** `shown` is the number of characters that were rendered. Without `rendered`, `source` is shown as it is. */
export type Rendering<T> = {
  readonly shown: number;
  readonly rendered: T | null;
  readonly source: string;
};

/**
 * Renders as much of the beginning of a text as bounded time allows, in at most two attempts. `origin` is
 * that of the service, whose own pictures are shown in smaller sizes. `convert` gets the elements.
 */
export function rendering<T>(text: string, origin: string | null, convert: (tree: Tree) => T): Rendering<T> {
  const longest = upTo(text, MOST_CHARACTERS);
  let source = longest;
  let steps: number = LIMITS.markdownSteps;
  for (let attempt = 0; attempt < 2; attempt++) {
    const { tree, reached } = parseMarkdown(source, steps);
    const rendered = tree && converted(tree, origin, convert);
    if (rendered !== null) return { shown: source.length, rendered, source };
    if (reached >= source.length) break;
    // The parser reads all blocks before their contents. So two thirds of what it reached usually need far fewer steps.
    source = upTo(source, (reached * 2) / 3);
    steps /= 2;
  }
  return { shown: longest.length, rendered: null, source: longest };
}

/** Says how much of a text is shown; "" for all of it. */
export const cutOf = (shown: number, of: number): string =>
  shown >= of
    ? ""
    : `This preview shows the first ${shown.toLocaleString("en")} of ${of.toLocaleString("en")} characters: the rest is too long or too complex. All of it is saved and published.`;

/** Returns at most `length` characters from the start of a text, cut after a line break if there is one. */
function upTo(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.lastIndexOf("\n", length - 1) + 1;
  return text.slice(0, end > 0 ? end : length);
}

/** Converts the tree. Returns null if the tree is nested too deeply. */
function converted<T>(tree: Root, origin: string | null, convert: (tree: Tree) => T): T | null {
  try {
    return convert(tidied(processor.runSync(tree), origin));
  } catch (error) {
    // The libraries process the tree recursively, so deep nesting can exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

/** How `toJsxRuntime` is to name attributes, for both. */
export const ATTRIBUTES = {
  elementAttributeNameCase: "html",
  // Keep `align` attributes. The page's Content-Security-Policy blocks `style` attributes.
  tableCellAlignToStyle: false,
} as const;

/** Nodes that contain blocks. HTML directly in one of them is shown as a paragraph of its own. */
const FLOW = new Set(["root", "blockquote", "listItem", "footnoteDefinition"]);

export const CONVERSION = {
  // No prefix for ids here, because the sanitizer adds one.
  clobberPrefix: "",
  footnoteLabelProperties: {},
  handlers: {
    html(_state: unknown, node: { value: string }, parent: { type: string } | undefined) {
      const text = { type: "text" as const, value: node.value };
      if (parent === undefined || !FLOW.has(parent.type)) return text;
      return { type: "element" as const, tagName: "p", properties: { className: ["source"] }, children: [text] };
    },
  },
} satisfies Conversion;

const BLOCKS = "h1 h2 h3 h4 h5 h6 p blockquote hr pre ul ol li section table thead tbody tr th td".split(" ");
const INLINE = "a img code em strong del sup br input".split(" ");

/** The elements and attributes that Markdown itself produces. Everything else is removed. */
export const ALLOWLIST: Allowlist = {
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

/** Returns the attributes of an element with text in this language, which may be wrong: the form shows a preview of what is entered. */
export function attributesOf(locale: string): { readonly lang?: string; readonly dir: "rtl" | "auto" } {
  const lang = canonicalLocale(locale);
  return lang === null ? { dir: "auto" } : { lang, dir: textDirection(lang) };
}
