/** How much work the Markdown parser does for a text: counted by itself, and stopped. */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { parseMarkdown, type Parsed } from "../../src/domain/markdown/parser.ts";
import { textOf, type Section } from "../helpers/markdown-sections.ts";

const MOST = LIMITS.markdownSteps;

/** A limit that all of {@link SLOW} reach sooner. */
const FEW = MOST / 10;

/** More than the last of the steps that a text may take can be at once. */
const LAST_STEP = 2_000_000;

/** Each would take seconds to minutes. */
const SLOW: readonly (readonly [string, readonly Section[]])[] = [
  [
    "words after a bracket",
    [
      { text: "[", times: 1 },
      { text: "&a", times: 30_000 },
    ],
  ],
  [
    "words that follow other letters",
    [
      { text: "[", times: 1 },
      { text: "éh", times: 30_000 },
    ],
  ],
  [
    "addresses after a bracket",
    [
      { text: "[", times: 1 },
      { text: "www.a ", times: 30_000 },
    ],
  ],
  ["one bracket too many, over and over", [{ text: "]", times: 60_000 }]],
  [
    "brackets in brackets",
    [
      { text: "[", times: 20_000 },
      { text: "a", times: 50_000 },
      { text: "]", times: 20_000 },
    ],
  ],
  ["underlined headings", [{ text: "a\n=\n", times: 30_000 }]],
  [
    "lines of a list that go on",
    [
      { text: "- ", times: 1 },
      { text: "a  \n", times: 30_000 },
    ],
  ],
  ["quotes that go on", [{ text: "> a\nb\n\n", times: 28_000 }]],
  ["lists of quotes that go on", [{ text: "> - a\nb\n\n", times: 20_000 }]],
  ["lists that open others", [{ text: "\n- -", times: 50_000 }]],
  ["headings that end lists", [{ text: "a\n=\nxmp:a@b/\n1. - ", times: 4898 }]],
  ["what could be tables", [{ text: "\n|-\n", times: 42_236 }]],
  [
    "very many lines of code",
    [
      { text: "~~~\n", times: 1 },
      { text: "a\n", times: 60_000 },
    ],
  ],
  [
    "footnotes after paragraphs that go on",
    [
      { text: "\\\n\n[^{n}]: b\n", times: 3738 },
      { text: "a\nb\n", times: 29_700 },
    ],
  ],
  [
    "underlined headings in quotes and lists",
    [
      { text: "> ` `", times: 156 },
      { text: "a\n=\nxmpp:a@b/\n1. - ", times: 4898 },
    ],
  ],
  ["marks of two kinds", [{ text: "*a_ ", times: 40_000 }]],
  [
    "addresses that turn out not to be any",
    [
      { text: "x", times: 1 },
      { text: "_www.", times: 1000 },
      { text: "a", times: 100_000 },
    ],
  ],
  [
    "a table of 30,000 columns",
    [
      { text: "|", times: 1 },
      { text: "a|", times: 30_000 },
      { text: "\n|", times: 1 },
      { text: "-|", times: 30_000 },
    ],
  ],
  [
    "a table of empty cells",
    [
      { text: "|", times: 30_000 },
      { text: "\n|", times: 1 },
      { text: "-|", times: 29_999 },
    ],
  ],
  ["addresses that look ahead at each of their marks", [{ text: "_www.", times: 1901 }]],
  [
    "declarations that do not end",
    [
      { text: "x", times: 1 },
      { text: "<?", times: 1000 },
      { text: "a", times: 100_000 },
    ],
  ],
  [
    "comments that do not end",
    [
      { text: "x", times: 1 },
      { text: "<!--", times: 1000 },
      { text: "a", times: 100_000 },
    ],
  ],
  ["code of every length", [{ text: "{run} a ", times: 590 }]],
  [
    "an address that ends, and ends, and goes on",
    [
      { text: "www.a", times: 1 },
      { text: "!", times: 20_000 },
      { text: "a", times: 1 },
    ],
  ],
  ["definitions", [{ text: "[{n}]: b\n", times: 16_000 }]],
  ["footnotes", [{ text: "[^{n}]: b\n", times: 16_000 }]],
  [
    "cells",
    [
      { text: "|a\n|-\n", times: 1 },
      { text: "|a|a|a\n", times: 20_000 },
    ],
  ],
];

