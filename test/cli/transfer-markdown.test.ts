/** Markdown files and their front matter: what is read, what is refused, what comes back byte for byte. */
import { once } from "node:events";
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import fc, { runs } from "../helpers/fast-check.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Article } from "../../packages/import/article.ts";
import { toFileName } from "../../packages/cli/transfer/export.ts";
import { splitFrontMatter, writeArticle } from "../../packages/import/front-matter.ts";
import { parsePath } from "../../packages/import/markdown-page.ts";
import { openMarkdown } from "../../packages/cli/transfer/markdown-folder.ts";
import { Remarks } from "../../packages/import/remarks.ts";
import type { Wishes } from "../../packages/import/source.ts";
import { readMarkdown } from "./source-files.ts";
import { isSlug } from "../../src/domain/slug.ts";

const wishes: Wishes = { locale: "en", publication: "source", pages: false, siteUrl: "" };
/** Which pictures it shows is another file's matter. */
const read: typeof readMarkdown = (...of) => ({ ...readMarkdown(...of), files: undefined });

/** Texts made of what YAML, Markdown, editors and terminals trip over, and of anything else. */
const trouble = [
  ...Array.from("\r\n\t :#\"'\\|>&*!%@`{}[],?~-=<\u0085\u2028\u2029\ufeff\u00a0\u0001\u001b\u200b\u202e\ud83d\ude00é"),
  ..."---|...|null|yes|0x1|1e3|2020-01-01|\r\n|---\n|\n---\n".split("|"),
];
const text = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom(...trouble)).map((parts) => parts.join("")),
  )
  .map((value) => value.toWellFormed().replaceAll("\0", ""));
const title = text.map((value) => value.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ""));
const slug = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
  .map((value) =>
    value
      .toLowerCase()
      .normalize("NFC")
      .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ""),
  )
  .filter(isSlug);
const extras = fc
  .tuple(title, text)
  .filter((both) => both.every((each) => each.trim() !== ""))
  .map(([head, description]) => ({ seo: { title: head, description, canonicalUrl: "", noindex: true, image: "" } }));
const article: fc.Arbitrary<Article> = fc.record({
  title,
  description: text,
  content: text,
  slug,
  locale: fc.constantFrom("en", "de-AT", "zh-Hant-TW", "no", "en-x-own"),
  coverUrl: fc.constantFrom("", "https://images.example.com/a?b=c#d"),
  published: fc.boolean(),
  extras: fc.option(extras, { nil: undefined }),
});

describe("an article as a file", () => {
  it("is read back as it was, whatever its texts are", () => {
    fc.assert(
      fc.property(article, (each) => {
        expect(read(writeArticle(each), "other.md", { locale: "fr" })).toEqual(each);
      }),
      runs(600),
    );
  });

  it.each([
    ["trailing spaces and CRLF", "line  \r\nnext\r\n\r\n   "],
    ["a byte order mark", "\ufeff# Title"],
    ["nothing", ""],
    ["empty lines at both ends", "\n\n\ntext\n\n\n"],
    ["what looks like front matter", "---\ntitle: no\n---\ntext"],
    ["lines of three dashes", "a\n---\nb\n---\n"],
  ])("keeps %s in its content", (_, content) => {
    const each = { ...read(""), title: "", content };
    expect(read(writeArticle(each))).toEqual({ ...each, slug: "a" });
  });

  it("shows members that only people read, and they come to nothing", () => {
    const each = read("Text.");
    const written = writeArticle(each, { creationTime: "2020-01-01T00:00:00.000Z" });
    expect(written).toContain('creationTime: "2020-01-01T00:00:00.000Z"');
    expect(read(written)).toEqual(each);
  });
});

