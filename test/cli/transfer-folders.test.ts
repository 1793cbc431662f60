/** Folders of Markdown as generators have them: templates, terms, links, old addresses and pictures, and what is said of losses. */
import { describe, expect, it } from "vitest";
import { spread } from "../helpers/sample.ts";
import { readMarkdown, readSource, useFiles } from "./source-files.ts";

const files = useFiles();
const file = (fields: string, content = "") => `---\ntitle: T\n${fields}\n---\n${content}`;
/** Reads a folder; the article of `at` and what is said of it. */
async function read(folder: Readonly<Record<string, string>>, at: string) {
  const { articles, notes, failed, keys } = await readSource(files.folder(folder));
  return { article: articles[at], content: articles[at]?.content.trim(), said: notes[at], failed, keys };
}

describe("templates", () => {
  it.each([
    ["{% highlight ruby linenos %}\nputs {{ x }}\n{% endhighlight %}", "```ruby\nputs {{ x }}\n```"],
    ['{{< highlight go "linenos=table" >}}\nx\n{{< /highlight >}}', "```go\nx\n```"],
    ["{% codeblock lang:js %}\n```\n{% endcodeblock %}", "````js\n```\n````"],
    ["{% raw %}{{ y }}{% endraw %}", "{{ y }}"],
    [
      '{{< figure src="https://x.example/a.png" alt="A" title="T" caption="C \\"d\\"" >}}',
      '![A](https://x.example/a.png "T – C \\"d\\"")',
    ],
    [
      '{{< figure src="https://x.example/a.png" caption="C *d*" >}}',
      "<figure>\n\n![](https://x.example/a.png)\n\n<figcaption>\n\nC *d*\n\n</figcaption>\n</figure>",
    ],
    ["{{ page.title }}\n=====\n\nText", "Text"],
    ["# {{ page.title }}\n\nText of {{ page.title }}", "Text of a"],
    ["See {{< youtube abc >}} it", "See \n\nhttps://www.youtube.com/watch?v=abc\n\n it"],
    ['{{ youtube(id="abc") }}', "https://www.youtube.com/watch?v=abc"],
    ['{{< tweet user="a" id="12" >}}', "https://twitter.com/a/status/12"],
    ["{% gist a/b %}", "https://gist.github.com/a/b"],
    ["{{< notice tip >}}Care **here**{{< /notice >}}", "> [!TIP]\n> Care **here**"],
    ["> [!info]- Title\n> text", "> [!NOTE]\n> **Title**\n>\n> text"],
    [":::warning[Title]\ntext\n:::", "> [!WARNING]\n> **Title**\n>\n> text"],
    ["{% blockquote Ann, Book %}\nq\n{% endblockquote %}", "> q\n>\n> — Ann, Book"],
    ["a %%hidden%% b{: .class}", "a  b{: .class}"],
    ["**a**{: .class}\n{: #id}", "**a**"],
    ["a\n\n* TOC\n{:toc}\n\nb", "a\n\n\nb"],
    ['import X from "./x";\n\ntext', "text"],
    ["[a](#own)\n\n## A *b*! {#own}", "[a](#a-b)\n\n## A *b*!"],
    ['<p class="x">a <b>b</b> <a href="https://x.example">c</a></p>', "a **b** [c](https://x.example)"],
    ["<table><tr><th>A</th></tr><tr><td>1</td></tr></table>", "| A |\n| - |\n| 1 |"],
    [
      '<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?a=b"></iframe>',
      "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    ],
  ])("have a form in Markdown: %j", (markdown, expected) => {
    expect(readMarkdown(markdown, "a.mdx").content.trim()).toBe(expected);
  });

  it.each([
    "`{{< x >}}` ``{% x %} ` [[x]]`` `<X />` `%%x%%`",
    "```\n{{< figure src=a.png >}}\n{% highlight x %}\nimport a from 'b'\n```",
    "> ~~~\n> {{ x }} [[x]]\n> ~~~",
    "text\n\n    {{< x >}} <div>\n\n    [[x]]",
    "H<sub>2</sub>O<br>a <kbd>b</kbd> <https://x.example> Vec<String> <YOUR_NAME> [[1]](https://x.example) 100%%",
    "\\{{ x }} \\[[x]]".replace("\\{{ x }}", "\\<X />"),
  ])("are left alone in code, and what only looks like one, too: %j", (markdown) => {
    expect(readMarkdown(markdown).content).toBe(markdown);
  });

  it("that are not known are counted by their names, and named for their article", async () => {
    const text =
      "{{< chart a >}}{{< chart >}} {% include toc.html %} {{ site.x }} <Card>a</Card> <button>b</button> {now}\n{% if a %}";
    const { content, said } = await read({ "a.mdx": file("", text) }, "a.mdx");
    expect(content).toBe(text);
    expect(said).toBe(
      "templates of the old site, left as text: {{< chart >}} (2), {% include toc.html %}, {{ site.x }}, <Card>, {now}, {% if %}\nelements of HTML, left as text: <button>",
    );
    const { remarks } = await readSource(files.folder({ "a.md": "{{< chart >}}", "b.md": "{{< chart >}}" }));
    expect(remarks).toContain("2 {{< chart >}}, left as text");
  });

  it("take no time that grows with the square of a text", () => {
    const parts = ["{% raw %}", "{{< highlight >}}", "[[a", "%%", ":::note\n", "<div ", "<b>", "`` ` ", "{{ ", "<!--"];
    for (const part of spread(parts, 3)) {
      const text = part.repeat(Math.floor(200_000 / part.length));
      // Were it so, each of these would take minutes.
      expect(readMarkdown(text).title).toBe("a");
    }
  });
});

it.each([
  ["_posts/2020-01-02-a.md", "tags: sea harbour", ["sea", "harbour"]],
  ["_posts/2020-01-02-a.md", 'tag: "by the sea"', ["by the sea"]],
  ["_posts/2020-01-02-a.md", "tags: sea breeze, harbour", ["sea breeze", "harbour"]],
  ["a.md", "layout: post\ncategories: one two", ["one", "two"]],
  ["a.md", "tags: sea harbour", ["sea harbour"]],
  ["source/_posts/a.md", "categories:\n- [Boats, Ferries]\n- Travel", ["Boats", "Ferries", "Travel"]],
  ["a.md", "tags:\n- name: Sea\n- {slug: pier}", ["Sea", "pier"]],
  ["a.md", "taxonomies: {tags: [a], categories: [b]}", ["a", "b"]],
])("the tags of %s with %j are %j", async (name, fields, tags) => {
  expect((await read({ [name]: file(fields) }, name)).article?.extras?.tags).toEqual(tags);
});

describe("old addresses", () => {
  it.each([
    [
      { "_posts/2012-02-03-name.md": "categories: [News]\nredirect_from: /a.html" },
      ["/news/2012/02/03/name.html", "/a.html"],
    ],
    [{ "_config.yml": "permalink: pretty", "_posts/2012-02-03-name.md": "x: y" }, ["/2012/02/03/name/"]],
    [
      { "_config.yml": "permalink: /b/:title/", "_posts/2012-02-03-name.md": "redirect_from: [/a, /b]" },
      ["/b/name/", "/a", "/b"],
    ],
    [{ "a.md": "permalink: /x/y.html\naliases: [/old/, AC/DC, Alpha]" }, ["/x/y.html", "/old/"]],
    [{ "hugo.toml": "", "content/posts/Name.md": "aliases: [uno]" }, ["/posts/name/", "/posts/uno"]],
    [
      { "hugo.toml": '[permalinks]\nposts = "/:year/:slug/"', "content/posts/n.md": "slug: s\ndate: 2020-01-02" },
      ["/2020/s/"],
    ],
    [
      { "config.toml": 'base_url = "x"', "templates/a.html": "", "content/n.md": "path: 2020/01/02/n" },
      ["/2020/01/02/n"],
    ],
    [
      { "_config.yml": "new_post_name: x\npermalink: news/:year/:title/", "source/_posts/n.md": "date: 2020-01-02" },
      ["/news/2020/n/"],
    ],
    [{ "a.md": "permalink: /a/" }, undefined],
  ])("of %j lead to the article: %j", async (folder: Record<string, string>, redirects) => {
    const at = Object.keys(folder).find((name) => name.endsWith(".md")) ?? "";
    const whole = Object.entries(folder).map(([name, text]) => [name, name === at ? file(text) : text]);
    expect((await read(Object.fromEntries(whole), at)).article?.redirects).toEqual(redirects);
  });
});

it.each([
  ["[b](b.md#x) [b](./sub/../b.md)", "[b](/second#x) [b](/second)"],
  ["[b](/b/) [b](../b/) [b](https://old.example.com/b)", "[b](/second) [b](/second) [b](/second)"],
  ['[r][] <a href="/b/">b</a>\n\n[r]: <b.md> "t"', '[r][] [b](/second)\n\n[r]: </second> "t"'],
  ['[b]({{< ref "b.md#x" >}})', "[b](/second#x)"],
  ["[[b]] [[B|the b]] [[b#A b]] [[Beta]]", "[b](/second) [the b](/second) [b > A b](/second#a-b) [Beta](/second)"],
  [
    "`[b](b.md)` [x](https://x.example/b.md) [m](mailto:b.md)",
    "`[b](b.md)` [x](https://x.example/b.md) [m](mailto:b.md)",
  ],
])("links between articles lead to their new addresses: %j", async (markdown, expected) => {
  const folder = { "a.md": file("", markdown), "b.md": file("slug: second\naliases: [Beta]"), "hidden.txt": "x" };
  const { articles, notes } = await readSource(files.folder(folder), { siteUrl: "https://old.example.com" });
  expect(articles["a.md"]?.content).toBe(expected);
  expect(notes["a.md"]).toBeUndefined();
});

it("a Jekyll post is found by its name, its address, and that with the base of the site", async () => {
  const links =
    "[p]({% post_url 2012-02-03-b %}) [p]({{ site.baseurl }}/2012/02/03/b.html) [p](/blog/2012/02/03/b.html)";
  const folder = {
    "_config.yml": "url: https://x.example\nbaseurl: /blog",
    "_posts/2012-02-03-b.md": file(""),
    "_posts/2012-02-04-a.md": file("", links),
  };
  expect(await read(folder, "_posts/2012-02-04-a.md")).toMatchObject({
    content: "[p](/b) [p](/b) [p](/b)",
    said: undefined,
  });
});

it("names links that lead nowhere, and files that are no pictures", async () => {
  const folder = { "a.md": file("", "[x](x.md) [y](/y/) [[Z]] [d](d.pdf) ![n](n.png)"), "d.pdf": "x" };
  const { content, said } = await read(folder, "a.md");
  expect(content).toBe("[x](x.md) [y](/y/) Z [d](d.pdf) ![n](n.png)");
  expect(said?.split("\n")).toEqual([
    "links that lead to nothing here: [[Z]], x.md, /y/",
    "links to files that are not imported: d.pdf",
    "pictures that are not in the folder: n.png",
  ]);
});

it("finds pictures where generators serve them from", async () => {
  const text = [
    "![](p.png) ![](<s p.png>) ![](s%20p.png?x=1) ![](/img/a.PNG) ![[deep.png|300]] ![](../../assets/x.png)",
    '<img src="/pub.png"> [![t](p.png)](p.png)\n\n![r]\n\n[r]: /img/a.png',
  ].join("\n\n");
  const at = "src/content/a/index.mdx";
  const folder = {
    [at]: file("heroImage: {src: ../../assets/x.png, alt: An x}", text),
    "src/content/a/p.png": "1",
    "src/content/a/s p.png": "2",
    "static/img/a.png": "3",
    "Attachments/deep.png": "4",
    "src/assets/x.png": "5",
    "public/pub.png": "6",
  };
  const { article, said } = await read(folder, at);
  const found = new Map([...(article?.files ?? [])].map(([address, { path }]) => [address, path]));
  expect([...new Set(found.values())].toSorted()).toEqual(
    Object.keys(folder)
      .filter((name) => name.endsWith(".png"))
      .toSorted(),
  );
  expect(article?.coverFile).toMatchObject({ path: "src/assets/x.png", alt: "An x" });
  expect(said).toMatch(/^pictures of the folder, not copied to the library: [^\n]*$/);
});

it("takes only what a generator takes for articles, and names the rest", async () => {
  const folder = { "hugo.yaml": "", "content/a.md": "A", "README.md": "R", "archetypes/default.md": "D" };
  const { keys, notes } = await readSource(files.folder(folder));
  expect(keys).toEqual(["content/a.md"]);
  expect(Object.keys(notes)).toEqual(["README.md", "archetypes/default.md"]);
});
