import { tracing } from "cloudflare:workers";

/** Identifiers and names only, never a text. */
type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * Runs work in a span of Workers tracing, in which those nest that the platform makes of queries, queues and requests. If
 * the invocation is not traced, it only runs the work.
 */
export const inSpan = <T>(name: string, attributes: Attributes, work: () => T): T =>
  tracing.enterSpan(name, (span) => {
    if (span.isTraced) span.setAttributes(attributes);
    return work();
  });
