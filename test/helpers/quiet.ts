/**
 * Matches lines of a test run that its reader cannot use. workerd prints a stack of addresses for every connection that
 * a test breaks on purpose. The test pool warns that its package was renamed, but the new package is not among the
 * project's verified versions yet.
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
