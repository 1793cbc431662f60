/** Ctrl-C as a person presses it. */
import type { OnOutput } from "./inside.ts";

/**
 * Presses it once, when the program has said something that `reached` waits for. A second time, at its own
 * "Interrupted.", could meet a process that no longer handles the signal.
 */
export function interruptOnce(reached: (said: Parameters<OnOutput>[0]) => boolean): OnOutput {
  let pressed = false;
  return (said, child) => {
    if (pressed || !reached(said)) return;
    pressed = true;
    child.kill("SIGINT");
  };
}
