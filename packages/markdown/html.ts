/**
 * Renders the tree of a Markdown text as HTML. Only allowed elements, attributes and addresses stay; the rest is text
 * (contract 20.3).
 */
import { isWebUrl } from "../../src/lib/web-url.ts";
import type { Heading } from "../../src/domain/rendering.ts";
import { anchorsOf, PREFIX, type Anchors } from "./anchors.ts";
import { audioLink } from "./audio.ts";
import { attributesOf, elementAttributes, escaped, isLinkable, isPixels, languageOf, pictureOf } from "./attributes.ts";
import { cardIn, cardOf, type Card } from "./embeds.ts";
import { isVoid } from "./elements.ts";
import { figuresOf, picturesIn } from "./figures.ts";
import { encodedAddress } from "./parser.ts";
import { Notes } from "./notes.ts";
import { isComment } from "./plain-text.ts";
import type { Content, ContentOf, Root, TableRow } from "./tree.ts";

export type Page = {
  /** The level of the heading above the text. */
  readonly above: number;
  /** The prefix of all ids in the text. */
  readonly prefix: string;
  /**
   * Set for pages of the console: links open in another tab, and what is not allowed is marked. `origin` is the
   * service's own; other hosts get no referrer.
   */
  readonly console?: { readonly origin: string | null };
  /** Returns highlighted HTML for code; null for a block that is shown as it is. */
  readonly highlight?: (code: string, lang: string | null | undefined) => string | null;
};

export const READERS: Page = { above: 1, prefix: "" };

/** What is not allowed in a text: HTML that is shown as text, and addresses that are left out. */
export type Refused = { readonly html: ReadonlySet<string>; readonly addresses: ReadonlySet<string> };

/** Returns the HTML of a text, its headings in order, and what is not allowed in it. */
export function htmlOf(tree: Root, page: Page): { html: string; headings: Heading[]; refused: Refused } {
  const anchors = anchorsOf(tree, page.above);
  const writer = new Writer(page, anchors, tree);
  return { html: writer.all(), headings: [...anchors.headings.values()], refused: writer.refused };
}

class Writer {
  readonly #page: Page;
  readonly #anchors: Anchors;
  readonly #tree: Root;
  readonly #notes: Notes;
  readonly #ids: Set<string>;
  #tables = 0;
  readonly refused = { html: new Set<string>(), addresses: new Set<string>() };

  constructor(page: Page, anchors: Anchors, tree: Root) {
    this.#page = page;
    this.#anchors = anchors;
    this.#tree = tree;
    this.#notes = new Notes(tree);
    this.#ids = new Set([...anchors.headings.values()].map(({ id }) => id));
  }

  all(): string {
    const html = this.#blocks(this.#tree.children);
    const notes = this.#endnotes();
    return notes === "" ? html : html === "" ? notes : `${html}\n${notes}`;
  }

  #blocks(nodes: readonly Content[]): string {
    return nodes
      .map((node) => this.#write(node))
      .filter((html) => html !== "")
      .join("\n");
  }

  #inside(node: { readonly children: readonly Content[] }): string {
    return node.children.map((child) => this.#write(child)).join("");
  }

