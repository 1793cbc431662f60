/** Nothing becomes public, dated or attributed by what could not be read; what is held back is named with the reason. */
import { describe, expect, it } from "vitest";
import { readSource, useFiles, wordpressFile, wordpressItem } from "./source-files.ts";
import { useImports } from "./transfer-imports.ts";

const { uses, run } = useImports();
const files = useFiles();
const DATED = "date: 2020-01-02";
const markdown = (...lines: string[]) => ["---", "title: T", ...lines, "---", "", "Text."].join("\n");

/** Reads a folder as `--publish` does: whether its one file became public, and what was said of it. */
async function published(text: string, name = "a.md") {
  const { articles, notes, failed } = await readSource(files.folder({ [name]: text }), { publication: "publish" });
  const [said] = /stays a draft.*/.exec(notes[name] ?? "") ?? [failed[name]];
  return { published: articles[name]?.published, said };
}

describe("with --publish, a file", () => {
  it.each(
    [
      'draft: true|Draft: True|DRAFT: "yes"|draft: 1|isDraft: true|published: no|published: 0|publish: false',
      "status: draft|Status: Draft|post_status: draft|state: draft|dg-publish: false|params: {draft: true}",
    ].flatMap((lines) => lines.split("|")),
  )("is the draft that it says it is: %s", async (line) =>
    expect(await published(markdown(line, DATED))).toEqual({ published: false, said: undefined }),
  );

  it.each(
    [
      "draft: maybe|draft:|draft: [true]|published: perhaps|status: private|status: Pending|status: future",
      'status: unlisted|status: evergreen|visibility: members|private: true|hidden: "1"|unlisted: on',
      "expired: true|expiryDate: 2021-01-01|expiryDate: someday|permalink: false|headless: y",
      "published: true\ndraft: true|published: true\nstatus: hidden|state: pending|wip: true|Entwurf: true|下書き: true",
    ].flatMap((lines) => lines.split("|")),
  )("stays a draft, and is named: %s", async (lines) => {
    const { published: is, said } = await published(markdown(lines, DATED));
    expect(is).toBe(false);
    expect(said).toMatch(/^stays a draft: it says /);
  });

  it.each(["_build", "build"])("stays a draft if its %s is not for everybody", async (name) => {
    const said = `stays a draft: it says "${name}.render: never"`;
    expect(await published(markdown(`${name}:`, "  render: never", DATED))).toEqual({ published: false, said });
    expect(await published(markdown(`${name}: {render: always, list: always}`, DATED))).toMatchObject({
      published: true,
    });
  });

  it("does not show the password that it has", async () => {
    const said = 'stays a draft: it says "password: …"';
    expect(await published(markdown("password: sesame", DATED))).toEqual({ published: false, said });
    expect(await published(markdown('password: ""', DATED))).toMatchObject({ published: true });
  });

  it.each(
    [
      "draft: false|Draft: 'no'|published: true|status: publish|status: Published|visibility: public",
      "private: false|expiryDate: 2999-01-01|published: 2020-01-02|mood: private|wip: false|dg-publish: true",
      "publisher: A house|published_at: 2020-01-02|publishDate: 2020-01-02|publishedBy: Ada",
    ].flatMap((lines) => lines.split("|")),
  )("is public if nothing that it says is against that: %s", async (line) => {
    const { published: is, said } = await published(markdown(line, DATED));
    expect(is).toBe(true);
    expect(said ?? "").not.toContain("draft");
  });

  it.each(["\ufeff\n\n---\nTitle: T\nDraft: true\n---\n", "---\r\ndraft: true\r\n---\r\n", "---\ndraft: true\n...\n"])(
    "has its front matter read: %j",
    async (text) => expect(await published(text)).toEqual({ published: false, said: undefined }),
  );

  it.each([
    "Title: Hidden\nDraft: true\n\nText",
    "title: Hexo\n---\nText",
    '"title": "Hexo",\n"draft": true\n;;;\nText',

    "#+TITLE: Org\n#+DRAFT: true\n\nText",
    "<!--\n.. title: Nikola\n.. status: draft\n-->\nText",
    "----\ndraft: true\n----\n",
    "---toml\n\ndraft = true\n---\n",
    "---\rdraft: true\r---\r",
    "# Heading\n\nStatus: draft\n\nText",
    "export const metadata = { draft: true };\n\nText",
    "---\n---\n---\ndraft: true\n---\n",
    "title = 'x'\n\nText",
    "% Title\n% Ada\n% 2020\n\nText",
  ])("that may have metadata in another form stays a draft, and is named: %j", async (text) => {
    const { published: is, said } = await published(text);
    expect(is).toBe(false);
    expect(said).toMatch(/^stays a draft: it begins with ".+", which may be metadata/);
  });

  it.each([
    "Text.",
    "# Heading\n\nText: with a colon.",
    "Note: this is text.\n\nDate: of what?",
    "https://example.com",
  ])("that is only text is public: %j", async (text) => {
    expect(await published(text)).toEqual({ published: true, said: undefined });
  });

  it.each(["_drafts/a.md", "posts/Drafts/a.md", "_a.md", "2024-02-30-a.md"])(
    "is a draft by its place: %s",
    async (name) => {
      expect(await published(markdown("mood: calm"), name)).toMatchObject({ published: false });
    },
  );
});

