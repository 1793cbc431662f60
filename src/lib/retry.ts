/** Runs idempotent work. Retries it after 50 and after 250 milliseconds, and throws the third error. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of [50, 250]) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return work();
}
