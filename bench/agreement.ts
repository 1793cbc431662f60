/** Checks that a route and its bare counterpart give the same response. Otherwise their ratio would mean nothing. */
import type { Comparison, Side } from "./rates.ts";

/** How many requests of each route are compared. */
const TRIED = 5;

/** Throws if the two sides of a comparison do not return the same bytes. */
export async function assertSameAnswers(comparisons: readonly Comparison[]): Promise<void> {
  for (const { name, service, bare } of comparisons) {
    if (service === null) continue;
    for (let n = 0; n < TRIED; n++) {
      const [ours, theirs] = [await answerOf(service, n), await answerOf(bare, n)];
      if (ours !== theirs) throw new Error(`${name}: the answers differ\n${difference(ours, theirs)}`);
    }
  }
}

/** Sends one request and returns its body. Throws for another status. Masks values that are new with each write. */
async function answerOf({ port, requests, status }: Side, n: number): Promise<string> {
  const { path, ...init } = parsed((requests[n % requests.length] ?? "").replace("{n}", `9999999${n}`));
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  const body = await response.text();
  if (response.status !== status) throw new Error(`${path}: ${response.status}, not ${status}\n${body}`);
  return init.method === "POST" ? masked(body) : body;
}

/** Returns the text around the first difference, from both sides. */
function difference(ours: string, theirs: string): string {
  const from = Math.max(Array.from(ours).findIndex((character, index) => character !== theirs[index]) - 40, 0);
  return `service: …${ours.slice(from, from + 120)}\nbare:    …${theirs.slice(from, from + 120)}`;
}

/** Parses a request in the form in which the load sends it. */
function parsed(request: string) {
  const [head = "", body] = request.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const [method = "", path = ""] = line.split(" ");
  const headers = fields
    .map((field) => field.split(": ", 2) as [string, string])
    .filter(([name]) => name !== "Host" && name !== "Content-Length");
  return { method, path, headers, ...(body !== "" && { body }) };
}

/** Matches identifiers, times and slugs that are new with each write. */
const NEW = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}|\d{4}-\d\d-\d\dT[\d:.]{12}Z|(?:service|bare)-\d{8}/g;

/** Returns the body without such values. */
const masked = (body: string): string => body.replaceAll(NEW, "new");
