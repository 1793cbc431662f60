/** Logs an entry as one line of JSON. Never pass a secret, a body or a query string. */
export function log(entry: Readonly<Record<string, unknown>>): void {
  console.log(
    JSON.stringify(entry, (_, value: unknown) =>
      value instanceof Error ? `${value.name}: ${describeError(value).message}` : value,
    ),
  );
}

/** Logs an unexpected error with the id of its request. Returns the logged message. */
export function logUnexpected(requestId: string, thrown: unknown): string {
  const { message, stack } = describeError(thrown);
  log({ level: "error", requestId, message, stack });
  return message;
}

/**
 * Returns the message and stack for the log. Messages of Drizzle's errors contain the parameters of the query (hashes,
 * tokens, email addresses), so those are replaced by the cause's message and the SQL.
 */
export function describeError(thrown: unknown): { message: string; stack: string } {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if ("query" in error && "params" in error) {
    const { message } = describeError(error.cause);
    return { message: `${message} (${String(error.query)})`, stack: `${message} (${String(error.query)})` };
  }
  return { message: error.message, stack: error.stack || `${error.name}: ${error.message}` };
}
