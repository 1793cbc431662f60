/** The commands of the library, against the service as `npm start` runs it (docs/cli.md). */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { Media } from "../../packages/client/src/api.ts";
import { newPicture } from "../browser/pictures.ts";
import { useService } from "./service.ts";

const { program, local, edgepress, json, refused, newBlog } = await useService();

const PICTURES = path.resolve(import.meta.dirname, "../fixtures/pictures");
const fixture = (name: string): string => path.join(PICTURES, name);

/** A file with a picture that nobody has uploaded yet: all test files share one library. */
function fresh(name: string, width = 40): string {
  const file = path.join(program.folder(), name);
  writeFileSync(file, newPicture(name, width).buffer);
  return file;
}

it("pictures are uploaded, found, described, replaced and deleted", async () => {
  const tag = crypto.randomUUID();
  const named = fresh(`harbour of ${tag}.jpeg`);
  const one = await json<Media>(["media", "upload", named, "--alt", "Boats at dawn"]);
  expect(one).toMatchObject({ name: `harbour of ${tag}.jpeg`, alt: "Boats at dawn", mediaType: "image/png" });
  const several = await json<Media[]>(["media", "upload", fresh("one.png"), fresh("two.png")]);
  expect(several.map(({ name }) => name)).toEqual(["one.png", "two.png"]);
  const input = readFileSync(named);
  expect((await edgepress(["media", "upload", "-", "--name", "other"], { input })).stdout.trim()).toBe(one.url);

  const found = await json<Media[]>(["media", "list", "--query", `${tag} DAWN`]);
  expect(found.map(({ _id }) => _id)).toEqual([one._id]);
  expect(await json<Media[]>(["media", "list", "--limit", "1"])).toHaveLength(1);
  const table = await edgepress(["media"]);
  expect(table.stdout).toMatch(/NAME\s+ALT\s+PIXELS\s+ARTICLES\s+URL/);
  expect(table.stdout).toContain(one.url);

  await json(["media", "update", one._id, "--alt", "Boats", "--name", "harbour"]);
  const replaced = await json<Media>(["media", "update", one._id, "--file", fresh("other.png", 50)]);
  expect(replaced).toMatchObject({ url: one.url, alt: "Boats", name: "harbour", width: 50 });
  expect(replaced.fileUrl).not.toBe(one.fileUrl);

  for (const { _id } of [replaced, ...several]) expect(await json(["media", "delete", _id, "--yes"])).toEqual({ _id });
  expect((await refused(["media", "update", one._id, "--alt", "x"]))["code"]).toBe("not_found");
  expect((await fetch(one.url)).status).toBe(404);
});

it("a deletion says which articles show the picture, and happens only if that was confirmed", async () => {
  const blog = await newBlog();
  const item = await json<Media>(["media", "upload", fresh("used.png")]);
  await json(["articles", "create", "--blog", blog, "--title", "Shows it", "--cover-url", item.url]);
  const asked = await edgepress(["media", "delete", item._id]);
  expect(asked.code).not.toBe(0);
  const env = { EDGEPRESS_API_KEY: local.readOnlyKey };
  expect((await refused(["media", "delete", item._id, "--yes"], { env }))["code"]).toBe("scope_missing");
  expect((await fetch(item.url)).status).toBe(200);
  expect(await json(["media", "delete", item._id, "--yes"])).toEqual({ _id: item._id });
});

it("what is no picture, several files with one text, and a change of nothing are refused with what to do", async () => {
  const readme = fixture("README.md");
  expect(await refused(["media", "upload", readme])).toMatchObject({ code: "unsupported_image", exit: 2 });
  const both = [fixture("plain.gif"), fixture("plain.webp")];
  expect((await refused(["media", "upload", ...both, "--alt", "x"]))["exit"]).toBe(2);
  expect((await refused(["media", "update", "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d"]))["exit"]).toBe(2);
  expect((await refused(["media", "upload", "/nonexistent.png"]))["exit"]).toBe(1);
  const first = fresh("first.png");
  const failed = await edgepress(["media", "upload", first, "/nonexistent.png"]);
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("/media/")]);
  expect(await refused(["media", "upload", "http://10.0.0.1/a.png"])).toMatchObject({ code: "picture_unreachable" });
});

it("the card of a video is printed as Markdown", async () => {
  const { stdout } = await edgepress(["media", "embed", "https://vimeo.com/76979871"]);
  expect(stdout).toMatch(/^\[!\[Dawn.*\]\(\S+\/media\/\S+\)\]\(https:\/\/vimeo\.com\/76979871\)\n$/);
  expect(await refused(["media", "embed", "https://x.com/ada/status/20"])).toMatchObject({
    code: "picture_unreachable",
  });
});