describe("a text that is made to be slow is given up", () => {
  it.each(SLOW)("%s", (_, sections) => {
    const text = textOf(sections);
    expectGivenUp(text, parseMarkdown(text, FEW), FEW);
  });

  it.each([
    ["brackets", "]".repeat(60_000)],
    ["pieces that become one text", "a\\[^@b".repeat(6000)],
    ["headings", "\n# h".repeat(8000)],
  ])("at the limit of all texts: %s", (_, text) => {
    expectGivenUp(text, parseMarkdown(text), MOST);
  });

  function expectGivenUp(text: string, { tree, steps, reached }: Parsed, most: number): void {
    // Not the tree itself: a failure would print it.
    expect(tree === null).toBe(true);
    expect(reached).toBeLessThan(text.length);
    expect(steps).toBeGreaterThan(most);
    expect(steps).toBeLessThan(most + LAST_STEP);
  }
});

describe("nesting beyond all use is given up too", () => {
  it.each([">", "> ", "1. ", "- ", "> * ", "[^a]: "])("%s", (container) => {
    for (const times of [30, 1636, 60_000])
      expect(parseMarkdown(`a\n\n${container.repeat(times)}`).tree === null).toBe(true);
    expect(parseMarkdown(`${container.repeat(10)}a\n\n${"-".repeat(80)}\n`).tree === null).toBe(false);
  });
});

describe("a definition that would be repeated beyond all use is given up too", () => {
  const long = "u".repeat(100_000);
  it.each([
    ["once", `[a]: ${long}\n\n`],
    ["before a short one of the same name", `[a]: ${long}\n[a]: b\n\n`],
    ["before one whose name is the same in capitals", `[ß]: ${long}\n[SS]: b\n\n`],
    ["which gets longer as an address of HTML", `[a]: ${"é".repeat(100_000 / 9)}\n\n`],
  ])("%s", (_, definitions) => {
    const [name] = definitions.split(":");
    expect(parseMarkdown(definitions + `${name} `.repeat(9)).tree === null).toBe(false);
    expect(parseMarkdown(definitions + `${name} `.repeat(11)).tree === null).toBe(true);
  });
});

it("each character counts, however often it is read, and the same text as much each time", () => {
  const text = "Some *ordinary* text.\n\n".repeat(100);
  const { steps } = parseMarkdown(text);
  expect(steps).toBeGreaterThan(8 * text.length);
  expect(parseMarkdown(text).steps).toBe(steps);
  expect(parseMarkdown(text, steps)).toMatchObject({ tree: { type: "root" }, steps });
  expect(parseMarkdown(text, steps - 1).tree === null).toBe(true);
});

describe("ordinary texts are parsed", () => {
  const words = (most: number): string => `${"word ".repeat(most)}word.`;
  const link = '[Guide, part 1](https://example.com/a-b?c=d "Read it")';
  it.each([
    ["an article of 30,000 words", `## Title\n\n${`${words(120)}\n\n`.repeat(5)}`.repeat(50)],
    ["1,500 words in one paragraph", words(1500)],
    [
      "a table of 100 rows and 6 columns",
      `${"| a ".repeat(6)}|\n${"| - ".repeat(6)}|\n${`${`| ${words(3)} \`x\` `.repeat(6)}|\n`.repeat(100)}`,
    ],
    ["a list of 300 links", `- ${link}: ${words(8)}\n`.repeat(300)],
    ["a numbered list of 300 links", `1. ${link}: ${words(8)}\n`.repeat(300)],
    [
      "300 references",
      Array.from({ length: 300 }, (_, n) => `${words(20)} [a][${n}]\n\n[${n}]: https://example.com/${n}\n\n`).join(""),
    ],
    ["150 long paragraphs that begin with a link", `${link} ${words(120)}\n\n`.repeat(150)],
    ["a transcript of 1,500 lines", "Ada: A line that somebody says.\n\n".repeat(1500)],
    ["a poem of 1,000 lines", "A line of a long poem\n".repeat(1000)],
    ["2,000 lines of code", `\`\`\`ts\n${"const a = [b[0], `c`];\n".repeat(2000)}\`\`\`\n`],
  ])("%s", (_, text) => {
    expect(parseMarkdown(text).tree === null).toBe(false);
  });
});
