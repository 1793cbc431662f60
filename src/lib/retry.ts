/** Milliseconds between attempts: `brief` if somebody waits for the result, `patient` otherwise. */
const PAUSES_MS = { brief: [50, 250], patient: [50, 250, 1000, 5000, 20_000] } as const;

/** Runs idempotent work until it succeeds. Throws the error of the last attempt. */
export async function retry<T>(work: () => Promise<T>, pauses: keyof typeof PAUSES_MS = "brief"): Promise<T> {
  for (const pause of PAUSES_MS[pauses]) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return work();
}
