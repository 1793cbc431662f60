/**
 * A feed's XML, reduced to what is read of it. What it may cost is bounded here: the feed parser behind it takes
 * time that grows with the square of some things (tags that never end, names of authors), which it is not shown.
 * Declarations are not passed on, so entities of a document's own are never expanded.
 */
import { Parser } from "htmlparser2";
import { MARKUP_LIMIT } from "./plain-text.ts";

export type LeanXml =
  /** `cutOff`: the document breaks off, and what was open then is left out. */
  | { readonly kind: "feed"; readonly format: FeedRoot; readonly xml: string; readonly cutOff: boolean }
  | { readonly kind: "other" }
  | { readonly kind: "nested" };

export type FeedRoot = "rss" | "rdf" | "feed";

/**
 * Reads a document once, tolerating what is not well-formed, and writes anew the elements and attributes that
 * matter. Markup within a text (XHTML, or HTML that was not escaped) comes out escaped, without attributes.
 */
export function leanXml(document: string): LeanXml {
  return new LeanWriter().read(document);
}

/** A text element that is being read. Both are XML-escaped forms of it; `markup` is right once it has elements. */
type Leaf = { readonly depth: number; plain: string; markup: string; hasElements: boolean };

class LeanWriter {
  readonly #parser: Parser;
  readonly #out: string[] = [];
  #root: string | undefined;
  #depth = 0;
  #elements = 0;
  /** The depth of the outermost element that is left out; 0 where none is. */
  #skipped = 0;
  #leaf: Leaf | undefined;
  #inCdata = false;
  #tooDeep = false;
  /** Where the output of the current item begins, if it is still open when the document ends. */
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
    // What closes after this was never closed.
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

  /** Writes an element that matters, and skips any other with all that is in it. */
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
    // What follows the document is none of it.
    if (depth === 1) this.#parser.pause();
  }

  #text(text: string): void {
    const leaf = this.#leaf;
    if (leaf === undefined) return;
    // Outside CDATA it is escaped already, but for a `<` that began no tag.
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

/** Values are as in the document, so their entities are still escaped. */
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

/** HTML that was not escaped and does not close its paragraphs gets deep, too; the parser's cost is quadratic. */
const MAX_DEPTH = 500;

/** About a thousand items; feeds within the limit of bytes rarely have more, and fifty are kept. */
const MAX_ELEMENTS = 20_000;

const MAX_ATTRIBUTE = 4096;

const MAX_ATTRIBUTES = 100;

const ROOTS: ReadonlySet<string> = new Set(["rss", "rdf", "feed"]);

const ITEMS: ReadonlySet<string> = new Set(["item", "entry"]);

/** Elements of elements; `group` is Media RSS's. By local name, since prefixes are the document's choice. */
const CONTAINERS: ReadonlySet<string> = new Set([...ROOTS, ...ITEMS, "channel", "group"]);

/** Elements of text, of all formats and of the extensions that are read. */
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
