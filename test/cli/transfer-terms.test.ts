/** Tags and authors of exports and imports, against the service as `npm start` runs it. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { resultIn } from "./program.ts";
import { useService } from "./service.ts";
import { bytesIn } from "./transfer-program.ts";

const { program, edgepress, json, newBlog } = await useService();

type Counts = { created: number; updated: number; unchanged: number; different: string[] };

/** Imports a folder, and returns what became of the tags and authors, and what a person reads of it. */
async function imported(folder: string, blog: string, ...more: string[]) {
  const outcome = await edgepress(["import", folder, "--blog", blog, "--json", ...more]);
  return { ...outcome, terms: (resultIn(outcome) as { terms: Counts }).terms };
}

/** A blog whose tag and author say more than the files of its articles, exported to a folder. */
async function exported() {
  const blog = await newBlog();
  await json(["tags", "create", "By the sea", "--slug", "sea", "--in", "de=Am Meer", "--blog", blog]);
  await json(["tags", "create", "Unused", "--blog", blog]);
  const author = ["--slug", "ada", "--bio", "Writes.\nReads.", "--picture", "https://example.com/ada.jpg"];
  await json(["authors", "create", "Ada Lovelace", ...author, "--blog", blog]);
  const written = ["--tags", "sea,Boats", "--authors", "ada", "--locale", "en", "--published"];
  await json(["articles", "create", "--title", "Ferries", "--blog", blog, ...written]);
  const folder = program.folder();
  await json(["export", folder, "--blog", blog]);
  return folder;
}

const list = (kind: "tags" | "authors", blog: string) => json<object[]>([kind, "list", "--blog", blog]);

describe("tags and authors", () => {
  it("come back from an export with their slugs, names, bios and pictures", async () => {
    const folder = await exported();
    const copy = await newBlog();
    const dry = await imported(folder, copy, "--dry-run");
    expect(dry.terms).toMatchObject({ created: 4, updated: 0, unchanged: 0 });
    expect(await list("tags", copy)).toEqual([]);
    expect((await imported(folder, copy)).terms).toEqual(dry.terms);
    expect(await list("tags", copy)).toMatchObject([
      { slug: "boats", name: "Boats", names: {}, articles: 1 },
      { slug: "sea", name: "By the sea", names: { de: "Am Meer" }, articles: 1 },
      { slug: "unused", name: "Unused", articles: 0 },
    ]);
    const ada = {
      slug: "ada",
      name: "Ada Lovelace",
      bio: "Writes.\nReads.",
      pictureUrl: "https://example.com/ada.jpg",
    };
    expect(await list("authors", copy)).toMatchObject([{ ...ada, articles: 1 }]);
    const second = program.folder();
    await json(["export", second, "--blog", copy]);
    expect(bytesIn(second)).toEqual(bytesIn(folder));
    expect((await imported(folder, copy)).terms).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
  });

  it("that differ on the service stay as they are, unless they are to be overwritten", async () => {
    const folder = await exported();
    const copy = await newBlog();
    await imported(folder, copy);
    const file = path.join(folder, "blog.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("By the sea", "At the sea"));
    const kept = await edgepress(["import", folder, "--blog", copy]);
    expect(kept.stderr).toContain("Tags and authors in blog.yaml: 0 created, 0 updated, 3 unchanged.");
    expect(kept.stderr).toContain("stay as they are (--settings overwrites them): tag sea");
    expect((await imported(folder, copy, "--no-settings")).terms).toBeNull();
    expect((await imported(folder, copy, "--update-existing", "--dry-run")).terms).toMatchObject({ updated: 1 });
    expect((await imported(folder, copy, "--settings")).terms).toMatchObject({ updated: 1, unchanged: 3 });
    const names = (await list("tags", copy)) as { name: string }[];
    expect(names.map(({ name }) => name)).toEqual(["Boats", "At the sea", "Unused"]);
    expect((await imported(folder, copy, "--settings")).terms).toMatchObject({ updated: 0, unchanged: 4 });
  });

  it("that the service refuses are named, do not stop the articles, and end the import with 1", async () => {
    const yaml = 'tags:\n  - { slug: "No slug", name: "Bad" }\n  - { slug: "good", name: "Good" }\n';
    const folder = program.folder();
    writeFileSync(path.join(folder, "blog.yaml"), yaml);
    writeFileSync(path.join(folder, "a.md"), "# A\n");
    const copy = await newBlog();
    const outcome = await imported(folder, copy);
    expect(outcome).toMatchObject({ code: 1, terms: { created: 1, failed: [{ name: "tag No slug" }] } });
    expect(resultIn(outcome)).toMatchObject({ created: 1, settings: null });
    expect(outcome.stderr).toContain("import_incomplete");
  });
});

it.each([
  ["no YAML", "tags: [\n", "it is not YAML"],
  ["no names", "- a\n", "it is not a mapping"],
  ["something else than its lists have", "tags: no list\n", "tags: "],
  ["bytes that are no text", Buffer.from("name: caf\xe9\n", "latin1"), "is not UTF-8"],
])(
  "a blog.yaml with %s ends an import with 1, also where its settings would not be applied",
  async (_, yaml, reason) => {
    const folder = program.folder();
    writeFileSync(path.join(folder, "a.md"), "# A\n");
    const blog = await newBlog();
    await imported(folder, blog);
    writeFileSync(path.join(folder, "blog.yaml"), yaml);
    for (const more of [["--dry-run"], []]) {
      const outcome = await imported(folder, blog, ...more);
      const settings = { applied: false, problem: expect.stringContaining(reason) };
      expect({ code: outcome.code, result: resultIn(outcome) }).toMatchObject({
        code: 1,
        result: { unchanged: 1, failed: [], settings, terms: null },
      });
      expect(outcome.stderr).toContain("import_incomplete");
    }
    expect((await imported(folder, blog, "--no-settings")).code).toBe(0);
  },
);
