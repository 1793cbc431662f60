/**
 * Renders the tree of a Markdown text as HTML. Only allowed elements, attributes and addresses stay; the rest is text
 * (contract 20.3).
 */
import { isWebUrl } from "../../src/lib/web-url.ts";
import type { Heading } from "../../src/domain/rendering.ts";
import { makeAnchors, PREFIX, type Anchors } from "./anchors.ts";
import { findAudioLink } from "./audio.ts";
import {
  renderAttributes,
  renderElementAttributes,
  escapeText,
  isLinkable,
  isPixels,
  renderLanguageClass,
  getPictureSize,
} from "./attributes.ts";
import { findCardIn, findCard, type Card } from "./embeds.ts";
import { isVoid } from "./elements.ts";
import { renderFigures, listPictures } from "./figures.ts";
import { encodeAddress } from "./parser.ts";
import { Notes } from "./notes.ts";
import { isComment } from "./plain-text.ts";
import type { Content, ContentByType, Root, TableRow } from "./tree.ts";

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
export function renderHtml(tree: Root, page: Page): { html: string; headings: Heading[]; refused: Refused } {
  const anchors = makeAnchors(tree, page.above);
  const writer = new Writer(page, anchors, tree);
  return { html: writer.writeAll(), headings: [...anchors.headings.values()], refused: writer.refused };
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

  writeAll(): string {
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
        return escapeText(node.value);
      case "html":
        if (isComment(node.value)) return "";
        this.refused.html.add(/^<\/?[a-z][\w-]*/i.exec(node.value)?.[0].replace("/", "") ?? node.value);
        return escapeText(node.value);
      case "inlineCode":
        return `<code>${escapeText(node.value.replaceAll("\n", " "))}</code>`;
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

  #paragraph(node: ContentByType<"paragraph">): string {
    const card = findCard(node.children);
    if (card !== null) return this.#card(card);
    const pictures = listPictures(node);
    if (pictures.length > 1 || pictures[0]?.caption) return renderFigures(pictures, (picture) => this.#write(picture));
    const inside = this.#inside(node);
    const audio = this.#page.console === undefined ? findAudioLink(node.children) : null;
    if (audio !== null)
      return `<figure class="audio"><audio${renderAttributes({ src: encodeAddress(audio.url) })} controls preload="none"></audio><figcaption>${inside}</figcaption></figure>`;
    return inside === "" ? "" : `<p>${inside}</p>`;
  }

  #code({ lang, value }: ContentByType<"code">): string {
    const highlighted = this.#page.highlight?.(value, lang) ?? null;
    const classes = renderLanguageClass(lang, highlighted === null ? "" : "hljs ");
    return `<pre tabindex="0"><code${classes}>${highlighted ?? escapeText(value)}${value === "" ? "" : "\n"}</code></pre>`;
  }

  /** Writes a link. For readers, it has the address of a player, which the site opens (site/players.ts). */
  #card({ provider, id, player, link, caption }: Card): string {
    const data = renderAttributes({ "data-provider": provider, "data-id": id, "data-player": player });
    const own = this.#page.console === undefined ? data : "";
    return `<figure class="embed"${own}>${this.#link(link)}${caption ? this.#write(caption) : ""}</figure>`;
  }

  #heading(node: ContentByType<"heading">): string {
    const heading = this.#anchors.headings.get(node);
    if (heading === undefined) return "";
    return `<h${heading.level}${renderAttributes({ id: this.#page.prefix + heading.id })}>${this.#inside(node)}</h${heading.level}>`;
  }

  #quote({ alert, children }: ContentByType<"blockquote">): string {
    const inside = this.#blocks(children);
    if (alert == null) return `<blockquote>\n${inside}${inside === "" ? "" : "\n"}</blockquote>`;
    const title = alert[0]?.toUpperCase() + alert.slice(1);
    return `<aside class="callout callout-${alert}">\n<p class="callout-title">${title}</p>\n${inside}\n</aside>`;
  }

  #list({ ordered, start, spread, children }: ContentByType<"list">): string {
    const isLoose = spread === true || children.some((item) => item.spread === true);
    const items = children.map((item) => this.#item(item, isLoose)).join("\n");
    const tasks = children.some(({ checked }) => checked != null) ? ' class="contains-task-list"' : "";
    const name = ordered ? "ol" : "ul";
    const first = ordered && start != null && start !== 1 ? ` start="${start}"` : "";
    return `<${name}${first}${tasks}>\n${items}\n</${name}>`;
  }

  #item({ checked, children }: ContentByType<"listItem">, isLoose: boolean): string {
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

  #table({ align, children: [head, ...rows] }: ContentByType<"table">): string {
    const row = (name: "th" | "td", { children }: TableRow): string => {
      const cells = children.map((cell, column) => {
        const own = renderAttributes({ align: align[column] });
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
  #link(node: ContentByType<"link">): string {
    const inside = this.#inside(node);
    const { url, title } = node;
    const href = encodeAddress(url);
    if (!isLinkable(href)) return inside + this.#refuse(url, "link not allowed");
    if (href.startsWith("#")) {
      const fragment = href.slice(1);
      const id = this.#anchors.findId(fragment) ?? this.#anchors.findId(url.slice(1)) ?? fragment;
      return `<a${renderAttributes({ href: `#${this.#page.prefix}${id}`, title })}>${inside}</a>`;
    }
    const rel = this.#page.console && { target: "_blank", rel: "noopener noreferrer nofollow" };
    return `<a${renderAttributes({ href, title, ...rel })}>${inside}</a>`;
  }

  /** A relative address would be another picture on each site. */
  #image({ url, alt, title, attributes = {} }: ContentByType<"image">): string {
    const src = encodeAddress(url);
    if (!isWebUrl(src)) return escapeText(alt) + this.#refuse(url, "image not allowed");
    const { width, height } = attributes;
    const asked = { ...(isPixels(width) && { width }), ...(isPixels(height) && { height }) };
    const whole = { src, alt, title: title || undefined, loading: "lazy" };
    const own = this.#page.console;
    if (own === undefined)
      return `<img${renderAttributes({ ...whole, decoding: "async", ...asked, ...getPictureSize(src) })}>`;
    const isOwn = URL.parse(src)?.origin === own.origin && URL.parse(src)?.pathname.startsWith("/media/");
    return `<img${renderAttributes({ ...whole, referrerpolicy: "no-referrer", ...asked, ...(isOwn && { ...getPictureSize(src), src }) })}>`;
  }

  #refuse(address: string, why: string): string {
    this.refused.addresses.add(address);
    return this.#page.console === undefined ? "" : ` <span class="badge warn">${why}</span>`;
  }

  #reference({ label }: ContentByType<"footnoteReference">): string {
    const referred = this.#notes.refer(label);
    if (referred === null) return escapeText(`[^${label}]`);
    const { prefix } = this.#page;
    const own = renderAttributes({ href: `#${prefix}fn-${referred.name}`, id: `${prefix}fnref-${referred.id}` });
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
        const href = renderAttributes({ href: `#${this.#page.prefix}fnref-${id}` });
        return ` <a${href} data-footnote-backref="" role="doc-backlink">↩</a>`;
      });
      const isText = body.endsWith("</p>");
      const whole = isText ? `${body.slice(0, -"</p>".length)}${back.join("")}</p>` : `${body}${back.join("")}`;
      return `<li${renderAttributes({ id: `${this.#page.prefix}fn-${name}` })}>\n${whole}\n</li>`;
    });
    return `<section data-footnotes class="footnotes" role="doc-endnotes">\n<ol>\n${items.join("\n")}\n</ol>\n</section>`;
  }

  #element(node: ContentByType<"element">): string {
    const card = findCardIn(node);
    if (card !== null) return this.#card(card);
    const { name, attributes } = node;
    const { id, name: anchor, ...others } = attributes;
    const own = renderElementAttributes(name, { ...others, ...this.#named(id ?? anchor) });
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
