/** Turns nodes of the rich editor into Markdown, in the style that the rest of the text is written in. */
import type { BlockContent, Break, List, ListItem, RootContent, Table, TableRow } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { defaultHandlers, type Handle, type Options, toMarkdown } from "mdast-util-to-markdown";
import type { Node } from "prosemirror-model";
import { writeInlines } from "./inline.ts";

declare module "mdast" {
  interface BreakData {
    /** Whether it is written as two spaces instead of a backslash. */
    spaces?: boolean;
  }
  interface ListData {
    /** The character before or behind each item's number. "" leaves it to the style. */
    marker?: string;
  }
}

/** How an author writes what can be written in several ways. */
export type Style = Pick<Options, "bullet" | "emphasis" | "strong" | "fence" | "rule"> & {
  readonly eol: "\n" | "\r\n";
};

/** Returns the style of a text: how it writes each thing for the first time. */
export function styleOf(text: string): Style {
  const first = <T extends string>(pattern: RegExp, fallback: T): T =>
    (pattern.exec(text)?.[1] as T | undefined) ?? fallback;
  return {
    bullet: first<"-" | "*" | "+">(/^ {0,3}([*+-])[ \t]+[^\s*-]/m, "-"),
    emphasis: first<"*" | "_">(/(?<![*_\w\\])([*_])(?![*_\s])[^*_\n]{1,200}\1(?![*_\w])/, "*"),
    strong: first<"*" | "_">(/(?<![*_\w\\])([*_])\1(?![*_\s])[^*_\n]{1,200}\1\1(?![*_\w])/, "*"),
    fence: first<"`" | "~">(/^ {0,3}(`|~)\1\1/m, "`"),
    rule: first<"-" | "*" | "_">(/^ {0,3}([*_-])(?:[ \t]*\1){2,20}[ \t]*$/m, "-"),
    eol: /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n",
  };
}

/** Returns a block as Markdown, without a line end after it. `former` is its source before it was changed, or "". */
export function writeBlock(node: Node, { eol, ...style }: Style, former = ""): string {
  const text = toMarkdown({ type: "root", children: [blockOf(node)] }, { ...style, ...habitsOf(former), ...SETTINGS });
  return text.replace(/\n$/, "").replaceAll("\n", eol);
}

/** What a block keeps of the way it was written: lists whose items all have the same number. */
const habitsOf = (former: string): Options => ({
  incrementListMarker: !/^ {0,3}(\d+)[.)][ \t][\s\S]*?^ {0,3}\1[.)][ \t]/m.test(former),
});

/** A list is written with its own marker, which remark knows only as a setting for all lists. */
const list: Handle = (node: List, parent, state, info) => {
  const marker = node.data?.marker;
  const before = { ...state.options };
  if (node.ordered && marker) state.options.bulletOrdered = marker as ".";
  if (!node.ordered && marker) {
    state.options.bullet = marker as "-";
    state.options.bulletOther = marker === "-" ? "*" : "-";
  }
  const text = defaultHandlers.list(node, parent, state, info);
  Object.assign(state.options, before);
  return text;
};

const hardBreak: Handle = (node: Break, parent, state, info) => {
  const text = defaultHandlers.break(node, parent, state, info);
  return text === "\\\n" && node.data?.spaces ? "  \n" : text;
};

/**
 * Plain text, without escapes of what means nothing, such as an underscore within a word. Addresses have none at all: in
 * them, a backslash would be a part of the address.
 */
const text: Handle = (node: { value: string }, _, state, info) => {
  const parts = state.stack.includes("label") ? [node.value] : node.value.split(ADDRESS);
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part;
      const before = index === 0 ? info.before : "a";
      const after = index === parts.length - 1 ? info.after : "h";
      return state
        .safe(part, { ...info, before, after })
        .replaceAll(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, "_")
        .replaceAll(/(?<=www)\\\.(?=\w)/gi, ".")
        .replaceAll(/(?<=[+\-.\w])\\@(?=[-.\w])/g, "@");
    })
    .join("");
};

/** An address that readers see as a link without any brackets around it. */
const ADDRESS = /(?<![A-Za-z])(https?:\/\/(?:[a-z\d-]+\.)+[a-z]{2,}(?:[/?#][\w\-./?=&%#:+~,;@!$'*]*[\w/=&%#+~$-])?)/i;

/** GitHub's alerts begin with a line in brackets, which other quotes do not. */
const blockquote: Handle = (node, parent, state, info) =>
  defaultHandlers
    .blockquote(node, parent, state, info)
    .replace(/^> \\(?=\[!(?:note|tip|important|warning|caution)\](?:\n|$))/i, "> ");

/** What is written as it is (inline.ts), but for what would end a cell. */
const raw: Handle = ({ value }: { value: string }, _, { stack }) =>
  stack.includes("tableCell") ? value.replaceAll(/(?<!\\)\|/g, "\\|") : value;

const SETTINGS: Options = {
  listItemIndent: "one",
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  handlers: { list, break: hardBreak, text, blockquote, raw } as Options["handlers"],
};

function blockOf(node: Node): RootContent {
  const { attrs } = node;
  switch (node.type.name) {
    case "heading":
      return { type: "heading", depth: attrs["level"], children: writeInlines(node) };
    case "horizontal_rule":
      return { type: "thematicBreak" };
    case "blockquote":
      return { type: "blockquote", children: blocksOf(node) };
    case "bullet_list":
    case "ordered_list":
      return listOf(node);
    case "code_block": {
      const { language, meta } = attrs as { language: string; meta: string };
      return { type: "code", lang: language || null, meta: (language && meta) || null, value: node.textContent };
    }
    case "source_block":
      return { type: "html", value: node.textContent };
    case "table":
      return tableOf(node);
    case "footnote_definition":
      return {
        type: "footnoteDefinition",
        identifier: attrs["label"],
        label: attrs["label"],
        children: blocksOf(node),
      };
    default:
      return { type: "paragraph", children: writeInlines(node) };
  }
}

/** Empty paragraphs are places to write at. Markdown has none. */
export const isEmpty = (node: Node): boolean =>
  node.type.name === "paragraph" &&
  node.content.size === node.textContent.length &&
  /^[ \t\n]*$/.test(node.textContent);

const blocksOf = (node: Node): BlockContent[] =>
  node.children.filter((child) => !isEmpty(child)).map((child) => blockOf(child) as BlockContent);

function listOf(node: Node): List {
  const { start, tight, marker } = node.attrs as { start?: number; tight: boolean; marker: string };
  const ordered = node.type.name === "ordered_list";
  const children = node.children.map((item): ListItem => {
    const { checked, tight } = item.attrs as { checked: boolean | null; tight: boolean };
    return { type: "listItem", checked, spread: !tight, children: blocksOf(item) };
  });
  return {
    type: "list",
    ordered,
    start: ordered ? (start ?? 1) : null,
    spread: !tight,
    children,
    data: { marker },
  };
}

function tableOf(node: Node): Table {
  const align = node.firstChild?.children.map(
    (cell) => cell.attrs["align"] as Table["align"] extends (infer A)[] ? A : null,
  );
  const children = node.children.map((row): TableRow => {
    const cells = row.children.map((cell) => ({
      type: "tableCell" as const,
      children: cell.children.flatMap(writeInlines),
    }));
    return { type: "tableRow", children: cells };
  });
  return { type: "table", align: align ?? [], children };
}
