/**
 * Matches lines of a test run that do not help: workerd's stacks of addresses for connections that tests break on purpose, and
 * the test pool's warning that its package was renamed. (The new one is not among the project's verified versions yet.)
 */
const NOISE =
  /^(?:(?:exception|e) = (?:kj|workerd)\/|stack: \S*workerd|uncaught exception; |A header value for |Sourcemap for "\S*" points to missing source files|=+$|WARNING: @cloudflare\/vitest-pool-workers has been renamed|This package will not receive future updates|Run `npx @cloudflare\/codemods vitest:)/;

/** Removes these lines from everything that this process prints. */
export function quiet(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
      if (typeof chunk !== "string") return write(chunk, ...rest);
      const lines = chunk.split("\n");
      const kept = lines.filter((line) => !NOISE.test(line));
      if (kept.length === lines.length) return write(chunk, ...rest);
      return kept.every((line) => line === "") ? true : write(kept.join("\n"), ...rest);
    }) as typeof stream.write;
  }
}
