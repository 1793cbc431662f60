/**
 * Writes an entry to the log as one line of JSON. Of an error in it, the line has the name and the message as
 * {@link described} gives it. Never pass a secret, a body or a query string.
 */
export function log(entry: Readonly<Record<string, unknown>>): void {
  console.log(
    JSON.stringify(entry, (_, value: unknown) =>
      value instanceof Error ? `${value.name}: ${described(value).message}` : value,
    ),
  );
}

/** Logs an unexpected error with the id of its request. Returns the message that the log shows. */
export function logUnexpected(requestId: string, thrown: unknown): string {
  const { message, stack } = described(thrown);
  log({ level: "error", requestId, message, stack });
  return message;
}

/**
 * Returns the message and stack that the log may show. Drizzle's own messages include the parameters of a query
 * (hashes, tokens, e-mail addresses), so for its errors this uses the message of the cause and the SQL without
 * parameters.
 */
export function described(thrown: unknown): { message: string; stack: string } {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if ("query" in error && "params" in error) {
    const { message } = described(error.cause);
    return { message: `${message} (${String(error.query)})`, stack: `${message} (${String(error.query)})` };
  }
  return { message: error.message, stack: error.stack || `${error.name}: ${error.message}` };
}
