/** Imports in which an article changes from one file to another: renamed files, names that are used again. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sample } from "../helpers/sample.ts";
import { file, none, useImports, write } from "./transfer-imports.ts";

const { uses, run, imported, texts } = useImports();

/** Files that keep the lanes busy, with names between those of a test. */
const others = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`m${i}`, `other-${i}`]));
const theirTexts = Object.fromEntries(Object.entries(others).map(([name, slug]) => [slug, `Text ${name}`]));

/** Brings it to the service, but the answer never comes; asked again, the service is down. */
async function lost(folder: string) {
  const { behaviour, told } = uses.server;
  const before = told.writes;
  behaviour.lose = 1;
  behaviour.refuse = () => (told.writes > before ? down() : null);
  expect((await run(folder, ["--json"])).code).toBe(1);
  expect(told.writes).toBe(before + 1);
  behaviour.lose = 0;
  behaviour.refuse = null;
}

/** As a gateway answers in the place of a service. */
const down = () => ({ status: 502, value: { status: 502, code: "bad_gateway" } });

/** The same import, tried and meant: both have to say the same. */
async function triedAndImported(folder: string, ...more: string[]) {
  const writes = uses.server.told.writes;
  const tried = await imported(folder, "--dry-run", ...more);
  expect(uses.server.told.writes).toBe(writes);
  const meant = await imported(folder, ...more);
  expect({ ...tried, stderr: "" }).toEqual({ ...meant, stderr: "" });
  return meant;
}

