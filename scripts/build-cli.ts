/** Builds the command-line client: a single file for Node 20.12 or later, dist/cli/edgepress.mjs. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = path.resolve(import.meta.dirname, "..");

export const BUNDLE = path.join(ROOT, "dist/cli/edgepress.mjs");

/** Defines `require`, which an ES module does not have. Bundled CommonJS packages call it. */
const REQUIRE =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

/**
 * Builds the client and replaces `file` atomically. `entry` is the module of packages/cli/ to build. Rejects if esbuild is
 * missing or fails.
 */
export async function buildCli(file = BUNDLE, entry = "main.ts"): Promise<void> {
  // Without a binary for this platform, importing esbuild throws. The caller catches that, so that `npm ci` succeeds.
  const { build } = await import("esbuild");
  const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, "packages/cli", entry)],
    bundle: true,
    write: false,
    platform: "node",
    target: "node20",
    format: "esm",
    minifySyntax: true,
    legalComments: "eof",
    define: {
      EDGEPRESS_VERSION: JSON.stringify(version),
      __filename: "import.meta.filename",
      __dirname: "import.meta.dirname",
    },
    banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
    logLevel: "warning",
  });
  mkdirSync(path.dirname(file), { recursive: true });
  // Write a temporary file and rename it: several builds may run at once, and a running client keeps its old file.
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, outputFiles[0]?.contents ?? "");
  chmodSync(draft, 0o755);
  renameSync(draft, file);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await buildCli().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
