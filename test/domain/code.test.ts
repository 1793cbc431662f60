/** Contract 20.3: code in colours, whatever it is. */
import { describe, expect, it } from "vitest";
import { getContrast } from "../../src/domain/accent.ts";
import { renderArticle } from "../../packages/markdown/article.ts";
import { hljs } from "../../packages/markdown/languages.ts";
import { buildStyle } from "../../src/surfaces/site/style.ts";
import { spread } from "../helpers/sample.ts";

const htmlOf = (lang: string, code: string): string => renderArticle(`~~~~${lang}\n${code}\n~~~~`).html;
/** What a browser shows of HTML. */
const shown = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
const isColoured = (html: string): boolean => html.includes('<span class="hljs-');

/** Code by the names under which people write it. */
const SAMPLES: Readonly<Record<string, string>> = {
  "js mjs jsx ts tsx typescript JavaScript": "const a = `x${1}`; // <b> & more\n",
  "json jsonc json5": '{ "a": [1, true] }',
  "html xml svg vue svelte astro": '<p class="a">&amp;<!-- c --></p><style>a { color: red }</style>',
  "css scss less": "a:hover { color: #fff; }",
  "sh bash zsh fish": 'if true; then echo "$HOME"; fi # done',
  "shell console terminal": "$ npm ci && npm start",
  "py python": "def f(x):\n    return 'a' # <b>",
  "rb ruby": "def f\n  puts 'a'\nend",
  php: '<?php $a = "x"; echo $a; ?><b>',
  "c c++ cpp objc": "int main(void) { return 0; } /* x */",
  "java cs c# kotlin kt scala dart": 'class A { /* x */ var a = "b"; }',
  "go golang rust rs swift": 'func main() { let a = "x" } // y',
  "sql postgres mysql": "select * from a where b = 'c' -- d",
  "yml yaml": "a: true\nb: 'c' # d",
  "toml ini env conf": 'a = "b"\n; c',
  "diff patch": "@@ -1 +1 @@\n-a\n+b",
  "md markdown": "# A\n\n**b** `c`",
  "dockerfile docker": "FROM node:22\nRUN npm ci",
  "makefile make": "a: b\n\techo $(C)",
  nginx: "server { listen 80; }",
  "lua perl r elixir haskell": 'x = "a"\n# b\n-- c\n',
  "powershell ps1": "Get-Item $a | Where-Object { $_.x -eq 'y' }",
  "graphql gql": "query A { b(c: 1) }",
  "proto protobuf": 'syntax = "proto3";\nmessage A { int32 b = 1; }',
};

const languages = spread(hljs.listLanguages(), 6);

describe("a block of code", () => {
  it.each(Object.entries(SAMPLES).flatMap(([names, code]) => names.split(" ").map((name) => [name, code] as const)))(
    "in %s has colours, and the same text",
    (name, code) => {
      const html = htmlOf(name, code);
      expect(html).toContain(`<pre tabindex="0"><code class="hljs language-${name}">`);
      expect(isColoured(html)).toBe(true);
      expect(shown(html)).toBe(`${code}\n`);
    },
  );

  it("has the classes of highlight.js, and nothing else", () => {
    expect(htmlOf("js", "function f() {}")).toBe(
      '<pre tabindex="0"><code class="hljs language-js"><span class="hljs-keyword">function</span> <span class="hljs-title function_">f</span>() {}\n</code></pre>',
    );
  });

  it.each(["", "text", "brainfuck", "constructor", "__proto__"])("in “%s” is shown as it is", (name) => {
    const classes = name === "" ? "" : ` class="language-${name}"`;
    expect(htmlOf(name, "if (a < b) {}")).toBe(`<pre tabindex="0"><code${classes}>if (a &lt; b) {}\n</code></pre>`);
  });

  it.each(languages)("in %s shows whatever is in it as text", (name) => {
    const code = [
      `</code></pre><script>alert("1")</script><img src=x onerror=1>&lt;<!-- <?php <% {{ \${ \`$( /* #{ ''' """`,
      `${"word".repeat(200)}(${" ".repeat(100)}<b>${"é𝒳".repeat(100)}</b>`,
      `// a${" ".repeat(60)}\nlet b = 1;\n\n${"\n".repeat(80)}</span>`,
    ].join("\n");
    const html = htmlOf(name, code);
    expect(shown(html)).toBe(`${code}\n`);
    expect(html.replaceAll(/<\/?(?:pre|code|span)(?: tabindex="0"| class="[\w -]+")?>/g, "")).not.toContain("<");
    expect(html.split("<span").length).toBe(html.split("</span>").length);
  });
});

describe("bounds", () => {
  const line = "let a = 1;\n";
  const coloured = (content: string): number => renderArticle(content).html.match(/class="hljs language/g)?.length ?? 0;

  it("of a block, and of its lines: 20,000 and 400 characters", () => {
    expect(isColoured(htmlOf("js", line.repeat(1800)))).toBe(true);
    expect(isColoured(htmlOf("js", line.repeat(1900)))).toBe(false);
    expect(isColoured(htmlOf("js", `a(1); `.repeat(66)))).toBe(true);
    expect(isColoured(htmlOf("js", `a(1); `.repeat(68)))).toBe(false);
    // A word may be longer: the patterns are given its beginning.
    expect(isColoured(htmlOf("js", `"${"x".repeat(5000)}"`))).toBe(true);
  });

  it("of a text: 50,000 characters, of which a block counts a hundred at least", () => {
    const block = `\`\`\`js\n${line.repeat(900)}\`\`\`\n`;
    expect(coloured(block.repeat(8))).toBe(5);
    expect(coloured("```js\n1\n```\n".repeat(80_000))).toBe(500);
  });

  it.each(languages)("%s becomes at most some thirty times as long", (name) => {
    for (const part of ['"', "`", "<", "/*", "$(", "${", "!", "1+", "<a ", "((", "_a", "- ", "\n"]) {
      const code = `${part.repeat(Math.ceil(300 / part.length))}\n`.repeat(6);
      const html = htmlOf(name, code);
      expect(shown(html)).toBe(`${code}\n`);
      expect(html.length).toBeLessThan(code.length * 32);
    }
  });
});

it("the site's colours of code are readable in both schemes", () => {
  const [light = "", dark = ""] = buildStyle({ accentColor: "", font: "serif" }).split(
    "@media (prefers-color-scheme:dark)",
  );
  for (const [scheme, sheet] of Object.entries({ light, dark })) {
    const colourOf = (name: string): string => new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(sheet)?.[1] ?? "";
    for (const name of ["soft", "key", "str", "num", "name", "type", "gone"])
      expect(getContrast(colourOf(name), colourOf("shade")), `${name} in ${scheme}`).toBeGreaterThanOrEqual(4.5);
  }
});
