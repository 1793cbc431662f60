/** What the pages with the editor load for it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { bundleScripts } from "../../scripts/build-assets.ts";

/** The largest size of its script and its style sheet together, compressed, in bytes. */
const MOST = 250_000;

it("the editor is small enough for a phone", async () => {
  const scripts = await bundleScripts();
  const script = scripts.find((file) => path.basename(file.path) === "editor.js");
  const sheet = readFileSync(path.resolve(import.meta.dirname, "../../styles/console/editor.css"));
  const size = gzipSync(script?.contents ?? "").length + gzipSync(sheet).length;
  expect(size).toBeGreaterThan(50_000);
  expect(size).toBeLessThan(MOST);
});
