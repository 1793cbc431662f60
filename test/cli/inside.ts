/** Runs commands of the bundled client in the process of the test: what starting one for each would cost is saved. */
import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import { inject } from "vitest";
import type { run, Surroundings } from "../../src/cli/run.ts";

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

const require = createRequire(import.meta.url);

/** Runs a command, which gets no signals, to its end. */
export async function runInside(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | Buffer = "",
): Promise<Ended> {
  const { run: runBundled } = require(inject("bundledRun")) as { run: typeof run };
  const [stdout, stderr] = [kept(), kept()];
  const code = await runBundled({
    argv: ["node", "edgepress", ...args],
    env,
    stdin: Readable.from([Buffer.from(input)]) as Surroundings["stdin"],
    stdout: stdout.stream,
    stderr: stderr.stream,
    on: () => undefined,
    exit: (status) => {
      throw new Error(`a command that gets no signals exits with ${status}`);
    },
  } satisfies Surroundings);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** A stream that keeps what is written, and is no terminal. */
function kept() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => Buffer.concat(chunks).toString("utf8") };
}
