import { describe, expect, it } from "vitest";
import { buildLinkRules } from "../../src/ai/generation/links.ts";
import { countWords, parse, markdownToPlainText, print } from "../../src/ai/generation/markdown.ts";
import type { Rules } from "../../src/ai/generation/sanitize.ts";
import { tidyLead, tidyPart, tidySection } from "../../src/ai/generation/tidy.ts";
import { briefOf } from "../helpers/generation.ts";

const rules: Rules = {
  links: buildLinkRules(
    briefOf({
      instructions: "Mention https://given.example/page.",
      blog: { name: "B", articles: [{ slug: "locks", title: "Locks" }] },
    }),
  ),
  images: new Set(["https://cdn.example/kept.png"]),
};

const section = (markdown: string, heading = "The frame"): string =>
  print(tidySection(markdown, heading, "2", rules).blocks);
const removed = (markdown: string) => tidySection(markdown, "The frame", "2", rules).removed;

describe("headings of a section", () => {
  it.each([
    ["# Title\n\nText.", "Text."],
    ["## The frame\n\nText.", "Text."],
    ["# Title\n\n## **The Frame:**\n\nText.", "Text."],
    ["### Steel\n\nText.", "### Steel\n\nText."],
    ["Text.\n\n## Steel\n\n### Old\n\n## New", "Text.\n\n### Steel\n\n#### Old\n\n### New"],
    ["Text.\n\n##### Deep\n\n## Up\n\n##### Down", "Text.\n\n### Deep\n\n### Up\n\n#### Down"],
    ["Text.\n\n# One\n\nMore.", "Text.\n\n### One\n\nMore."],
    ["Steel\n=====\n\nText.", "Text."],
    ["Text.\n\n> # Quoted\n\nMore.", "Text.\n\n> ### Quoted\n\nMore."],
    ["## a\n### b\n#### c\n##### d\n###### e", "### a\n\n#### b\n\n##### c\n\n###### d\n\n###### e"],
    ["---\n\nText.\n\n---", "Text."],
  ])("%j becomes %j", (markdown, expected) => {
    expect(section(markdown)).toBe(expected);
  });

  it("go from the lead", () => {
    expect(print(tidyLead("# Title\n\nText.\n\n## More\n\nText.", rules).blocks)).toBe("Text.\n\nText.");
  });
});

describe("what Markdown can do stays", () => {
  it.each([
    ["a fence", "```js\nconst a = `<b>`; // https://any.example/\n```"],
    ["a fence around fences", "Text.\n\n````md\n```js\n1\n```\n````"],
    ["a table", "| a | b |\n| - | -: |\n| 1 | `2 \\| 3` |"],
    ["nested lists and tasks", "- [ ] one\n- [x] two\n  1. three\n  2. four"],
    ["a quote", "> Text *with* **marks** and ~~errors~~."],
    ["scripts next to marks", "これは**強調**です。"],
  ])("%s", (_, markdown) => {
    expect(section(markdown)).toBe(markdown);
    expect(removed(markdown)).toEqual({ links: 0, images: 0, html: 0 });
  });

  it("without the fence that a model puts around all of it", () => {
    expect(section("```markdown\n## The frame\n\n- one\n```")).toBe("- one");
  });

  it("and is shown as it is where it is nested beyond use", () => {
    const nested = `${">".repeat(20_000)} text`;
    expect(markdownToPlainText(nested)).toBe(nested.slice(60));
    expect(section(`${"> ".repeat(200)}text`)).toContain("text");
  });
});

