/** Wrangler as a child: quiet, without the network for local work, and never outliving this process. */
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
const KEEPER = fileURLToPath(new URL("keeper.ts", import.meta.url));

export type Wrangler = {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves to the exit code once it has ended. */
  readonly ended: Promise<number>;
};

const running = new Set<() => Promise<unknown>>();

/**
 * Starts wrangler in the project's folder. `localFolder` is where it keeps its own things for local
 * work; without it, it uses the user's settings and may go to the network.
 */
export function startWrangler(args: readonly string[], localFolder: string | null): Wrangler {
  const bin = path.join(ROOT, "node_modules/.bin");
  const env = {
    ...process.env,
    // [build] in wrangler.toml runs `node`, which has to be the one that runs this.
    PATH: [bin, process.env["PATH"]].join(path.delimiter),
    ...QUIET,
    ...(localFolder !== null && offline(localFolder)),
  };
  const keeper = spawn(process.execPath, [KEEPER, WRANGLER, ...args], { cwd: ROOT, env, detached: true });
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

/** Runs wrangler to its end and returns what it printed; a `Failure` with what it said where it failed. */
export async function runWrangler(args: readonly string[], localFolder: string | null): Promise<string> {
  const { stdout, stderr, ended } = startWrangler(args, localFolder);
  const [code, printed, complaints] = await Promise.all([ended, text(stdout), text(stderr)]);
  if (code === 0) return printed;
  const said = stripVTControlCharacters(`${complaints}\n${printed}`).trim();
  throw new Failure(`wrangler ${args.slice(0, 3).join(" ")} failed:\n\n${said}`);
}

let stopping = false;

/** Whether this process is on its way out, and starts nothing more. */
export const isStopping = (): boolean => stopping;

/** Ends every wrangler that still runs, and waits until it and its children are gone. */
export async function stopWranglers(): Promise<void> {
  stopping = true;
  await Promise.allSettled([...running].map((stop) => stop()));
}

/** workerd survives a wrangler that was killed, and a polite signal too. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Nobody is left.
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

/** Keeps it off the network and out of the home directory, so that two local runs share nothing. */
function offline(folder: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: folder,
    TMPDIR: temporaryFolder(folder),
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    // It would record every request in a database that nobody reads.
    X_LOCAL_OBSERVABILITY: "false",
    // It would serve an SQL console, without credentials, to every process of the machine.
    X_LOCAL_EXPLORER: "false",
  };
}

/** One for each process, gone with it: the administration may run beside a running service. */
function temporaryFolder(folder: string): string {
  const temporary = path.join(folder, "tmp", String(process.pid));
  if (!existsSync(temporary)) {
    mkdirSync(temporary, { recursive: true });
    process.once("exit", () => rmSync(temporary, { recursive: true, force: true }));
  }
  return temporary;
}
