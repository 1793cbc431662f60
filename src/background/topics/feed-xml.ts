/**
 * Reads the XML of a feed in one pass, even if it is not well-formed, in linear time. Entities that a document declares
 * are never expanded.
 */
import { decodeHTML, decodeHTMLAttribute } from "entities";
import { Parser } from "htmlparser2";
import { MARKUP_LIMIT } from "./plain-text.ts";

export type FeedXml =
  /** `cutOff`: the document ends too early. The item that was open at its end is left out. */
  | { readonly kind: "feed"; readonly isAtom: boolean; readonly feed: Part; readonly items: Part[]; cutOff: boolean }
  | { readonly kind: "other" | "broken" | "nested" };

/** A feed or an item. */
export type Part = { attributes: Attributes; readonly elements: Element[] };

/** An element with text. Names of the format itself have no prefix; others have that of their namespace. */
export type Element = {
  readonly name: string;
  readonly attributes: Attributes;
  /** If the element contains elements (XHTML, or HTML that was not escaped), HTML without attributes. */
  text: string;
};

type Attributes = Readonly<Record<string, string>>;

/** Returns the text of the first element that has one. The first of the names wins. */
export const findText = (part: Part, ...names: readonly string[]): string | undefined =>
  findElement(part, ...names)?.text;

export function findElement(part: Part, ...names: readonly string[]): Element | undefined {
  const found = listElements(part, ...names).filter(({ text }) => text !== "");
  return found.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))[0];
}

export const listElements = ({ elements }: Part, ...names: readonly string[]): Element[] =>
  elements.filter(({ name }) => names.includes(name));

export function findAttribute({ attributes }: { attributes: Attributes }, name: string): string | undefined {
  const value = attributes[name];
  return value === undefined || value.length > MAX_ATTRIBUTE
    ? undefined
    : decodeHTMLAttribute(value).trim() || undefined;
}

export const readFeedXml = (document: string): FeedXml => new FeedReader().read(document);

/** The element whose text is being read, as XML. */
type Leaf = { readonly depth: number; readonly element: Element; hasElements: boolean };

class FeedReader {
  readonly #parser: Parser;
  readonly #prefixes = new Map<string, string>();
  readonly #feed: Part = { attributes: {}, elements: [] };
  readonly #items: Part[] = [];
  /** The item that is open; otherwise the feed. */
  #part = this.#feed;
  #root: string | undefined;
  #hasChannel = false;
  #depth = 0;
  #elements = 0;
  /** The depth of the outermost element that is being skipped; 0 if none is. */
  #skipped = 0;
  #leaf: Leaf | undefined;
  #inCdata = false;
  #tooDeep = false;
  #ended = false;
  #cutOff = false;

