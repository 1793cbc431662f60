/** Runs commands of the bundled client in the process of the test: what starting one for each would cost is saved. */
import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import { inject } from "vitest";
import type { run, Surroundings } from "../../packages/cli/run.ts";

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/**
 * Told of what a command has said so far; `command.kill` calls what it does at a signal. What it returns is waited for
 * before the end.
 */
export type OnOutput = (said: { stdout: string; stderr: string }, command: Command) => unknown;

export type Command = { kill(signal: NodeJS.Signals): unknown };

const require = createRequire(import.meta.url);

/** Runs a command to its end. Its second signal fails, at which a process would exit. */
export async function runInside(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | Buffer = "",
  onOutput: OnOutput = () => undefined,
  onStart: (command: Command) => void = () => undefined,
): Promise<Ended> {
  const { run: runBundled } = require(inject("bundledRun")) as { run: typeof run };
  const listeners = new Map<string, () => void>();
  const reactions: unknown[] = [];
  const told = () => reactions.push(onOutput({ stdout: stdout.text(), stderr: stderr.text() }, { kill }));
  const kill = (signal: NodeJS.Signals) => listeners.get(signal)?.();
  const [stdout, stderr] = [kept(told), kept(told)];
  onStart({ kill });
  const code = await runBundled({
    argv: ["node", "edgepress", ...args],
    env,
    stdin: Readable.from([Buffer.from(input)]) as Surroundings["stdin"],
    stdout: stdout.stream,
    stderr: stderr.stream,
    on: (signal, listener) => listeners.set(signal, listener),
    exit: (status) => {
      throw new Error(`the command would have ended this process, with ${status}`);
    },
  } satisfies Surroundings);
  await Promise.all(reactions);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** A stream that keeps what is written, and is no terminal. */
function kept(onWrite: () => void) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
      onWrite();
    },
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => Buffer.concat(chunks).toString("utf8") };
}
