/** What is written in the rich editor reads as it was meant. */
import type { Mark, Node } from "prosemirror-model";
import { describe, expect, it } from "vitest";
import { openMarkdown, writeMarkdown } from "../../packages/editor/opening.ts";
import { schema } from "../../packages/editor/schema.ts";
import fc, { runs } from "../helpers/fast-check.ts";

const { nodes, marks } = schema;

/** Writes new blocks, as if they were typed into an empty document. */
function write(...blocks: Node[]): string {
  const empty = openMarkdown("");
  if (typeof empty === "string") throw new Error(empty);
  return writeMarkdown(nodes.doc.create(null, blocks), empty);
}

/** Returns the blocks that a text is read as, without their places in it. */
function read(text: string): Node[] {
  const opened = openMarkdown(text);
  if (typeof opened === "string") throw new Error(opened);
  return opened.doc.children.map((node) => node.type.create({ ...node.attrs, origin: null }, node.content));
}

const p = (...content: (string | Node)[]): Node =>
  nodes.paragraph.create(
    null,
    content.map((each) => (typeof each === "string" ? schema.text(each) : each)),
  );
const item = (...content: Node[]): Node => nodes.list_item.create(null, content);
const bullets = (...items: Node[]): Node => nodes.bullet_list.create(null, items);
const numbers = (...items: Node[]): Node => nodes.ordered_list.create(null, items);

const LINK = marks.link.create({ href: "/a" });
const MARKS: readonly Mark[] = [marks.strong.create(), marks.em.create(), marks.strike.create(), LINK];

describe("a paragraph", () => {
  const words = fc
    .array(fc.constantFrom(..."ab1 .,-*_~`[]()<>#!|\\&:/é字「。".split("")), { minLength: 1, maxLength: 8 })
    .map((all) => all.join(""));
  const run = fc.record({ text: words, marks: fc.subarray([...MARKS]), isCode: fc.nat(9) });
  const paragraph = fc.array(run, { minLength: 1, maxLength: 5 }).map((runs) =>
    p(
      ...runs.map(({ text, marks: all, isCode }) => {
        const set = all.reduce<readonly Mark[]>((before, mark) => mark.addToSet(before), []);
        return schema.text(text, isCode === 0 ? marks.code.create().addToSet(set) : set);
      }),
    ),
  );

  it("keeps its words", () => {
    fc.assert(
      fc.property(paragraph, (written) => {
        const text = (node: Node) => node.textContent.replaceAll(/\s+/g, " ").trim();
        expect(read(write(written)).map(text).join(" ").trim()).toBe(text(written));
      }),
      runs(100),
    );
  });

  it("keeps the title of a link", () => {
    expect(write(...read('[a](/b "c")'))).toBe('[a](/b "c")');
  });

  it("has line breaks at the ends of marks beside them", () => {
    const strong = [marks.strong.create()];
    const line = p(schema.text("a", strong), nodes.hard_break.create(null, null, strong), "b");
    expect(write(line)).toBe("**a**\\\nb");
    expect(write(p("これは", schema.text("「重要」", strong), "です"))).toBe("これは**「重要」**です");
  });

  it.each([
    ["# no heading", "\\# no heading"],
    ["1. no list", "1\\. no list"],
    ["- no list", "\\- no list"],
    ["snake_case and https://a.example/b_c?d=1&e=2", "snake_case and https://a.example/b_c?d=1&e=2"],
    ["https://a.example/*b*_c_~d~, then", "https://a.example/*b*_c_~d~, then"],
    ["me@example.com, www.example.com", "me@example.com, www.example.com"],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["<b>no HTML</b>", "\\<b>no HTML\\</b>"],
  ])("says %s", (text, markdown) => {
    const written = write(p(text));
    expect(read(written)[0]?.textContent).toBe(text);
    expect(written).toBe(markdown);
  });
});

describe("a quote", () => {
  const quote = (...lines: string[]) =>
    nodes.blockquote.create(
      null,
      p(...lines.flatMap((line, index) => (index === 0 ? [line] : [nodes.soft_break.create(), line]))),
    );

  it.each(["NOTE", "tip", "Important", "WARNING", "CAUTION"])("is an alert of GitHub's where it says %s", (kind) => {
    expect(write(quote(`[!${kind}]`, "Text"))).toBe(`> [!${kind}]\n> Text`);
  });

  it("is none where something else is in brackets", () => {
    expect(write(quote("[!NOTE] Text"))).toBe("> \\[!NOTE] Text");
  });
});

describe("lists", () => {
  it("next to each other stay two", () => {
    const lists = [bullets(item(p("a"))), bullets(item(p("b"))), bullets(item(p("c")))];
    expect(write(...lists)).toBe("- a\n\n* b\n\n- c");
    expect(read(write(numbers(item(p("a"))), numbers(item(p("b"))))).length).toBe(2);
  });

  it("are written as the others of the text", () => {
    const opened = openMarkdown("* one\n\ntext\n");
    if (typeof opened === "string") throw new Error(opened);
    const doc = opened.doc.copy(opened.doc.content.addToEnd(bullets(item(p("two"), bullets(item(p("three")))))));
    expect(writeMarkdown(doc, opened)).toBe("* one\n\ntext\n\n* two\n  * three\n");
  });
});

describe("blocks that were moved together", () => {
  it("are not swallowed by the block before them", () => {
    const opened = openMarkdown("- a\n\ntext\n\n    code\n");
    if (typeof opened === "string") throw new Error(opened);
    const doc = nodes.doc.create(
      null,
      opened.doc.children.filter((_, index) => index !== 1),
    );
    expect(writeMarkdown(doc, opened)).toBe("- a\n\n```\ncode\n```\n");
  });

  it("are apart where a heading became a paragraph", () => {
    const opened = openMarkdown("# a\nb\n");
    if (typeof opened === "string") throw new Error(opened);
    const [, second] = opened.doc.children;
    const first = nodes.paragraph.create({ origin: 0 }, schema.text("a"));
    expect(writeMarkdown(nodes.doc.create(null, second ? [first, second] : []), opened)).toBe("a\n\nb\n");
  });
});
