/** What asks a script to end: Ctrl-C, `kill`, a closed terminal. */
import { constants } from "node:os";
import { Failure } from "./failure.ts";

/** Resolves with the first signal, or with null where npm has ended; whatever follows changes nothing. */
export function askedToStop(): Promise<NodeJS.Signals | null> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals | null>();
  // Not `once`: with Ctrl-C the signal comes twice, from the terminal and from npm.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve(signal));
  // A signal to npm may end its shell only, and `kill -9` ends npm only: then this has lost its parent.
  const parent = process.ppid;
  const underNpm = process.env["npm_lifecycle_event"] !== undefined;
  const watch = setInterval(() => underNpm && process.ppid !== parent && resolve(null), 500);
  watch.unref();
  return promise;
}

/** Rejects when a script is asked to end before it is done: with a shell's exit code, after what it started has ended. */
export async function interrupted(): Promise<never> {
  const signal = await askedToStop();
  throw new Failure("Interrupted.", 128 + constants.signals[signal ?? "SIGHUP"]);
}
