/**
 * Renders an article for its readers: sanitized HTML, plain text, an excerpt and the headings (contract 20.3). The parser
 * and its limits are those of what the console shows (reading.ts). HTML inside the Markdown is shown as text. Loaded on first use.
 */
import { toHtml } from "hast-util-to-html";
import { toText } from "hast-util-to-text";
import rehypeSanitize from "rehype-sanitize";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { utf8Length } from "../../lib/text.ts";
import { EXCERPT, RENDERED_BYTES, type ArticleRendering } from "../rendering.ts";
import { minutesFor } from "../length.ts";
import { parseMarkdown, type Root } from "./parser.ts";
import { published } from "./published.ts";
import { ALLOWLIST, CONVERSION, MOST_CHARACTERS } from "./reading.ts";
import type { Content, Element, Tree } from "./shown.ts";

/**
 * Renders the content of an article in at most `most` steps of the parser (steps.ts), and says how many it took. Does not
 * throw for a content that exceeds a limit: its state says so.
 */
export function renderArticle(content: string, most: number): { rendering: ArticleRendering; steps: number } {
  const tooComplex = { ...NOTHING, state: "too_complex", readingMinutes: minutesOf(content) } as const;
  if (content.length > MOST_CHARACTERS) return { rendering: tooComplex, steps: 0 };
  const { tree, steps } = parseMarkdown(content, most);
  return { rendering: (tree && renderTree(tree)) ?? tooComplex, steps };
}

/** Renders a parsed text. Returns null if it is nested too deeply, or too large. */
function renderTree(parsed: Root): ArticleRendering | null {
  try {
    const tree: Tree = processor.runSync(parsed);
    const headings = published(tree);
    const text = toText({ ...tree, children: withoutMarks(tree.children as Content[]) }).trim();
    const html = toHtml(tree, { characterReferences: { useNamedReferences: true } });
    const bytes = utf8Length(html) + utf8Length(text) + utf8Length(JSON.stringify(headings));
    if (bytes > RENDERED_BYTES) return null;
    return { state: "done", readingMinutes: minutesOf(text), excerpt: excerptOf(tree), headings, text, html };
  } catch (error) {
    // The libraries process the tree recursively, so deep nesting can exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

const NOTHING = { excerpt: null, headings: null, text: null, html: null };

const processor = unified()
  .use(remarkRehype, {
    ...CONVERSION,
    // The names of its parts are told by roles, which screen readers say in their own language (published.ts).
    footnoteBackContent: "↩",
    handlers: {
      ...CONVERSION.handlers,
      html(_state, node: { value: string }, parent: { type: string } | undefined) {
        const value = withoutComments(node.value).trim();
        return value === "" ? undefined : CONVERSION.handlers.html(_state, { value }, parent);
      },
    },
  })
  // Ids need no prefix here: they have a hyphen, so that none is the name of something that scripts use.
  .use(rehypeSanitize, { ...ALLOWLIST, clobberPrefix: "" })
  .freeze();

/** Returns HTML without its comments. One that ends in the middle of a line is a part of the same block of Markdown as the rest. */
function withoutComments(html: string): string {
  let kept = "";
  let from = 0;
  for (;;) {
    const start = html.indexOf("<!--", from);
    // `<!-->` is a whole one, too (CommonMark, 6.6).
    const end = start === -1 ? -1 : html.indexOf("-->", start + 2);
    if (end === -1) return kept + html.slice(from);
    kept += html.slice(from, start);
    from = end + 3;
  }
}

/** Returns how many minutes a text takes: at least one. */
const minutesOf = (text: string): number => Math.max(1, Math.ceil(minutesFor(text)));

/** Returns nodes without the numbers of footnotes, which would be read as a part of the word before them. */
const withoutMarks = (nodes: readonly Content[]): Content[] =>
  nodes.flatMap((node): Content[] => {
    if (node.type !== "element") return [node];
    return isMark(node) ? [] : [{ ...node, children: withoutMarks(node.children) }];
  });

const isMark = ({ tagName, children: [link] }: Element): boolean =>
  tagName === "sup" && link?.type === "element" && link.properties["dataFootnoteRef"] !== undefined;

/** Returns the beginning of the paragraphs as one line, cut behind a word. */
function excerptOf(tree: Tree): string {
  let line = "";
  for (const child of tree.children) {
    if (child.type !== "element" || child.tagName !== "p") continue;
    line = `${line} ${toText({ ...child, children: withoutMarks(child.children) })}`.replaceAll(/\s+/g, " ").trim();
    if (line.length > EXCERPT) break;
  }
  if (line.length <= EXCERPT) return line;
  const cut = line.slice(0, EXCERPT);
  const end = cut.lastIndexOf(" ");
  // A script without spaces is cut anywhere, but not within a character.
  return `${(end > EXCERPT / 2 ? cut.slice(0, end) : cut).replace(/[\ud800-\udbff]$/, "")}…`;
}
