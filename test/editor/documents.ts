/** Markdown documents for the tests of the editor: real ones, of the packages that the project depends on, and hostile ones. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const PACKAGES = path.resolve(import.meta.dirname, "../../node_modules");

/** The sizes of documents that are taken, in characters. */
const [SHORTEST, LONGEST] = [200, 8_000];
/** How deep they may be in a package. */
const DEPTH = 4;

export type Document = { readonly name: string; readonly text: string };

/** Returns real documents, always the same ones for the same packages: of each two that are alike, the first. */
export function realDocuments(count: number): Document[] {
  const found = new Map<string, Document>();
  for (const file of markdownIn(PACKAGES, DEPTH)) {
    const text = readFileSync(file, "utf8");
    if (text.length < SHORTEST || text.length > LONGEST || found.has(text)) continue;
    found.set(text, { name: path.relative(PACKAGES, file), text });
    if (found.size === count) break;
  }
  return [...found.values()];
}

function* markdownIn(folder: string, depth: number): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && depth > 0) yield* markdownIn(file, depth - 1);
    else if (entry.isFile() && /\.md$/i.test(entry.name)) yield file;
  }
}

/** Texts that parsers and editors have tripped over. */
export const HOSTILE: Readonly<Record<string, string>> = {
  "blocks of HTML within a line": "a <h2>b</h2> c <hr> d\n\n- e <h3>f",
  empty: "",
  blank: "\n \n\t\n",
  "one letter": "a",
  "no line end": "# A\n\ntext",
  "many empty lines": "\n\n\na\n\n\n\n\nb\n\n\n",
  CRLF: "# A\r\n\r\n- one\r\n- two\r\n\r\n```js\r\nlet a;\r\n```\r\n\r\n> quote\r\n> goes on\r\n",
  "mixed line ends": "a\r\nb\nc\r\n\r\nd\n\r\ne\rf",
  "byte order mark": "\uFEFF# A\n\nb\n",
  NUL: "a\0b\n\n- \0\n\n`\0`\n",
  tabs: "\ttabbed code\n\n-\ttabbed item\n\n\t- nested\n\n>\tquote\n\na\tb\t\n",
  "trailing spaces": "# A  \n\ntext  \nbreak   \n\n- one  \n- two \n   \n",
  "nested lists": "- a\n  - b\n    1. c\n       - d\n\n         e\n- f\n\n\n* g\n+ h\n10) i\n11) j\n",
  "odd indentation": "   # A\n\n  - one\n   - two\n    - three\n\n  text\n   goes on\n",
  "empty items": "-\n- \n  - a\n1.\n\n2.\n",
  HTML: '<div align="center">\n\n# A\n\n<img src="x" onerror="alert(1)">\n\n</div>\n\n<!-- a\n\ncomment -->\n\ntext <b>bold</b> <br>\n<script>\n\nalert(1)\n\n</script>\n',
  "unclosed HTML": "<!-- never\n\nclosed\n\n# A\n",
  "unclosed fence": "text\n\n~~~~ js\n# not a heading\n\n```\nstill\n",
  "fences in lists": "- a\n\n  ```sh\n  npm i\n\n  ```\n- b\n      indented\n",
  "indented code": "    code\n\n    more\n\ntext\n    lazy\n",
  definitions: '[a]: /x "T"\n[b]: <y z>\n\n[a] and [B][b] and [c] and ![a]\n\n[c\\]]: /z\n[a]: /second\n',
  footnotes:
    "A[^1] and B[^long name] and C[^none].\n\n[^1]: One\n\n    two\n\n    - three\n[^long-name]: Four\n[^unused]:\n",
  setext: "A\nB\n===\n\nC *d*\n---\n\n---\n***\n_ _ _\n",
  "front matter": "---\ntitle: A\ntags: [a, b]\n---\n\n# A\n",
  tables:
    "| a | b |\n|:--|--:|\n| `|` | c \\| d |\n| only one |\n| 1 | 2 | 3 |\n\n a | b\n---|:-:\n[x](y) | **z**\ntext\n",
  emphasis: "***a** b* __c__ _d_ **e*f*g** *h**i**j* ** k ** **l **m snake_case_name *a*b* \\*x\\*\n",
  links:
    "[](x) [a](<b c> 'd') [![i](j \"k\")](l) <https://a.example> https://b.example/c_d www.e.example f@g.example [h][] [[i]]\n\nhttps://embed.example/1\n",
  escapes: "\\# a \\\\ &amp; &nbsp; &copy; &#x41; 1\\. b\n\n1986\\. A year\n\n\\- c\n\n+1\n",
  "no-break spaces": "\u00A0\n\na\u00A0\u2028b\u2029c\u200D\u0085d\n\n**\u00A0e**\n",
  "other scripts": "# שלום\n\nمرحبا **بالعالم**\n\n你好*世界*。\n\n👩‍👩‍👧 \uD800 lone\n",
  "lazy quotes": "> a\nb\n> > c\nd\n\n>\n> e\n>\n\n> ```\n> f\n",
  tasks: "- [ ] a\n- [x] b\n- [X]  c\n- [ ]\n- [] d\n1. [ ] e\n",
  directives: "::: note\ntext\n:::\n\n{{< youtube id >}}\n\n$$\nx^2\n$$\n\n[[wiki]] ==marked== :emoji:\n",
};