  #write(node: Content): string {
    switch (node.type) {
      case "text":
        return escaped(node.value);
      case "html":
        if (isComment(node.value)) return "";
        this.refused.html.add(/^<\/?[a-z][\w-]*/i.exec(node.value)?.[0].replace("/", "") ?? node.value);
        return escaped(node.value);
      case "inlineCode":
        return `<code>${escaped(node.value.replaceAll("\n", " "))}</code>`;
      case "emphasis":
        return `<em>${this.#inside(node)}</em>`;
      case "strong":
        return `<strong>${this.#inside(node)}</strong>`;
      case "delete":
        return `<del>${this.#inside(node)}</del>`;
      case "break":
        return "<br>\n";
      case "thematicBreak":
        return "<hr>";
      case "paragraph":
        return this.#paragraph(node);
      case "heading":
        return this.#heading(node);
      case "blockquote":
        return this.#quote(node);
      case "code":
        return this.#code(node);
      case "link":
        return this.#link(node);
      case "image":
        return this.#image(node);
      case "footnoteReference":
        return this.#reference(node);
      case "list":
        return this.#list(node);
      case "table":
        return this.#table(node);
      case "element":
        return this.#element(node);
      case "listItem":
      case "tableRow":
      case "tableCell":
        return this.#inside(node);
      case "definition":
      case "footnoteDefinition":
        return "";
    }
  }

  #paragraph(node: ContentOf<"paragraph">): string {
    const card = cardOf(node.children);
    if (card !== null) return this.#card(card);
    const pictures = picturesIn(node);
    if (pictures.length > 1 || pictures[0]?.caption) return figuresOf(pictures, (picture) => this.#write(picture));
    const inside = this.#inside(node);
    const audio = this.#page.console === undefined ? audioLink(node.children) : null;
    if (audio !== null)
      return `<figure class="audio"><audio${attributesOf({ src: encodedAddress(audio.url) })} controls preload="none"></audio><figcaption>${inside}</figcaption></figure>`;
    return inside === "" ? "" : `<p>${inside}</p>`;
  }

  #code({ lang, value }: ContentOf<"code">): string {
    const highlighted = this.#page.highlight?.(value, lang) ?? null;
    const classes = languageOf(lang, highlighted === null ? "" : "hljs ");
    return `<pre tabindex="0"><code${classes}>${highlighted ?? escaped(value)}${value === "" ? "" : "\n"}</code></pre>`;
  }

  /** Writes a link. For readers, it has the address of a player, which the site opens (site/players.ts). */
  #card({ provider, id, player, link, caption }: Card): string {
    const data = attributesOf({ "data-provider": provider, "data-id": id, "data-player": player });
    const own = this.#page.console === undefined ? data : "";
    return `<figure class="embed"${own}>${this.#link(link)}${caption ? this.#write(caption) : ""}</figure>`;
  }

  #heading(node: ContentOf<"heading">): string {
    const heading = this.#anchors.headings.get(node);
    if (heading === undefined) return "";
    return `<h${heading.level}${attributesOf({ id: this.#page.prefix + heading.id })}>${this.#inside(node)}</h${heading.level}>`;
  }

  #quote({ alert, children }: ContentOf<"blockquote">): string {
    const inside = this.#blocks(children);
    if (alert == null) return `<blockquote>\n${inside}${inside === "" ? "" : "\n"}</blockquote>`;
    const title = alert[0]?.toUpperCase() + alert.slice(1);
    return `<aside class="callout callout-${alert}">\n<p class="callout-title">${title}</p>\n${inside}\n</aside>`;
  }

  #list({ ordered, start, spread, children }: ContentOf<"list">): string {
    const isLoose = spread === true || children.some((item) => item.spread === true);
    const items = children.map((item) => this.#item(item, isLoose)).join("\n");
    const tasks = children.some(({ checked }) => checked != null) ? ' class="contains-task-list"' : "";
    const name = ordered ? "ol" : "ul";
    const first = ordered && start != null && start !== 1 ? ` start="${start}"` : "";
    return `<${name}${first}${tasks}>\n${items}\n</${name}>`;
  }

  #item({ checked, children }: ContentOf<"listItem">, isLoose: boolean): string {
    const box = checked == null ? "" : this.#box(checked);
    const task = checked == null ? "" : ' class="task-list-item"';
    const [first] = children;
    const parts = children.map((child) => {
      const own = child === first ? box : "";
      if (child.type !== "paragraph") return own + this.#write(child);
      return isLoose ? `<p>${own}${this.#inside(child)}</p>` : own + this.#inside(child);
    });
    const inside = (first === undefined ? [box] : parts).filter((part) => part !== "").join("\n");
    const isBlock = first !== undefined && (isLoose || first.type !== "paragraph");
    const isEndOfBlock = children.length > 0 && (isLoose || children.at(-1)?.type !== "paragraph");
    return `<li${task}>${isBlock ? "\n" : ""}${inside}${isEndOfBlock ? "\n" : ""}</li>`;
  }

  #box(checked: boolean): string {
    const [done, open] = this.#page.console === undefined ? ["✓", "–"] : ["Done", "Not done"];
    return `<input type="checkbox"${checked ? " checked" : ""} disabled aria-label="${checked ? done : open}"> `;
  }

  #table({ align, children: [head, ...rows] }: ContentOf<"table">): string {
    const row = (name: "th" | "td", { children }: TableRow): string => {
      const cells = children.map((cell, column) => {
        const own = attributesOf({ align: align[column] });
        return `<${name}${own}>${this.#inside(cell)}</${name}>`;
      });
      return `<tr>\n${cells.join("\n")}\n</tr>`;
    };
    const body = rows.length === 0 ? "" : `<tbody>\n${rows.map((each) => row("td", each)).join("\n")}\n</tbody>\n`;
    return this.#scrolling(`<table>\n<thead>\n${head === undefined ? "" : row("th", head)}\n</thead>\n${body}</table>`);
  }

  /** Makes a table that scrolls reachable by keyboard. */
  #scrolling(table: string): string {
    if (this.#page.console === undefined) return `<div class="table" tabindex="0">${table}</div>`;
    return `<div class="scroll" tabindex="0" role="group" aria-label="Table ${++this.#tables}">${table}</div>`;
  }

  /** Writes only the text of a link whose address is not allowed. */
  #link(node: ContentOf<"link">): string {
    const inside = this.#inside(node);
    const { url, title } = node;
    const href = encodedAddress(url);
    if (!isLinkable(href)) return inside + this.#refuse(url, "link not allowed");
    if (href.startsWith("#")) {
      const fragment = href.slice(1);
      const id = this.#anchors.idOf(fragment) ?? this.#anchors.idOf(url.slice(1)) ?? fragment;
      return `<a${attributesOf({ href: `#${this.#page.prefix}${id}`, title })}>${inside}</a>`;
    }
    const rel = this.#page.console && { target: "_blank", rel: "noopener noreferrer nofollow" };
    return `<a${attributesOf({ href, title, ...rel })}>${inside}</a>`;
  }

  /** A relative address would be another picture on each site. */
  #image({ url, alt, title, attributes = {} }: ContentOf<"image">): string {
    const src = encodedAddress(url);
    if (!isWebUrl(src)) return escaped(alt) + this.#refuse(url, "image not allowed");
    const { width, height } = attributes;
    const asked = { ...(isPixels(width) && { width }), ...(isPixels(height) && { height }) };
    const whole = { src, alt, title: title || undefined, loading: "lazy" };
    const own = this.#page.console;
    if (own === undefined) return `<img${attributesOf({ ...whole, decoding: "async", ...asked, ...pictureOf(src) })}>`;
    const isOwn = URL.parse(src)?.origin === own.origin && URL.parse(src)?.pathname.startsWith("/media/");
    return `<img${attributesOf({ ...whole, referrerpolicy: "no-referrer", ...asked, ...(isOwn && { ...pictureOf(src), src }) })}>`;
  }

  #refuse(address: string, why: string): string {
    this.refused.addresses.add(address);
    return this.#page.console === undefined ? "" : ` <span class="badge warn">${why}</span>`;
  }

  #reference({ label }: ContentOf<"footnoteReference">): string {
    const referred = this.#notes.refer(label);
    if (referred === null) return escaped(`[^${label}]`);
    const { prefix } = this.#page;
    const own = attributesOf({ href: `#${prefix}fn-${referred.name}`, id: `${prefix}fnref-${referred.id}` });
    return `<sup><a${own} data-footnote-ref role="doc-noteref">${referred.number}</a></sup>`;
  }

  #endnotes(): string {
    const bodies: string[] = [];
    // A footnote may refer to others, which follow then.
    for (const { children } of this.#notes.inOrder()) bodies.push(this.#blocks(children));
    if (bodies.length === 0) return "";
    const items = bodies.map((body, index) => {
      const { name, ids } = this.#notes.referred(index);
      const back = ids.map((id) => {
        const href = attributesOf({ href: `#${this.#page.prefix}fnref-${id}` });
        return ` <a${href} data-footnote-backref="" role="doc-backlink">↩</a>`;
      });
      const isText = body.endsWith("</p>");
      const whole = isText ? `${body.slice(0, -"</p>".length)}${back.join("")}</p>` : `${body}${back.join("")}`;
      return `<li${attributesOf({ id: `${this.#page.prefix}fn-${name}` })}>\n${whole}\n</li>`;
    });
    return `<section data-footnotes class="footnotes" role="doc-endnotes">\n<ol>\n${items.join("\n")}\n</ol>\n</section>`;
  }

  #element(node: ContentOf<"element">): string {
    const card = cardIn(node);
    if (card !== null) return this.#card(card);
    const { name, attributes } = node;
    const { id, name: anchor, ...others } = attributes;
    const own = elementAttributes(name, { ...others, ...this.#named(id ?? anchor) });
    if (own === null) return "";
    if (isVoid(name)) return `<${name}${own}>`;
    const html = `<${name}${own}>${this.#inside(node)}</${name}>`;
    return name === "table" ? this.#scrolling(html) : html;
  }

  /** Returns the id of an element; none if it is invalid or taken. */
  #named(name = ""): { readonly id?: string } {
    const id = PREFIX + name;
    if (!/^\S+$/.test(name) || this.#ids.has(id)) return {};
    this.#ids.add(id);
    return { id: this.#page.prefix + id };
  }
}