  constructor() {
    const handler = {
      onopentag: (name: string, attributes: Attributes) => this.#open(name, attributes),
      onclosetag: (name: string, implied: boolean) => this.#close(name, implied),
      ontext: (text: string) => this.#text(text),
      oncdatastart: () => void (this.#inCdata = true),
      oncdataend: () => void (this.#inCdata = false),
    };
    const options = { xmlMode: true, decodeEntities: false, lowerCaseTags: true, lowerCaseAttributeNames: true };
    this.#parser = new Parser(handler, options);
  }

  read(document: string): FeedXml {
    this.#parser.write(document);
    // Tags that the parser closes from here on were never closed in the document.
    this.#ended = true;
    this.#parser.end();
    if (this.#tooDeep) return { kind: "nested" };
    if (!ROOTS.has(this.#root ?? "")) return { kind: "other" };
    const isAtom = this.#root === "feed";
    if (!isAtom && !this.#hasChannel) return { kind: "broken" };
    return { kind: "feed", isAtom, feed: this.#feed, items: this.#items, cutOff: this.#cutOff };
  }

  #open(tag: string, attributes: Attributes): void {
    const local = toLocalName(tag);
    this.#root ??= local;
    this.#depth++;
    if (!ROOTS.has(this.#root) || this.#depth > MAX_DEPTH) {
      this.#tooDeep ||= this.#depth > MAX_DEPTH;
      this.#parser.pause();
      return;
    }
    if (this.#leaf !== undefined) addTag(this.#leaf, `<${local}>`);
    else if (this.#skipped === 0) this.#keep(tag, attributes);
  }

  /** Keeps an element that matters. Skips others with their content. */
  #keep(tag: string, attributes: Attributes): void {
    this.#declare(attributes);
    const name = this.#nameOf(tag);
    this.#elements++;
    if (this.#elements > MAX_ELEMENTS) this.#skipped = this.#depth;
    else if (ITEMS.has(name)) this.#items.push((this.#part = { attributes, elements: [] }));
    else if (name === "channel" || this.#depth === 1) {
      this.#hasChannel ||= name === "channel";
      this.#feed.attributes = { ...this.#feed.attributes, ...attributes };
    } else if (TEXTS.has(name)) {
      this.#leaf = { depth: this.#depth, element: { name, attributes, text: "" }, hasElements: false };
    } else if (name !== "media:group") this.#skipped = this.#depth;
  }

  #close(tag: string, implied: boolean): void {
    const depth = this.#depth--;
    if (this.#skipped > 0) {
      if (this.#skipped === depth) this.#skipped = 0;
      return;
    }
    const leaf = this.#leaf;
    if (leaf !== undefined && leaf.depth < depth) {
      if (!implied) addTag(leaf, `</${toLocalName(tag)}>`);
      return;
    }
    if (leaf !== undefined) {
      const { element, hasElements } = leaf;
      element.text = (hasElements ? element.text : decodeHTML(element.text)).trim();
      this.#part.elements.push(element);
    }
    this.#leaf = undefined;
    if (this.#ended) this.#cutOff = true;
    if (ITEMS.has(this.#nameOf(tag))) {
      if (this.#ended) this.#items.pop();
      this.#part = this.#feed;
    }
    // Text after the root element does not belong to the document.
    if (depth === 1) this.#parser.pause();
  }

  #text(text: string): void {
    if (this.#leaf === undefined) return;
    const shown = text.slice(0, MARKUP_LIMIT);
    // Outside CDATA the text is escaped already, except for a `<` that does not begin a tag.
    append(this.#leaf, (this.#inCdata ? shown.replaceAll("&", "&amp;") : shown).replaceAll("<", "&lt;"));
  }

  /** Notes the prefixes that an element declares for known namespaces. */
  #declare(attributes: Attributes): void {
    for (const [name, uri] of Object.entries(attributes).slice(0, MAX_ATTRIBUTES)) {
      const prefix = /^xmlns:(.*)/.exec(name)?.[1];
      const known = NAMESPACES.find(([, part]) => uri.toLowerCase().includes(part))?.[0];
      if (prefix !== undefined && known !== undefined) this.#prefixes.set(prefix, known);
    }
  }

  #nameOf(tag: string): string {
    const local = toLocalName(tag);
    const prefix = tag.slice(0, -local.length - 1);
    const namespace = this.#prefixes.get(prefix) ?? prefix;
    const isOwn = namespace === (this.#root === "feed" ? "atom" : "rss");
    return isOwn || local === tag ? local : `${namespace}:${local}`;
  }
}

function append({ element }: Leaf, text: string): void {
  const left = MARKUP_LIMIT - element.text.length;
  if (left > 0) element.text += text.slice(0, left);
}

function addTag(leaf: Leaf, tag: string): void {
  leaf.hasElements = true;
  append(leaf, tag);
}

const toLocalName = (tag: string): string => tag.slice(tag.indexOf(":") + 1);

/** Unescaped HTML with unclosed paragraphs is also deep. The parser's time grows with the square of the depth. */
const MAX_DEPTH = 500;

/** About a thousand items. Larger feeds are rare, and only fifty items are kept. */
const MAX_ELEMENTS = 20_000;

const MAX_ATTRIBUTE = 4096;

const MAX_ATTRIBUTES = 100;

const ROOTS: ReadonlySet<string> = new Set(["rss", "rdf", "feed"]);

const ITEMS: ReadonlySet<string> = new Set(["item", "entry"]);

/** Namespaces, each with a part of its addresses. */
const NAMESPACES = [
  ["atom", "w3.org/2005/atom"],
  ["atom", "purl.org/atom/ns#"],
  ["content", "/rss/1.0/modules/content"],
  ["slash", "/rss/1.0/modules/slash"],
  ["rss", "purl.org/rss/1.0"],
  ["dc", "purl.org/dc/elements/1."],
  ["dcterms", "purl.org/dc/terms"],
  ["itunes", "podcast-1.0.dtd"],
  ["media", "/mrss"],
  ["media", "rssboard.org/media-rss"],
  ["thr", "/syndication/thread"],
] as const;

/** Elements whose text is read, of all formats and extensions. */
const TEXTS: ReadonlySet<string> = new Set(
  (
    "title link description category language guid pubdate enclosure " +
    "id summary content published updated issued modified created " +
    "atom:link atom:published atom:updated content:encoded dc:title dc:description dc:date dc:subject dc:language " +
    "dcterms:issued dcterms:modified itunes:title itunes:summary itunes:keywords media:title media:description " +
    "media:keywords slash:comments thr:total"
  ).split(" "),
);
