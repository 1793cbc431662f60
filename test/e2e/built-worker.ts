/** The Worker as it is deployed, built once for all starts that are not about how `npm start` builds it. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { NODE, ROOT, start, type Run } from "./local-run.ts";

const CACHE = path.join(ROOT, "node_modules/.cache");

/** What the Worker is built from. */
const SOURCES = ["src/**/*.{ts,tsx}", "migrations/meta/_journal.json", "{package-lock,tsconfig}.json", "wrangler.toml"];

/** As `start`, with this Worker: wrangler need not bundle src/, nor read source maps, which takes half of a start. */
export async function startBuilt(
  state: string,
  port?: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Run> {
  return start(state, port, { ...settings, EDGEPRESS_WORKER: await build() });
}

/** Builds it, unless it has been built of the same before; returns its file. */
async function build(): Promise<string> {
  const folder = path.join(CACHE, `worker-${fingerprint()}`);
  if (!existsSync(folder)) await buildInto(folder);
  return path.join(folder, "worker.js");
}

/** Other processes may be doing the same: whoever is first puts theirs in its place. */
async function buildInto(folder: string): Promise<void> {
  removeEarlier();
  const draft = `${folder}.${randomUUID()}`;
  const wrangler = path.join(ROOT, "node_modules/wrangler/bin/wrangler.js");
  const args = [wrangler, "deploy", "--dry-run", "--upload-source-maps=false", "--outdir", draft];
  await promisify(execFile)(NODE, args, { cwd: ROOT, env: environment() });
  // It is large, and wrangler would read it at each start.
  rmSync(path.join(draft, "worker.js.map"), { force: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Nothing of the test's own environment but what is needed: off the network and out of the home folder. */
const environment = () => ({
  PATH: [path.dirname(NODE), process.env["PATH"]].join(path.delimiter),
  HOME: process.env["HOME"],
  XDG_CONFIG_HOME: path.join(tmpdir(), "edgepress-wrangler"),
  CI: "1",
  NO_COLOR: "1",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_WRITE_LOGS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  NODE_COMPILE_CACHE: path.join(CACHE, "compiled"),
});

/** Removes what nobody has built for a day. */
function removeEarlier(): void {
  for (const name of globSync("worker-*", { cwd: CACHE })) {
    const folder = path.join(CACHE, name);
    if (Date.now() - statSync(folder).mtimeMs > 86_400_000) rmSync(folder, { recursive: true, force: true });
  }
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const file of globSync(SOURCES, { cwd: ROOT }).sort()) {
    hash.update(`${file}\n`).update(readFileSync(path.join(ROOT, file)));
  }
  return hash.digest("hex").slice(0, 16);
}
