import { isBlockElement } from "./elements.ts";
import { printAddress, printInlines, printTag, splitSpaces, type Around, type Marks } from "./print-inline.ts";
import { ALERTS, isInline, type Content, type ContentByType, type Inline, type TableRow } from "./tree.ts";

export type Style = Marks & {
  readonly bullet: "-" | "*" | "+";
  readonly fence: "`" | "~";
  readonly rule: "-" | "*" | "_";
  /** Whether all items of a numbered list have the same number. */
  readonly isSameNumber?: boolean;
};

export const STYLE: Style = { bullet: "-", emphasis: "*", strong: "*", fence: "`", rule: "-" };

/** Prints blocks without a line break at the end. `gap` stands between two blocks that do not need an empty line. */
export function print(blocks: readonly Content[], style: Style = STYLE, gap = "\n\n"): string {
  let text = "";
  let last: { readonly node: Content; readonly marker: string } | undefined;
  for (const node of blocks) {
    const marker = node.type === "list" ? chooseMarker(node, last, style) : "";
    if (last !== undefined) text += gap === "\n" && needsNoGap(last.node, node) ? gap : "\n\n";
    text += printBlock(node, marker, style);
    last = { node, marker };
  }
  return text;
}

function needsNoGap(before: Content, node: Content): boolean {
  if (before.type === "code" || before.type === "heading" || before.type === "thematicBreak") return true;
  if (before.type !== "paragraph") return false;
  if (node.type === "list") return !node.ordered || (node.start ?? 1) === 1;
  return node.type === "blockquote" || node.type === "code" || node.type === "heading";
}

/** Returns the marker of a list. It differs from that of a list directly before, which would become one list with it. */
function chooseMarker(
  { ordered, marker }: ContentByType<"list">,
  last: { readonly node: Content; readonly marker: string } | undefined,
  { bullet }: Style,
): string {
  const own = marker || (ordered ? "." : bullet);
  if (last?.node.type !== "list" || last.node.ordered !== ordered || last.marker !== own) return own;
  if (ordered) return own === "." ? ")" : ".";
  return own === "-" ? "*" : "-";
}

function printBlock(node: Content, marker: string, style: Style): string {
  if (node.type === "html") return node.value;
  if (node.type === "element" && isBlockElement(node.name)) return printElement(node, style);
  if (isInline(node)) return printLines([node], style);
  switch (node.type) {
    case "paragraph":
      return printLines(node.children, style);
    case "heading":
      return printHeading(node, style);
    case "thematicBreak":
      return style.rule.repeat(3);
    case "blockquote":
      return printQuote(node, style);
    case "code":
      return printCode(node, style);
    case "table":
      return printTable(node, style);
    case "definition":
      return `[${node.label}]: ${printAddress(node.url)}${node.title ? ` "${node.title.replaceAll(/["\\]/g, "\\$&")}"` : ""}`;
    case "footnoteDefinition":
      return indent(`[^${node.label}]: `, "    ", print(node.children, style));
    case "list":
      return printList(node, marker, style);
    case "listItem":
    case "tableRow":
    case "tableCell":
      return print(node.children, style);
  }
}

const makeAround = (style: Style, place: Partial<Around> = {}): Around => ({
  marks: style,
  isCell: false,
  isLabel: false,
  isLine: false,
  within: [],
  ...place,
});

function printLines(nodes: readonly Inline[], style: Style): string {
  const [start, core] = splitSpaces(printInlines(nodes, "", "", makeAround(style)), /[ \t\n]/);
  return core === "" ? "" : start.trimStart() + core;
}

/** Several lines can only be underlined, at the first two levels. */
function printHeading({ depth, children }: ContentByType<"heading">, style: Style): string {
  const lines = printInlines(children, "", "", makeAround(style)).trim();
  if (lines.includes("\n") && depth <= 2) return `${lines}\n${depth === 1 ? "===" : "---"}`;
  const text = printInlines(children, " ", "", makeAround(style, { isLine: true })).trim();
  const closed = text.replace(/(^|\s)(#+)$/, (_, space: string, signs: string) => `${space}${signs.slice(1)}\\#`);
  return `${"#".repeat(depth)} ${closed}`.trimEnd();
}

/** Puts `first` before the first line and `rest` before all others that are not empty. */
function indent(first: string, rest: string, text: string): string {
  const [line = "", ...others] = text.split("\n");
  return [`${first}${line}`.trimEnd(), ...others.map((other) => (other === "" ? rest.trimEnd() : rest + other))].join(
    "\n",
  );
}

function printQuote({ alert, children }: ContentByType<"blockquote">, style: Style): string {
  const inside = print(children, style);
  const title = alert == null ? "" : `> [!${alert.toUpperCase()}]\n`;
  // A quote with this first line is meant as a callout.
  return title + indent("> ", "> ", inside).replace(CALLOUT, "> ");
}

const CALLOUT = new RegExp(`^> \\\\(?=\\[!(?:${ALERTS.join("|")})\\](?:\\n|$))`, "i");

function printList(list: ContentByType<"list">, marker: string, style: Style): string {
  const items = list.children.map((item, index) => {
    const number = (list.start ?? 1) + (style.isSameNumber === true ? 0 : index);
    return printItem(item, list.ordered ? `${number}${marker}` : marker, style);
  });
  return items.join(list.spread === true ? "\n\n" : "\n");
}

function printItem({ checked, spread, children }: ContentByType<"listItem">, marker: string, style: Style): string {
  // `- ---` would be a thematic break.
  const within = style.rule === marker ? ({ ...style, rule: marker === "*" ? "-" : "*" } as const) : style;
  const box = checked == null ? "" : checked ? "[x] " : "[ ] ";
  const inside = box + print(children, within, spread === true ? "\n\n" : "\n");
  const space = inside === "" ? "" : " ";
  return indent(marker + space, " ".repeat(marker.length + 1), inside);
}

function printCode({ lang, meta, value }: ContentByType<"code">, { fence }: Style): string {
  const info = lang ? (meta ? `${lang} ${meta}` : lang) : "";
  const sign = info.includes("`") ? "~" : fence;
  const runs = value.match(sign === "~" ? /^[ \t]*~{3,}/gm : /^[ \t]*`{3,}/gm) ?? [];
  const line = sign.repeat(runs.reduce((most, run) => Math.max(most, run.trim().length + 1), 3));
  const opening = line + info.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "\\\\").replaceAll(/&(?=[#\w]+;)/g, "\\&");
  return value === "" ? `${opening}\n${line}` : `${opening}\n${value}\n${line}`;
}

function printTable({ align, children: [head, ...rows] }: ContentByType<"table">, style: Style): string {
  const row = ({ children }: TableRow): string =>
    line(
      children.map((cell) =>
        printInlines(cell.children, " ", " ", makeAround(style, { isCell: true, isLine: true })).trim(),
      ),
    );
  const dashes = (head?.children ?? []).map((_, column) => DASHES[align[column] ?? "none"]);
  return [...(head === undefined ? [] : [row(head)]), line(dashes), ...rows.map(row)].join("\n");
}

const line = (cells: readonly string[]): string =>
  `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;

const DASHES = { none: "-", left: ":-", center: ":-:", right: "-:" } as const;

/** Empty lines between the tags make the content Markdown. */
function printElement({ name, attributes, children }: ContentByType<"element">, style: Style): string {
  const inside = print(children, style);
  return [printTag(name, attributes), ...(inside === "" ? [] : [inside]), `</${name}>`].join("\n\n");
}
