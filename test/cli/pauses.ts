/** The pauses of a client that runs in the process of the test: told, and not waited for. */
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { afterEach, beforeEach, onTestFinished } from "vitest";

/** Has each pause over at once. Returns the function that undoes it; the milliseconds that were asked for go to `asked`. */
function cut(asked: number[]): () => void {
  const { setTimeout: sleep } = timers;
  const set = (other: typeof sleep) => {
    timers.setTimeout = other;
    // The client has it by name, as any module that imports it.
    syncBuiltinESMExports();
  };
  set((delay = 0, ...more) => {
    asked.push(delay);
    return sleep(0, ...more);
  });
  return () => set(sleep);
}

/** For one test. Returns the pauses that are asked for from now on, in milliseconds. */
export function cutPauses(): readonly number[] {
  const asked: number[] = [];
  onTestFinished(cut(asked));
  return asked;
}

/** For each test of a file. Returns the pauses of the one that runs, in milliseconds. */
export function useCutPauses(): readonly number[] {
  const asked: number[] = [];
  let undo: () => void;
  beforeEach(() => {
    asked.length = 0;
    undo = cut(asked);
  });
  afterEach(() => undo());
  return asked;
}
