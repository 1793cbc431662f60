import { env } from "cloudflare:test";
import fc, { anyCharacter, runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { concatBytes } from "../../src/lib/bytes";
import { isSingleLine, isStorable, utf8 } from "../../src/lib/text";
import { chooseItems } from "../../src/background/topics/candidate";
import { readFeed } from "../../src/background/topics/feed";
import { truncate, toParagraph, toTitle } from "../../src/background/topics/plain-text";
import { NOW } from "../helpers/sources";

/** Texts of any characters, with pieces of markup among them. */
const pieces = fc.constantFrom(
  "<b>",
  "</p>",
  "<script>",
  "<!--",
  "&amp;",
  "&#0;",
  "&#xD800;",
  "&lt;",
  "]]>",
  "<T>",
  "\u202e",
  "\r\n",
);
const text = fc.array(
  fc.oneof(pieces, fc.string({ unit: anyCharacter, maxLength: 12 }), fc.string({ unit: "grapheme", maxLength: 12 })),
  { maxLength: 20 },
);
const anyText = text.map((parts) => parts.join(""));
/** The same, half of the time without what would end the item that it stands in. */
const inItem = fc.tuple(anyText, fc.boolean()).map(([any, isTame]) => (isTame ? any.replaceAll(/[<>&]/g, "") : any));

describe("whatever text is given", () => {
  it("what is made of it is one line that can be stored", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom("text" as const, "html" as const), (value, kind) => {
        for (const made of [toTitle({ kind, value }), toParagraph({ kind, value })]) {
          expect([isStorable(made), isSingleLine(made), made === made.trim()]).toEqual([true, true, true]);
        }
      }),
      runs(100),
    );
  });

  it("a cut text is short enough, and the beginning of the whole", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (value, most) => {
        const made = truncate(value, most);
        expect(made.length).toBeLessThanOrEqual(most);
        expect(made === value || value.startsWith(made.replace(/…$/, ""))).toBe(true);
        expect(made.isWellFormed()).toBe(true);
      }),
      runs(100),
    );
  });

  it("and is cut even if it is one character for the eye", () => {
    const stacked = `a${"\u0301".repeat(500)}`;
    expect(truncate(stacked, 300)).toBe(`${stacked.slice(0, 299)}…`);
  });

  it("a feed of it is read or refused, never more", () => {
    const keywordCharacter = fc.oneof(anyCharacter, fc.constantFrom("\0", "\x1b", "\n", "\u0085"));
    const part = fc.oneof(
      fc.tuple(fc.constantFrom("title", "description", "guid", "pubDate", "media:group", "entry"), inItem),
      fc.tuple(fc.constant("category"), fc.string({ unit: keywordCharacter, maxLength: 12 })),
      fc.tuple(fc.constant("link"), fc.constantFrom("https://a.example.com/1", "/2", "javascript:alert(1)", "//", "")),
    );
    const item = fc.tuple(fc.array(part, { maxLength: 6 }), inItem).map(([parts, title]) => {
      const inside = parts.map(([name, value]) => `<${name}>${value}</${name}>`).join("");
      return `<item><title>A${title}</title><link>https://a.example.com/</link>${inside}</item>`;
    });
    let items = 0;
    const times = runs(50);
    fc.assert(
      fc.property(
        fc.constantFrom("rss", "rss", "rss", "feed", "html"),
        fc.array(item, { maxLength: 4 }),
        (root, all) => {
          items += itemsOf(utf8(`<${root}><channel>${all.join("")}</channel></${root}>`), null);
        },
      ),
      times,
    );
    expect(items).toBeGreaterThan(times.numRuns / 5);
  });
});

describe("a feed of which bytes are others", () => {
  const CHARSETS =
    "utf-8 utf-16le utf-16be us-ascii iso-8859-1 iso-8859-2 windows-1251 windows-1252 koi8-r macintosh shift_jis euc-jp " +
    "iso-2022-jp gbk gb18030 big5 euc-kr hz-gb-2312 replacement x-user-defined utf-7 none";
  const type = fc.option(fc.constantFrom(...CHARSETS.split(" ")).map((charset) => `text/xml; charset=${charset}`));
  /** What is written over the bytes at a place, in thousandths of the whole, and how many go. */
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc.constantFrom("<", ">", "&", "]]>", "<!--", "<![CDATA[", '"', "</item>", "\0", "\ufeff", "&#x0;", "{").map(utf8),
  );
  const change = fc.record({ at: fc.nat(999), taken: fc.oneof(fc.nat(8), fc.nat(2000)), bytes });

  it.each([
    "rss-2.0.xml",
    "atom-xhtml.xml",
    "slashdot.rdf",
    "json-feed-1.1.json",
    "shift-jis.xml",
    "iso-2022-jp.xml",
    "gb2312.xml",
    "koi8-r.xml",
    "utf-16le-bom.xml",
  ])("is read or refused, never more: %s", async (file) => {
    const good = await bytesOf(file);
    expect(itemsOf(good, null)).toBeGreaterThan(0);
    let items = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), type, (changes, contentType) => {
        items += itemsOf(changed(good, changes), contentType);
      }),
      { numRuns: 200 },
    );
    expect(items).toBeGreaterThan(0);
  });

  it("so are any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), type, (any, contentType) => {
        itemsOf(any, contentType);
      }),
    );
  });
});

type Change = { readonly at: number; readonly taken: number; readonly bytes: Uint8Array };

const changed = (good: Uint8Array, changes: readonly Change[]): Uint8Array =>
  changes.reduce((all, { at, taken, bytes }) => {
    const place = Math.floor((at / 1000) * all.length);
    return concatBytes([all.subarray(0, place), bytes, all.subarray(place + taken)]);
  }, good);

const bytesOf = async (file: string): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(`${env.FEEDS.url}/feeds/${file}`)).arrayBuffer());

/** How many usable items are in what may be a feed; each is checked. */
function itemsOf(bytes: Uint8Array, contentType: string | null): number {
  const found = readFeed(bytes, contentType, "https://a.example.com/feed");
  if (found.kind === "unreadable") {
    expect(found.detail).toMatch(/^It .*(?:\.|https?:\S+)$/);
    return 0;
  }
  const { items } = chooseItems(found.listed, NOW);
  for (const { url, title, summary, keywords } of items) {
    expect(title).not.toBe("");
    expect(url).toMatch(/^https?:\/\/[^\s/]/);
    for (const line of [title, summary, ...keywords])
      expect([isStorable(line), isSingleLine(line)]).toEqual([true, true]);
    expect(isStorable(url)).toBe(true);
  }
  return items.length;
}
