/** The nodes that are open while a tree is built. HTML opens and closes nodes between those of Markdown, and never these. */
import { isAllowed, isBlockElement, isVoid, piecesOf, type Piece } from "./elements.ts";
import type { Block, Content, Inline, Placed, Root } from "./tree.ts";

export type Parent = Root | Extract<Content, { children: unknown }>;

/** `tag` is the name of the HTML element that opened a node; "" for a paragraph that stands for inline HTML among blocks. */
type Open = { readonly node: Parent; readonly tag?: string };

/** Nodes whose children are blocks only. */
const FLOW: ReadonlySet<Parent["type"]> = new Set(["root", "blockquote", "listItem", "footnoteDefinition"]);
const BLOCKS: ReadonlySet<string> = new Set(
  "paragraph heading thematicBreak blockquote list code table definition footnoteDefinition".split(" "),
);

/** The most nodes that are open at once. Marks and elements below are left out, and what is in them stays. */
const MOST_OPEN = 150;

/** Elements that mean the same as a mark of Markdown. */
const MARKS: Readonly<Record<string, "strong" | "emphasis" | "delete">> = {
  b: "strong",
  strong: "strong",
  i: "emphasis",
  em: "emphasis",
  del: "delete",
  s: "delete",
  strike: "delete",
};

const LEFT_OUT: ReadonlySet<string> = new Set(["emphasis", "strong", "delete", "link", "element"]);

export class Stack {
  readonly root: Root = { type: "root", children: [] };
  readonly #open: Open[] = [{ node: this.root }];
  /** Where the HTML among blocks is that is being read. */
  #place: Placed = {};

  get #top(): Open {
    return this.#open.at(-1) as Open;
  }

  get top(): Parent {
    return this.#top.node;
  }

  /** Adds a node to the one that is open. */
  add(node: Content): void {
    const isInline = !BLOCKS.has(node.type) && !(node.type === "element" && isBlockElement(node.name));
    if (isInline && FLOW.has(this.#top.node.type) && !isComment(node)) {
      if (node.type === "text" && (node.value = node.value.trimStart()) === "") return;
      this.push({ type: "paragraph", ...this.#place, children: [] }, "");
    }
    if (!isInline && this.#top.tag === "") this.#pop();
    const { children } = this.#top.node as { children: Content[] };
    const last = children.at(-1);
    if (node.type === "text" && last?.type === "text") last.value += node.value;
    else children.push(node);
  }

  /** Adds a node and opens it. */
  push(node: Exclude<Parent, Root>, tag?: string): void {
    const isLeftOut = this.#open.length > MOST_OPEN && LEFT_OUT.has(node.type);
    if (!isLeftOut) this.add(node);
    const opened = isLeftOut ? this.#top.node : node;
    this.#open.push(tag === undefined ? { node: opened } : { node: opened, tag });
  }

  #pop(to?: number): void {
    const { node, tag } = this.#open.pop() as Open;
    const last = (node.children as Content[]).at(-1);
    if (tag === "" && last?.type === "text") last.value = last.value.trimEnd();
    const end = to ?? last?.to;
    const place = node as Placed;
    if (tag !== undefined && end !== undefined && place.from !== undefined) place.to = Math.max(end, place.to ?? 0);
  }

  /** Closes the node that Markdown opened last, with what HTML opened in it, and returns it. */
  close(): Parent {
    while (this.#top.tag !== undefined) this.#pop();
    const { node } = this.#top;
    this.#pop();
    return node;
  }

  /** Adds a piece of HTML among blocks, such as a table. Paragraphs that it opens end with it. */
  htmlBlock(html: string, place: Placed): void {
    this.#place = place;
    this.html(html, place);
    const paragraph = this.#open.findLastIndex(({ tag }) => tag === "");
    if (paragraph > this.#open.findLastIndex(({ tag }) => tag === undefined))
      while (this.#open.length > paragraph) this.#pop();
  }

  /** Adds HTML, which need not be well formed. */
  html(html: string, place: Placed): void {
    (this.root.html ??= []).push(place);
    for (const piece of piecesOf(html)) this.#piece(piece, place);
  }

  #piece(piece: Piece, place: Placed): void {
    switch (piece.kind) {
      case "text": {
        const isBetween = piece.value.trim() === "" && (FLOW.has(this.#top.node.type) || piece.value.includes("\n"));
        return isBetween && !this.#isIn("pre") ? undefined : this.add({ type: "text", value: piece.value });
      }
      case "other":
        return this.add({ type: "html", value: piece.value, ...place });
      case "open":
        return isAllowed(piece.name)
          ? this.#openTag(piece, place)
          : this.add({ type: "html", value: piece.value, ...place });
      case "close":
        return isAllowed(piece.name)
          ? this.#closeTag(piece.name, place)
          : this.add({ type: "html", value: piece.value, ...place });
    }
  }

  #openTag({ name, attributes }: Extract<Piece, { kind: "open" }>, place: Placed): void {
    if (isVoid(name)) return this.add(voidOf(name, attributes, place));
    const mark = MARKS[name];
    if (mark !== undefined) this.push({ type: mark, ...place, children: [] }, name);
    else if (name === "a" && attributes["href"] !== undefined)
      this.push(
        {
          type: "link",
          url: attributes["href"],
          title: attributes["title"] ?? null,
          written: "html",
          ...place,
          children: [],
        },
        name,
      );
    else if (/^h[1-6]$/.test(name))
      this.push({ type: "heading", depth: Number(name[1]), ...place, children: [] }, name);
    else this.push({ type: "element", name, attributes, ...place, children: [] }, name);
  }

  #closeTag(name: string, { to }: Placed): void {
    const markdown = this.#open.findLastIndex(({ tag }) => tag === undefined);
    const at = this.#open.findLastIndex(({ tag }) => tag === name);
    if (at <= markdown) return;
    while (this.#open.length > at + 1) this.#pop();
    this.#pop(to);
  }

  #isIn(name: string): boolean {
    return this.#open.some(({ tag }) => tag === name);
  }
}

const isComment = (node: Content): boolean => node.type === "html" && /^<(?:!|\?)/.test(node.value);

function voidOf(name: string, attributes: Readonly<Record<string, string>>, place: Placed): Block | Inline {
  if (name === "br") return { type: "break", written: "html", ...place };
  if (name === "hr") return { type: "thematicBreak", ...place };
  if (name !== "img") return { type: "element", name, attributes, ...place, children: [] };
  const { src = "", alt = "", title = null, ...others } = attributes;
  return { type: "image", url: src, alt, title, written: "html", attributes: others, ...place };
}
