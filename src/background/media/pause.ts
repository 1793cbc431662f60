/** Lets other work run after a step. */
export type Pause = () => Promise<void>;

/** After a step, others get twice its time. So pictures take at most a third of a thread. */
const REST = 2;

/** Returns a function to be called after each step of some long work. */
export function makePause(): Pause {
  let began = Date.now();
  return async () => {
    // When deployed, the clock stands still while a Worker computes.
    await scheduler.wait(1);
    await scheduler.wait(REST * (Date.now() - began));
    began = Date.now();
  };
}
