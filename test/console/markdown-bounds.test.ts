/** Previews of texts that would cost much more than their length. */
import { html } from "hono/html";
import { describe, expect, it } from "vitest";
import { Markdown } from "../../src/console/articles/markdown.tsx";

/** A primitive: what `html` gives is an object, of which a search would compare characters. */
const render = async (text: string): Promise<string> =>
  (await html`${Markdown({ text, locale: "en", origin: "https://edgepress.test" })}`).toString();

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

  it("but ordinary references and tables are rendered", async () => {
    const text = `[a]: https://example.com/\n\n${"x [a]\n\n".repeat(100)}\n|a|b|\n|-|-|\n${"|c|d|\n".repeat(100)}`;
    expect(await render(text)).toContain("<table");
  });
});
