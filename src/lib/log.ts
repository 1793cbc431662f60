/** Writes one line of JSON. Never give it a secret, a body or a query string. */
export function log(entry: Readonly<Record<string, unknown>>): void {
  console.log(JSON.stringify(entry));
}
