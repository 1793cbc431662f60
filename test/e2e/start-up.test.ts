/**
 * What is deployed, and what the start of the Worker evaluates of it: the modules that worker.ts imports without
 * `import()`, directly or not.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile, type Plugin } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { buildWorker, listModules } from "../../scripts/lib/build-worker.ts";
import { cleanUp, newState } from "./local-run.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

afterAll(cleanUp);

test("the start evaluates what every request needs, and no operation", async () => {
  const { inputs, outputs } = await bundled();
  const started = Object.keys(inputs);
  const bytes = Object.values(outputs)[0]?.bytes;
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

const withoutWhatIsLoadedLater: Plugin = {
  name: "without-what-is-loaded-later",
  setup: (bundle) =>
    bundle.onResolve({ filter: /^/ }, ({ kind, path: name }) =>
      kind === "dynamic-import" ? { path: name, external: true } : undefined,
    ),
};

async function bundled(): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["src/worker.ts"],
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
    plugins: [withoutWhatIsLoadedLater],
  });
  return metafile;
}
