/** Previews of texts that would cost much more than their length. */
import { html } from "hono/html";
import { describe, expect, it } from "vitest";
import { renderable } from "../../src/lib/markdown-bounds.ts";
import { Markdown } from "../../src/console/articles/markdown.tsx";

/** A primitive: what `html` gives is an object, of which a search would compare characters. */
const render = async (text: string): Promise<string> => (await html`${Markdown({ text, locale: "en" })}`).toString();

describe("a text that makes much of little is shown as it is", () => {
  it.each([
    ["a long definition that is referred to often", `[a]: /${"u".repeat(20_000)}\n\n${"x[a]\n\n".repeat(200)}`],
    ["a long title that is referred to often", `[a]: /u "${"t".repeat(20_000)}"\n\n${"![a]\n\n".repeat(200)}`],
    ["short rows of a wide table", `${"|a".repeat(400)}|\n${"|-".repeat(400)}|\n${"c\n".repeat(200)}`],
  ])("%s", async (_, text) => {
    const html = await render(text);
    expect(html).toContain("<pre");
    expect(html.length).toBeLessThan(text.length * 2);
  });

  it.each(["_www.", "<?", "<!--"])("%s before a long paragraph", (mark) => {
    expect(renderable(`x${mark.repeat(1000)}${"a".repeat(100_000)}`)).toBeLessThan(101_000);
  });

  /** Each would take more than ten seconds. */
  it.each([
    ["runs of every length", Array.from({ length: 590 }, (_, n) => `${"`".repeat(n + 1)} a `).join("")],
    [
      "a few runs, line by line, before a long paragraph",
      `${Array.from({ length: 200 }, (_, n) => `${"`".repeat(n + 1)} a\n`).join("")}${"a".repeat(150_000)}`,
    ],
    ["one run, over and over", "` a ".repeat(48_000)],
    [
      "paragraphs that are looked through again and again",
      `x${"_www.".repeat(1000)}${"a".repeat(10_000)}\n\n`.repeat(13),
    ],
  ])("backticks and other marks that are looked for again and again: %s", (_, text) => {
    expect(renderable(text)).toBeLessThan(text.length);
  });

  it("but code in ordinary texts is no work, and a long list of it neither", () => {
    const list = "1. Use `git add` and ``a ` b``, then `git commit` and `git push`.\n".repeat(1000);
    expect(renderable(list)).toBe(list.length);
  });

  it("but ordinary references and tables are rendered", async () => {
    const text = `[a]: https://example.com/\n\n${"x [a]\n\n".repeat(100)}\n|a|b|\n|-|-|\n${"|c|d|\n".repeat(100)}`;
    expect(await render(text)).toContain("<table");
  });
});
