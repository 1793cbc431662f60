/** Responses in short forms for comparison in tests. */
import type { Problem } from "./refusals.ts";
import { send, type Send } from "./requests.ts";

/** Returns the status, and the code of an error: "200", "403 scope_missing". */
export async function outcome(path: string, options?: Send): Promise<string> {
  const response = await send(path, options);
  const text = await response.text();
  if (response.status < 400 || text === "") return String(response.status);
  return `${response.status} ${(JSON.parse(text) as Problem).code}`;
}

/** Returns the body of an error response. Throws if the request succeeds. */
export async function problemOf(path: string, options?: Send): Promise<Problem> {
  const response = await send(path, options);
  if (response.status < 400) throw new Error(`${path} is not refused: ${response.status}`);
  return response.json<Problem>();
}

/** Returns the fields that an error response names, each once. */
export async function wrongFields(path: string, options?: Send): Promise<string[]> {
  const { errors = [] } = await problemOf(path, options);
  return [...new Set(errors.map((error) => error.path))];
}

/** Returns a header of a response. Throws if it is missing. */
export function headerOf({ headers, url }: { headers: Headers; url?: string }, name: string): string {
  const value = headers.get(name);
  if (value === null) throw new Error(`${url ?? "the response"} has no ${name} header`);
  return value;
}

/** Returns the statuses of several responses in ascending order, because which of several callers wins is random. */
export const statusesOf = (responses: readonly Response[]): number[] =>
  responses.map(({ status }) => status).sort((a, b) => a - b);
