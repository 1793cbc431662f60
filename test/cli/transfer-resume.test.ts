/** Imports that are broken off in every way, and go on: nothing twice, nothing missing. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { WAIT } from "../e2e/local-run.ts";
import type { Command } from "./inside.ts";
import { cutPauses } from "./pauses.ts";
import { newProgram } from "./transfer-program.ts";
import { startServer } from "./transfer-server.ts";

let program: ReturnType<typeof newProgram>;
let server: Awaited<ReturnType<typeof startServer>>;
const BLOG = "019a9d3c-1b2c-7d3e-8f4a-5b6c7d8e9f0a";

beforeAll(async () => {
  program = newProgram();
});
afterAll(() => program.cleanUp());
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.stop());

const settings = () => ({ EDGEPRESS_URL: server.url, EDGEPRESS_API_KEY: "epk_test" });
const args = (folder: string, ...more: string[]) => ["import", folder, "--blog", BLOG, "--rate", "1000000", ...more];
const importing = (folder: string, ...more: string[]) => program.launch(args(folder, ...more), settings());

type Result = Record<"created" | "updated" | "unchanged" | "present" | "total", number> & {
  failed: { name: string; reason: string }[];
};
async function imported(folder: string, ...more: string[]) {
  const { code, stdout, stderr } = await program.run(args(folder, "--json", ...more), settings());
  const { created, updated, unchanged, present, failed } = JSON.parse(stdout || "{}") as Result;
  return { code, counts: { created, updated, unchanged, present }, failed, stderr };
}
const none = { created: 0, updated: 0, unchanged: 0, present: 0 };

const file = (number: number, text = "Text.") => `---\ntitle: Number ${number}\npublished: true\n---\n\n${text}\n`;
const files = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index % 50}/post-${index}.md`, file(index)]));
const slugs = () => [...server.articles.values()].map(({ slug }) => slug);

describe("an import of 120 files", () => {
  it("that is killed again and again ends with 120 articles, and a second one sends nothing", async () => {
    const folder = program.folder(files(120));
    server.behaviour.lose = 31;
    let kills = 0;
    for (let reached = 0; kills < 2; kills++) {
      const run = importing(folder);
      // Somewhere in the middle of what is left to write, with enough for the kills that follow.
      const enough = reached + 25;
      await run.reached(() => expect(server.articles.size).toBeGreaterThanOrEqual(enough));
      run.kill("SIGKILL");
      expect((await run.ended).code).toBeNull();
      reached = server.articles.size;
    }
    const { code, counts } = await imported(folder);
    expect(code).toBe(0);
    expect(counts.created + counts.unchanged + counts.present).toBe(120);
    expect(server.articles.size).toBe(120);
    expect(new Set(slugs()).size).toBe(120);
    expect(server.told.writes).toBe(120);

    const before = server.told.requests;
    expect(await imported(folder)).toMatchObject({ code: 0, counts: { ...none, unchanged: 120 } });
    expect(server.told.requests - before).toBeLessThan(5);
  });
});

describe("an import", () => {
  it("whose journal was cut off in a line, or is gone, takes what is there for done", async () => {
    const folder = program.folder(files(20));
    await imported(folder);
    const [journal] = journals();
    writeFileSync(journal, readFileSync(journal, "utf8").slice(0, -30));
    // The line before says what was about to be written, and the service that it was.
    expect(await imported(folder)).toMatchObject({ counts: { ...none, unchanged: 20 } });
    rmSync(journal);
    server.forgetAnswers();
    expect(await imported(folder)).toMatchObject({ code: 0, counts: { ...none, present: 20 } });
    expect(server.told.writes).toBe(20);
  });

  it("asks for the same article with the same Idempotency-Key, also without its journal", async () => {
    const folder = program.folder(files(5));
    await imported(folder);
    for (const journal of journals()) rmSync(journal);
    expect(await imported(folder)).toMatchObject({ code: 0, counts: { ...none, present: 5 } });
    expect(server.told.keys.size).toBe(5);
  });

  it("updates the article of a file that changed, and no other", async () => {
    const folder = program.folder(files(5));
    await imported(folder);
    writeFileSync(path.join(folder, "3/post-3.md"), file(3, "Changed."));
    expect(await imported(folder)).toMatchObject({ code: 0, counts: { ...none, unchanged: 4, updated: 1 } });
    expect([...server.articles.values()].filter(({ content }) => content === "Changed.\n")).toHaveLength(1);
    expect(server.articles.size).toBe(5);
  });

  it("leaves alone what somebody edited on the service since, until it is told to write over it", async () => {
    const folder = program.folder({ "a.md": file(1) });
    await imported(folder);
    server.edit("article-1", { content: "By hand." });
    writeFileSync(path.join(folder, "a.md"), file(1, "By file."));
    const refused = await imported(folder);
    expect(refused).toMatchObject({ code: 1, failed: [{ name: "a.md" }] });
    expect(refused.failed[0]?.reason).toContain("changed on the service");
    expect(server.articles.get("article-1")).toMatchObject({ content: "By hand." });
    expect(await imported(folder, "--update-existing")).toMatchObject({ code: 0, counts: { ...none, updated: 1 } });
    expect(server.articles.get("article-1")).toMatchObject({ content: "By file.\n" });
  });

  it("reports articles that it did not make, and goes on with the others", async () => {
    const first = program.folder({ "post-1.md": file(1, "Theirs.") });
    await imported(first);
    const second = program.folder({ "post-1.md": file(1, "Mine."), "post-2.md": file(2) });
    const { code, counts, failed } = await imported(second);
    expect({ code, counts }).toEqual({ code: 1, counts: { ...none, created: 1 } });
    expect(failed).toEqual([{ name: "post-1.md", reason: expect.stringContaining("--update-existing") }]);
    expect(await imported(second, "--update-existing")).toMatchObject({
      code: 0,
      counts: { updated: 1, unchanged: 1 },
    });
  });

  it("of a file whose article was deleted makes it again only when the file changes", async () => {
    const folder = program.folder({ "a.md": file(1) });
    await imported(folder);
    server.articles.clear();
    expect(await imported(folder)).toMatchObject({ counts: { ...none, unchanged: 1 } });
    expect(server.articles.size).toBe(0);
    writeFileSync(path.join(folder, "a.md"), file(1, "Again."));
    expect(await imported(folder)).toMatchObject({ code: 0, counts: { ...none, created: 1 } });
    expect(server.articles.size).toBe(1);
  });

  it("is not misled by an answer of before to an article that is gone", async () => {
    const folder = program.folder({ "a.md": file(1) });
    await imported(folder);
    for (const journal of journals()) rmSync(journal);
    server.articles.clear();
    expect(await imported(folder)).toMatchObject({ code: 0, counts: { ...none, created: 1 } });
    expect(server.articles.size).toBe(1);
  });

  it("that meets Ctrl-C finishes what is under way, says how to go on, and goes on", async () => {
    const folder = program.folder(files(120));
    server.behaviour.delay = 20;
    const begun = Promise.withResolvers<Command>();
    const ended = program.run(args(folder), settings(), undefined, begun.resolve);
    const command = await begun.promise;
    await vi.waitFor(() => expect(server.articles.size).toBeGreaterThanOrEqual(40), { ...WAIT, interval: 5 });
    command.kill("SIGINT");
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain("Run the same command again to continue");
    const [, created] = /(\d+) created/.exec(stdout) ?? [];
    expect(Number(created)).toBe(server.articles.size);
    expect(server.articles.size).toBeLessThan(120);
    server.behaviour.delay = 0;
    const done = server.articles.size;
    expect(await imported(folder)).toMatchObject({
      code: 0,
      counts: { ...none, created: 120 - done, unchanged: done },
    });
  });

  it("waits as long as the service says where it has asked too often", async () => {
    const folder = program.folder(files(4));
    let refusals = 0;
    server.behaviour.refuse = () =>
      refusals++ % 2 === 1 ? { status: 429, value: { status: 429, code: "rate_limited" }, retryAfter: 1 } : null;
    const pauses = cutPauses();
    expect(await imported(folder)).toMatchObject({ code: 0, counts: { ...none, created: 4 } });
    expect(pauses.filter((pause) => pause >= 1000).length).toBeGreaterThan(0);
    expect(server.articles.size).toBe(4);
  });

  it("that the service refuses as a whole stops, and says what it is", async () => {
    const folder = program.folder(files(50));
    server.behaviour.refuse = () =>
      server.articles.size < 10
        ? null
        : { status: 401, value: { status: 401, code: "credentials_invalid", detail: "Revoked." } };
    const { code, stderr } = await imported(folder);
    expect(code).toBe(4);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "credentials_invalid", hint: expect.stringContaining("Run the same command again to continue") },
    });
    expect(server.articles.size).toBe(10);
    server.behaviour.refuse = null;
    expect(await imported(folder)).toMatchObject({ code: 0, counts: { unchanged: 10, created: 40 } });
  });

  it("in which two have the same slug gives it to the first, however often it is repeated", async () => {
    const folder = program.folder({ "a/x.md": file(1), "b/x.md": file(2), "c/y.md": file(3) });
    for (const counts of [{ created: 2 }, { unchanged: 2 }, { unchanged: 2 }]) {
      const outcome = await imported(folder);
      expect(outcome).toMatchObject({ code: 1, counts: { ...none, ...counts } });
      expect(outcome.failed).toEqual([{ name: "b/x.md", reason: expect.stringContaining("as a/x.md") }]);
    }
  });

  it("--dry-run sends nothing, and says the same", async () => {
    const folder = program.folder({ ...files(5), "bad.md": "---\ntitle: [\n---\n" });
    expect(await imported(folder, "--dry-run")).toMatchObject({ code: 1, counts: { ...none, created: 5 } });
    expect(server.told.writes).toBe(0);
  });
});

/** The newest first. */
function journals(): [string, ...string[]] {
  const folder = path.join(program.home, ".local/state/edgepress/imports");
  const newest = (name: string) => statSync(path.join(folder, name)).mtimeMs;
  const [first = "", ...others] = readdirSync(folder).sort((a, b) => newest(b) - newest(a));
  return [path.join(folder, first), ...others.map((name) => path.join(folder, name))];
}
