/** The keys by which an import knows its entries again: no two of a source have the same, and they stay. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import fc from "../helpers/fast-check.ts";
import { makeKeys } from "../../packages/import/source.ts";
import { ghostFile, readSource, useFiles, wordpressFile, wordpressItem } from "./source-files.ts";

const files = useFiles();

/** Title by key, of a source whose entries have exactly the keys it promises. */
async function titles(at: string, pages = false) {
  const { keys, order, articles, failed } = await readSource(at, { pages });
  expect(new Set(order).size).toBe(order.length);
  expect(order.toSorted()).toEqual(keys.toSorted());
  expect(failed).toEqual({});
  return Object.fromEntries(Object.entries(articles).map(([key, { title }]) => [key, title]));
}

describe("keys", () => {
  it("are as many as entries, and the same in every pass, whatever the natural ones are", () => {
    const natural = fc.array(fc.constantFrom("a", "b", "a~2", "a~2~2", "a~3", ""));
    fc.assert(
      fc.property(natural, (names) => {
        const [first, second] = [makeKeys(), makeKeys()];
        const given = names.map(first.makeKey);
        expect([...first.keys]).toEqual(given);
        expect(names.map(second.makeKey)).toEqual(given);
        names.forEach((name, at) => names.indexOf(name) === at && !/~/.test(name) && expect(given[at]).toBe(name));
      }),
    );
  });
});

describe("files whose names differ in their composition only", () => {
  const [composed, decomposed] = ["caf\u00e9.md", "cafe\u0301.md"];
  const post = (title: string, date: string) => `---\ntitle: ${title}\ndate: ${date}\n---\n`;

  it("have keys of their own, which stay when their dates change", async () => {
    const folder = files.folder({
      [composed]: post("Composed", "2020-01-01"),
      [decomposed]: post("Decomposed", "2021-01-01"),
    });
    const before = await titles(folder);
    expect(Object.values(before).toSorted()).toEqual(["Composed", "Decomposed"]);
    expect(Object.keys(before)).toContain(composed);
    writeFileSync(path.join(folder, composed), post("Composed", "2022-01-01"));
    expect(await titles(folder)).toEqual(before);
  });
});

describe("posts of WordPress", () => {
  it("have keys of their own where their numbers are repeated", async () => {
    const item = (id: string, title: string, type = "post") => wordpressItem({ id, title, type });
    const items = [item("7", "A"), item("7", "B"), item("8", "C"), item("7", "Page", "page"), item("7", "D")];
    expect(await titles(files.file(wordpressFile(items)), true)).toEqual({
      "post-7": "A",
      "post-7~2": "B",
      "post-8": "C",
      "page-7": "Page",
      "post-7~3": "D",
    });
  });

  it("without numbers keep their keys when others come before them", async () => {
    const named = (title: string) => wordpressItem({ title, name: title.toLowerCase() });
    const nameless = (title: string) => wordpressItem({ title });
    const before = await titles(files.file(wordpressFile([named("A"), nameless("C")])));
    expect(Object.values(before)).toEqual(["A", "C"]);
    const after = await titles(files.file(wordpressFile([named("B"), nameless("D"), nameless("C"), named("A")])));
    expect(Object.values(after)).toEqual(["B", "D", "C", "A"]);
    expect(after).toMatchObject(before);
  });

  it("without numbers and with the same name are two", async () => {
    const item = (title: string) => wordpressItem({ name: "same", title });
    expect(Object.values(await titles(files.file(wordpressFile([item("A"), item("B")]))))).toEqual(["A", "B"]);
  });
});

describe("posts of Ghost", () => {
  it("have keys of their own where their numbers are repeated or empty", async () => {
    const posts = [
      { id: "7", title: "A" },
      { id: 7, title: "B" },
      { id: "", slug: "c", title: "C" },
      { id: "", slug: "c", title: "D" },
      { id: "", slug: "e", title: "E" },
    ];
    const found = await titles(files.file(ghostFile(posts)));
    expect(Object.values(found)).toEqual(["A", "B", "C", "D", "E"]);
    expect(Object.keys(found).slice(0, 2)).toEqual(["post-7", "post-7~2"]);
    const [, , , , last] = Object.keys(found);
    expect(Object.keys(await titles(files.file(ghostFile(posts.slice(4)))))).toEqual([last]);
  });

  it("without numbers are known by their slug, or else by their title", async () => {
    const posts = [{ title: "A" }, { id: null, slug: "b" }, { slug: "c", title: "C" }, { title: "A" }];
    const found = await titles(files.file(ghostFile(posts)));
    expect(Object.values(found)).toEqual(["A", "", "C", "A"]);
    expect(await titles(files.file(ghostFile(posts.toReversed())))).toEqual(found);
  });

  it("that are none have keys too, also between pages that are left out", async () => {
    const posts = [{ html: "<p>x</p>" }, { id: "1", type: "page" }, { id: "", slug: 3 }, { id: "2", title: "Fine" }];
    const { keys, order, failed } = await readSource(files.file(ghostFile(posts)));
    expect(order).toEqual(["posts-1", "posts-3", "post-2"]);
    expect(keys).toEqual(order);
    expect(Object.keys(failed)).toEqual(["posts-1", "posts-3"]);
  });
});

describe("a folder without Markdown files", () => {
  it("is a source without entries", async () => {
    const { keys, order } = await readSource(files.folder({ "blog.yaml": 'name: "Empty"\n' }));
    expect({ keys, order }).toEqual({ keys: [], order: [] });
  });
});

it("a folder whose name ends as that of a Markdown file is a folder", async () => {
  const folder = files.folder({ "posts.md/a.md": "# A\n", "notes.mdx/b.md": "# B\n" });
  for (const [name, key] of [
    ["posts.md", "a.md"],
    ["notes.mdx", "b.md"],
    ["posts.md/a.md", "a.md"],
  ] as const)
    expect((await readSource(path.join(folder, name))).order).toEqual([key]);
});
