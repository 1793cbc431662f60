/** The commands, against the service as `npm start` runs it. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { errorIn, NODES, type Outcome } from "./program.ts";
import { useService, type Article } from "./service.ts";

const { program, local, env, edgepress, json, refused, newBlog } = await useService({ demo: true });

it.each(NODES)(
  "the program on %s lists blogs as a table, in lines of which none means anything to a terminal",
  async (node) => {
    const { code, stdout, stderr } = await program.run(["blogs", "list"], { node, env: env() });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ID +VANITY ID +NAME +LOCALES +EDITED\n[\da-f-]{36} +field-notes +Field Notes +en, de, ja/);
  },
);

it("lists articles as a table, and shows its version and help", async () => {
  const { stdout } = await edgepress(["articles", "list", "--blog", "field-notes"]);
  expect(stdout).toMatch(/^ID +SLUG +LOCALE +STATUS +EDITED +PUBLISHED +TITLE\n/);
  expect(stdout).toContain("小さなストーブで淹れるコーヒー");
  expect((await edgepress(["--version"])).stdout).toBe(`${packageJson.version}\n`);
  const help = await edgepress(["--help"]);
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining("Usage: edgepress ")]);
});

it.each(["articles create", "blogs update", "topics refresh", "webhooks listen", "login", "logout"])(
  "the help of %s has examples",
  async (command) => {
    const { code, stdout } = await edgepress([...command.split(" "), "--help"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/ {2}\$ .*edgepress /)]);
  },
);

describe("articles", () => {
  it("are created as drafts, changed, published, unpublished and deleted", async () => {
    const blog = await newBlog();
    const created = await json(["articles", "create", "--blog", blog, "--title", "First light", "--content", "-"], {
      input: "# Dawn\n",
    });
    expect(created).toMatchObject({ content: "# Dawn\n", slug: "first-light", locale: "en", published: false });
    const updated = await json(["articles", "update", "first-light", "--blog", blog, "--title", "Last light"]);
    expect(updated).toMatchObject({ _id: created._id, title: "Last light", content: "# Dawn\n", published: false });
    const published = await json(["articles", "publish", created._id]);
    expect(published).toMatchObject({ published: true, content: "# Dawn\n" });
    expect(await json(["articles", "publish", created._id])).toEqual(published);
    expect(await json(["articles", "list", "--blog", blog, "--drafts"])).toEqual([]);
    expect(await json(["articles", "unpublish", "first-light", "--blog", blog])).toMatchObject({ published: false });
    expect(await json(["articles", "list", "--blog", blog, "--published"])).toEqual([]);
    expect(await json(["articles", "delete", created._id, "--yes"])).toEqual({ _id: created._id });
    expect(await refused(["articles", "get", created._id])).toMatchObject({ code: "not_found", exit: 5 });
  });

  it("have former states, one of which is restored, and a working copy", async () => {
    const blog = await newBlog();
    const { _id } = await json(["articles", "create", "--blog", blog, "--title", "One", "--published"]);
    await json(["articles", "update", "one", "--blog", blog, "--title", "Two"]);
    const states = await json<{ number: number; title: string }[]>(["articles", "revisions", _id]);
    expect(states).toMatchObject([{ number: 1, title: "One" }]);
    expect(await json(["articles", "history", _id])).toEqual(states);
    expect((await edgepress(["articles", "diff", _id, "1"])).stdout).toBe("title\n-One\n+Two\n");
    expect(await json(["articles", "restore", _id, "1"])).toMatchObject({ title: "One", published: true });
    await json(["articles", "draft", "save", _id, "--title", "Three"]);
    expect(await json(["articles", "draft", "show", _id])).toMatchObject({ title: "Three", changed: ["title"] });
    expect(await json(["articles", "get", _id])).toMatchObject({ workingCopy: { creationTime: expect.any(String) } });
    expect((await edgepress(["articles", "publish", _id])).stderr).toContain("It has unpublished changes");
    expect(await json(["articles", "get", _id])).toMatchObject({ title: "One" });
    await json(["articles", "draft", "discard", _id, "--yes"]);
    await json(["articles", "draft", "save", _id, "--title", "Four"]);
    await json(["articles", "update", _id, "--description", "Beside it"]);
    expect(await refused(["articles", "draft", "publish", _id])).toMatchObject({ code: "article_changed" });
    expect(await json(["articles", "draft", "publish", _id, "--overwrite"])).toMatchObject({ title: "Four" });
  });

  it("have their content from a file, and give it back byte for byte", async () => {
    const blog = await newBlog();
    const content = "\ufeff\tTabs, trailing spaces  \r\nand \u001b[31mmore\u001b[0m, 日本語\n\n";
    const file = path.join(program.folder(), "a post.md");
    writeFileSync(file, content);
    await edgepress(["articles", "create", "--blog", blog, "--title", "Bytes", "--content", file]);
    const { stdout } = await edgepress(["articles", "get", "bytes", "--blog", blog, "--content"]);
    expect(stdout).toBe(content);
    const again = ["articles", "update", "bytes", "--blog", blog, "--content", "-"];
    expect(await json(again, { input: stdout })).toMatchObject({ content });
    const shown = await edgepress(["articles", "get", "bytes", "--blog", blog]);
    expect(shown.stdout).toContain("␛[31mmore");
  });

  it("are listed page after page, as many as are asked for", async () => {
    const blog = await newBlog();
    for (let at = 0; at < 5; at++) await json(["articles", "create", "--blog", blog, "--title", `Number ${at}`]);
    expect(await json(["articles", "list", "--blog", blog, "--limit", "3"])).toHaveLength(3);
    const few = await edgepress(["articles", "list", "--blog", blog, "--limit", "3"]);
    expect(few.stderr).toContain("There are more than 3 articles");
    expect(few.stdout.trim().split("\n")).toHaveLength(4);
    const all = await json<Article[]>(["articles", "list", "--blog", blog, "--all", "--content"]);
    expect(all.map(({ title, content }) => [title, content])).toEqual(
      [4, 3, 2, 1, 0].map((at) => [`Number ${at}`, ""]),
    );
  });

  it("are found by their words", async () => {
    const blog = await newBlog();
    await json(["articles", "create", "--blog", blog, "--title", "The lamplighter of Ghent"]);
    const found = await json<Article[]>(["articles", "search", "lamplighter", "ghent", "--blog", blog]);
    expect(found.map(({ title }) => title)).toEqual(["The lamplighter of Ghent"]);
    await json(["articles", "create", "--blog", blog, "--title", "Another lamplighter"]);
    const first = await edgepress(["articles", "search", "lamplighter", "--blog", blog, "--limit", "1"]);
    expect(first.stderr).toBe("There is more than 1 article: see --limit.\n");
  });

  it("of one slug in several locales are not confused: a write has to say which", async () => {
    const blog = await newBlog();
    await json(["articles", "create", "--blog", blog, "--title", "Twin", "--locale", "en"]);
    await json(["blogs", "update", blog, "--locales", "en,de"]);
    await json(["articles", "create", "--blog", blog, "--title", "Zwilling", "--slug", "twin", "--locale", "de"]);
    const error = await refused(["articles", "delete", "twin", "--blog", blog, "--yes"]);
    expect(error).toMatchObject({ exit: 2, message: expect.stringContaining("several locales") });
    expect(await json(["articles", "list", "--blog", blog])).toHaveLength(2);
    await json(["articles", "delete", "twin", "--blog", blog, "--locale", "de", "--yes"]);
    expect(await json<Article[]>(["articles", "list", "--blog", blog])).toMatchObject([{ locale: "en" }]);
  });

  it("with a slug that is taken are a conflict, and nothing is made", async () => {
    const blog = await newBlog();
    const again = ["articles", "create", "--blog", blog, "--title", "Same", "--slug", "same"];
    await json(again);
    expect(await refused(again)).toMatchObject({ code: "slug_taken", exit: 6 });
    expect(await json(["articles", "list", "--blog", blog])).toHaveLength(1);
  });

  it("are not deleted without a word where nobody can be asked", async () => {
    const blog = await newBlog();
    const { _id } = await json(["articles", "create", "--blog", blog, "--title", "Kept"]);
    expect(await refused(["articles", "delete", _id])).toMatchObject({ code: "confirmation_required", exit: 2 });
    expect(await json(["articles", "get", _id])).toMatchObject({ title: "Kept" });
  });

  it("are not made of what is no text", async () => {
    const blog = await newBlog();
    const input = Buffer.from([0xff, 0xfe, 0x00]);
    const error = await refused(["articles", "create", "--blog", blog, "--title", "x", "--content", "-"], { input });
    expect(error).toMatchObject({ code: "file_error", exit: 2 });
    const missing = await refused(["articles", "create", "--blog", blog, "--content", "/no/such/file"]);
    expect(missing).toMatchObject({ code: "file_error" });
    expect(await json(["articles", "list", "--blog", blog])).toEqual([]);
  });
});

describe("blogs", () => {
  it("are created and changed; what is not named stays", async () => {
    const blog = await newBlog();
    const changed = await json<object>(["blogs", "update", blog, "--name", "Renamed", "--topic-refresh", "daily"]);
    expect(changed).toMatchObject({ name: "Renamed", vanityId: blog, topicRefresh: "daily", locales: ["en"] });
    const sources = JSON.stringify([{ kind: "feed", url: local.feedUrl, name: "Demo" }]);
    const sourced = await json<object>(["blogs", "update", blog, "--topic-sources", "-"], { input: sources });
    expect(sourced).toMatchObject({ name: "Renamed", topicSources: [{ kind: "feed", name: "Demo" }] });
    expect(await refused(["blogs", "update", blog])).toMatchObject({ code: "usage", exit: 2 });
    expect(await refused(["blogs", "update", blog, "--topic-sources", "-"], { input: "{" })).toMatchObject({ exit: 2 });
  });

  it("have a site, whose settings are shown and changed", async () => {
    const blog = await newBlog();
    const menu = [{ label: "About", url: "/en/about" }];
    const options = ["--off", "--font", "sans", "--site-url", "https://notes.example.com/", "--menu", "-"];
    const changed = await json<object>(["blogs", "site", blog, ...options], { input: JSON.stringify(menu) });
    expect(changed).toMatchObject({ enabled: false, font: "sans", url: "https://notes.example.com", menu });
    expect(await json(["blogs", "site", blog])).toEqual(changed);
    expect(await json(["blogs", "site", blog, "--on", "--site-url", ""])).toMatchObject({
      enabled: true,
      url: `${local.baseUrl}/${blog}`,
      font: "sans",
    });
    const { stdout } = await edgepress(["blogs", "site", blog]);
    expect(stdout).toMatch(/^SETTING +VALUE\naddress +http\S+\nsite +on\n/);
    expect(stdout).toMatch(/\nmenu +About \(\/en\/about\)\n/);
    expect(await refused(["blogs", "site", blog, "--font", "comic"])).toMatchObject({ exit: 2 });
    expect(await refused(["blogs", "site", blog, "--on", "--off"])).toMatchObject({ exit: 2 });
  });

  it("have to be named where there are several", async () => {
    expect(await refused(["articles", "list"])).toMatchObject({
      exit: 2,
      message: expect.stringMatching(/There are \d+ blogs/),
      hint: expect.stringContaining("field-notes"),
    });
    expect(await refused(["articles", "list", "--blog", "no-such-blog"])).toMatchObject({ code: "not_found", exit: 5 });
  });
});

describe("who calls", () => {
  it("is an API key's holder before anybody else", async () => {
    expect(await json(["whoami"])).toMatchObject({
      server: local.baseUrl,
      method: "api_key",
      name: "Test of the client",
    });
  });

  it("is shown what the organization uses, as a table and as JSON", async () => {
    const usage = await json<{ articles: { used: number; limit: number } }>(["usage"]);
    expect(usage.articles.used).toBeGreaterThan(0);
    const { stdout } = await edgepress(["usage"]);
    expect(stdout).toMatch(
      /^QUOTA +USED +LIMIT +RESETS \(UTC\)\narticles +\d+ +50,000\nbytes of articles +[\d.]+ MiB +512 MiB\n/,
    );
    expect(stdout).toMatch(/\nevents today +\d+ +100,000 +\d{4}-\d\d-\d\d 00:00\n/);
    expect(stdout).toMatch(/\nrequests a minute +not reported +1,200\n/);
  });

  it("may be nobody: then what is published is read, and the rest wants a sign-in", async () => {
    const nobody = { env: { EDGEPRESS_API_KEY: "", XDG_CONFIG_HOME: program.folder() } };
    const listed = await json<Article[]>(["articles", "list", "--blog", "field-notes"], nobody);
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.every(({ published }) => published)).toBe(true);
    expect(await refused(["blogs", "list"], nobody)).toMatchObject({ code: "credentials_missing", exit: 4 });
    expect(await refused(["whoami"], nobody)).toMatchObject({ code: "not_signed_in", exit: 4 });
  });

  it("with a key that only reads is refused, with 4", async () => {
    const readOnly = { env: { EDGEPRESS_API_KEY: local.readOnlyKey } };
    const error = await refused(["articles", "create", "--blog", "field-notes", "--title", "x"], readOnly);
    expect(error).toMatchObject({ code: "scope_missing", exit: 4, status: 403 });
    const wrong = { env: { EDGEPRESS_API_KEY: "epk_wrong" } };
    expect(await refused(["blogs", "list"], wrong)).toMatchObject({ code: "credentials_invalid", exit: 4 });
  });
});

describe("the command line", () => {
  it.each([
    ["an unknown command", ["artcles", "list"]],
    ["an unknown option", ["articles", "list", "--nope"]],
    ["a missing argument", ["articles", "get"]],
    ["a missing value", ["articles", "list", "--blog"]],
    ["a number that is none", ["articles", "list", "--limit", "many"]],
    ["options that exclude each other", ["articles", "list", "--blog", "field-notes", "--drafts", "--published"]],
    ["the same of a search", ["articles", "search", "ferries", "--drafts", "--published"]],
    ["nothing to write about", ["articles", "generate", "--blog", "field-notes"]],
    ["nothing to change", ["articles", "update", "x", "--blog", "field-notes"]],
  ])("with %s is refused with 2, and an error in JSON", async (_, args) => {
    expect(await refused(args)).toMatchObject({ code: "usage", exit: 2 });
  });

  it("names no tunnel to where nobody listens", async () => {
    const args = ["webhooks", "listen", "--url", "https://tunnel.example.com/hook"];
    const error = await refused(args, { env: { EDGEPRESS_OPERATOR_TOKEN: "ept_of_the_test" } });
    expect(error).toMatchObject({ code: "usage", message: expect.stringContaining("example.com/webhooks") });
  });

  it("may end its output early", async () => {
    const line = `set -o pipefail; "$0" "$1" articles list --blog edge-engineering --all | true`;
    const options = { env: { PATH: process.env["PATH"], ...env() } };
    const { stderr } = await promisify(execFile)(
      "bash",
      ["--norc", "-c", line, NODES[0] ?? "", program.bundle],
      options,
    );
    expect(stderr).toBe("");
  });

  it("whose output cannot be written says so", async () => {
    const line = `"$0" "$1" blogs list --json > /dev/full`;
    const options = { env: { PATH: process.env["PATH"], ...env() } };
    const failed = await promisify(execFile)(
      "bash",
      ["--norc", "-c", line, NODES[0] ?? "", program.bundle],
      options,
    ).then(
      () => ({ code: 0, stdout: "", stderr: "" }),
      (error: Outcome) => error,
    );
    expect(failed.code).toBe(1);
    expect(errorIn(failed)).toMatchObject({ code: "file_error", message: expect.stringContaining("ENOSPC") });
  });

  it("shows colours only where it is told to, or to a terminal", async () => {
    const args = ["articles", "list", "--blog", "field-notes"];
    expect((await edgepress(args)).stdout).not.toContain("\u001b");
    expect((await edgepress(args, { env: { FORCE_COLOR: "1" } })).stdout).toContain("\u001b[1m");
    expect((await edgepress(args, { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).stdout).not.toContain("\u001b");
  });
});
