/**
 * Runs wrangler, or a built Worker, as a child process: quiet, without the network for local work, and never longer than
 * this process.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { Failure } from "./failure.ts";

export const ROOT = path.resolve(import.meta.dirname, "../..");
const WRANGLER = path.join(ROOT, "node_modules/wrangler/bin/wrangler.js");
const RUN_WORKER = fileURLToPath(new URL("run-worker.ts", import.meta.url));
const KEEPER = fileURLToPath(new URL("keeper.ts", import.meta.url));
const PRELOAD = new URL("survive-lost-connections.ts", import.meta.url).href;

export type Running = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves to the exit code when the process and all processes that it started have ended. */
  readonly ended: Promise<number>;
};

/** For each running process, a function that ends it and resolves when it has ended. */
const running = new Set<() => Promise<unknown>>();

/**
 * Starts wrangler in the project's folder. `localFolder` is for its configuration and temporary files, and keeps it off
 * the network. With null, it uses the user's configuration and the network.
 */
export const startWrangler = (args: readonly string[], localFolder: string | null): Running =>
  startProgram(["--import", PRELOAD, WRANGLER, ...args], localFolder);

export type BuiltWorker = {
  readonly worker: string;
  readonly state: string;
  readonly port: number;
  readonly settingsFile: string;
};

export const startBuiltWorker = ({ worker, state, port, settingsFile }: BuiltWorker, localFolder: string): Running =>
  startProgram([RUN_WORKER, worker, state, String(port), settingsFile], localFolder);

function startProgram(args: readonly string[], localFolder: string | null): Running {
  const bin = path.join(ROOT, "node_modules/.bin");
  const env = {
    // Wrangler is one large file: compiling it at each start would take a second.
    NODE_COMPILE_CACHE: path.join(ROOT, "node_modules/.cache/compiled"),
    ...process.env,
    // [build] in wrangler.toml runs `node`, which has to be the project's own release of Node.
    PATH: [bin, process.env["PATH"]].join(path.delimiter),
    ...QUIET,
    ...(localFolder !== null && makeOfflineEnv(localFolder)),
  };
  const keeper = spawn(process.execPath, [KEEPER, ...args], {
    cwd: ROOT,
    env,
    detached: true,
  });
  const ended = new Promise<number>((resolve, reject) => {
    keeper.once("error", reject).once("exit", () => killGroup(keeper.pid));
    keeper.once("close", (code) => resolve(code ?? 1));
  });
  const stop = () => {
    keeper.stdin.destroy();
    return ended;
  };
  running.add(stop);
  void ended.finally(() => running.delete(stop)).catch(() => undefined);
  return { stdout: keeper.stdout, stderr: keeper.stderr, ended };
}

/** Runs wrangler to its end and returns its standard output. Throws a `Failure` with its output if it fails. */
export async function runWrangler(args: readonly string[], localFolder: string | null): Promise<string> {
  const { stdout, stderr, ended } = startWrangler(args, localFolder);
  const [code, printed, complaints] = await Promise.all([ended, text(stdout), text(stderr)]);
  if (code === 0) return printed;
  const said = stripVTControlCharacters(`${complaints}\n${printed}`).trim();
  throw new Failure(`wrangler ${args.slice(0, 3).join(" ")} failed:\n\n${said}`);
}

let stopping = false;

/** Nothing may be started after `stopPrograms` was called. */
export const isStopping = (): boolean => stopping;

/** Ends every running process, and waits until it and the processes that it started have ended. */
export async function stopPrograms(): Promise<void> {
  stopping = true;
  await Promise.allSettled([...running].map((stop) => stop()));
}

/** SIGKILL, because workerd may survive the end of wrangler, and SIGTERM. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // The group has no process left.
  }
}

const QUIET = {
  CI: "1",
  NO_COLOR: "1",
  DO_NOT_TRACK: "1",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
};

/** Keeps wrangler off the network and out of the home folder, so that local runs share nothing. */
function makeOfflineEnv(folder: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: folder,
    TMPDIR: makeTemporaryFolder(folder),
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    // Otherwise it records every request in a database that nobody reads.
    X_LOCAL_OBSERVABILITY: "false",
    // Otherwise it serves an SQL console, without credentials, to every process of the machine.
    X_LOCAL_EXPLORER: "false",
    // start.ts has already prepared the run (wrangler-dev.ts).
    EDGEPRESS_PREPARED: "true",
  };
}

/** Returns a temporary folder for this process, deleted at its exit. Several local programs may run at the same time. */
function makeTemporaryFolder(folder: string): string {
  const temporary = path.join(folder, "tmp", String(process.pid));
  if (!existsSync(temporary)) {
    mkdirSync(temporary, { recursive: true });
    process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
  }
  return temporary;
}
