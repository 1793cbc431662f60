import fc from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { isSingleLine, isStorable, utf8 } from "../../src/lib/text";
import { choose } from "../../src/topics/candidate";
import { readFeed } from "../../src/topics/feed";
import { cut, paragraphOf, titleOf } from "../../src/topics/plain-text";
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
const text = fc.array(fc.oneof(pieces, fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })), {
  maxLength: 20,
});
const anyText = text.map((parts) => parts.join(""));

describe("whatever text is given", () => {
  it("what is made of it is one line that can be stored", () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom("text" as const, "html" as const), (value, kind) => {
        for (const made of [titleOf({ kind, value }), paragraphOf({ kind, value })]) {
          expect([isStorable(made), isSingleLine(made), made]).toEqual([true, true, made.trim()]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("a cut text is short enough, and the beginning of the whole", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (value, most) => {
        const made = cut(value, most);
        expect(made.length).toBeLessThanOrEqual(most);
        expect(made === value || value.startsWith(made.replace(/…$/, ""))).toBe(true);
        expect(made.isWellFormed()).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("and is cut even if it is one character for the eye", () => {
    const stacked = `a${"\u0301".repeat(500)}`;
    expect(cut(stacked, 300)).toBe(`${stacked.slice(0, 299)}…`);
  });

  it("a feed of it is read or refused, never more", () => {
    const element = fc.constantFrom(
      "title",
      "link",
      "description",
      "guid",
      "pubDate",
      "category",
      "media:group",
      "entry",
    );
    const anyItem = fc.array(fc.tuple(element, anyText), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.constantFrom("rss", "feed", "rdf:RDF", "html"),
        fc.array(anyItem, { maxLength: 4 }),
        (root, items) => {
          const inside = items.map(
            (parts) => `<item>${parts.map(([name, value]) => `<${name}>${value}</${name}>`).join("")}</item>`,
          );
          const document = `<${root}><channel>${inside.join("")}</channel></${root}>`;
          const listed = readFeed(utf8(document), null, "https://a.example.com/feed");
          if (listed.kind === "unreadable") return listed.detail.endsWith(".");
          return choose(listed.listed, NOW).items.every(({ title, url }) => title !== "" && /^https?:/.test(url));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("so are any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.option(fc.string()), (bytes, type) => {
        expect(["listed", "unreadable"]).toContain(readFeed(bytes, type, "https://a.example.com/feed").kind);
      }),
    );
  });
});
