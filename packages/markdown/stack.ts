/** The open nodes while a tree is built. HTML never closes nodes that Markdown opened. */
import { isAllowed, isBlockElement, isVoid, splitHtml, type Piece } from "./elements.ts";
import { findFramePage } from "./embeds.ts";
import { isInline, type Block, type Content, type Inline, type Placed, type Root } from "./tree.ts";

export type Parent = Root | Extract<Content, { children: unknown }>;

/**
 * `tag` is the name of the HTML element that opened a node; "" for a paragraph around inline HTML among blocks.
 * `within` are the nodes around that cannot hold another of their kind.
 */
type Open = { readonly node: Parent; readonly tag?: string; readonly within: { link?: true; heading?: true } };

/** Nodes whose children are blocks only. */
const FLOW: ReadonlySet<Parent["type"]> = new Set(["root", "blockquote", "listItem", "footnoteDefinition"]);

/** Maximum open nodes. Marks and elements below are left out, but not their content. */
const MOST_OPEN = 150;

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

/**
 * Elements that only stand in certain others. An HTML parser ends what is open before such a part, and before a link
 * or heading within another. Their end tags would then close elements of the page around the text.
 */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(["caption", "thead", "tbody", "tfoot"].map((name) => [name, ["table"]])),
  tr: ["table", "thead", "tbody", "tfoot"],
  ...Object.fromEntries(["td", "th"].map((name) => [name, ["tr", "table", "thead", "tbody", "tfoot"]])),
  li: ["ul", "ol"],
  ...Object.fromEntries(["dt", "dd"].map((name) => [name, ["dl"]])),
};

/** Returns whether the next part of the same parent ends an element that has no end tag. */
const isEndedByPart = (tag: string): boolean =>
  Object.hasOwn(PARENTS, tag) || tag === "p" || tag === "div" || !isBlockElement(tag);

/** Returns whether a node can only contain its parts. Browsers show anything else before the table. */
const isFrame = (node: Parent): boolean => isOneOf(["table", "thead", "tbody", "tfoot", "tr"], node);

const isOneOf = (names: readonly string[], node: Content | Root): boolean =>
  node.type === "element" && names.includes(node.name);

export class Stack {
  readonly #root: Root = { type: "root", children: [] };
  readonly #open: Open[] = [{ node: this.#root, within: {} }];
  #place: Placed = {};
  /** The element whose end tag is skipped, because an address replaced it. */
  #frame = "";

