/** Lets some seconds pass at once, for what gives up after them. */
import { vi } from "vitest";

const realTimeout = setTimeout;

/**
 * Returns the result of `work`, whose timers follow a clock of the test: it goes with the real one until `isWaiting` is true,
 * and then jumps by `ms`. What is on its way to or from a server takes its real time.
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
