/** Writes one line of JSON. Never give it a secret, a body or a query string. */
export function log(entry: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(entry));
}

/** Logs an error that nobody expected, under its request's id; returns its message. */
export function logUnexpected(requestId: string, thrown: unknown): string {
  const { message, stack } = described(thrown);
  log({ level: "error", requestId, message, stack });
  return message;
}

/** What the log may show of an error. Drizzle's messages include the values of a query: hashes, tokens, addresses. */
export function described(thrown: unknown): { message: string; stack: string } {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if ("query" in error && "params" in error) {
    const { message } = described(error.cause);
    return { message: `${message} (${String(error.query)})`, stack: `${message} (${String(error.query)})` };
  }
  return { message: error.message, stack: error.stack || `${error.name}: ${error.message}` };
}
