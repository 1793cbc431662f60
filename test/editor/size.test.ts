/** What the pages with the editor load. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { bundleScripts } from "../../scripts/lib/assets.ts";

/** The largest size of all scripts of the page together, compressed, in bytes: also of what is loaded on first use. */
const MOST = 300_000;
/** Scripts of other pages. */
const ELSEWHERE = new Set(["media.js", "reference.js", "left.js"]);

const files = new Map<string, { readonly text: string; readonly size: number }>();
beforeAll(async () => {
  for (const { path: file, contents, text } of await bundleScripts())
    files.set(path.basename(file), { text, size: gzipSync(contents).length });
});

it("are small enough for a phone, with everything opened that they can open", () => {
  const loaded = [...files].filter(([name]) => !ELSEWHERE.has(name));
  const total = loaded.reduce((sum, [, { size }]) => sum + size, 0);
  expect(total).toBeGreaterThan(100_000);
  expect(total).toBeLessThan(MOST);
});

it("are much smaller before anything is opened, with the style sheet", () => {
  const scripts = ["console.js", "autosave.js", "editor.js", "aids.js", "assist.js"];
  const wanted = new Set<string>();
  const want = (name: string): void => {
    if (wanted.has(name)) return;
    wanted.add(name);
    for (const [, imported = ""] of files.get(name)?.text.matchAll(/["']\.\/(chunk-\w+\.js)["']/g) ?? [])
      want(imported);
  };
  for (const name of scripts) want(name);
  const styles = path.resolve(import.meta.dirname, "../../styles/console");
  const parts = ["editor", "editor-text", "editor-aids"].map((part) => readFileSync(path.join(styles, `${part}.css`)));
  const sheet = gzipSync(Buffer.concat(parts)).length;
  const total = [...wanted].reduce((sum, name) => sum + (files.get(name)?.size ?? Number.NaN), sheet);
  expect(wanted.size).toBeGreaterThan(scripts.length);
  expect(total).toBeLessThan(240_000);
});

it("have each package once", () => {
  // A text of the Markdown parser that no minifier changes.
  const holders = [...files].filter(([, { text }]) => text.includes("reference_definition"));
  expect(holders).toHaveLength(1);
});
