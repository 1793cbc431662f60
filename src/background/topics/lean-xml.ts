/**
 * Reduces the XML of a feed to what the service reads of it, and limits the cost of parsing it. The feed parser after
 * this step takes time that grows with the square of some input, such as tags without an end or names of authors, so it
 * does not get these. It does not get declarations either, so it never expands entities that a document defines.
 */
import { Parser } from "htmlparser2";
import { MARKUP_LIMIT } from "./plain-text.ts";

export type LeanXml =
  /** `cutOff`: the document ends too early. The item that was open at its end is left out. */
  | { readonly kind: "feed"; readonly format: FeedRoot; readonly xml: string; readonly cutOff: boolean }
  | { readonly kind: "other" }
  | { readonly kind: "nested" };

export type FeedRoot = "rss" | "rdf" | "feed";

/**
 * Reads a document once, also if it is not well-formed, and writes the elements and attributes that matter as new XML.
 * Markup within a text (XHTML, or HTML that was not escaped) becomes escaped text, without its attributes.
 */
export function leanXml(document: string): LeanXml {
  return new LeanWriter().read(document);
}

/** A text element that is being read, in two XML-escaped forms. `markup` is used if it contains elements. */
type Leaf = { readonly depth: number; plain: string; markup: string; hasElements: boolean };

class LeanWriter {
  readonly #parser: Parser;
  readonly #out: string[] = [];
  #root: string | undefined;
  #depth = 0;
  #elements = 0;
  /** The depth of the outermost element that is being skipped; 0 if none is. */
  #skipped = 0;
  #leaf: Leaf | undefined;
  #inCdata = false;
  #tooDeep = false;
  /** Where the current item begins in the output, so that it can be removed if it is still open at the end. */
  #itemStart = 0;
  #ended = false;
  #cutOff = false;

  constructor() {
    const handler = {
      onopentag: (name: string, attributes: Record<string, string>) => this.#open(name, attributes),
      onclosetag: (name: string, implied: boolean) => this.#close(name, implied),
      ontext: (text: string) => this.#text(text),
      oncdatastart: () => void (this.#inCdata = true),
      oncdataend: () => void (this.#inCdata = false),
    };
    const options = { xmlMode: true, decodeEntities: false, lowerCaseTags: true, lowerCaseAttributeNames: true };
    this.#parser = new Parser(handler, options);
  }

  read(document: string): LeanXml {
    this.#parser.write(document);
    // Tags that the parser closes from here on were never closed in the document.
    this.#ended = true;
    this.#parser.end();
    if (this.#tooDeep) return { kind: "nested" };
    const format = this.#root;
    if (format !== "rss" && format !== "rdf" && format !== "feed") return { kind: "other" };
    return { kind: "feed", format, xml: this.#out.join(""), cutOff: this.#cutOff };
  }

  #open(name: string, attributes: Record<string, string>): void {
    const local = localName(name);
    this.#root ??= local;
    this.#depth++;
    if (!ROOTS.has(this.#root) || this.#depth > MAX_DEPTH) {
      this.#tooDeep ||= this.#depth > MAX_DEPTH;
      this.#parser.pause();
      return;
    }
    if (this.#leaf !== undefined) this.#addTag(this.#leaf, `<${local}>`);
    else if (this.#skipped === 0) this.#keep(name, local, attributes);
  }

  /** Writes an element that matters. Skips any other element with its content. */
  #keep(name: string, local: string, attributes: Record<string, string>): void {
    const isContainer = CONTAINERS.has(local);
    this.#elements++;
    if (this.#elements > MAX_ELEMENTS || !NAME.test(name) || !(isContainer || LEAVES.has(local))) {
      this.#skipped = this.#depth;
      return;
    }
    if (isContainer && ITEMS.has(local)) this.#itemStart = this.#out.length;
    this.#out.push(`<${name}${attributesOf(attributes)}>`);
    if (!isContainer) this.#leaf = { depth: this.#depth, plain: "", markup: "", hasElements: false };
  }

  #close(name: string, implied: boolean): void {
    const depth = this.#depth--;
    if (this.#skipped > 0) {
      if (this.#skipped === depth) this.#skipped = 0;
      return;
    }
    if (this.#leaf !== undefined && this.#leaf.depth < depth) {
      if (!implied) this.#addTag(this.#leaf, `</${localName(name)}>`);
      return;
    }
    if (this.#leaf !== undefined) this.#out.push(textOf(this.#leaf));
    this.#leaf = undefined;
    if (this.#ended) this.#cutOff = true;
    if (this.#ended && ITEMS.has(localName(name))) this.#out.length = this.#itemStart;
    else this.#out.push(`</${name}>`);
    // Text after the root element does not belong to the document.
    if (depth === 1) this.#parser.pause();
  }

  #text(text: string): void {
    const leaf = this.#leaf;
    if (leaf === undefined) return;
    // Outside CDATA the text is escaped already, except for a `<` that does not begin a tag.
    const shown = text.slice(0, MARKUP_LIMIT);
    const escaped = this.#inCdata ? escapeXml(shown) : shown.replaceAll("<", "&lt;");
    append(leaf, "plain", escaped);
    append(leaf, "markup", escapeXml(escaped));
  }

  #addTag(leaf: Leaf, tag: string): void {
    leaf.hasElements = true;
    append(leaf, "markup", escapeXml(tag));
  }
}

function append(leaf: Leaf, form: "plain" | "markup", text: string): void {
  const room = MARKUP_LIMIT - leaf[form].length;
  if (room > 0) leaf[form] += text.slice(0, room);
}

const textOf = (leaf: Leaf): string => (leaf.hasElements ? leaf.markup : leaf.plain);

/** Returns the attributes that matter as XML. The parser does not decode their values, so entities stay escaped. */
function attributesOf(attributes: Record<string, string>): string {
  let text = "";
  for (const [name, value] of Object.entries(attributes).slice(0, MAX_ATTRIBUTES)) {
    const kept = ATTRIBUTES.has(name) || /^xmlns(?::[\w.-]+)?$/.test(name);
    if (kept && value.length <= MAX_ATTRIBUTE) {
      text += ` ${name}="${value.replaceAll("<", "&lt;").replaceAll('"', "&quot;")}"`;
    }
  }
  return text;
}

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

const NAME = /^(?:[\w.-]+:)?[\w.-]+$/;

/** Unescaped HTML with unclosed paragraphs is also deep. The parser's time grows with the square of the depth. */
const MAX_DEPTH = 500;

/** About a thousand items. Feeds within the limit of bytes rarely have more, and only fifty items are kept. */
const MAX_ELEMENTS = 20_000;

const MAX_ATTRIBUTE = 4096;

const MAX_ATTRIBUTES = 100;

const ROOTS: ReadonlySet<string> = new Set(["rss", "rdf", "feed"]);

const ITEMS: ReadonlySet<string> = new Set(["item", "entry"]);

/** Elements that contain elements, by their local names, because documents choose prefixes. `group` is of Media RSS. */
const CONTAINERS: ReadonlySet<string> = new Set([...ROOTS, ...ITEMS, "channel", "group"]);

/** Elements that contain text, of all formats and of the extensions that are read. */
const LEAVES: ReadonlySet<string> = new Set(
  (
    "title link description category language guid pubdate enclosure " +
    "id summary content published updated issued modified created " +
    "date subject encoded comments total keywords"
  ).split(" "),
);

const ATTRIBUTES: ReadonlySet<string> = new Set(
  "xml:base xml:lang href rel type ispermalink url term label rdf:about".split(" "),
);
