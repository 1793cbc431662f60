/** What the rich editor does to a Markdown text: nothing, to all that was not edited. */
import { Fragment, Slice } from "prosemirror-model";
import { describe, expect, it } from "vitest";
import { type Opened, openMarkdown, writeMarkdown } from "../../packages/editor/opening.ts";
import { schema } from "../../packages/editor/schema.ts";
import fc, { runs } from "../helpers/fast-check.ts";
import { sample } from "../helpers/sample.ts";
import { HOSTILE, realDocuments } from "./documents.ts";

/** Every fourth document, of all packages; which ones depends on the seed. */
const FOURTHS = sample([0, 1, 2, 3], 0, 1);
const DOCUMENTS = realDocuments(320).filter((_, index) => FOURTHS.includes(index % 4));

const known = new Map<string, Opened>();

/** Returns an opened text. Each is opened once. */
function opened(text: string): Opened {
  const result = known.get(text) ?? openMarkdown(text);
  if (typeof result === "string") throw new Error(`the text is ${result}`);
  known.set(text, result);
  return result;
}

describe("opening and writing without an edit", () => {
  it("changes nothing in real documents", () => {
    expect(DOCUMENTS.length).toBeGreaterThanOrEqual(75 * FOURTHS.length);
    const changed = DOCUMENTS.filter(({ text }) => {
      const { doc, ...rest } = opened(text);
      doc.check();
      return writeMarkdown(doc, { doc, ...rest }) !== text;
    });
    expect(changed.map(({ name }) => name)).toEqual([]);
  });

  it.each(Object.entries(HOSTILE))("changes nothing in a text with %s", (_, text) => {
    const { doc, ...rest } = opened(text);
    doc.check();
    expect(writeMarkdown(doc, { doc, ...rest })).toBe(text);
  });

  it("changes nothing in any text of Markdown's characters", () => {
    const characters = fc.constantFrom(
      ...'ab \t\n\n\r#->*_`~[]()!|:\\<&1.+=^"\0\uFEFF'.split(""),
      "\r\n",
      "    ",
      "```",
      "- ",
      "[^1]",
      "| a |\n|-|\n",
    );
    const texts = fc.array(characters, { maxLength: 60 }).map((all) => all.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const { doc, ...rest } = opened(text);
        doc.check();
        expect(writeMarkdown(doc, { doc, ...rest })).toBe(text);
      }),
      runs(150),
    );
  });
});

describe("real documents", () => {
  it("are rich but for HTML, definitions and a few blocks", () => {
    const kinds = DOCUMENTS.flatMap(({ text }) => opened(text).originals.map(({ node }) => node));
    const sources = kinds.filter(
      ({ type, attrs }) => type === schema.nodes.source_block && attrs["kind"] === "Markdown",
    );
    expect(sources.length / kinds.length).toBeLessThan(0.002);
  });
});

describe("HTML", () => {
  const shapeOf = (text: string) => opened(text).doc.children.map(String);
  it.each([
    ["<details>\n<summary>A</summary>\n\n- b\n\n</details>", 'html_box(bullet_list(list_item(paragraph("b"))))'],
    ["- a\n\n  <div>\n\n  b\n\n  </div>", 'bullet_list(list_item(paragraph("a"), html_box(paragraph("b"))))'],
    ["<div>\n\n<p>b</p>\n\n</div>", 'html_box(source_block("<p>b</p>"))'],
    ["<ruby>a<rt>b</rt></ruby> <u title=c>d</u>", 'paragraph(element("a"), element(element("b")), " ", element("d"))'],
    ["a <kbd> b </kbd>", 'paragraph("a ", element(" b "))'],
    ["a <img width=9 src=https://a.example/b.png>", 'paragraph("a ", image)'],
    // What cannot be told apart, and what never ends, is one block of HTML.
    ["<div>\n\na\n\n</div><div>\n\nb\n\n</div>", 'source_block("<div>\\n\\na\\n\\n</div><div>\\n\\nb\\n\\n</div>")'],
    ["<div>\n\na\n\nb</div>", 'source_block("<div>\\n\\na\\n\\nb</div>")'],
    ["<div>\n\na\n\n<p>b</p></div>", 'source_block("<div>\\n\\na\\n\\n<p>b</p></div>")'],
  ])("%j", (text, shape) => expect(shapeOf(text).join(", ")).toBe(shape));

  it("is one block where it is so large that the editor would write all of it anew", () => {
    expect(shapeOf(`<div>\n\n${"a ".repeat(6000)}\n\n</div>\n\nb`)).toEqual([
      expect.stringMatching(/^source_block/),
      'paragraph("b")',
    ]);
  });
});

describe("lines that look like front matter", () => {
  it("are that at the start only: what stands before them elsewhere is rich", () => {
    const kindsOf = (text: string) => opened(text).originals.map(({ node }) => node.attrs["kind"] ?? node.type.name);
    const lines = "---\nkey: value\nother: x\n---\n";
    expect(kindsOf(`${lines}\nText\n`)).toEqual(["Front matter", "paragraph"]);
    expect(kindsOf(`\uFEFF${lines}\nText\n`)).toEqual(["Front matter", "paragraph"]);
    expect(kindsOf(lines.replaceAll("\n", "\r\n").trim())).toEqual(["Front matter"]);
    expect(kindsOf(`A *text* of its own.\n\n${lines}\nText\n`)).toEqual([
      "paragraph",
      "horizontal_rule",
      "heading",
      "paragraph",
    ]);
  });
});

