/** Runs the parts of a job one after another. Each is for itself: one that fails does not keep the others from running. */
export async function runParts(
  parts: Readonly<Record<string, () => Promise<void>>>,
  failed: (part: string, error: unknown) => void,
): Promise<void> {
  for (const [part, work] of Object.entries(parts)) {
    try {
      await work();
    } catch (error) {
      failed(part, error);
    }
  }
}
