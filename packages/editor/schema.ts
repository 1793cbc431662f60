/**
 * The document of the rich editor: one node type for each construct of Markdown. This file needs no browser, and
 * neither do those that only import it and each other (opening, reading, writing, inline).
 */
import { DOMParser, type DOMOutputSpec, Fragment, type NodeSpec, Schema } from "prosemirror-model";
import { ELSEWHERE } from "./clipboard.ts";
import { toSafeAddress, marks, pickSafeAttributes } from "./marks.ts";
import { toOneLine } from "./one-line.ts";

/** The index of the block in the opened text; null for a new block (opening.ts). */
const ORIGIN = { origin: { default: null } };

/**
 * Lists, quotes and tables find their own direction, such as an Arabic quote in an English article. Their paragraphs do
 * so by the style sheet: text in an element with `dir` does not count for the blocks around it.
 */
const AUTO = { dir: "auto" };

const block = (tag: string, spec: NodeSpec = {}): NodeSpec => ({
  content: "inline*",
  group: "block",
  parseDOM: [{ tag }],
  toDOM: () => [tag, spec.content === undefined ? {} : AUTO, 0],
  ...spec,
  attrs: { ...ORIGIN, ...spec.attrs },
});

const textBlocks = {
  paragraph: block("p"),
  heading: block("h1", {
    attrs: { level: { default: 2 } },
    content: "(text | image | footnote_reference | soft_break)*",
    defining: true,
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
    toDOM: ({ attrs }) => [`h${attrs["level"]}`, 0],
  }),
  code_block: block("pre", {
    // `meta` is what follows the language in the line that opens the block.
    attrs: { language: { default: "" }, meta: { default: "" } },
    content: "text*",
    marks: "",
    code: true,
    defining: true,
    parseDOM: [{ tag: "pre", preserveWhitespace: "full", getAttrs: (dom) => ({ language: parseLanguage(dom) }) }],
    toDOM: () => ["pre", ["code", 0]],
  }),
  source_block: block("pre", {
    // `kind` is its name, such as HTML or front matter.
    attrs: { kind: { default: "Markdown" } },
    content: "text*",
    marks: "",
    atom: true,
    isolating: true,
    code: true,
    defining: true,
    parseDOM: [
      {
        tag: "pre[data-source]",
        preserveWhitespace: "full",
        priority: 60,
        getAttrs: (dom) => ({ kind: dom.getAttribute("data-source") }),
      },
    ],
    toDOM: ({ attrs }) => ["pre", { "data-source": attrs["kind"], spellcheck: "false" }, 0],
  }),
} satisfies Record<string, NodeSpec>;

