/** Notices when a script should end: Ctrl-C, `kill`, a closed terminal, or the end of npm or of the output's reader. */
import { constants } from "node:os";
import { Failure } from "./failure.ts";

/** Resolves with the first signal, or with null if npm or the reader of the output has ended. Ignores further signals. */
export function waitForStop(): Promise<NodeJS.Signals | null> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals | null>();
  // `on`, not `once`: Ctrl-C sends the signal twice, from the terminal and from npm. An unhandled one would end Node.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve(signal));
  // In `npm start | tee log`, Ctrl-C ends tee first, and an unhandled stream error would end Node with a stack. If the
  // disk of `npm start > log` is full, the service goes on without further output.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", (error) => isFull(error) || resolve(null));
  // A signal may end only npm or its shell, and not reach this process. Then the parent's process id changes.
  const parent = process.ppid;
  const underNpm = process.env["npm_lifecycle_event"] !== undefined;
  const watch = setInterval(() => underNpm && process.ppid !== parent && resolve(null), 500);
  watch.unref();
  return promise;
}

const isFull = (error: NodeJS.ErrnoException): boolean => error.code === "ENOSPC";

/** Rejects with a `Failure` when the script should end. Its exit code is 128 plus the number of the signal. */
export async function rejectOnStop(): Promise<never> {
  const signal = await waitForStop();
  throw new Failure("Interrupted.", 128 + constants.signals[signal ?? "SIGHUP"]);
}
