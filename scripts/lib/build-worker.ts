/** Builds the Worker as it is deployed, unless there is a build of the same source. */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { ROOT, runWrangler } from "./wrangler.ts";

const CACHE = path.join(ROOT, "node_modules/.cache");

/** The sources of the Worker. */
export const SOURCES = [
  "{src,packages/markdown,packages/import}/**/*.{ts,tsx}",
  "migrations/meta/_journal.json",
  "{package,package-lock,tsconfig}.json",
];

/** The files from which wrangler reads the settings of a local run. */
const SETTINGS = ["wrangler.toml", "{.dev.vars,.env,.env.local}"];

/** Milliseconds after which an unused build is removed. */
const KEPT_MS = 86_400_000;

/** Returns the path of the built Worker. `localFolder` is as for `runWrangler`. Throws a `Failure` if the build fails. */
export async function buildWorker(localFolder: string): Promise<string> {
  // The path of the project is in the Worker's options.
  const folder = path.join(CACHE, `built-worker-${hashFiles(ROOT, [...SOURCES, ...SETTINGS])}`);
  if (!existsSync(folder)) await buildInto(folder, localFolder);
  return path.join(folder, "worker.js");
}

/** Keeps a build while this process runs, which may be for days. */
export function keepWorker(worker: string): void {
  const use = () => utimesSync(path.dirname(worker), new Date(), new Date());
  use();
  setInterval(use, KEPT_MS / 24).unref();
}

/** Other processes may build the same. The first one to finish puts its build in place. */
async function buildInto(folder: string, localFolder: string): Promise<void> {
  removeEarlier();
  const draft = `${folder}.${randomUUID()}`;
  await runWrangler(["deploy", "--dry-run", "--outdir", draft], localFolder);
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

function removeEarlier(): void {
  for (const name of globSync("built-worker-*", { cwd: CACHE })) {
    const folder = path.join(CACHE, name);
    // Another process may remove it at the same time.
    const used = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - used > KEPT_MS) rmSync(folder, { recursive: true, force: true });
  }
}

/** Hashes a text, and the names and contents of files. */
export function hashFiles(text: string, files: readonly string[]): string {
  const hash = createHash("sha256").update(`${text}\n`);
  for (const file of globSync(files, { cwd: ROOT }).sort()) {
    if (statSync(path.join(ROOT, file)).isDirectory()) continue;
    hash.update(`${file}\n`).update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Returns the modules for Miniflare: the script, and the WebAssembly beside it. */
export function listModules(script: string) {
  const folder = path.dirname(script);
  const wasm = readdirSync(folder).filter((name) => name.endsWith(".wasm"));
  const modules = wasm.map((name) => ({ type: "CompiledWasm", path: path.join(folder, name) }) as const);
  return { modulesRoot: folder, modules: [{ type: "ESModule", path: script } as const, ...modules] };
}
