/** Lets others in after a step of work. */
export type Pause = () => Promise<void>;

/** Pictures take a third of a thread at most, whoever sends them: after a step, others have twice its time. */
const REST = 2;

/** Returns what ends each step of a work that begins now. */
export function pausing(): Pause {
  let began = Date.now();
  return async () => {
    // Deployed, the clock stands still while a Worker computes.
    await scheduler.wait(1);
    await scheduler.wait(REST * (Date.now() - began));
    began = Date.now();
  };
}
