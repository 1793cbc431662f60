/** The syntax tree of a Markdown text. Its names are those of CommonMark and mdast. */

/** Offsets in the text in UTF-16 units. Nodes that are not parsed have none. */
export type Placed = { from?: number; to?: number };

/** How a link or image is written. `bare` is an address without brackets, `html` an element. */
export type Written = "inline" | "reference" | "autolink" | "bare" | "html";

export type Text = Placed & { type: "text"; value: string };
export type Emphasis = Placed & { type: "emphasis"; children: Inline[] };
export type Strong = Placed & { type: "strong"; children: Inline[] };
export type Delete = Placed & { type: "delete"; children: Inline[] };
export type InlineCode = Placed & { type: "inlineCode"; value: string };
/** A visible line break. Others are "\n" in a text. */
export type Break = Placed & { type: "break"; written?: "spaces" | "html" };
export type Link = Placed & {
  type: "link";
  /** Without escapes, and unchecked. */
  url: string;
  title?: string | null;
  written?: Written;
  label?: string;
  children: Inline[];
};
export type Image = Placed & {
  type: "image";
  url: string;
  title?: string | null;
  alt: string;
  written?: Written;
  label?: string;
  attributes?: Attributes;
};
export type FootnoteReference = Placed & { type: "footnoteReference"; label: string };
/** HTML that is not allowed (elements.ts), which readers see as text, and comments, which they do not see. */
export type Html = Placed & { type: "html"; value: string };

export type Attributes = Readonly<Record<string, string>>;
/** An allowed HTML element (elements.ts). Without an end tag, it ends with its content. */
export type Element = Placed & { type: "element"; name: string; attributes: Attributes; children: Content[] };

export type Inline =
  | Text
  | Emphasis
  | Strong
  | Delete
  | InlineCode
  | Break
  | Link
  | Image
  | FootnoteReference
  | Html
  | Element;

export type Paragraph = Placed & { type: "paragraph"; children: Inline[] };
/** `id` is from an HTML element: links may lead to it. */
export type Heading = Placed & { type: "heading"; depth: number; id?: string; children: Inline[] };
export type ThematicBreak = Placed & { type: "thematicBreak" };
/** `alert` is the kind of a callout, whose first line is `[!NOTE]` or the like. */
export type Blockquote = Placed & { type: "blockquote"; alert?: Alert | null; children: Block[] };
export type List = Placed & {
  type: "list";
  ordered: boolean;
  /** The number of the first item of an ordered list. */
  start?: number | null;
  /** Whether empty lines stand between its items. */
  spread?: boolean;
  /** The character before each item, or after its number. */
  marker?: string;
  children: ListItem[];
};
/** `checked` is null unless the item is a task. */
export type ListItem = Placed & { type: "listItem"; checked?: boolean | null; spread?: boolean; children: Block[] };
export type Code = Placed & { type: "code"; lang?: string | null; meta?: string | null; value: string };
export type Align = "left" | "center" | "right";
export type Table = Placed & { type: "table"; align: (Align | null)[]; children: TableRow[] };
export type TableRow = Placed & { type: "tableRow"; children: TableCell[] };
export type TableCell = Placed & { type: "tableCell"; children: Inline[] };
/** A link definition. `identifier` is its normalized label. */
export type Definition = Placed & {
  type: "definition";
  identifier: string;
  label: string;
  url: string;
  title?: string | null;
};
export type FootnoteDefinition = Placed & { type: "footnoteDefinition"; label: string; children: Block[] };

export type Block =
  | Paragraph
  | Heading
  | ThematicBreak
  | Blockquote
  | List
  | Code
  | Table
  | Html
  | Definition
  | FootnoteDefinition
  | Element;

export type Content = Block | Inline | ListItem | TableRow | TableCell;
export type ContentByType<T extends Content["type"]> = Extract<Content, { type: T }>;
/** HTML as it is written, without marks of lists and quotes before its lines. */
export type HtmlPiece = Placed & { readonly value: string };
/** `html` has each piece of HTML once. */
export type Root = { type: "root"; children: Block[]; html?: HtmlPiece[] };

export const ALERTS = ["note", "tip", "important", "warning", "caution"] as const;
export type Alert = (typeof ALERTS)[number];

const INLINE: ReadonlySet<string> = new Set(
  "text emphasis strong delete inlineCode break link image footnoteReference html element".split(" "),
);

/** Returns whether a node can stand within a line. HTML can also stand beside blocks. */
export const isInline = (node: Content): node is Inline => INLINE.has(node.type);

export const getChildren = (node: Root | Content): readonly Content[] => ("children" in node ? node.children : []);

/** Calls `visit` for each node below this one, in document order. */
export function walk(node: Root | Content, visit: (node: Content, parent: Root | Content) => void): void {
  for (const child of getChildren(node)) {
    visit(child, node);
    walk(child, visit);
  }
}

/** Returns all nodes of a type in these nodes and below them, in document order. */
export function listNodes<T extends Content["type"]>(nodes: readonly Content[], type: T): ContentByType<T>[] {
  const found: ContentByType<T>[] = [];
  const look = (node: Content): void => {
    if (node.type === type) found.push(node as ContentByType<T>);
  };
  for (const node of nodes) {
    look(node);
    walk(node, look);
  }
  return found;
}
