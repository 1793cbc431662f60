/** How the service answers, in the short forms that a test compares. */
import type { Problem } from "./refusals.ts";
import { send, type Send } from "./requests.ts";

/** The status, and of a refusal its code: "200", "403 scope_missing". */
export async function outcome(path: string, options?: Send): Promise<string> {
  const response = await send(path, options);
  const text = await response.text();
  if (response.status < 400 || text === "") return String(response.status);
  return `${response.status} ${(JSON.parse(text) as Problem).code}`;
}

/** The body of a refusal; fails where the request is not refused. */
export async function problemOf(path: string, options?: Send): Promise<Problem> {
  const response = await send(path, options);
  if (response.status < 400) throw new Error(`${path} is not refused: ${response.status}`);
  return response.json<Problem>();
}

/** The fields that a refusal names, each once. */
export async function wrongFields(path: string, options?: Send): Promise<string[]> {
  const { errors = [] } = await problemOf(path, options);
  return [...new Set(errors.map((error) => error.path))];
}

/** A header of a response, which has to be there. */
export function headerOf(response: Response, name: string): string {
  const value = response.headers.get(name);
  if (value === null) throw new Error(`${response.url} has no ${name} header`);
  return value;
}

/** The statuses of several answers, in order of size: which of several callers wins is not for a test to say. */
export const statusesOf = (responses: readonly Response[]): number[] =>
  responses.map(({ status }) => status).sort((a, b) => a - b);
