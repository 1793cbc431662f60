/** E-mail addresses in sources, which become nobody's public name. */
import { describe, expect, it } from "vitest";
import { fromStoredExtras } from "../../packages/import/extras.ts";
import { readSource, useFiles, wordpressFile, wordpressItem } from "./source-files.ts";

const files = useFiles();

describe("an e-mail address", () => {
  const said = (times: number) => `${times} e-mail addresses left out of the names of authors`;

  it.each([
    ["Jane <jane@x.example>, bob@y.example", ["Jane"], 2],
    ["jane@x.example (Jane Doe)", ["Jane Doe"], 1],
    ["'\"Jane Doe Jr.\" mailto:jane@x.example'", ["Jane Doe Jr."], 1],
    ["['Ada ada (at) x.example', 'ada @ x.example', 'Ada @ Acme']", ["Ada", "Ada @ Acme"], 2],
    ["{name: jane＠x.example, email: jane@x.example}", [], 1],
    ["[Jane, '@bob']", ["Jane", "@bob"], 0],
  ] as const)("in front matter is nobody's name: %s", async (author, authors, times) => {
    const { articles, remarks } = await readSource(
      files.folder({ "a.md": `---\nauthor: ${author}\ndraft: true\n---\n` }),
    );
    expect(articles["a.md"]?.extras?.authors).toEqual(authors);
    expect(remarks).toEqual(times === 0 ? [] : [said(times)]);
  });

  it("in an export is nobody's name", async () => {
    const account =
      "<wp:author><wp:author_login>bob</wp:author_login><wp:author_display_name>bob@y.example</wp:author_display_name></wp:author>";
    const creators = ["rosa@mail.example", "bob"].map((name, at) =>
      wordpressItem({ id: String(at), title: "T", more: `<dc:creator>${name}</dc:creator>` }),
    );
    const data = {
      posts: [{ id: "0", title: "T" }],
      users: [{ id: "u", name: "rosa@mail.example" }],
      posts_authors: [{ post_id: "0", author_id: "u" }],
    };
    const sources = [wordpressFile([account, ...creators]), JSON.stringify({ db: [{ data }] })];
    for (const [at, times] of [
      [0, 2],
      [1, 1],
    ] as const) {
      const { articles, remarks } = await readSource(files.file(sources[at] ?? ""));
      expect(Object.values(articles).map(({ extras }) => extras?.authors)).toEqual(
        Array.from({ length: times }, () => []),
      );
      expect(remarks).toContain(said(times));
    }
  });
});

it("an export of a blog names an author whose name is an address by the slug, as an import takes no address", () => {
  const authors = [{ slug: "press", name: "press@example.com" }];
  expect(fromStoredExtras({ authors }).authors).toEqual(["press"]);
});