describe("names of files", () => {
  const folded = (name: string) => name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");

  it("are names on every system, and never the same for two articles", () => {
    fc.assert(
      fc.property(fc.uniqueArray(slug, { minLength: 2, maxLength: 20 }), (slugs) => {
        const names = slugs.map((each) => toFileName({ slug: each, locale: "en" }));
        for (const name of names) {
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
          expect(name).toMatch(/^[\p{L}\p{M}\p{N}~-]+\.en\.md$/u);
        }
        expect(new Set(names.map(folded)).size).toBe(slugs.length);
      }),
    );
  });

  it.each(["con", "nul", "com1", "lpt9", "aux"])("never are those of devices: %s", (device) => {
    expect(toFileName({ slug: device, locale: "en" })).not.toMatch(/^(con|nul|com1|lpt9|aux)\./);
  });

  it.each([
    "../../etc/passwd",
    "..",
    "a/b",
    "a\\b",
    "a:b",
    ".hidden",
    "\u001b[31m",
    "x".repeat(400),
    "字".repeat(200),
    "",
  ])("of what is no slug lead nowhere: %j", (bad) => {
    const name = toFileName({ slug: bad, locale: bad });
    expect(path.basename(name)).toBe(name);
    expect(name).toMatch(/^[\p{L}\p{M}\p{N}~-]+\.[\p{L}\p{M}\p{N}~-]+\.md$/u);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  });

  it("tell apart what systems without case take for one: a long s is an s there", () => {
    const names = ["missen", "miſſen"].map((each) => toFileName({ slug: each, locale: "en" }));
    expect(new Set(names.map(folded)).size).toBe(2);
  });
});

describe("the place of a file", () => {
  it.each([
    ["hello.md", "hello", null],
    ["hello.de.md", "hello", "de"],
    ["posts/hello.pt-BR.markdown", "hello", "pt-BR"],
    ["notes.old.md", "notes.old", null],
    ["v1.0.md", "v1.0", null],
    ["2024-05-06-hello.md", "hello", null],
    ["posts/hello/index.md", "hello", null],
    ["posts/hello/index.fr.md", "hello", "fr"],
  ])("%s is %s in %s", (file, stem, locale) => {
    expect(parsePath(file, false)).toMatchObject({ stem, locale });
  });

  it("names a locale by its first folder where all of them do", () => {
    expect(parsePath("de/a.md", true)).toMatchObject({ stem: "a", locale: "de" });
    expect(parsePath("it/a.md", false)).toMatchObject({ locale: null });
  });
});

describe("a file", () => {
  it.each([
    ["# From a heading #\n\ntext", "From a heading"],
    ["# #\n   ##\tC#  ##  ", "C#"],
    ["Underlined\n==========\n", "Underlined"],
    ["```\n# code\n```\n## Behind code", "Behind code"],
    ["text only", "my post"],
    ["---\ntitle: 1.10\n---\n# Other", "1.10"],
    ["---\ntitle: >\n  two\n  lines\n---\n", "two lines"],
    ['---\ntitle: "two\\u2028lines"\n---\n', "two lines"],
  ])("%j has the title %s", (content, expected) => {
    expect(read(content, "my-post.md").title).toBe(expected);
  });

  it.each([
    ["draft: true", {}, false],
    ["draft: false", {}, true],
    ["published: yes", {}, true],
    ["x: 1", {}, false],
    ["x: 1", { publication: "publish" }, true],
    ["draft: true", { publication: "publish" }, false],
    ["draft: false", { publication: "drafts" }, false],
  ] as const)("with %s, asked for %j, is published: %s", (member, more, published) => {
    expect(read(`---\n${member}\n---\n`, "a.md", more).published).toBe(published);
  });

  it("keeps the customs of other generators", () => {
    const remarks = new Remarks();
    const hugo =
      "---\nsummary: Short\ncover:\n  image: https://i.example.com/a.png\ntags: [Slow travel, b]\ndate: 2026-01-02\nauthor: Ada, Bo\nweight: 3\nlang: pt_br\n---\n\nText";
    expect(read(hugo, "My Post_1.md", {}, remarks)).toMatchObject({
      description: "Short",
      coverUrl: "https://i.example.com/a.png",
      locale: "pt-BR",
      slug: "my-post-1",
      content: "Text",
      extras: { publishTime: "2026-01-02T00:00:00.000Z", tags: ["Slow travel", "b"], authors: ["Ada", "Bo"] },
    });
    expect(
      remarks
        .list()
        .map(({ what }) => what)
        .join(),
    ).toMatch(/slugs converted.*,articles whose field "weight" was left out/);
  });

  it.each([
    ["not YAML", "---\ntitle: [\n---\n", "is not YAML"],
    ["a member twice", "---\ntitle: a\ntitle: b\n---\n", "is not YAML"],
    ["no end", "---\ntitle: a\n", "no closing line"],
    ["no mapping", "---\n- a\n---\n", "not a mapping"],
    ["aliases that multiply", `---\na: &a [x, x]\nb: &b [*a, *a]\ntitle: *b\n---\n`, "aliases"],
    ["a depth that no person writes", `---\ntitle: ${"[".repeat(50_000)}\n---\n`, "front matter"],
    ["front matter of a megabyte", `---\ntitle: ${"x".repeat(1_000_000)}\n---\n`, "32 KiB"],
    ["a title that is a list", "---\ntitle: [a]\n---\n", "title"],
    ["a locale that is none", "---\nlocale: not a tag\n---\n", "locale"],
  ])("with %s is refused, with the reason", (_, content, reason) => {
    expect(() => read(content)).toThrow(reason);
  });

  it("with names of prototypes is an article like others", () => {
    const polluting = "---\n__proto__:\n  polluted: yes\nconstructor: {prototype: {polluted: yes}}\ntitle: Fine\n---\n";
    expect(read(polluting).title).toBe("Fine");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(splitFrontMatter(polluting).frontMatter.get("toString")).toBeUndefined();
  });
});

