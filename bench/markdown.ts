/**
 * `npm run bench:markdown`: how long Markdown takes to be parsed and rendered, by its length, for texts as people write them and
 * for those that parsers have been slow with. `-- --against CHECKOUT` pairs each with the renderer of another commit, which must
 * have its packages. Twice the length should take about twice the time; the ratios are the result.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";

const { values } = parseArgs({ options: { against: { type: "string" }, most: { type: "string", default: "500000" } } });
const most = Number(values.most);

type Render = (content: string) => unknown;

async function rendererOf(folder: string): Promise<Render> {
  const file = pathToFileURL(resolve(folder, "packages/markdown/article.ts")).href;
  const { renderArticle } = (await import(file)) as { renderArticle: (content: string, steps?: number) => unknown };
  // Earlier commits stop after so many steps.
  return (content) => renderArticle(content, 1e12);
}

const PARAGRAPH =
  "The ferry number 7 left at *noon* and carried `12` boxes to [the island](https://example.com/a), as **ever**.";
const FENCE = "```ts\nconst a = 1;\nlet b = a + 2;\nexport { b };\n```";
const repeat = (text: string, length: number): string => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const repeated =
  (text: string, start = "") =>
  (length: number): string =>
    start + repeat(text, length);

/** By name: a text of about so many characters. */
const ORDINARY: Readonly<Record<string, (length: number) => string>> = {
  "an essay with links and code": repeated(`${`${PARAGRAPH}\n\n`.repeat(8)}${FENCE}\n\n`),
  "a tutorial: code in ten languages": repeated(
    ["js", "ts", "php", "java", "cpp", "sh", "py", "html", "css", "json"]
      .map((lang) => FENCE.replace("ts", lang))
      .join("\n\n"),
  ),
  "Japanese prose": repeated("港は静かで、**「重要」**な船が*朝*に出ます。詳細はhttps://example.com/aを見る。\n\n"),
  "quotes with lists": repeated("> A quote\n>\n> - one\n> - two\n\n"),
  "a table": repeated("| a cell | another `cell` |\n", "| a | b |\n|---|---|\n"),
  "a list": repeated("- an item with *some* words\n"),
  sections: repeated("## A heading\n\nA paragraph with some words, and one more sentence.\n\n"),
};

/** Of the suites of cmark and markdown-it, and of what has been reported. */
const HOSTILE: Readonly<Record<string, (length: number) => string>> = {
  "nested strong emphasis": repeated("*a **a "),
  "many emphasis closers": repeated("a_ "),
  "many emphasis openers": repeated("_a "),
  "many link closers": repeated("a]"),
  "many link openers": repeated("[a"),
  "mismatched openers and closers": repeated("*a_ "),
  "openers and closers of multiples of 3": repeated("a**b", "c* "),
  "link openers and emphasis closers": repeated("[ a_"),
  "a link destination without end": repeated("[a](<b"),
  "images in images": repeated("![[]()"),
  "nested brackets": (length) => "[".repeat(length / 2) + "a" + "]".repeat(length / 2),
  "nested quotes": repeated("> "),
  "nested lists": (length) =>
    Array.from({ length: Math.sqrt(length) }, (_, depth) => `${"  ".repeat(depth)}* a\n`).join(""),
  backticks: (length) => Array.from({ length: Math.sqrt(2 * length) }, (_, n) => `e${"`".repeat(n)}`).join(""),
  "unclosed comments": repeated("x <!-- a "),
  "unclosed declarations": repeated("x <!A "),
  "unclosed CDATA": repeated("x <![CDATA[ "),
  "unclosed instructions": repeated("x <? "),
  "tags with attributes": repeated('<a b="c" d '),
  "link references": repeated("[a] ", "[a]: /u\n\n"),
  "footnote references": repeated("[^a", "[^a]: b\n\n"),
  "bare addresses": repeated("http://a.b/(((c)))... "),
  "mail addresses": repeated("a.b@c.de_ "),
  "an ampersand behind a bracket": (length) => `[${repeat("&a", length)}`,
  "short rows of a wide table": (length) =>
    `${"|a".repeat(length / 8)}\n${"|-".repeat(length / 8)}\n${repeat("c\n", length / 2)}`,
  "elements in elements": repeated("<div>"),
  "words in C": (length) =>
    repeat(`\`\`\`c\n${`${`${"short".repeat(6)} `.repeat(12)}\n`.repeat(50)}\n\`\`\`\n`, length),
  "lines of operators": repeated(`\`\`\`js\n${`${"!%".repeat(190)}\n`.repeat(50)}\`\`\`\n`),
  "the least blocks of code": repeated("```java\n1\n```\n"),
};

const now = await rendererOf(".");
const before = values.against === undefined ? undefined : await rendererOf(values.against);

/** Returns the milliseconds of the quickest of a few runs; fewer if one takes long. */
function timeOf(render: Render, text: string): number {
  let best = Infinity;
  for (let run = 0; run < 5; run++) {
    const started = performance.now();
    render(text);
    best = Math.min(best, performance.now() - started);
    if (best > 300) break;
  }
  return best;
}

const columns = (cells: readonly string[]): string =>
  cells.map((cell, n) => (n === 0 ? cell.padEnd(40) : cell.padStart(14))).join("");
const lengths = [most / 8, most / 4, most / 2, most];
console.log(
  columns(["milliseconds, and of twice the length", ...lengths.map(String), ...(before ? ["before", "ratio"] : [])]),
);
for (const [title, texts] of Object.entries({ ordinary: ORDINARY, hostile: HOSTILE })) {
  console.log(`\n${title}`);
  for (const [name, textOf] of Object.entries(texts)) {
    const times = lengths.map((length) => timeOf(now, textOf(length)));
    const cells = times.map(
      (time, n) => `${time.toFixed(0)}${n === 0 ? "" : ` (${(time / (times[n - 1] ?? 1)).toFixed(1)}×)`}`,
    );
    // The former renderer may be slow: with the shortest text.
    const former = before && timeOf(before, textOf(lengths[0] ?? 0));
    const pair = former === undefined ? [] : [former.toFixed(0), `${(former / (times[0] ?? 1)).toFixed(1)}×`];
    console.log(columns([name, ...cells, ...pair]));
  }
}
