import { Lines, type Offsets } from "./lines.ts";
import { getSpan, parseTokens, unescaped, type Token } from "./parser.ts";
import { Stack, type Parent } from "./stack.ts";
import {
  ALERTS,
  type Align,
  type Alert,
  type Block,
  type ContentByType,
  type ListItem,
  type Placed,
  type Root,
} from "./tree.ts";

/** Returns the tree of a text in linear time. */
export function parse(markdown: string): Root {
  // A byte order mark is not part of the text.
  const skipped = markdown.startsWith("\uFEFF") ? 1 : 0;
  const reading: Reading = {
    ...parseTokens(markdown.slice(skipped)),
    lines: new Lines(markdown, skipped),
    stack: new Stack(),
    tight: new Set(),
    align: [],
    row: [],
  };
  for (const [index, token] of reading.tokens.entries()) read(token, index, reading);
  return reading.stack.end();
}

type Reading = ReturnType<typeof parseTokens> & {
  readonly lines: Lines;
  readonly stack: Stack;
  /** Items whose paragraphs have no space around them. */
  readonly tight: Set<Parent>;
  align: (Align | null)[];
  /** The offsets of the cells that are left in the current row. */
  row: Offsets[];
};

function read(token: Token, index: number, reading: Reading): void {
  const { stack, lines } = reading;
  const { type } = token;
  const place: Placed = token.map === null ? {} : lines.findPlace(token.map[0], token.map[1]);
  if (type === "inline") return readInlines(token, reading);
  if (type === "html_block") return stack.htmlBlock(token.content, place);
  const leaf = LEAVES[type]?.(token, place, reading);
  if (leaf !== undefined) return stack.add(leaf);
  if (type.endsWith("_close") && OPENED[type.replace("_close", "_open")] !== undefined) finish(stack.close(), reading);
  // The parser hides paragraphs in lists without empty lines.
  if (type === "paragraph_open" && token.hidden) reading.tight.add(stack.top);
  if (type === "table_open") reading.align = [];
  if (type === "tr_open") reading.row = findRowOffsets(token, index, reading);
  if (type === "th_open") reading.align.push(getAlign(token));
  const opened = OPENED[type]?.(token, place, reading);
  if (opened !== undefined) stack.push(opened);
}

type Read<Node> = Readonly<Record<string, (token: Token, place: Placed, reading: Reading) => Node>>;

const OPENED: Read<Exclude<Parent, Root>> = {
  paragraph_open: (_, place) => ({ type: "paragraph", ...place, children: [] }),
  heading_open: ({ tag }, place) => ({ type: "heading", depth: Number(tag[1]), ...place, children: [] }),
  blockquote_open: (_, place) => ({ type: "blockquote", ...place, children: [] }),
  bullet_list_open: ({ markup: marker }, place) => makeList({ ordered: false, start: null, marker, ...place }),
  ordered_list_open: (token, place) =>
    makeList({ ordered: true, start: Number(token.attrGet("start") ?? 1), marker: token.markup, ...place }),
  list_item_open: (_, place) => ({ type: "listItem", checked: null, ...place, children: [] }),
  footnote_open: (token, place) => ({ type: "footnoteDefinition", label: getNote(token), ...place, children: [] }),
  table_open: (_, place, { align }) => ({ type: "table", align, ...place, children: [] }),
  tr_open: (_, place) => ({ type: "tableRow", ...place, children: [] }),
  th_open: () => ({ type: "tableCell", children: [] }),
  td_open: () => ({ type: "tableCell", children: [] }),
};

const makeList = (members: Omit<ContentByType<"list">, "type" | "children">): ContentByType<"list"> => ({
  type: "list",
  ...members,
  children: [],
});

const LEAVES: Read<Block> = {
  hr: (_, place) => ({ type: "thematicBreak", ...place }),
  code_block: ({ content }, place) => ({
    type: "code",
    lang: null,
    meta: null,
    value: content.replace(/\n+$/, ""),
    ...place,
  }),
  fence: ({ info, content }, place) => {
    const [, lang = "", meta = ""] = /^(\S*)\s*([\s\S]*)$/.exec(unescaped(info).trim()) ?? [];
    return { type: "code", lang: lang || null, meta: meta || null, value: content.replace(/\n$/, ""), ...place };
  },
  reference_definition: makeDefinition,
};

const getAlign = (token: Token): Align | null =>
  (/^text-align:(left|center|right)$/.exec(String(token.attrGet("style")))?.[1] as Align | undefined) ?? null;

const getNote = ({ meta }: Token): string => (meta as { note: string }).note;

function finish(node: Parent, { lines, tight }: Reading): void {
  if (node.type === "listItem") checkTask(node);
  if (node.type === "list") {
    const isTight = node.children.some((item) => tight.has(item));
    node.spread = !isTight && hasGaps(node.children, lines);
    for (const item of node.children) item.spread = !isTight && hasGaps(item.children, lines);
  }
  if (node.type === "blockquote") node.alert = takeAlert(node.children);
}

/** Returns whether an empty line stands between two of these nodes. */
const hasGaps = (nodes: readonly Placed[], lines: Lines): boolean =>
  nodes.some(({ from }, index) => index > 0 && from !== undefined && lines.isBehindEmpty(from));

/** Reads a task: `[ ] ` or `[x] ` at the start of an item (GitHub Flavored Markdown, 5.3). */
function checkTask(item: ListItem): void {
  const [paragraph] = item.children;
  const [text] = paragraph?.type === "paragraph" ? paragraph.children : [];
  const [mark, state] = (text?.type === "text" && /^\[([ xX])\][ \t\n]+(?=\S|$)/.exec(text.value)) || [];
  if (
    mark === undefined ||
    text?.type !== "text" ||
    (mark.length === text.value.length && paragraph?.type === "paragraph" && paragraph.children.length === 1)
  )
    return;
  item.checked = state !== " ";
  text.value = text.value.slice(mark.length);
  if (text.value === "" && paragraph?.type === "paragraph") paragraph.children.shift();
}

