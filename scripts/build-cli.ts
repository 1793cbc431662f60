/** Builds the command-line client: a single file for Node 20.12 or later, dist/cli/edgepress.mjs. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = path.resolve(import.meta.dirname, "..");

/** Where the bundle is. */
export const BUNDLE = path.join(ROOT, "dist/cli/edgepress.mjs");

/** What a bundle of modules lacks where a package in it is CommonJS. */
const REQUIRE =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

/** Builds it; a file that is there is replaced as a whole. */
export async function buildCli(file = BUNDLE): Promise<void> {
  // Loaded here: where its program for this platform is missing, `npm ci` has to go on.
  const { build } = await import("esbuild");
  const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, "src/cli/main.ts")],
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
  // By rename: several builds may run at once, and a client that runs keeps what it has.
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