describe.each(sample([["4"], ["1"]], 0, 1))("an import by %s lanes", (lanes) => {
  const twice = (folder: string, ...more: string[]) => triedAndImported(folder, "--concurrency", lanes, ...more);

  it("leaves the article of a renamed file alone where another file has its name now", async () => {
    const folder = uses.program.folder({ "draft.md": file("first", "First") });
    await imported(folder);
    renameSync(path.join(folder, "draft.md"), path.join(folder, "a-first.md"));
    writeFileSync(path.join(folder, "draft.md"), file("second", "Second"));
    write(folder, others);
    expect(await twice(folder)).toMatchObject({ code: 0, counts: { ...none, unchanged: 1, created: 9 }, failed: [] });
    expect(texts()).toEqual({ first: "First", second: "Second", ...theirTexts });
    expect(uses.server.articles.get("article-1")).toMatchObject({ slug: "first" });
    expect(await twice(folder)).toMatchObject({ code: 0, counts: { ...none, unchanged: 10 } });
  });

  it.each([[[]], [["--update-existing"]]])("gives a slug that a file gave up to a new one %j", async (more) => {
    const folder = uses.program.folder({ "z-old.md": file("x", "Old") });
    await imported(folder);
    writeFileSync(path.join(folder, "z-old.md"), file("y", "Old, moved"));
    writeFileSync(path.join(folder, "a-new.md"), file("x", "New"));
    write(folder, others);
    const outcome = await twice(folder, ...more);
    expect(outcome).toMatchObject({ code: 0, counts: { ...none, created: 9, updated: 1 }, failed: [] });
    expect(texts()).toEqual({ y: "Old, moved", x: "New", ...theirTexts });
  });

  it("takes renamed files for the same articles", async () => {
    const folder = uses.program.folder();
    write(folder, { a: "s1", b: "s2" });
    await imported(folder);
    for (const name of ["a", "b"]) renameSync(path.join(folder, `${name}.md`), path.join(folder, `2026-${name}.md`));
    expect(await twice(folder)).toMatchObject({ code: 0, counts: { ...none, unchanged: 2 } });
    writeFileSync(path.join(folder, "2026-a.md"), file("s1", "Changed"));
    expect(await twice(folder)).toMatchObject({ code: 0, counts: { ...none, updated: 1, unchanged: 1 } });
    expect(texts()).toEqual({ s1: "Changed", s2: "Text b" });
  });

  it("moves a long row of slugs on, each file once", async () => {
    const folder = uses.program.folder();
    const slugs = (by: number) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${10 + i}`, `s${i + by}`]));
    write(folder, slugs(0));
    await imported(folder);
    const { writes } = uses.server.told;
    write(folder, slugs(1));
    expect(await twice(folder)).toMatchObject({ code: 0, counts: { ...none, updated: 20 } });
    expect(uses.server.told.writes).toBe(writes + 20);
    expect(Object.keys(texts()).toSorted()).toEqual(Object.values(slugs(1)).toSorted());
  });

  it("reports those that wait for each other, and whoever waits for them", async () => {
    const folder = uses.program.folder();
    write(folder, { a: "s1", b: "s2", c: "s3" });
    await imported(folder);
    write(folder, { a: "s2", b: "s1", c: "s1" });
    const { code, counts, failed } = await twice(folder);
    expect({ code, counts }).toEqual({ code: 1, counts: none });
    expect(failed.map(({ name }) => name).toSorted()).toEqual(["a.md", "b.md", "c.md"]);
    expect(texts()).toEqual({ s1: "Text a", s2: "Text b", s3: "Text c" });
  });

  it("reports a slug that the article of nobody here has", async () => {
    const folder = uses.program.folder();
    write(folder, { a: "s1" });
    await imported(folder);
    await imported(uses.program.folder({ "b.md": file("s2", "Theirs") }));
    write(folder, { a: "s2" });
    expect(await twice(folder)).toMatchObject({ code: 1, counts: none });
  });
});

describe("files that were renamed", () => {
  /** The article of each slug, and its text. */
  const ids = () => Object.fromEntries([...uses.server.articles.values()].map(({ slug, _id }) => [slug, _id]));
  const rename = (folder: string, from: string, to: string) =>
    renameSync(path.join(folder, `${from}.md`), path.join(folder, `${to}.md`));
  const swap = (folder: string, one: string, other: string) => {
    rename(folder, one, "between");
    rename(folder, other, one);
    rename(folder, "between", other);
  };

  it.each<[string, (folder: string) => void, object]>([
    ["to new names", (folder) => rename(folder, "a", "z"), { unchanged: 3 }],
    [
      "to the name of one that was deleted",
      (folder) => {
        rmSync(path.join(folder, "a.md"));
        rename(folder, "b", "a");
      },
      { unchanged: 2 },
    ],
    ["to each other's names", (folder) => swap(folder, "a", "b"), { unchanged: 3 }],
    [
      "so that each has the name of its neighbour",
      (folder) => {
        rmSync(path.join(folder, "a.md"));
        rename(folder, "b", "a");
        rename(folder, "c", "b");
      },
      { unchanged: 2 },
    ],
    [
      "so that a new one comes first",
      (folder) => {
        rename(folder, "c", "d");
        rename(folder, "b", "c");
        rename(folder, "a", "b");
        writeFileSync(path.join(folder, "a.md"), file("s0", "New"));
      },
      { unchanged: 3, created: 1 },
    ],
  ])("%s keep their articles, and need no request", async (_, change, counts) => {
    const folder = uses.program.folder();
    write(folder, { a: "s1", b: "s2", c: "s3" });
    await imported(folder);
    const before = { ids: ids(), texts: texts() };
    change(folder);
    const { told } = uses.server;
    const writes = told.writes;
    expect(await triedAndImported(folder)).toMatchObject({ code: 0, counts: { ...none, ...counts }, failed: [] });
    expect(told.writes).toBe(writes + ("created" in counts ? 1 : 0));
    expect({ ids: ids(), texts: texts() }).toMatchObject(before);
    expect(await imported(folder)).toMatchObject({ code: 0, failed: [] });
    expect({ ids: ids(), texts: texts() }).toMatchObject(before);
  });

  it("keep an article that somebody edited, also from a new file of the old name", async () => {
    const folder = uses.program.folder({ "draft.md": file("first", "First") });
    await imported(folder);
    rename(folder, "draft", "first");
    writeFileSync(path.join(folder, "draft.md"), file("second", "Second"));
    uses.server.edit("article-1", { content: "By hand." });
    for (const more of [[], ["--update-existing"]]) expect(await imported(folder, ...more)).toMatchObject({ code: 0 });
    expect(texts()).toEqual({ first: "By hand.", second: "Second" });
  });
});

describe("an import that was broken off", () => {
  it("and whose change was taken back, takes it back on the service", async () => {
    const folder = uses.program.folder({ "a.md": file("a", "One") });
    await imported(folder);
    writeFileSync(path.join(folder, "a.md"), file("a", "Two"));
    await lost(folder);
    expect(texts()).toEqual({ a: "Two" });
    writeFileSync(path.join(folder, "a.md"), file("a", "One"));
    expect(await triedAndImported(folder)).toMatchObject({ code: 0, counts: { ...none, updated: 1 } });
    expect(texts()).toEqual({ a: "One" });
  });

  it("and whose file changed again, updates the version that it wrote", async () => {
    const folder = uses.program.folder({ "a.md": file("a", "One") });
    await lost(folder);
    writeFileSync(path.join(folder, "a.md"), file("b", "Two"));
    expect(await triedAndImported(folder)).toMatchObject({ code: 0, counts: { ...none, updated: 1 } });
    expect(texts()).toEqual({ b: "Two" });
  });
});

describe("before anything is decided by the journal, an import", () => {
  it("finds out whose the articles are that arrived without an answer", async () => {
    const folder = uses.program.folder({ "a.md": file("s1", "A") });
    await lost(folder);
    writeFileSync(path.join(folder, "0.md"), file("s1", "Z"));
    writeFileSync(path.join(folder, "a.md"), file("s9", "A, moved"));
    const counts = { ...none, created: 1, updated: 1 };
    expect(await triedAndImported(folder)).toMatchObject({ code: 0, counts, failed: [] });
    expect(texts()).toEqual({ s1: "Z", s9: "A, moved" });
  });

  it("finds one that took the place of a deleted one", async () => {
    const folder = uses.program.folder({ "a.md": file("s1", "One") });
    await imported(folder);
    uses.server.articles.delete("article-1");
    writeFileSync(path.join(folder, "a.md"), file("s1", "Two"));
    await lost(folder);
    writeFileSync(path.join(folder, "a.md"), file("s2", "Two, moved"));
    expect(await triedAndImported(folder)).toMatchObject({ code: 0, counts: { ...none, updated: 1 } });
    expect(texts()).toEqual({ s2: "Two, moved" });
  });

  it("knows that what was refused did not happen", async () => {
    const folder = uses.program.folder();
    write(folder, { c: "s2", d: "s1" });
    await imported(folder);
    write(folder, { c: "s1", d: "s2" });
    expect((await imported(folder)).failed).toHaveLength(2);
    write(folder, { c: "s2", d: "s1" });
    renameSync(path.join(folder, "c.md"), path.join(folder, "between.md"));
    renameSync(path.join(folder, "d.md"), path.join(folder, "c.md"));
    renameSync(path.join(folder, "between.md"), path.join(folder, "d.md"));
    const { requests } = uses.server.told;
    expect(await imported(folder)).toMatchObject({ code: 0, counts: { ...none, unchanged: 2 } });
    // The blog's locales, and whether it has articles: of none is asked how it is.
    expect(uses.server.told.requests).toBeLessThanOrEqual(requests + 2);
  });
});

it("a file that comes back under its old name is created again, whatever its article became", async () => {
  const folder = uses.program.folder({ "a.md": file("s1", "A") });
  await imported(folder);
  renameSync(path.join(folder, "a.md"), path.join(folder, "b.md"));
  await imported(folder);
  writeFileSync(path.join(folder, "b.md"), file("s2", "B"));
  await imported(folder);
  rmSync(path.join(folder, "b.md"));
  writeFileSync(path.join(folder, "a.md"), file("s1", "A"));
  expect(await triedAndImported(folder, "--update-existing")).toMatchObject({ counts: { ...none, created: 1 } });
  expect(texts()).toEqual({ s1: "A", s2: "B" });
});

describe("a creation that was refused", () => {
  it("is tried again by the next import, although its key keeps the refusal", async () => {
    const folder = uses.program.folder();
    write(folder, { a: "s1" });
    let refuse = true;
    uses.server.behaviour.reject = () => (refuse ? "100 locales" : null);
    expect((await imported(folder)).failed).toEqual([{ name: "a.md", reason: expect.stringContaining("100 locales") }]);
    refuse = false;
    expect(await imported(folder)).toMatchObject({ code: 0, counts: { ...none, created: 1 } });
  });
});

describe("a dry run", () => {
  it("is refused as the import would be, where the credentials may not write", async () => {
    uses.server.behaviour.scopes = ["articles:read"];
    const folder = uses.program.folder({ "a.md": file("a", "A") });
    const { code, stderr } = await run(folder, ["--dry-run", "--json"]);
    expect({ code, error: JSON.parse(stderr) }).toMatchObject({ code: 4, error: { error: { code: "scope_missing" } } });
  });

  it("counts the locales that the blog would get", async () => {
    uses.server.behaviour.locales = Array.from({ length: 100 }, (_, i) => `en-x-l${i}`);
    const article = (published: boolean) => `---\nlocale: de\npublished: ${published}\n---\n\nText\n`;
    const folder = uses.program.folder({ "a.md": article(true), "b.md": article(false) });
    const { failed, counts } = await imported(folder, "--dry-run");
    expect(failed).toEqual([{ name: "a.md", reason: expect.stringContaining("100 locales") }]);
    expect(counts).toEqual({ ...none, created: 1 });
  });

  it("refuses what would be too large as JSON", async () => {
    const folder = uses.program.folder({ "a.md": `---\ntitle: A\n---\n\n${'"'.repeat(1024 * 1024 - 10)}\n` });
    const { failed } = await triedAndImported(folder);
    expect(failed).toEqual([{ name: "a.md", reason: expect.stringContaining("too large as JSON") }]);
  });
});
