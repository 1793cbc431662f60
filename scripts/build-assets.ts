/**
 * Writes the generated static assets to public/ (lib/assets.ts) if their sources have changed. Runs before every build of
 * the Worker (wrangler.toml, [build]) and in each `npm start`. For `npx wrangler dev`, whose process id is the argument, it
 * also prepares the local run.
 */
import { createHash, type Hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { runScript } from "./lib/failure.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

const WATCHED = ["package-lock.json", "docs/guides", "packages", "scripts", "src", "styles", "public"];

/** Holds the fingerprint of the last build. */
const STAMP = path.join(ROOT, "node_modules/.cache/assets.txt");

/** Writes the assets that are missing or differ, unless nothing has changed. */
export async function buildAssets(): Promise<void> {
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint()) return;
  const { writeAssets } = await import("./lib/assets.ts");
  await writeAssets();
  mkdirSync(path.dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, fingerprint());
}

/** Hashes the names, sizes and times of the files. Reading them would take ten times as long. */
function fingerprint(): string {
  const hash = createHash("sha256");
  for (const name of WATCHED) addTo(hash, path.join(ROOT, name));
  return hash.digest("hex");
}

function addTo(hash: Hash, file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  // Another build has just renamed it.
  if (stats === undefined) return;
  if (!stats.isDirectory()) return void hash.update(`${path.relative(ROOT, file)} ${stats.size} ${stats.mtimeMs}\n`);
  for (const name of readdirSync(file).sort()) addTo(hash, path.join(file, name));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await runScript(main);
}

async function main(): Promise<number> {
  await buildAssets();
  if (process.env["WRANGLER_COMMAND"] === "dev" && process.env["EDGEPRESS_PREPARED"] === undefined) {
    const { prepareWranglerDev } = await import("./lib/wrangler-dev.ts");
    await prepareWranglerDev(process.argv[2] ?? "");
  }
  return 0;
}