  get #top(): Open {
    return this.#open.at(-1) as Open;
  }

  get top(): Parent {
    return this.#top.node;
  }

  add(node: Content): void {
    const isWithinLine = isInline(node) && !(node.type === "element" && isBlockElement(node.name));
    if (isFrame(this.#top.node) && !isComment(node) && !isOneOf(Object.keys(PARENTS), node))
      return this.#beforeTable(node, isWithinLine);
    if (isWithinLine && FLOW.has(this.#top.node.type) && !isComment(node)) {
      if (node.type === "text" && (node.value = node.value.trimStart()) === "") return;
      this.push({ type: "paragraph", ...this.#place, children: [] }, "");
    }
    if (!isWithinLine && this.#top.tag === "") this.#pop();
    const { children } = this.#top.node as { children: Content[] };
    const last = children.at(-1);
    if (node.type === "text" && last?.type === "text") last.value += node.value;
    else children.push(node);
  }

  /** Adds a node that stands between the parts of a table. */
  #beforeTable(node: Content, isWithinLine: boolean): void {
    if (node.type === "text" && node.value.trim() === "") return;
    const at = this.#open.findLastIndex(({ node }) => isOneOf(["table"], node));
    const { children } = (this.#open[at - 1] as Open).node as { children: Content[] };
    const table = children.lastIndexOf((this.#open[at] as Open).node as Content);
    children.splice(table, 0, isWithinLine ? { type: "paragraph", ...this.#place, children: [node as Inline] } : node);
  }

  push(node: Exclude<Parent, Root>, tag?: string): void {
    const own = node.type === "link" || node.type === "heading" ? node.type : undefined;
    if (own !== undefined) this.#end(own);
    const { within } = this.#top;
    const isLeftOut =
      (this.#open.length > MOST_OPEN && LEFT_OUT.has(node.type)) || (own !== undefined && within[own] === true);
    if (isLeftOut && tag) return;
    if (!isLeftOut) this.add(node);
    this.#open.push({
      node: isLeftOut ? this.#top.node : node,
      ...(tag !== undefined && { tag }),
      within: own === undefined ? within : { ...within, [own]: true },
    });
  }

  #pop(to?: number): void {
    const { node, tag } = this.#open.pop() as Open;
    const last = (node.children as Content[]).at(-1);
    if (tag === "" && last?.type === "text") last.value = last.value.trimEnd();
    const end = to ?? last?.to;
    const place = node as Placed;
    if (tag !== undefined && end !== undefined && place.from !== undefined) place.to = Math.max(end, place.to ?? 0);
  }

  /** Closes the last node that Markdown opened, with what HTML opened in it, and returns it. */
  close(): Parent {
    while (this.#top.tag !== undefined) this.#pop();
    const { node } = this.#top;
    this.#pop();
    return node;
  }

  end(): Root {
    while (this.#open.length > 1) this.#pop();
    return this.#root;
  }

  /** Adds HTML among blocks, such as a table. Paragraphs that it opens end with it. */
  htmlBlock(html: string, place: Placed): void {
    this.#place = place;
    this.html(html, place);
    const paragraph = this.#open.findLastIndex(({ tag }) => tag === "");
    if (paragraph > this.#open.findLastIndex(({ tag }) => tag === undefined))
      while (this.#open.length > paragraph) this.#pop();
  }

  html(html: string, place: Placed): void {
    (this.#root.html ??= []).push({ ...place, value: html });
    for (const piece of splitHtml(html)) this.#piece(piece, place);
  }

  #piece(piece: Piece, place: Placed): void {
    switch (piece.kind) {
      case "text": {
        const isBetween = piece.value.trim() === "" && (FLOW.has(this.#top.node.type) || piece.value.includes("\n"));
        return isBetween && !this.#open.some(({ tag }) => tag === "pre")
          ? undefined
          : this.add({ type: "text", value: piece.value });
      }
      case "open":
        if (this.#framed(piece, place)) return undefined;
        if (isAllowed(piece.name)) return this.#openTag(piece, place);
        break;
      case "close":
        if (piece.name === this.#frame) return void (this.#frame = "");
        if (isAllowed(piece.name)) return this.#closeTag(piece.name, place);
        break;
      case "other":
    }
    this.add({ type: "html", value: piece.value, ...place });
  }

  /** Replaces a frame or script that embeds something known by its address. Returns false for any other. */
  #framed({ name, attributes }: Extract<Piece, { kind: "open" }>, place: Placed): boolean {
    const url = findFramePage(name, attributes["src"]);
    if (url === null) return false;
    this.#frame = name;
    if (url === "") return true;
    this.push({ type: "link", url, written: "html", ...place, children: [{ type: "text", value: url }] }, "a");
    this.#pop();
    return true;
  }

  #openTag({ name, attributes }: Extract<Piece, { kind: "open" }>, place: Placed): void {
    const parents = PARENTS[name];
    if (parents !== undefined && !this.#endUpTo(parents))
      return this.push({ type: "element", name: "div", attributes: {}, ...place, children: [] }, name);
    if (isVoid(name)) return this.add(makeVoid(name, attributes, place));
    const mark = MARKS[name];
    const { href: url, title = null } = attributes;
    // The same mark inside changes nothing.
    if (mark !== undefined && this.#open.some(({ node }) => node.type === mark))
      this.#open.push({ ...this.#top, tag: name });
    else if (mark !== undefined) this.push({ type: mark, ...place, children: [] }, name);
    else if (name === "a" && url !== undefined)
      this.push({ type: "link", url, title, written: "html", ...place, children: [] }, name);
    else if (/^h[1-6]$/.test(name))
      this.push({ type: "heading", depth: Number(name[1]), id: attributes["id"] ?? "", ...place, children: [] }, name);
    else this.push({ type: "element", name, attributes, ...place, children: [] }, name);
  }

  /** Closes the link or heading in which another begins, if HTML opened it. */
  #end(own: "link" | "heading"): void {
    if (this.#top.within[own] === undefined) return;
    const at = this.#open.findLastIndex(({ tag, node }) => tag === undefined || node.type === own);
    if (this.#open[at]?.tag !== undefined) while (this.#open.length > at) this.#pop();
  }

  /** Closes what may end before a part of one of these elements. Returns whether one is open. */
  #endUpTo(parents: readonly string[]): boolean {
    const at = this.#open.findLastIndex(
      ({ tag, node }) => tag === undefined || isOneOf(parents, node) || !isEndedByPart(tag),
    );
    if (!isOneOf(parents, this.#open[at]?.node ?? this.#root)) return false;
    while (this.#open.length > at + 1) this.#pop();
    return true;
  }

  #closeTag(name: string, { to }: Placed): void {
    const at = this.#open.findLastIndex(({ tag }) => tag === undefined || tag === name);
    if (this.#open[at]?.tag !== name) return;
    while (this.#open.length > at + 1) this.#pop();
    this.#pop(to);
  }
}

const isComment = (node: Content): boolean => node.type === "html" && /^<(?:!|\?)/.test(node.value);

function makeVoid(name: string, attributes: Readonly<Record<string, string>>, place: Placed): Block | Inline {
  if (name === "br") return { type: "break", written: "html", ...place };
  if (name === "hr") return { type: "thematicBreak", ...place };
  if (name !== "img") return { type: "element", name, attributes, ...place, children: [] };
  const { src = "", alt = "", title = null, ...others } = attributes;
  return { type: "image", url: src, alt, title, written: "html", attributes: others, ...place };
}
