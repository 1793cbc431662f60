/** Builds the Workers as for a deployment, and measures what can be measured before they run. */
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A bundle: where it is, beside its WebAssembly, and what wrangler says of the size of both, and after gzip, in KiB. */
export type Built = { readonly path: string; readonly size: number; readonly gzipped: number };

/** Bundles the Worker of wrangler.toml in `root`, or another entry with the same settings. */
export async function build(folder: string, entry?: string, root = "."): Promise<Built> {
  await mkdir(folder, { recursive: true });
  const said = await wrangler(
    ["deploy", ...(entry === undefined ? [] : [entry]), "--dry-run", "--outdir", folder],
    root,
  );
  const [, size, gzipped] = /Total Upload: ([\d.]+) KiB \/ gzip: ([\d.]+) KiB/.exec(said) ?? [];
  const name = entry === undefined ? "worker.js" : `${entry.split("/").at(-1)?.replace(/\.ts$/, "")}.js`;
  return { path: join(folder, name), size: Number(size), gzipped: Number(gzipped) };
}

/**
 * Returns the CPU milliseconds that the profile of `wrangler check startup` shows, or null if there is no profile.
 * Takes the smallest of several runs, because other processes can only add time.
 */
export async function startupCpu(folder: string, runs: number): Promise<number | null> {
  const found: number[] = [];
  for (let run = 0; run < runs; run++) {
    const outfile = join(folder, "startup.cpuprofile");
    const output = await wrangler(["check", "startup", "--outfile", outfile]).catch(() => "");
    const [, active] = /Active: ([\d.]+) ms/.exec(output) ?? [];
    if (active !== undefined) found.push(Number(active));
  }
  return found.length === 0 ? null : Math.min(...found);
}

async function wrangler(args: readonly string[], cwd = "."): Promise<string> {
  // The build command of wrangler.toml must find this Node, not an older one on the machine.
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path, CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" };
  const { stdout } = await execute(process.execPath, [WRANGLER, ...args], { cwd, env, timeout: 600_000 });
  return stdout;
}

const WRANGLER = join("node_modules", "wrangler", "bin", "wrangler.js");