/** Returns the language of copied code. Most sites name it in a class of its `code`. */
function parseLanguage(dom: HTMLElement): string {
  const named = dom.getAttribute("data-language") ?? dom.querySelector("code")?.className;
  return /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/.exec(named ?? "")?.[1] ?? /^[\w+#.-]+$/.exec(named ?? "")?.[0] ?? "";
}

const containers = {
  blockquote: block("blockquote", {
    // `alert` is the kind of a callout, such as `note`; null for a quote.
    attrs: { alert: { default: null } },
    content: "block+",
    defining: true,
    parseDOM: [{ tag: "blockquote", getAttrs: (dom) => ({ alert: dom.getAttribute("data-alert") }) }],
    toDOM: ({ attrs }) => ["blockquote", { ...AUTO, "data-alert": attrs["alert"] }, 0],
  }),
  // Allowed HTML around blocks, such as `details`: its source before and after them.
  html_box: block("div", {
    attrs: { open: { default: "" }, close: { default: "" } },
    content: "block+",
    defining: true,
    isolating: true,
    parseDOM: [
      {
        tag: "div[data-open]",
        getAttrs: (dom) => ({ open: dom.getAttribute("data-open"), close: dom.getAttribute("data-close") }),
      },
    ],
    toDOM: ({ attrs }) => ["div", { "data-open": attrs["open"], "data-close": attrs["close"] }, 0],
  }),
  bullet_list: block("ul", {
    // `tight` lists have no empty lines between their items. `marker` is the character before each item.
    attrs: { tight: { default: true }, marker: { default: "" } },
    content: "list_item+",
  }),
  ordered_list: block("ol", {
    attrs: { start: { default: 1 }, tight: { default: true }, marker: { default: "" } },
    content: "list_item+",
    parseDOM: [{ tag: "ol", getAttrs: (dom) => ({ start: Number(dom.getAttribute("start") ?? 1) || 1 }) }],
    toDOM: ({ attrs }) => ["ol", { ...AUTO, start: attrs["start"] === 1 ? null : attrs["start"] }, 0],
  }),
  list_item: {
    // `checked` is null unless the item is a task.
    attrs: { checked: { default: null }, tight: { default: true } },
    content: "block+",
    defining: true,
    parseDOM: [{ tag: "li", getAttrs: (dom) => ({ checked: parseChecked(dom) }) }],
    toDOM: ({ attrs }) => ["li", { "data-checked": attrs["checked"] }, 0],
  },
  footnote_definition: block("div", {
    attrs: { label: { default: "1" } },
    content: "block+",
    defining: true,
    isolating: true,
    parseDOM: [{ tag: "div[data-footnote]", getAttrs: (dom) => ({ label: dom.getAttribute("data-footnote") }) }],
    toDOM: ({ attrs }) => [
      "div",
      { "data-footnote": attrs["label"], role: "group", "aria-label": `Footnote ${attrs["label"]}` },
      0,
    ],
  }),
} satisfies Record<string, NodeSpec>;

/** Whether a copied item is checked: in this editor, in Google Docs, or by a checkbox. Null if it is no task. */
function parseChecked(dom: HTMLElement): boolean | null {
  const said = dom.getAttribute("data-checked") ?? dom.getAttribute("aria-checked");
  if (said !== null) return said === "true";
  const box = dom.querySelector<HTMLInputElement>(":scope > input[type=checkbox], :scope > p > input[type=checkbox]");
  return box === null ? null : box.checked;
}

/** Names and roles as prosemirror-tables expects them. The first row is the header, as in GitHub's tables. */
const tables = {
  table: block("table", {
    content: "table_row+",
    tableRole: "table",
    isolating: true,
    toDOM: () => ["div", { class: "table" }, ["table", AUTO, ["tbody", 0]]],
  }),
  table_row: {
    content: "(table_cell | table_header)*",
    tableRole: "row",
    parseDOM: [{ tag: "tr" }],
    toDOM: () => ["tr", 0],
  },
  table_header: cell("th", "header_cell"),
  table_cell: cell("td", "cell"),
} satisfies Record<string, NodeSpec>;

function cell(tag: "th" | "td", tableRole: string): NodeSpec {
  return {
    content: "paragraph",
    // Markdown has no cells over several rows or columns, but prosemirror-tables reads these attributes.
    attrs: { align: { default: null }, colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } },
    tableRole,
    isolating: true,
    parseDOM: [
      {
        tag,
        getAttrs: (dom) => ({ align: parseAlign(dom) }),
        getContent: (dom) => {
          const line = toOneLine(DOMParser.fromSchema(schema).parse(dom).content, schema);
          return Fragment.from(schema.nodes.paragraph.create(null, line));
        },
      },
    ],
    toDOM: ({ attrs }): DOMOutputSpec => [tag, { "data-align": attrs["align"], scope: tag === "th" ? "col" : null }, 0],
  };
}

const parseAlign = (dom: HTMLElement): string | null =>
  /^(left|center|right)$/.exec(dom.getAttribute("data-align") ?? dom.getAttribute("align") ?? "")?.[0] ?? null;

const inlines = {
  text: { group: "inline" },
  image: {
    inline: true,
    group: "inline",
    draggable: true,
    // `attributes` are others of an HTML element, such as `width`.
    attrs: { src: {}, alt: { default: "" }, title: { default: null }, attributes: { default: {} } },
    parseDOM: [
      {
        tag: "img[src]",
        getAttrs: (dom) => {
          const src = dom.getAttribute("src") ?? "";
          // Word processors copy addresses on their user's disk.
          if (ELSEWHERE.test(src)) return false;
          return { src, alt: dom.getAttribute("alt") ?? "", title: dom.getAttribute("title") };
        },
      },
    ],
    // The title is the caption where readers see one (figures.ts).
    toDOM: ({ attrs: { src, alt, title, attributes } }) => [
      "span",
      { class: "picture", "data-caption": title },
      ["img", { ...pickSafeAttributes(attributes), src: toSafeAddress(src as string, /^(https?|data):/), alt, title }],
    ],
  },
  hard_break: {
    inline: true,
    group: "inline",
    selectable: false,
    // What line ends become where code becomes text.
    linebreakReplacement: true,
    // `spaces` at the end of a line, an element (`html`), or "" for a backslash.
    attrs: { written: { default: "" } },
    leafText: () => "\n",
    parseDOM: [{ tag: "br" }],
    toDOM: () => ["br"],
  },
  // A line end in the source of a paragraph. Readers see a space.
  soft_break: {
    inline: true,
    group: "inline",
    selectable: false,
    leafText: () => " ",
    parseDOM: [{ tag: "span[data-soft]" }],
    toDOM: () => ["span", { "data-soft": "" }, " "],
  },
  footnote_reference: {
    inline: true,
    group: "inline",
    atom: true,
    attrs: { label: {} },
    parseDOM: [{ tag: "sup[data-footnote]", getAttrs: (dom) => ({ label: dom.getAttribute("data-footnote") }) }],
    toDOM: ({ attrs }) => ["sup", { "data-footnote": attrs["label"] }, String(attrs["label"])],
  },
} satisfies Record<string, NodeSpec>;

export const schema = new Schema({
  nodes: {
    doc: { content: "block+" },
    ...textBlocks,
    ...containers,
    horizontal_rule: block("hr", { content: "", toDOM: () => ["hr"] }),
    ...tables,
    ...inlines,
  },
  marks,
});
