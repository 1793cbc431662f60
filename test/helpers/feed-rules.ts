/**
 * What feed validators ask of RSS 2.0, Atom (RFC 4287) and JSON Feed 1.1. npm has no validator that is still
 * maintained, so the rules that these formats say "must" about are here.
 */
import { SaxesParser, type SaxesAttributeNS } from "saxes";

type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
};

/** Returns the root of a document. Throws if it is not well-formed XML with all its namespaces. */
export function xmlOf(document: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const given = Object.values(attributes as Record<string, SaxesAttributeNS>);
    const element = {
      name,
      attributes: Object.fromEntries(given.map((each) => [each.name, each.value])),
      children: [],
      text: "",
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const add = (text: string) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("closetag", () => void open.pop());
  parser.write(document).close();
  return root.children[0] ?? root;
}

const all = (element: Element, name: string): Element[] => element.children.filter((child) => child.name === name);

const isAddress = (text = ""): boolean => URL.canParse(text) && /^https?:/.test(text);
const isTime = (text = ""): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
/** RFC 822 with four digits of the year, as RSS has it. */
const isMailTime = (text = ""): boolean => /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text);
/** HTML in which every address is absolute: feed readers have no page that one could be relative to. */
const isPortable = (html: string): boolean => !/\b(?:src|href)="(?!https?:|mailto:|#)/.test(html);

/** A list of what is wrong. */
class Findings {
  readonly found: string[] = [];
  must(holds: boolean, rule: string): void {
    if (!holds) this.found.push(rule);
  }
  /** Each of the names is there once, and says something. */
  once(element: Element, ...names: string[]): void {
    for (const name of names) {
      const [first, ...more] = all(element, name);
      this.must(
        first !== undefined && first.text.trim() !== "" && more.length === 0,
        `${element.name} has one ${name}`,
      );
    }
  }
  unique(values: readonly string[], what: string): void {
    this.must(new Set(values).size === values.length, `each ${what} occurs once`);
  }
}

/** Returns what is wrong with an RSS 2.0 feed; empty if nothing is. */
export function brokenInRss(document: string): string[] {
  const rss = xmlOf(document);
  const findings = new Findings();
  const [channel = rss] = all(rss, "channel");
  findings.must(rss.name === "rss" && rss.attributes["version"] === "2.0", "the root is rss 2.0");
  findings.once(channel, "title", "link", "description", "lastBuildDate");
  findings.must(isAddress(all(channel, "link")[0]?.text), "the link is an address");
  findings.must(isMailTime(all(channel, "lastBuildDate")[0]?.text), "lastBuildDate is of RFC 822");
  const own = all(channel, "atom:link").filter(({ attributes }) => attributes["rel"] === "self");
  findings.must(own.length === 1 && isAddress(own[0]?.attributes["href"]), "there is one atom:link to itself");
  const items = all(channel, "item");
  for (const item of items) {
    findings.once(item, "title", "link", "guid", "pubDate");
    findings.must(isAddress(all(item, "link")[0]?.text), "the link of an item is an address");
    findings.must(isMailTime(all(item, "pubDate")[0]?.text), "pubDate is of RFC 822");
    findings.must(all(item, "guid")[0]?.attributes["isPermaLink"] === "false", "a guid that is no address says so");
    const [content] = all(item, "content:encoded");
    findings.must(isPortable(content?.text ?? ""), "content has absolute addresses");
  }
  findings.unique(
    items.map((item) => all(item, "guid")[0]?.text ?? ""),
    "guid",
  );
  return findings.found;
}

/** Returns what is wrong with an Atom feed; empty if nothing is. */
export function brokenInAtom(document: string): string[] {
  const feed = xmlOf(document);
  const findings = new Findings();
  findings.must(feed.attributes["xmlns"] === "http://www.w3.org/2005/Atom", "the namespace is Atom's");
  const entries = all(feed, "entry");
  for (const each of [feed, ...entries]) {
    findings.once(each, "id", "title", "updated");
    findings.must(URL.canParse(all(each, "id")[0]?.text ?? ""), "an id is an IRI");
    const times = [...all(each, "updated"), ...all(each, "published")];
    findings.must(
      times.every(({ text }) => isTime(text)),
      "times are of RFC 3339",
    );
    const links = all(each, "link").map(({ attributes }) => attributes);
    findings.must(
      links.every(({ href }) => isAddress(href)),
      "links are addresses",
    );
    const alternates = links.filter(({ rel }) => rel === "alternate");
    findings.unique(
      alternates.map(({ type, hreflang }) => `${type} ${hreflang}`),
      "alternate of one type and language",
    );
    findings.must(alternates.length > 0, "there is an alternate");
    findings.must(all(each, "content").length <= 1 && all(each, "summary").length <= 1, "there is one text");
    findings.must(isPortable(all(each, "content")[0]?.text ?? ""), "content has absolute addresses");
    const hasAuthor = all(each, "author").length > 0 || all(feed, "author").length > 0;
    findings.must(
      hasAuthor && all(each, "author").every((author) => all(author, "name").length === 1),
      "authors are named",
    );
    findings.must(
      all(each, "category").every(({ attributes }) => attributes["term"] !== ""),
      "categories have terms",
    );
  }
  findings.unique(
    [feed, ...entries].map((each) => all(each, "id")[0]?.text ?? ""),
    "id",
  );
  return findings.found;
}

type JsonFeed = { version: string; title: string; home_page_url: string; feed_url: string; items: JsonItem[] };
type JsonItem = Record<"id" | "url" | "content_html" | "content_text" | "date_published" | "date_modified", string>;

/** Returns what is wrong with a JSON Feed; empty if nothing is. */
export function brokenInJsonFeed(document: string): string[] {
  const feed = JSON.parse(document) as JsonFeed;
  const findings = new Findings();
  findings.must(feed.version === "https://jsonfeed.org/version/1.1", "the version is 1.1");
  findings.must(typeof feed.title === "string" && feed.title !== "", "it has a title");
  findings.must(isAddress(feed.home_page_url) && isAddress(feed.feed_url), "it says where it and its page are");
  for (const item of feed.items) {
    findings.must(typeof item.id === "string" && item.id !== "", "an item has an id");
    findings.must(isAddress(item.url), "its url is an address");
    findings.must((item.content_html === undefined) !== (item.content_text === undefined), "it has one content");
    findings.must(isPortable(item.content_html ?? ""), "content has absolute addresses");
    findings.must(isTime(item.date_published) && isTime(item.date_modified), "times are of RFC 3339");
  }
  findings.unique(
    feed.items.map(({ id }) => id),
    "id",
  );
  return findings.found;
}