describe("a folder", () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), "edgepress markdown-"));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const put = (folder: string, files: Record<string, string | Uint8Array>) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), content);
    }
    return folder;
  };
  async function all(folder: string) {
    const remarks = new Remarks();
    const source = await openMarkdown(folder, wishes, remarks);
    const found: Record<string, string> = {};
    for await (const { name, load } of source.entries()) {
      found[name] = await load().then(
        ({ slug, locale }) => `${slug} ${locale}`,
        (error: Error) => error.message,
      );
    }
    return { found, remarks: remarks.list().map(({ what, times }) => `${times} ${what}`) };
  }

  it("is read with its folders, and says what is left out", async () => {
    const folder = put(path.join(root, "plain"), {
      "a.md": "A",
      "deep/er/b.markdown": "B",
      "_index.md": "section",
      "picture.png": "x",
      ".git/c.md": "no",
      "node_modules/d.md": "no",
    });
    const { found, remarks } = await all(folder);
    expect(found).toEqual({ "a.md": "a en", "deep/er/b.markdown": "b en" });
    expect(remarks).toEqual(
      expect.arrayContaining([expect.stringContaining("1 other files"), expect.stringContaining("_index")]),
    );
  });

  it("whose folders all are languages has its locales from them", async () => {
    const folder = put(path.join(root, "languages"), { "en/a.md": "A", "de/a.md": "A", "de/sub/b.md": "B" });
    expect((await all(folder)).found).toEqual({ "en/a.md": "a en", "de/a.md": "a de", "de/sub/b.md": "b de" });
  });

  it("is read oldest first where files say when they were written", async () => {
    const folder = put(path.join(root, "dates"), {
      "a.md": "---\ndate: 2022-01-01\n---\n",
      "b.md": "---\ndate: 2020-01-01\n---\n",
      "2021-01-01-c.md": "C",
    });
    expect(Object.keys((await all(folder)).found)).toEqual(["b.md", "2021-01-01-c.md", "a.md"]);
  });

  it("does not lead out of itself, and takes nothing but files for files", async () => {
    const outside = put(path.join(root, "outside"), { "secret.md": "secret" });
    const folder = put(path.join(root, "links"), { "a.md": "A" });
    symlinkSync(path.join(outside, "secret.md"), path.join(folder, "link.md"));
    symlinkSync(outside, path.join(folder, "folder"));
    symlinkSync(folder, path.join(folder, "round"));
    const socket = createServer().listen(path.join(folder, "pipe.md"));
    await once(socket, "listening");
    const { found, remarks } = await all(folder);
    socket.close();
    expect(found).toEqual({ "a.md": "a en" });
    expect(remarks).toEqual(expect.arrayContaining(["3 symbolic links not followed", "1 special files left out"]));
  });

  it("names files that cannot be used, and why", async () => {
    const folder = put(path.join(root, "bad"), { "latin.md": Buffer.from("caf\xe9", "latin1"), "huge.md": "" });
    truncateSync(path.join(folder, "huge.md"), 1024 ** 3);
    expect((await all(folder)).found).toEqual({
      "huge.md": "is larger than 1.5 MB",
      "latin.md": "is not UTF-8",
    });
  });
});
