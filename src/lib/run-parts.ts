/** Runs the parts of a job in order. If a part throws, calls `failed` and continues with the next one. */
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
