/** Work that gives up by itself after some seconds, without waiting for them. */
import { vi } from "vitest";

const realTimeout = setTimeout;

/**
 * Returns what `work` comes to, whose timers go by a clock of the test: it goes with the real one until `isWaiting`, and
 * then `ms` milliseconds pass at once. What is on its way to or from a server takes its real time.
 */
export async function givingUp<T>(ms: number, work: () => Promise<T>, isWaiting: () => Promise<boolean>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const state = { isOver: false };
    const result = work().finally(() => (state.isOver = true));
    const passes = async (ms: number) => {
      await new Promise((resolve) => realTimeout(resolve, STEP_MS));
      await vi.advanceTimersByTimeAsync(ms);
    };
    while (!state.isOver && !(await isWaiting())) await passes(STEP_MS);
    if (!state.isOver) await passes(ms);
    // What it does afterwards may need a timer, too.
    while (!state.isOver) await passes(STEP_MS);
    return await result;
  } finally {
    vi.useRealTimers();
  }
}

const STEP_MS = 20;