describe("HTML", () => {
  it.each([
    ["a <b>bold</b> word, H<sub>2</sub>O", "a **bold** word, H<sub>2</sub>O", 0],
    ["<details><summary>More</summary>\n\nText.\n\n</details>", "More\n\nText.", 2],
    ["<script>alert(1)</script>\n\nText.", "Text.", 1],
    ["Text <script>alert('*x*')</script> more", "Text more", 1],
    ["Text <STYLE media='all'>p{}</STYLE> and <style>never closed", "Text and", 2],
    ["<!-- note -->\n\nText.", "Text.", 1],
    ["Text <img src=x onerror=alert(1)> more", "Text more", 0],
    ["<iframe src='https://evil.example'></iframe>", "", 1],
    ["Text <svg/onload=alert(1)>", "Text \\<svg/onload=alert(1)>", 0],
    ["| a |\n| - |\n| x<br>y |", "| a |\n| - |\n| x y |", 0],
    ["A Map<Key> of <keyword>s", "A Map\\<Key> of \\<keyword>s", 0],
  ])("%j becomes %j", (markdown, expected, html) => {
    expect(section(markdown)).toBe(expected);
    expect(removed(markdown).html).toBe(html);
  });
});

describe("links", () => {
  it.each([
    ["[locks](/locks)", "[locks](/locks)"],
    ["[locks](/x/../locks)", "[locks](/locks)"],
    ["[page](https://given.example/page)", "[page](https://given.example/page)"],
    ["[page](HTTPS://GIVEN.example:443/a/../page)", "[page](https://given.example/page)"],
    ["see https://given.example/page.", "see <https://given.example/page>."],
    ["サイトはhttps://given.example/page。続き", "サイトは<https://given.example/page>。続き"],
    ["[page][1]\n\n[1]: https://given.example/page", "[page](https://given.example/page)"],
    ["[https://evil.example/win](https://given.example/page)", "<https://given.example/page>"],
  ])("that were given stay: %s", (markdown, expected) => {
    expect(section(markdown)).toBe(expected);
    expect(removed(markdown).links).toBe(0);
  });

  it.each([
    ["[win](https://evil.example/win)", "win"],
    ["[win](https://given.example/page/more)", "win"],
    ["[win](https://given.example/pag)", "win"],
    ["[win](https://given.example/page?to=evil)", "win"],
    ["[win](https://given.example/page#evil)", "win"],
    ["[win](http://given.example/page)", "win"],
    ["[win](https://given.example@evil.example/page)", "win"],
    ["[win](//evil.example/locks)", "win"],
    ["[win](/\\evil.example)", "win"],
    ["[win](/locks/)", "win"],
    ["[win](locks.html)", "win"],
    ["[win](/other)", "win"],
    ["[*win* now][x]\n\n[x]: https://evil.example/win", "*win* now"],
    ["[win](javascript:alert(1))", "win"],
    ["[win](JaVaScRiPt&#58;alert(1))", "win"],
    ["[win](data:text/html;base64,PHA+)", "win"],
    ["[win](mailto:a@evil.example)", "win"],
    ["Go to https://evil.example/win now.", "Go to now."],
    ["Go (https://evil.example/win) now.", "Go now."],
    ["Go to <https://evil.example/win> now.", "Go to now."],
    ["Go to www.evil.example/win now.", "Go to now."],
    ["Go to https&#58;//evil.example/win now.", "Go to now."],
    ["Go to **https://evil.example/win** now.", "Go to now."],
    ["Call run() at https://evil.example/win (now).", "Call run() at (now)."],
    ["Go to htt<b></b>ps://evil.example/win now.", "Go to now."],
    ["- https://evil.example/win\n- stays", "- stays"],
    ["[https://evil.example/win](https://evil.example/win)", ""],
    ["公式サイトはhttps://evil.example/win を", "公式サイトは を"],
    ["公式サイトはhttps://evil.example/win。続き", "公式サイトは。続き"],
    ["[![x](https://evil.example/x.png)](https://evil.example/win)", ""],
  ])("that nobody gave become their text: %s", (markdown, expected) => {
    expect(section(markdown)).toBe(expected);
    expect(removed(markdown).links).toBe(1);
  });

  it("with an address in their text lose the address", () => {
    expect(section("[see https://evil.example/win](/locks)")).toBe("[see](/locks)");
  });

  it("of mail stay as text where they were given, and go elsewhere", () => {
    const links = buildLinkRules(briefOf({ instructions: "Name Ann@mail.example." }));
    const { blocks, removed } = tidySection("Write to ann@mail.example or bob@mail.example.", "x", "1", {
      ...rules,
      links,
    });
    expect(markdownToPlainText(print(blocks))).toBe("Write to ann@mail.example or.");
    expect(removed.links).toBe(1);
  });

  it("of a slug in another script are compared as addresses are", () => {
    const links = buildLinkRules(briefOf({ blog: { name: "B", articles: [{ slug: "自転車", title: "x" }] } }));
    const { blocks } = tidySection("[a](/%E8%87%AA%E8%BB%A2%E8%BB%8A) [b](/自転車)", "x", "1", { ...rules, links });
    expect(print(blocks)).toBe("[a](/自転車) [b](/自転車)");
  });
});

