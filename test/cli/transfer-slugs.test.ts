/** Imports in which slugs are taken, given up and passed on; and dry runs, which tell the same and change nothing. */
import { existsSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newProgram } from "./transfer-program.ts";
import { startServer } from "./transfer-server.ts";

let program: Awaited<ReturnType<typeof newProgram>>;
let server: Awaited<ReturnType<typeof startServer>>;
const BLOG = "019a9d3c-1b2c-7d3e-8f4a-5b6c7d8e9f0a";

beforeAll(async () => {
  program = await newProgram();
});
afterAll(() => program.cleanUp());
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

const launch = (folder: string, more: readonly string[] = [], state = path.join(program.home, "state")) =>
  program.launch(["import", folder, "--blog", BLOG, "--rate", "1000000", ...more], {
    EDGEPRESS_URL: server.url,
    EDGEPRESS_API_KEY: "epk_test",
    XDG_STATE_HOME: state,
  });

type Result = Record<"created" | "updated" | "unchanged" | "present", number> & {
  failed: { name: string; reason: string }[];
};
async function imported(folder: string, ...more: string[]) {
  const { code, stdout, stderr } = await launch(folder, ["--json", ...more]).ended;
  const { created, updated, unchanged, present, failed } = JSON.parse(stdout) as Result;
  return { code, counts: { created, updated, unchanged, present }, failed, stderr };
}
const none = { created: 0, updated: 0, unchanged: 0, present: 0 };

const file = (slug: string, text: string) => `---\ntitle: "${text}"\nslug: ${slug}\n---\n\n${text}\n`;
/** Writes a file of each name, whose article has that slug, and a text by which it is known whatever its slug. */
const write = (folder: string, slugs: Readonly<Record<string, string>>) =>
  Object.entries(slugs).forEach(([name, slug]) =>
    writeFileSync(path.join(folder, `${name}.md`), file(slug, `Text ${name}`)),
  );
const texts = () =>
  Object.fromEntries([...server.articles.values()].map(({ slug, content }) => [slug, String(content).trim()]));

describe("an update to a slug that is taken", () => {
  it.each([
    ["that has it was deleted", () => void server.articles.delete("article-2")],
    ["that has it got another", () => server.edit("article-2", { slug: "elsewhere" })],
  ])("is done by the next import once the article %s", async (_, giveUp) => {
    const folder = program.folder();
    write(folder, { a: "ours" });
    await imported(folder);
    const theirs = program.folder({ "b.md": file("wanted", "Theirs") });
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

  it.each([["1"], ["4"]])("is done in the same import where a file passes it on, by %s lanes", async (lanes) => {
    const folder = program.folder();
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
  });

  it("is reported of two files that change theirs for each other's, once each", async () => {
    const folder = program.folder();
    write(folder, { a: "s1", b: "s2", c: "s3" });
    await imported(folder);
    write(folder, { a: "s2", b: "s1", c: "s4" });
    const { code, counts, failed } = await imported(folder);
    expect({ code, counts }).toEqual({ code: 1, counts: { ...none, updated: 1 } });
    expect(failed.map(({ name }) => name).toSorted()).toEqual(["a.md", "b.md"]);
    expect(texts()).toEqual({ s1: "Text a", s2: "Text b", s4: "Text c" });
  });

  it("--update-existing says that it is taken, and not that something changed", async () => {
    const folder = program.folder();
    write(folder, { a: "s1" });
    await imported(folder);
    await imported(program.folder({ "b.md": file("s2", "Theirs") }));
    server.edit("article-1", { content: "By hand." });
    write(folder, { a: "s2" });
    const { failed } = await imported(folder, "--update-existing");
    expect(failed).toEqual([{ name: "a.md", reason: "another article has its slug and locale" }]);
    server.articles.delete("article-2");
    expect(await imported(folder, "--update-existing")).toMatchObject({ code: 0, counts: { updated: 1 } });
    expect(texts()).toEqual({ s2: "Text a" });
  });
});

describe("a dry run", () => {
  it("says what would become of a changed file whose article was deleted, edited or left alone", async () => {
    const folder = program.folder();
    write(folder, { a: "s1", b: "s2", c: "s3" });
    await imported(folder);
    server.articles.delete("article-1");
    server.edit("article-2", { content: "By hand." });
    for (const name of ["a", "b", "c"]) writeFileSync(path.join(folder, `${name}.md`), file(`t-${name}`, "Changed"));
    const refused = [{ name: "b.md", reason: expect.stringContaining("changed on the service since") }];
    const expected = { code: 1, counts: { ...none, created: 1, updated: 1 }, failed: refused };
    const writes = server.told.writes;
    expect(await imported(folder, "--dry-run")).toMatchObject(expected);
    expect(server.told.writes).toBe(writes);
    expect(await imported(folder)).toMatchObject(expected);
  });

  it("with failures does not say that anything is done", async () => {
    const folder = program.folder({ "bad.md": "---\ntitle: [\n---\n", "good.md": file("good", "Good") });
    const { code, stderr } = await launch(folder, ["--dry-run"]).ended;
    expect(code).toBe(1);
    expect(stderr).toContain("Nothing was sent.");
    expect(stderr).not.toContain("is done");
  });

  it("wants no folder that it may write, where an import says which one it wants", async () => {
    const folder = program.folder({ "good.md": file("good", "Good"), blocked: "a file, not a folder" });
    const blocked = path.join(folder, "blocked");
    const unmade = path.join(program.home, "unmade");
    for (const state of [blocked, unmade]) expect((await launch(folder, ["--dry-run"], state).ended).code).toBe(0);
    expect(existsSync(unmade)).toBe(false);
    const { code, stderr } = await launch(folder, ["--json"], blocked).ended;
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "file_error", hint: expect.stringContaining("XDG_STATE_HOME") },
    });
    expect(server.told.writes).toBe(0);
    renameSync(blocked, `${blocked}.txt`);
    expect((await launch(folder, [], blocked).ended).code).toBe(0);
  });
});

describe("the estimate of an import", () => {
  it("counts the pause that the service asks for", async () => {
    const folder = program.folder();
    write(folder, { a: "s1", b: "s2", c: "s3" });
    server.behaviour.refuse = () =>
      server.articles.size < 2
        ? (null as never)
        : { status: 429, value: { status: 429, code: "rate_limited" }, retryAfter: 110 };
    const run = launch(folder, ["--concurrency", "1"]);
    // By the rate so far, a second or two would be left.
    await run.reached(() => expect(run.said().stderr).toMatch(/2\/3 .*about 1m \d\ds left/));
    run.kill("SIGINT");
    expect((await run.ended).code).toBe(130);
  });
});