describe("a text that would take long", () => {
  it.each([
    ["is of 1 MiB", "word ".repeat(200_000), "too long"],
    ["has many tables", "| a | b |\n|-|-|\n\n".repeat(10_000), "too complex"],
  ])("is not opened: it %s", (_, text, reason) => {
    expect(openMarkdown(text)).toBe(reason);
  });

  it.each([
    ["deep quotes", `${"> ".repeat(5_000)}a`],
    ["deep lists", Array.from({ length: 200 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n")],
    ["deep emphasis", "*a **b ".repeat(5_000)],
    ["many brackets", "[".repeat(100_000)],
  ])("is opened with %s", (_, text) => {
    expect(openMarkdown(text)).toBeTypeOf("object");
  });
});

describe("editing one block", () => {
  it("leaves all other bytes as they are", () => {
    const all = [...DOCUMENTS.slice(0, 60).map(({ text }) => text), ...Object.values(HOSTILE)].map(opened);
    const texts = all.filter(({ originals }) => originals.length > 0);
    const places = fc
      .tuple(fc.nat(), fc.nat(), fc.constantFrom("x", "*", "# ", "a\\b", "<i>", "—"))
      .map(([which, block, typed]) => ({ document: texts[which % texts.length] as Opened, block, typed }));
    fc.assert(
      fc.property(places, ({ document, block, typed }) => {
        const { originals, tail } = document;
        const index = block % Math.max(1, originals.length);
        const edited = typeInto(document, index, typed);
        if (edited === null) return;
        const before =
          originals
            .slice(0, index)
            .map(({ gap, source }) => gap + source)
            .join("") + originals[index]?.gap;
        const after =
          originals
            .slice(index + 1)
            .map(({ gap, source }) => gap + source)
            .join("") + tail;
        const written = writeMarkdown(edited, document);
        expect(written.startsWith(before)).toBe(true);
        expect(written.endsWith(after)).toBe(true);
        expect(written.slice(before.length, written.length - after.length)).not.toBe(originals[index]?.source);
      }),
      runs(300),
    );
  });

  it.each([
    "> [!NOTE]\n> Text",
    "> [!tip]\n>\n> - Text",
    "See [^1], [x], [[wiki]], {{ x }}, 5* and 2 * 3, ~5 min, <y z, a_ b and https://a.example/b_c_d",
    "$x_1$ and $x_{1}\\,y \\\\ z$",
    "AT&T &copy; &nbsp;x \\$5 and \\[note]",
    "::: note\ntext\n:::",
    "*a* _b_ **c** __d__ ~e~ f",
    "*   one\n*   __two__\n\n    [x] three",
    "1. a\n1. b\n1. c",
    "| a   | b     |\n|:----|------:|\n| *x* | _y_ z |",
    "- [X] done\n- [ ] open",
    "<DETAILS open>\n<summary>A <b>b</b></summary>\n\n*   one\n*   __two__ c\n</DETAILS>",
    "- a\n\n  <div align=center><p>\n\n  > b\n\n  </p></div>",
    "a <U title='b'> c </U><abbr lang=en title=d>e</abbr> <img width=9 src=https://a.example/b.png> f",
  ])("leaves the rest of the block as it was written: %j", (text) => {
    const document = opened(text);
    let place = 0;
    document.doc.descendants((node, at) => {
      if (node.isTextblock) place = at + 1 + node.content.size;
    });
    const typed = new Slice(Fragment.from(schema.text("Ω")), 0, 0);
    expect(writeMarkdown(document.doc.replace(place, place, typed), document)).toMatch(/Ω/);
    expect(writeMarkdown(document.doc.replace(place, place, typed), document).replace("Ω", "")).toBe(text);
  });

  it("and undoing it gives back its bytes, too", () => {
    for (const text of Object.values(HOSTILE)) {
      const document = opened(text);
      // As undo does: a block that is equal, but not the same.
      const doc = schema.nodeFromJSON(document.doc.toJSON());
      expect(writeMarkdown(doc, document)).toBe(text);
    }
  });
});

/** Types into the first text of a block. Null if it has none. */
function typeInto({ doc }: Opened, index: number, typed: string) {
  let [at, place] = [0, null as number | null];
  doc.forEach((block, offset, which) => {
    if (which !== index) return;
    at = offset;
    if (block.isTextblock) place = at + 1;
    block.descendants((inner, position) => {
      if (place === null && inner.isTextblock) place = at + position + 2;
      return place === null;
    });
  });
  if (place === null) return null;
  return doc.replace(
    place,
    place,
    schema.nodes.doc.create(null, schema.nodes.paragraph.create(null, schema.text(typed))).slice(1, 1 + typed.length),
  );
}
