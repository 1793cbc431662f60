/** Export and import against `npm start`: what comes out goes in again, and is the same. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { sharedRun } from "../e2e/shared.ts";
import { bytesIn, newProgram } from "./transfer-program.ts";

let program: ReturnType<typeof newProgram>;
const { local } = await sharedRun();

beforeAll(() => {
  program = newProgram();
  mkdirSync(path.join(program.home, "empty"));
  mkdirSync(path.join(program.home, "full"));
  writeFileSync(path.join(program.home, "full", "a.md"), "# A\n");
});
afterAll(() => program.cleanUp());

const run = async (...args: string[]) =>
  program.run(args, { EDGEPRESS_URL: local.baseUrl, EDGEPRESS_API_KEY: local.apiKey });

async function succeed(...args: string[]) {
  const outcome = await run(...args);
  expect(outcome).toMatchObject({ code: 0 });
  return outcome;
}

async function call(route: string, body: object, method: "POST" | "PUT" = "POST"): Promise<Record<string, unknown>> {
  const response = await fetch(`${local.baseUrl}${route}`, {
    method,
    headers: { Authorization: `Basic ${btoa(`${local.apiKey}:`)}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const value = z.record(z.string(), z.unknown()).parse(await response.json());
  expect({ status: response.status, value }).toMatchObject({ status: 200 });
  return value;
}

const newBlog = async (name: string) => String((await call("/api/blogs", { name }))["_id"]);

describe("a blog that is exported, and imported into an empty one", () => {
  it("is identical when that one is exported: the demo blog", async () => {
    const [first, second] = [program.folder(), program.folder()];
    await succeed("export", first, "--blog", local.blogId);
    expect(readdirSync(first)).toEqual(expect.arrayContaining(["blog.yaml", "arriving-by-ferry.ja.md"]));
    const copy = await newBlog("Copy");
    await succeed("import", first, "--blog", copy);
    await succeed("export", second, "--blog", copy);
    expect(bytesIn(second)).toEqual(bytesIn(first));
  });

  it("is identical, and has its settings, if it has no articles", async () => {
    const [first, second] = [program.folder(), program.folder()];
    const styleGuide = { text: "Plain: no *hype*.\n\n- we, not I", avoid: [{ term: "no", use: "" }] };
    const blogId = String((await call("/api/blogs", { name: "Bare", locales: ["ja", "en"], styleGuide }))["_id"]);
    await succeed("export", first, "--blog", blogId);
    const copy = await newBlog("Other");
    const dry = await succeed("import", first, "--blog", copy, "--dry-run");
    expect(dry.stderr).toContain("would get the settings");
    await succeed("import", first, "--blog", copy);
    await succeed("export", second, "--blog", copy);
    expect(bytesIn(second)).toEqual(bytesIn(first));
    expect(bytesIn(second)["blog.yaml"]).toMatch(/Bare[^]*no \*hype\*[^]*term: "no"/);
  });

  it("is identical whatever its articles hold", async () => {
    const blogId = await newBlog("Trouble");
    const trouble = [
      { title: "", content: "", slug: "nothing" },
      {
        title: " --- ",
        description: "a\n---\nb\r\n\ttab \u0001\u001b[31m",
        content: "---\ntitle: no\n---\r\ntext",
        slug: "con",
      },
      { title: "\ufeff\u202e'\"#: |", content: "\ufeff# BOM  \r\n\n\n", slug: "字".repeat(200), locale: "ja" },
      {
        title: "null",
        description: "~",
        content: "\n\n  \n",
        slug: "missen",
        coverUrl: "https://example.com/a?b#c",
        published: true,
      },
      { title: "Long s", content: "🌊 e\u0301", slug: "miſſen", locale: "zh-Hant-TW", published: true },
      {
        title: "x".repeat(300),
        description: "y".repeat(2000),
        content: `${"z".repeat(1024 * 1024 - 1)}\n`,
        slug: "long",
      },
    ];
    for (const each of trouble) await call("/api/articles", { blogId, ...each });
    await call(`/api/blogs/${blogId}`, { coverUrl: "https://example.com/cover.png", topicRefresh: "daily" }, "PUT");
    const [first, second] = [program.folder(), program.folder()];
    await succeed("export", first, "--blog", blogId);
    expect(readdirSync(first)).toHaveLength(trouble.length + 1);
    const copy = await newBlog("Trouble's copy");
    await succeed("import", first, "--blog", copy);
    await succeed("export", second, "--blog", copy);
    expect(bytesIn(second)).toEqual(bytesIn(first));
  });
});

describe("an import", () => {
  it("gives settings to an empty blog only, or where it is asked to", async () => {
    const folder = program.folder({ "blog.yaml": 'name: "Named by file"\n', "a.md": "# A\n" });
    const blogId = await newBlog("Mine");
    await call("/api/articles", { blogId, title: "There already" });
    const name = async () =>
      z.object({ name: z.string() }).parse(await (await fetch(`${local.baseUrl}/blogs/${blogId}`)).json()).name;
    await succeed("import", folder, "--blog", blogId);
    expect(await name()).toBe("Mine");
    await succeed("import", folder, "--blog", blogId, "--settings");
    expect(await name()).toBe("Named by file");
  });

  it.each([["not a tag!"], ["[a, b]"]])(
    "ends with 1 where settings that were asked for cannot be applied: %s",
    async (tag) => {
      const folder = program.folder({ "blog.yaml": `locales: ["en", ${JSON.stringify(tag)}]\n`, "a.md": "# A\n" });
      const blogId = await newBlog("Stays");
      const asked = await run("import", folder, "--blog", blogId, "--settings", "--json");
      expect(asked.code).toBe(1);
      const settings = { applied: false, problem: expect.stringContaining("locales") };
      expect(JSON.parse(asked.stdout)).toMatchObject({ created: 1, failed: [], settings });
      expect(JSON.parse(asked.stderr)).toMatchObject({ error: { code: "import_incomplete" } });
      const silent = await succeed("import", folder, "--blog", await newBlog("Stays, too"), "--json");
      expect(JSON.parse(silent.stdout)).toMatchObject({ created: 1, settings });
    },
  );

  it("gives a blog its other settings where a topic source is gone", async () => {
    const sources = 'topicSources: [{ kind: "feed", name: "Gone", url: "http://127.0.0.1:1/feed.xml" }]\n';
    const folder = program.folder({ "blog.yaml": `locales: ["de"]\n${sources}`, "a.md": "# A\n" });
    const blogId = await newBlog("Moved");
    const { stdout } = await succeed("import", folder, "--blog", blogId, "--json");
    const settings = { applied: true, problem: expect.stringContaining("topicSources") };
    expect(JSON.parse(stdout)).toMatchObject({ created: 1, settings });
    const blog: unknown = await (await fetch(`${local.baseUrl}/blogs/${blogId}`)).json();
    expect(blog).toMatchObject({ locales: ["de"] });
    const again = await run("import", folder, "--blog", blogId, "--settings");
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("topic sources stay as they were") });
  });

  it("schedules what would be published later, and finds it as it is the next time", async () => {
    const time = new Date(Date.now() + 86_400_000).toISOString();
    const folder = program.folder({ "later.md": `---\ntitle: Later\ndate: ${time}\n---\n` });
    const blogId = await newBlog("Later");
    for (const outcome of [{ created: 1 }, { created: 0, unchanged: 1 }]) {
      const { stdout } = await succeed("import", folder, "--blog", blogId, "--publish", "--json");
      expect(JSON.parse(stdout)).toMatchObject(outcome);
      const found = JSON.parse((await succeed("schedules", "--blog", blogId, "--json")).stdout) as unknown;
      expect(found).toMatchObject([{ slug: "later", published: false, publishTime: time, unpublishTime: null }]);
    }
  });

  it("of a single file has no settings to speak of", async () => {
    const folder = program.folder({ "blog.yaml": "name: No\n", "a.md": "# A\n" });
    const blogId = await newBlog("Single");
    const { stdout, stderr } = await succeed("import", path.join(folder, "a.md"), "--blog", blogId);
    expect(stdout).toContain("1 created");
    expect(stderr).not.toContain("blog.yaml");
  });

  it("names the files that the service would refuse, imports the others, and ends with 1", async () => {
    const folder = program.folder({
      "good.md": "# Good\n",
      "long.md": `---\ntitle: ${"x".repeat(301)}\n---\n`,
      "\u001b]0;owned\u0007.md": "---\ntitle: [\n---\n",
    });
    const { code, stdout, stderr } = await run("import", folder, "--blog", await newBlog("Mixed"));
    expect(code).toBe(1);
    expect(stdout).toContain("1 created, 0 updated, 0 unchanged, 2 failed");
    expect(stderr).toContain("long.md: title: must be at most 300 characters");
    for (const obeyed of ["\u001b", "\u0007"]) expect(stdout + stderr).not.toContain(obeyed);
  });

  it.each([
    ["a path that is not there", ["import", "missing"]],
    ["a folder without articles", ["import", "empty"]],
    ["drafts and published at once", ["import", "full", "--publish", "--drafts"]],
    ["no number of requests", ["import", "full", "--concurrency", "0"]],
    ["a locale that is none", ["import", "full", "--locale", "not a tag"]],
  ])("of %s is refused as usage, and sends nothing", async (_, args) => {
    const outcome = await run(...args, "--blog", local.blogId);
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
  });

  it("tells a key that may not write what it lacks, and ends with 4", async () => {
    const folder = program.folder({ "a.md": "# A\n" });
    const settings = { EDGEPRESS_URL: local.baseUrl, EDGEPRESS_API_KEY: local.readOnlyKey };
    const { code, stderr } = await program.run(["import", folder, "--blog", local.blogId, "--json"], settings);
    expect(code).toBe(4);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "scope_missing" } });
  });
});

describe("an export", () => {
  it("writes nothing over what is different, unless by force, and says what it kept", async () => {
    const folder = program.folder();
    await succeed("export", folder, "--blog", local.blogId);
    const before = bytesIn(folder);
    const again = await succeed("export", folder, "--blog", local.blogId, "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ written: 0, kept: [] });
    const file = path.join(folder, "arriving-by-ferry.en.md");
    writeFileSync(file, "mine");
    const kept = await run("export", folder, "--blog", local.blogId);
    expect(kept).toMatchObject({ code: 1, stderr: expect.stringContaining("arriving-by-ferry.en.md") });
    expect(readFileSync(file, "utf8")).toBe("mine");
    writeFileSync(path.join(folder, "of-mine.md"), "mine");
    const forced = await succeed("export", folder, "--blog", local.blogId, "--force");
    expect(forced.stderr).toContain("In the folder, 1 Markdown file belongs to no article of the blog.");
    rmSync(path.join(folder, "of-mine.md"));
    expect(bytesIn(folder)).toEqual(before);
  });

  it("replaces a link in the folder, and leaves alone where it leads", async () => {
    const outside = program.folder({ "target.md": "outside" });
    const folder = program.folder();
    symlinkSync(path.join(outside, "target.md"), path.join(folder, "arriving-by-ferry.en.md"));
    expect((await run("export", folder, "--blog", local.blogId)).code).toBe(1);
    await succeed("export", folder, "--blog", local.blogId, "--force");
    expect(readFileSync(path.join(outside, "target.md"), "utf8")).toBe("outside");
    expect(readFileSync(path.join(folder, "arriving-by-ferry.en.md"), "utf8")).toContain("Arriving by ferry");
    expect(readdirSync(folder).filter((name) => !/\.(?:md|yaml)$/.test(name))).toEqual([]);
  });

  it("with --full adds what an import cannot set, and an import of it is the same", async () => {
    const folder = program.folder();
    await succeed("export", folder, "--blog", local.blogId, "--full");
    expect(readFileSync(path.join(folder, "blog.yaml"), "utf8")).toContain('vanityId: "field-notes"');
    expect(readFileSync(path.join(folder, "arriving-by-ferry.en.md"), "utf8")).toMatch(/creationTime: "\d{4}-/);
    const outcome = await succeed("import", folder, "--blog", local.blogId, "--dry-run", "--json");
    expect(JSON.parse(outcome.stdout)).toMatchObject({ created: 0, updated: 0, failed: [] });
  });

  it("into a place that is no folder is an error, and nothing is written", async () => {
    const folder = program.folder({ file: "x" });
    expect((await run("export", path.join(folder, "file"), "--blog", local.blogId)).code).toBe(1);
    mkdirSync(path.join(folder, "blog.yaml"));
    expect((await run("export", folder, "--blog", local.blogId, "--force")).code).toBe(1);
  });
});
