/** Runs work that may be repeated safely; tries again twice, after 50 and 250 milliseconds. */
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
