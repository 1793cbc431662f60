/** The bundled client under test, with folders of its own. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inject, vi } from "vitest";
import { WAIT } from "../e2e/local-run.ts";
import { runInside, type Command, type OnOutput } from "./inside.ts";
import { environment, type Outcome } from "./program.ts";

/** Folders and a program for one test file; `cleanUp` removes them. */
export function newProgram() {
  const home = mkdtempSync(path.join(tmpdir(), "edgepress transfer-"));
  const bundle = inject("bundle");
  let count = 0;

  /** Starts the program as a process, which is looked at and ended while it runs. */
  const launch = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) => {
    const child = spawn(process.execPath, [bundle, ...args], {
      cwd: home,
      env: { ...environment(bundle), HOME: home, ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
      child.once("close", (code) => resolve({ code, stdout, stderr })),
    );
    /** Waits for something that happens while the program runs; fails where it ends before. */
    const reached = (expectation: () => void): Promise<void> =>
      Promise.race([
        vi.waitFor(expectation, { ...WAIT, interval: 5 }),
        ended.then((outcome) =>
          Promise.reject(new Error(`it ended too early, with ${outcome.code}:\n${outcome.stderr}`)),
        ),
      ]);
    return { kill: (signal: NodeJS.Signals) => child.kill(signal), said: () => ({ stdout, stderr }), reached, ended };
  };

  return {
    home,
    launch,
    /** Runs a command in the process of the test. */
    run: (
      args: readonly string[],
      settings: Readonly<Record<string, string>> = {},
      onOutput?: OnOutput,
      onStart?: (command: Command) => void,
    ): Promise<Outcome> => runInside(args, { HOME: home, ...settings }, "", onOutput, onStart),
    /** A new folder with these files. */
    folder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
      const folder = path.join(home, `folder ${++count}`);
      mkdirSync(folder);
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        writeFileSync(path.join(folder, name), content);
      }
      return folder;
    },
    cleanUp: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** The files of a folder with their bytes as text that shows each of them. */
export const bytesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(path.join(folder, name)).toString("latin1")]),
  );