describe("images", () => {
  it("stay only where they were given", () => {
    const markdown =
      "![a](https://cdn.example/kept.png) ![b](https://evil.example/x.png) ![c][c]\n\n[c]: data:image/png,x";
    expect(section(markdown)).toBe("![a](https://cdn.example/kept.png)");
    expect(removed(markdown).images).toBe(2);
  });
});

describe("footnotes", () => {
  it("are the section's own, and nothing refers to ones that are not there", () => {
    expect(section("One[^1] two[^9], not [^a-z].\n\n[^1]: A note with [win](https://evil.example).")).toBe(
      "One[^2-1] two, not \\[^a-z].\n\n[^2-1]: A note with win.",
    );
  });

  it("may be defined in another part of a text", () => {
    expect(print(tidyPart("Uno[^1] dos[^2] tres[^3].\n\n[^2]: Aquí.", ["1", "2"], rules).blocks)).toBe(
      "Uno[^1] dos[^2] tres.\n\n[^2]: Aquí.",
    );
  });
});

describe("the text that is stored", () => {
  it("has no lone surrogates and no NUL, whatever the model sends", () => {
    const text = section("a\ud800b\0c");
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain("\0");
  });

  it("is the same when it is tidied again", () => {
    const markdown = "A *b* [c](/locks) <x> 1. d\n\n* e\n* f\n\n1) g\n\n~~~\nh\n~~~\n\n\\# i_j_k\n\nl\\\nm";
    const once = section(markdown);
    expect(section(once)).toBe(once);
  });
});

describe("words", () => {
  it.each([
    ["en", "It's a well-built *bicycle*, isn't it?", 7],
    ["en", "Run `npm ci` now:\n\n```sh\nnpm ci && npm test\n```", 2],
    ["en", "See <https://a.example/one/two> and [this page](https://b.example).", 4],
    ["en", "## Two words\n\n| a | b |\n| - | - |\n| c | d |\n\n![not counted](https://c.example/x.png)", 6],
    ["de", "Das Fahrradschloß kostet 1.299,50 Euro.", 5],
    ["ja", "街で乗る自転車を選ぶ。", 6],
    ["zh", "为城市选择自行车。", 5],
    ["th", "เลือกจักรยานสำหรับเมือง", 4],
    ["ar", "اختيار دراجة للمدينة", 3],
    ["en", "", 0],
  ])("in %s: %j", (locale, markdown, words) => {
    expect(countWords(markdown, locale)).toBe(words);
  });
});

it("plain text is what people read", () => {
  const markdown = "# A *b*\n\n- c [d](https://x.example)\n- `e` f\n\n<i>g</i>\n\n> h https://y.example";
  expect(markdownToPlainText(markdown)).toBe("A b\nc d\nf\ng\nh");
});

it("what is made to be slow is shown as it is, and not parsed", () => {
  const slow = "_a*_a*".repeat(10_000);
  const [only] = parse(slow).children;
  expect(only).toMatchObject({ type: "paragraph", children: [{ type: "text", value: slow }] });
});
