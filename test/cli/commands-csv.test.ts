/** The commands that import CSV files, against the service as `npm start` runs it. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { useService } from "./service.ts";

const { edgepress, json, newBlog } = await useService();

function fileOf(name: string, text: string): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "edgepress-csv-")), name);
  writeFileSync(file, text);
  return file;
}

it("redirects of a file are added, and what is refused has its line", async () => {
  const blog = await newBlog();
  const file = fileOf("redirects.csv", "\ufefffrom;to\r\n/old/;/archive\r\n");
  expect(await json(["redirects", "import", file, "--blog", blog])).toMatchObject({ created: 1, refused: [] });
  expect(await json(["redirects", "list", "--blog", blog])).toMatchObject([{ from: "/old", to: "/archive" }]);
  await json(["redirects", "remove", "/old/", "--blog", blog, "--yes"]);
  const wrong = fileOf("wrong.csv", "/a,//evil.example\n");
  const { code, stderr } = await edgepress(["redirects", "import", wrong, "--blog", blog]);
  expect(code).toBe(1);
  expect(stderr).toContain("line 1: /a: to: must be a path of the site");
});

it("a dry run of contacts stores nothing", async () => {
  const blog = await newBlog();
  const file = fileOf("members.csv", "email,name\nada@example.com,Ada\n");
  const run = (...more: string[]) => json(["contacts", "import", file, "--blog", blog, ...more]);
  expect(await run("--dry-run")).toMatchObject({ created: 1, dryRun: true });
  expect(await run("--consented")).toMatchObject({ created: 1 });
  expect(await run()).toMatchObject({ created: 0, unchanged: 1 });
});
