/** What the line below the text says of it. */
import { expect, it } from "vitest";
import { measureLength } from "../../packages/editor/status.ts";
import { openMarkdown } from "../../packages/editor/opening.ts";
import { estimateMinutes } from "../../src/domain/length.ts";

function measured(markdown: string) {
  const opened = openMarkdown(markdown);
  if (typeof opened === "string") throw new Error(opened);
  return measureLength(opened.doc);
}

it.each([
  ["", { words: 0, minutes: 0 }],
  ["Don't count `code` *twice*.\n\n<div>not</div>\n\n- A list", { words: 6, minutes: 1 }],
  // 230 words a minute, as the service's `readingMinutes` (contract 20.3).
  ["word ".repeat(230), { words: 230, minutes: 1 }],
  ["word ".repeat(231), { words: 231, minutes: 2 }],
  // Words of scripts without spaces, of which 500 characters are read in a minute.
  ["ภาษาไทย", { words: 2, minutes: 1 }],
  ["ພາສາລາວ ".repeat(100), { words: 200, minutes: 2 }],
  // A character of two UTF-16 units is one.
  ["𠮷".repeat(501), { words: 501, minutes: 2 }],
])("%j", (markdown, length) => expect(measured(markdown)).toEqual(length));

it("counts as the service does", () => {
  const text = "Some words, ภาษาไทย, 日本語 and ພາສາລາວ. ".repeat(40);
  expect(measured(text).minutes).toBe(Math.ceil(estimateMinutes(text)));
});
