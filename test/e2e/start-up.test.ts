/**
 * What is deployed, and what the start of the Worker evaluates of it: the modules that worker.ts imports without
 * `import()`, directly or not.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { buildWorker, listModules } from "../../scripts/lib/build-worker.ts";
import { cleanUp, newState } from "./local-run.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const ENTRY = "src/worker.ts";

afterAll(cleanUp);

test("the start evaluates what every request needs, and no operation", async () => {
  const { inputs, outputs } = await bundled();
  const [output] = Object.values(outputs);
  const started = [...reachable(inputs)];
  const bytes = started.reduce((sum, name) => sum + (output?.inputs[name]?.bytesInOutput ?? 0), 0);
  expect(started.filter((name) => /node_modules\/(?:zod|better-auth|ai|unified)\//.test(name))).toEqual([]);
  expect(started.filter((name) => name.startsWith("src/operations/")).toSorted()).toEqual([
    "src/operations/field-messages.ts",
    "src/operations/invoke.ts",
  ]);
  expect(started).toContain("src/store/articles/published.ts");
  expect(bytes).toBeLessThan(300 * 1024);
});

test("the bundle stays within 2.5 MiB, gzipped with WebAssembly", async () => {
  const script = await buildWorker(newState());
  // As wrangler does for its "Total Upload".
  const deployed = listModules(script).modules.map((each) => readFileSync(each.path));
  expect(deployed.length).toBeGreaterThan(1);
  expect(gzipSync(Buffer.concat(deployed)).byteLength).toBeLessThan(2.5 * 1024 * 1024);
});

async function bundled(): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*", "*.wasm"],
    logLevel: "error",
    platform: "browser",
    loader: { ".css": "empty" },
  });
  return metafile;
}

/** Returns the names of the entry and of what it imports, without what is loaded by `import()`. */
function reachable(inputs: Metafile["inputs"]): Set<string> {
  const found = new Set([ENTRY]);
  // A set's iteration also visits what is added meanwhile.
  for (const name of found) {
    for (const { path: imported, kind } of inputs[name]?.imports ?? []) {
      if (kind !== "dynamic-import" && imported in inputs) found.add(imported);
    }
  }
  return found;
}
