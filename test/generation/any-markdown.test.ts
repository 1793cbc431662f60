/** Whatever a model writes: what may not be there is not in what is printed, as its readers parse it. */
import fc, { runs } from "../helpers/fast-check.ts";
import { describe, expect, it } from "vitest";
import { finishContent } from "../../src/ai/generation/gate.ts";
import { buildLinkRules } from "../../src/ai/generation/links.ts";
import { listNodes, parse, print } from "../../src/ai/generation/markdown.ts";
import type { Rules } from "../../src/ai/generation/sanitize.ts";
import { tidySection } from "../../src/ai/generation/tidy.ts";
import { briefOf } from "../helpers/generation.ts";

const rules: Rules = {
  links: buildLinkRules(briefOf({ blog: { name: "B", articles: [{ slug: "locks", title: "Locks" }] } })),
  images: new Set(),
};
const section = (markdown: string): string => print(tidySection(markdown, "The frame", "2", rules).blocks);

/** A text without the spaces before marks that mean nothing: at the start of lines, and beside other spaces. */
const spaced = (markdown: string): string => markdown.replaceAll(/ +/g, " ").replaceAll(/^ (?=\S)/gm, "");

describe("whatever a model writes", () => {
  const pieces =
    "htt|ps://|https://evil.example/win|www.|evil.example|/locks|[|]|](|(|)|<|>|<b>|</b>|<!--|-->|<script>|</script>|!|*|_|`|~~|" +
    "\n|\n\n|\r\n|# |- |> |1. |    |```\n|\n---\n|\n===\n|`a\nb`|`\r\n|\\|&#58;|&lt;|[^1]|[^1]: |[1]|[1]: |javascript:|mailto:|" +
    "xmpp:|data:|@|a| |<br>|<x>";
  const all = [...pieces.split("|"), "|", "|-|"];
  const textOf = (units: readonly string[]) =>
    fc.array(fc.constantFrom(...units), { maxLength: 40 }).map((parts) => parts.join(""));

  function expectNothing(once: string): void {
    const { removed } = tidySection(once, "The frame", "2", rules);
    expect({ once, removed }).toEqual({ once, removed: { links: 0, images: 0, html: 0 } });
    const { children } = parse(once);
    expect([...listNodes(children, "html"), ...listNodes(children, "image")]).toEqual([]);
    expect(listNodes(children, "link").filter(({ url }) => url !== "/locks")).toEqual([]);
  }

  it("has no HTML, no images, no links that nobody gave, and reads the same again", () => {
    fc.assert(
      fc.property(textOf(all), (markdown) => expectNothing(section(markdown))),
      runs(200),
    );
  });

  it("has none of them behind the last gate either, where nothing has looked at it before", () => {
    let passed = 0;
    const times = runs(100);
    fc.assert(
      fc.property(textOf(all), (markdown) => {
        const content = passing(() => finishContent(parse(markdown).children, rules).content);
        if (content === null) return;
        expectNothing(content);
        passed++;
      }),
      times,
    );
    expect(passed).toBeGreaterThan(0.9 * times.numRuns);
  });

  it("is the same when it is tidied again, where it has no footnotes, whose labels grow", () => {
    fc.assert(
      fc.property(textOf(all.filter((piece) => !piece.startsWith("[^"))), (markdown) => {
        const once = section(markdown);
        expect(spaced(section(once))).toBe(spaced(once));
      }),
      runs(100),
    );
  });

  it.each([
    ["htt```\nhtt```\n- ", "### htt` htt`"],
    ["Text.\n\nSee `x\nhttps://evil.example/win` now\n---", "Text.\n\n### See `x https://evil.example/win` now"],
    ["`\n<br>\r\nhtt`\n---\n", "### ` <br> htt`"],
    ["Text.\n\n*a\nb*  \n<br>c\n---", "Text.\n\n### *a b* c"],
  ])("makes one line of a heading of several, with its code: %j", (markdown, expected) => {
    expect(section(markdown)).toBe(expected);
    expectNothing(expected);
  });

  it("keeps code apart between which a reference to no note goes", () => {
    expect(section("`a`[^1]``` `b```")).toBe("`a` `` `b``");
  });

  it("has no breaks in HTML behind the last gate, whatever brought them there", () => {
    const html = { type: "html", value: "<br>" } as const;
    const text = { type: "text", value: "a" } as const;
    const { content, removed } = finishContent([{ type: "paragraph", children: [text, html, text] }], rules);
    expect(content).toBe("a a");
    expect(removed).toEqual({ links: 0, images: 0, html: 0 });
  });

  function passing(work: () => string): string | null {
    try {
      return work();
    } catch (error) {
      expect(error).toMatchObject({ code: "ai_invalid_answer" });
      return null;
    }
  }
});
