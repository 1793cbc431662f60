/** The command-line client as a program: the bundle, run in the process of the test or as one of its own. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, inject } from "vitest";
import { NODE } from "../e2e/local-run.ts";
import { runInside, type Command, type OnOutput } from "./inside.ts";

export type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type CallOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on standard input; nothing without it. */
  readonly input?: string | Buffer;
  readonly onOutput?: OnOutput;
  readonly onStart?: (command: Command) => void;
};

export type RunOptions = Omit<CallOptions, "onOutput" | "onStart"> & {
  readonly node?: string;
  /** Told of what the program has said so far. */
  readonly onOutput?: (said: { stdout: string; stderr: string }, child: ChildProcess) => void;
  readonly onStart?: (child: ChildProcess) => void;
};

/** The Nodes that the bundle has to run on: the one of the project, and an older one where the machine has it. */
export const NODES: readonly string[] = [NODE, ...olderNodes()];

function olderNodes(): string[] {
  return ["/usr/bin/node", "/usr/local/bin/node"]
    .filter((file) => existsSync(file) && majorOf(file) === 20)
    .slice(0, 1);
}

function majorOf(node: string): number {
  return Number(execFileSync(node, ["-p", "process.versions.node.split('.')[0]"], { encoding: "utf8" }));
}

/** The program for the tests of a file, with folders that end with them. */
export function useProgram() {
  const folder = mkdtempSync(path.join(tmpdir(), "edgepress-cli-"));
  const bundle = inject("bundle");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let homes = 0;
  return {
    bundle,
    /** An empty folder. */
    folder: () => mkdtempSync(path.join(folder, `${homes++} `)),
    /** Runs a command as a process: signals reach it, and what it says is told while it runs. */
    run: (args: readonly string[], options: RunOptions = {}) => run(bundle, args, options),
    /** Runs a command without a process. */
    call: (args: readonly string[], { env = {}, input, onOutput, onStart }: CallOptions = {}): Promise<Outcome> =>
      runInside(args, { HOME: "/nonexistent", ...env }, input, onOutput, onStart),
  };
}

/**
 * Nothing of the test's own environment, of which the client would take credentials; and where Node keeps the compiled
 * bundle, so that not each of the many runs compiles it.
 */
export const environment = (bundle: string) => ({
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: path.join(path.dirname(bundle), "compiled"),
});

function run(bundle: string, args: readonly string[], options: RunOptions): Promise<Outcome> {
  const { env = {}, input, node = NODE, onOutput, onStart } = options;
  const child = spawn(node, [bundle, ...args], {
    env: { ...environment(bundle), HOME: "/nonexistent", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onStart?.(child);
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
      onOutput?.(said, child);
    });
  }
  // It may end before it has read.
  child.stdin.on("error", () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ code, ...said }));
  });
}

/** The error that `--json` shows. */
export function errorIn({ stderr }: Outcome): Record<string, unknown> {
  const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
  return error;
}

/** The result that `--json` shows. */
export const resultIn = ({ stdout }: Outcome): unknown => JSON.parse(stdout);