it.each([
  "\ufeff\r\n\n+++\r\nTitle = 'a'\r\nDraft = true\r\n+++\r\n",
  "+++\ntitle = 'a'\n[params]\ndraft = true\n+++\n",
  '{\n\t"title": "a",\n\t"Draft": true\n}\n\ntext',
  ';;;\n"title": "a", "draft": true\n;;;\ntext',
])("a draft in TOML or JSON is one: %j", async (text) => {
  expect(await published(text)).toEqual({ published: false, said: undefined });
});

it.each([
  ["TOML that is none", "+++\ntitle = \n+++\n", "TOML"],
  ["TOML without an end", "+++\ntitle = 'a'\n", "no closing line +++"],
  ["JSON that is none", "{ title: 'a', draft: true }\ntext", "JSON"],
  ["JSON without an end", '{\n  "title": "a"\n\ntext', "no closing brace"],
  ["JSON with one field twice", '{"draft": true, "draft": false}\ntext', "twice"],
  ["one field in two cases", "---\nDraft: true\ndraft: false\n---\n", "twice"],
])("a file with %s is refused, with the reason", async (_, text, reason) => {
  expect(await published(text)).toEqual({ published: undefined, said: expect.stringContaining(reason) });
});

describe("an export", () => {
  it("of WordPress has only those posts published that everybody can see", async () => {
    const date = "<wp:post_date_gmt>2020-01-02 03:04:05</wp:post_date_gmt>";
    const meta = (name: string, value: string) =>
      `<wp:postmeta><wp:meta_key>${name}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`;
    const statuses = ["publish", "draft", "pending", "private", "future", "inherit", "of-a-plugin", ""];
    const items = [
      ...statuses.map((status) => ({ status, more: date })),
      { more: `${date}<wp:post_password>x</wp:post_password>` },
      { more: date + meta("_jetpack_newsletter_access", "subscribers") },
      { more: date, content: "<p>Free</p><!-- wp:jetpack/paywall /--><p>Secret</p>" },
      { more: date, content: "Free [restrict paid=true]Secret[/restrict]" },
      { more: date, content: '<!-- wp:paragraph {"metadata":{"blockVisibility":false}} --><p>Secret</p>' },
      { more: date + meta("_jetpack_newsletter_access", "everybody"), content: "A [memory] of members" },
    ];
    const { articles, notes } = await readSource(
      files.file(wordpressFile(items.map((item, at) => wordpressItem({ id: String(at), title: `T${at}`, ...item })))),
      { publication: "publish" },
    );
    expect(Object.keys(articles)).toHaveLength(items.length);
    expect(
      Object.entries(articles)
        .filter(([, each]) => each.published)
        .map(([key]) => key),
    ).toEqual(["post-0", "post-13"]);
    const held = Object.entries(notes).filter(([, note]) => note.includes("stays a draft"));
    expect(held.map(([name]) => Number(name.split(" ")[1])).toSorted((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
  });

  it("of Ghost has only those posts published that everybody can see", async () => {
    const post = { status: "published", visibility: "public", published_at: "2020-01-02T03:04:05.000Z" };
    const gate =
      '<!--kg-gated-block:begin nonMember:false memberSegment:"status:free" --><p>x</p><!--kg-gated-block:end-->';
    const others = [
      ...["scheduled", "sent", "other", null].map((status) => ({ status })),
      ...["members", "paid", "tiers", "filter:label:vip"].map((visibility) => ({ visibility })),

      { html: gate },
      { html: "<p>Free</p><!--members-only--><p>Secret</p>" },
      { lexical: '{"root":{"children":[{"type":"html","visibility":{"web":{"nonMember":false}}}]}}' },
      { lexical: '{"root":{"children":[{"type":"paywall","version":1}]}}', visibility: null },
      { mobiledoc: '{"version":"0.3.1","cards":[["paywall",{}]],"sections":[[10,0]]}' },
      { published_at: null },
      { status: "scheduled", published_at: Date.now() + 86_400_000 },
    ];
    const posts = [{}, ...others].map((each, at) => Object.assign({ id: String(at), title: `T${at}` }, post, each));
    const data = { posts, posts_meta: [{ post_id: String(others.length), email_only: 1 }] };
    const { articles, notes } = await readSource(files.file(JSON.stringify({ db: [{ data }] })), {
      publication: "publish",
    });
    expect(
      Object.entries(articles)
        .filter(([, each]) => each.published || each.scheduledTime)
        .map(([key]) => key),
    ).toEqual(["post-0"]);
    expect(Object.keys(notes)).toHaveLength(others.length);
    const settings = [{ key: "is_private", value: "true" }];
    const hidden = await readSource(files.file(JSON.stringify({ db: [{ data: { posts: [posts[0]], settings } }] })));
    expect(hidden.articles["post-0"]?.published).toBe(false);
    expect(hidden.notes).toEqual({ "post 0 (T0)": "stays a draft: the old site was private" });
  });
});

const TEXT = markdown(DATED);
const HUGO = { "hugo.toml": "title = 'x'" };
const DEFAULTS = "defaults:\n- scope: {path: _posts}\n  values: {layout: post, published: false}";
const JEKYLL = { "_config.yml": "title: x\nexclude: [Gemfile]\ndefaults:\n- values: {layout: post}" };

it.each<[what: string, site: Record<string, string>, name: string, isShown: boolean]>([
  ["in a folder of Hugo", HUGO, "content/posts/a.md", true],
  ["of Hugo, without a date", HUGO, "content/about.md", true],
  ["of Hugo, of a bundle", HUGO, "content/a/index.md", true],
  ["of Hugo that is a part of a bundle", { ...HUGO, "content/a/index.md": TEXT }, "content/a/notes/part.md", false],
  [
    "whose section says something of it",
    { ...HUGO, "content/_index.md": "---\ncascade: x\n---" },
    "content/a/b.md",
    false,
  ],
  ["of Hugo whose settings cannot be read", { "hugo.toml": "title = " }, "content/a.md", false],
  ["of Hugo in a language that is off", { "hugo.toml": "[languages.de]\ndisabled = true" }, "content/a.de.md", false],
  [
    "of Jekyll in a folder that it leaves out",
    { "_config.yml": "exclude: [old/]" },
    "old/_posts/2020-01-02-a.md",
    false,
  ],
  ["of Jekyll in a folder that it does not read", JEKYLL, "_posts/_old/2020-01-02-a.md", false],
  [
    "of Hugo in languages of their own file",
    { ...HUGO, "config/_default/languages.toml": "[de]" },
    "content/a.md",
    true,
  ],
  [
    "of Hugo that is off on the site",
    { ...HUGO, "config/production/languages.toml": "[de]\ndisabled = true" },
    "content/a.md",
    false,
  ],
  ["of Hugo that its settings may hide", { "hugo.toml": "ignoreFiles = ['x']" }, "content/a.md", false],
  ["of Zola", { "config.toml": "base_url = 'x'", "templates/a.html": "" }, "content/a.md", true],
  ["of Jekyll", JEKYLL, "_posts/2020-01-02-a.md", true],
  ["of Jekyll that has no date in its name", JEKYLL, "_posts/a.md", false],
  ["of Jekyll that is no post", JEKYLL, "a.md", false],
  ["of Jekyll's drafts", JEKYLL, "_drafts/a.md", false],
  ["of Jekyll that its settings hide", { "_config.yml": "exclude: [_posts/2020*]" }, "_posts/2020-01-02-a.md", false],
  ["of Jekyll that its defaults may hide", { "_config.yml": DEFAULTS }, "_posts/2020-01-02-a.md", false],
  ["of Hexo", { "_config.yml": "new_post_name: x" }, "source/_posts/a.md", true],
  ["of Astro", { "astro.config.mjs": "" }, "src/content/blog/a.md", true],
  ["of a generator that is not known", { "package.json": "{}" }, "posts/a.md", false],
])("as in the file, a post %s that does not say whether it is public: %#", async (_, site, name, isShown) => {
  const folder = (text: string) => readSource(files.folder({ ...site, [name]: text }));
  const { articles, remarks } = await folder(name.endsWith("about.md") ? markdown() : TEXT);
  expect(articles[name]?.published).toBe(isShown);
  const isDraft = name.startsWith("_drafts");
  expect(remarks.some((each) => each.includes("do not say whether they are published"))).toBe(!isShown && !isDraft);
  for (const says of ["draft: true", "published: false", "status: members"])
    expect((await folder(markdown(says, DATED))).articles[name]?.published).toBe(false);
  const time = new Date(Date.now() + 86_400_000).toISOString();
  const later = (await folder(markdown(`date: ${time}`))).articles[name];
  expect([later?.published, later?.scheduledTime]).toEqual([false, isShown ? time : undefined]);
  expect((await folder("Text without front matter.")).articles[name]?.published).toBe(false);
});

it("an import names what it held back and what it dated, and so does a dry run", async () => {
  const folder = uses.program.folder({
    "secret.md": markdown("draft: maybe", DATED),
    "undated.md": markdown(),
    "fine.md": markdown(DATED),
  });
  const lines = [
    'Warning: secret.md: stays a draft: it says "draft: maybe"',
    "Warning: undated.md: has no date, so it gets the time at which it is published here",
  ];
  for (const flags of [["--dry-run"], []]) {
    const { code, stdout, stderr } = await run(folder, ["--publish", ...flags]);
    expect(code).toBe(0);
    expect(stderr.split("\n").filter((line) => line.startsWith("Warning"))).toEqual(lines);
    expect(stdout).toContain("\n  articles that stay drafts, each for the reason given: 1\n");
    expect(stdout).toContain("\n  articles without a date, which get the time at which they are published here: 1\n");
  }
  const { stdout } = await run(folder, ["--publish", "--json"]);
  // What is not sent again is not dated again.
  const notes = [{ name: "secret.md", reason: 'stays a draft: it says "draft: maybe"' }];
  expect(JSON.parse(stdout)).toMatchObject({ unchanged: 3, notes });
  expect(
    [...uses.server.articles.values()]
      .filter((each) => each.published)
      .map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(["fine", "undated"]);
});