const ALERT = new RegExp(`^\\[!(${ALERTS.join("|")})\\][ \\t]*(?:\\n|$)`, "i");

/** Returns the kind of a callout and removes its first line; null for another quote. */
function takeAlert(children: Block[]): Alert | null {
  const [paragraph] = children;
  if (paragraph?.type !== "paragraph") return null;
  const [text, next] = paragraph.children;
  const [line, kind] = (text?.type === "text" && ALERT.exec(text.value)) || [];
  if (line === undefined || text?.type !== "text") return null;
  const isWhole = line === text.value;
  // The first line has nothing else in it, and a callout is not empty.
  if (isWhole && !line.endsWith("\n") && next !== undefined && next.type !== "break") return null;
  if (isWhole && next === undefined && children.length === 1) return null;
  text.value = text.value.slice(line.length);
  if (isWhole) paragraph.children.splice(0, next?.type === "break" ? 2 : 1);
  if (paragraph.children.length === 0) children.shift();
  return kind?.toLowerCase() as Alert;
}

/** Reads the address from the text: the parser only knows the first definition of a label. */
function makeDefinition(token: Token, place: Placed, { definitions, lines }: Reading): Block {
  const identifier = (token.meta as { label: string }).label;
  const [, label = "", rest = ""] = /\[((?:\\[\s\S]|[^\\\]])*)\]:[\s>]*([\s\S]*)/.exec(lines.getText(place)) ?? [];
  const [written = ""] = /^<(?:\\.|[^>\\\n])*>|^\S*/.exec(rest) ?? [];
  const url = unescaped(written.replace(/^<(.*)>$/, "$1"));
  const first = definitions[identifier];
  return {
    type: "definition",
    identifier,
    label: label.trim(),
    url,
    title: (first?.href === url && first.title) || null,
    ...place,
  };
}

/** Returns the offsets of a row's cells, which the parser does not know. */
function findRowOffsets({ map }: Token, index: number, { tokens, lines }: Reading): Offsets[] {
  const contents: string[] = [];
  for (let at = index + 1; tokens[at]?.type !== "tr_close" && at < tokens.length; at++) {
    const cell = tokens[at];
    if (cell?.type === "inline") contents.push(cell.content);
  }
  return lines.findCellOffsets(map?.[0] ?? 0, contents);
}

function findBlockOffsets({ content, map }: Token, { row, lines }: Reading): Offsets {
  if (map === null) return row.shift() ?? (() => 0);
  const [line] = map;
  let offsets: Offsets | undefined;
  // Most blocks never need them.
  return (at) => (offsets ??= lines.findOffsets(content, line))(at);
}

function readInlines(block: Token, reading: Reading): void {
  const { content } = block;
  const toOffset = findBlockOffsets(block, reading);
  for (const token of reading.within(block)) {
    const span = getSpan(token);
    const isBreak = token.type === "softbreak" || token.type === "hardbreak";
    const place: Placed = span === undefined || isBreak ? {} : { from: toOffset(span.from), to: toOffset(span.to) };
    readInline(token, place, span === undefined ? "" : content.slice(span.from, span.to), reading.stack);
  }
}

/** Reads an inline token. `source` is the text of the construct that it begins. */
function readInline(token: Token, place: Placed, source: string, stack: Stack): void {
  const { type, content } = token;
  switch (type) {
    case "text":
      if (content !== "") stack.add({ type: "text", value: content });
      return;
    case "softbreak":
      return stack.add({ type: "text", value: "\n" });
    case "hardbreak":
      return stack.add({ type: "break", ...(!source.startsWith("\\") && { written: "spaces" }) });
    case "code_inline":
      return stack.add({ type: "inlineCode", value: content });
    case "em_open":
      return stack.push({ type: "emphasis", children: [] });
    case "strong_open":
      return stack.push({ type: "strong", children: [] });
    case "s_open":
      return stack.push({ type: "delete", children: [] });
    case "link_open":
      return stack.push({ type: "link", ...getAddress(token, "href", source), ...place, children: [] });
    case "em_close":
    case "strong_close":
    case "s_close":
    case "link_close":
      return void stack.close();
    case "image":
      return stack.add({
        type: "image",
        ...getAddress(token, "src", source),
        alt: getAlt(token.children ?? []),
        ...place,
      });
    case "footnote_ref":
      return stack.add({ type: "footnoteReference", label: getNote(token), ...place });
    case "html_inline":
      return stack.html(content, place);
    default:
  }
}

function getAddress(token: Token, attribute: "href" | "src", source: string) {
  const isReference = (token.meta as { label?: string } | null)?.label !== undefined;
  const written = { linkify: "bare", autolink: "autolink" } as const;
  return {
    url: String(token.attrGet(attribute) ?? ""),
    title: (token.attrGet("title") as string | null) ?? null,
    written: isReference ? "reference" : (written[token.markup as "linkify"] ?? "inline"),
    ...(isReference && { label: parseLabel(source) }),
  } as const;
}

/** Returns the label of a reference: `[text][label]`, `[label][]` or `[label]`. */
const parseLabel = (source: string): string =>
  /\]\[((?:\\[\s\S]|[^\\[\]])+)\]$/.exec(source)?.[1] ?? source.replace(/^!?\[/, "").replace(/\](?:\[\])?$/, "");

const getAlt = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === "image") return getAlt(token.children ?? []);
      if (token.type === "softbreak" || token.type === "hardbreak") return "\n";
      return token.type === "html_inline" ? "" : token.content;
    })
    .join("");
