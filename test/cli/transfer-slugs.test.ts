/** Imports in which slugs are taken, given up and passed on; and dry runs, which tell the same and change nothing. */
import { existsSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sample } from "../helpers/sample.ts";
import { file, none, useImports, write } from "./transfer-imports.ts";

const { uses, run, imported, texts } = useImports();

describe("an update to a slug that is taken", () => {
  it.each([
    ["that has it was deleted", () => void uses.server.articles.delete("article-2")],
    ["that has it got another", () => uses.server.edit("article-2", { slug: "elsewhere" })],
  ])("is done by the next import once the article %s", async (_, giveUp) => {
    const folder = uses.program.folder();
    write(folder, { a: "ours" });
    await imported(folder);
    const theirs = uses.program.folder({ "b.md": file("wanted", "Theirs") });
    await imported(theirs);
    write(folder, { a: "wanted" });
    for (let times = 0; times < 2; times++) {
      const { code, failed } = await imported(folder);
      expect(code).toBe(1);
      expect(failed).toEqual([{ name: "a.md", reason: "another article has its slug and locale" }]);
    }
    giveUp();
    expect(await imported(folder)).toMatchObject({ code: 0, counts: { ...none, updated: 1 } });
    expect(texts()).toMatchObject({ wanted: "Text a" });
  });

  it.each(sample([["4"], ["1"]], 0, 1))(
    "is done in the same import where a file passes it on, by %s lanes",
    async (lanes) => {
      const folder = uses.program.folder();
      write(folder, { a: "s1", b: "s2", c: "s3", d: "s4", e: "s5" });
      await imported(folder);
      write(folder, { a: "s2", b: "s3", c: "s4", d: "s5", e: "s6" });
      const up = await imported(folder, "--concurrency", lanes);
      expect(up).toMatchObject({ code: 0, counts: { ...none, updated: 5 }, failed: [] });
      expect(texts()).toEqual({ s2: "Text a", s3: "Text b", s4: "Text c", s5: "Text d", s6: "Text e" });
      write(folder, { a: "s1", b: "s2", c: "s3", d: "s4", e: "s5" });
      const down = await imported(folder, "--concurrency", lanes);
      expect(down).toMatchObject({ code: 0, counts: { ...none, updated: 5 }, failed: [] });
      expect(texts()).toEqual({ s1: "Text a", s2: "Text b", s3: "Text c", s4: "Text d", s5: "Text e" });
    },
  );

  it("is done in the same import whatever the order of the files that pass it on", async () => {
    const folder = uses.program.folder();
    write(folder, { a: "s3", b: "s1", c: "s5", d: "s2", e: "s4", f: "s6" });
    await imported(folder);
    write(folder, { a: "s4", b: "s2", c: "s6", d: "s3", e: "s5", f: "s7" });
    const moved = await imported(folder, "--concurrency", "1");
    expect(moved).toMatchObject({ code: 0, counts: { ...none, updated: 6 }, failed: [] });
    expect(texts()).toEqual({ s2: "Text b", s3: "Text d", s4: "Text a", s5: "Text e", s6: "Text c", s7: "Text f" });
  });

  it("is reported of two files that change theirs for each other's, once each", async () => {
    const folder = uses.program.folder();
    write(folder, { a: "s1", b: "s2", c: "s3" });
    await imported(folder);
    write(folder, { a: "s2", b: "s1", c: "s4" });
    const { code, counts, failed } = await imported(folder);
    expect({ code, counts }).toEqual({ code: 1, counts: { ...none, updated: 1 } });
    expect(failed.map(({ name }) => name).toSorted()).toEqual(["a.md", "b.md"]);
    expect(texts()).toEqual({ s1: "Text a", s2: "Text b", s4: "Text c" });
  });

  it("--update-existing says that it is taken, and not that something changed", async () => {
    const folder = uses.program.folder();
    write(folder, { a: "s1" });
    await imported(folder);
    await imported(uses.program.folder({ "b.md": file("s2", "Theirs") }));
    uses.server.edit("article-1", { content: "By hand." });
    write(folder, { a: "s2" });
    const { failed } = await imported(folder, "--update-existing");
    expect(failed).toEqual([{ name: "a.md", reason: "another article has its slug and locale" }]);
    uses.server.articles.delete("article-2");
    expect(await imported(folder, "--update-existing")).toMatchObject({ code: 0, counts: { updated: 1 } });
    expect(texts()).toEqual({ s2: "Text a" });
  });
});

describe("a dry run", () => {
  it("says what would become of a changed file whose article was deleted, edited or left alone", async () => {
    const folder = uses.program.folder();
    write(folder, { a: "s1", b: "s2", c: "s3" });
    await imported(folder);
    uses.server.articles.delete("article-1");
    uses.server.edit("article-2", { content: "By hand." });
    for (const name of ["a", "b", "c"]) writeFileSync(path.join(folder, `${name}.md`), file(`t-${name}`, "Changed"));
    const refused = [{ name: "b.md", reason: expect.stringContaining("changed on the service since") }];
    const expected = { code: 1, counts: { ...none, created: 1, updated: 1 }, failed: refused };
    const writes = uses.server.told.writes;
    expect(await imported(folder, "--dry-run")).toMatchObject(expected);
    expect(uses.server.told.writes).toBe(writes);
    expect(await imported(folder)).toMatchObject(expected);
  });

  it("with failures does not say that anything is done", async () => {
    const folder = uses.program.folder({ "bad.md": "---\ntitle: [\n---\n", "good.md": file("good", "Good") });
    const { code, stderr } = await run(folder, ["--dry-run"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Nothing was sent.");
    expect(stderr).not.toContain("is done");
  });

  it("wants no folder that it may write, where an import says which one it wants", async () => {
    const folder = uses.program.folder({ "good.md": file("good", "Good"), blocked: "a file, not a folder" });
    const blocked = path.join(folder, "blocked");
    const unmade = path.join(uses.program.home, "unmade");
    for (const state of [blocked, unmade]) expect((await run(folder, ["--dry-run"], state)).code).toBe(0);
    expect(existsSync(unmade)).toBe(false);
    const { code, stderr } = await run(folder, ["--json"], blocked);
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "file_error", hint: expect.stringContaining("XDG_STATE_HOME") },
    });
    expect(uses.server.told.writes).toBe(0);
    renameSync(blocked, `${blocked}.txt`);
    expect((await run(folder, [], blocked)).code).toBe(0);
  });
});
