/** A small client of the REST API, for the scripts. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { fetchAnswer } from "./ask.ts";

/** A response with an error status. `code` is the code of the problem in its body. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: string;

  constructor(request: string, status: number, code: string, detail: string) {
    super(`${request} was answered with ${status} ${code}: ${detail}`);
    this.code = code;
  }
}

/** All methods retry what may succeed later, parse the response with `schema`, and throw a `Refusal` for an error. */
export type Api = {
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  send<T>(method: "POST" | "PUT" | "DELETE", path: string, body: object | null, schema: z.ZodType<T>): Promise<T>;
  upload<T>(path: string, type: string, bytes: Uint8Array<ArrayBuffer>, schema: z.ZodType<T>): Promise<T>;
};

const problem = z.object({ code: z.string(), detail: z.string() });

/** Tries of a request, and milliseconds between them. `wrangler dev` refuses requests while it reloads. */
const TRIES = 20;
const PAUSE_MS = 300;
/** Milliseconds for one try. Long, as for the cron (cron.ts). */
const PATIENCE_MS = 60_000;

/** `authorization` is the value of the Authorization header. */
export function connect(baseUrl: string, authorization: string): Api {
  const headers = { Authorization: authorization };
  return {
    get: async (path, schema) => schema.parse(await sendUntilFinal(`${baseUrl}${path}`, { headers })),
    async send(method, path, body, schema) {
      const answer = await sendUntilFinal(`${baseUrl}${path}`, {
        method,
        // All tries have the same key, so that a try whose response was lost is not repeated.
        headers: { ...headers, "Content-Type": "application/json", "Idempotency-Key": randomUUID() },
        ...(body !== null && { body: JSON.stringify(body) }),
      });
      return schema.parse(answer);
    },
    upload: async (path, type, bytes, schema) => {
      const typed = { ...headers, "Content-Type": type, "Idempotency-Key": randomUUID() };
      return schema.parse(await sendUntilFinal(`${baseUrl}${path}`, { method: "POST", headers: typed, body: bytes }));
    },
  };
}

/** The key is the user name; the password is empty. */
export const makeBasicAuth = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString("base64")}`;

/** Sends a request until it succeeds or its error is final, at most TRIES times. */
async function sendUntilFinal(url: string, init: RequestInit): Promise<unknown> {
  for (let left = TRIES; ; left--) {
    const answer = await sendOnce(url, init);
    if ("value" in answer) return answer.value;
    if (!answer.passing || left === 1) throw answer.error;
    await sleep(PAUSE_MS);
  }
}

/** `passing` means that a later try may succeed. */
type Attempt = { readonly value: unknown } | { readonly error: unknown; readonly passing: boolean };

async function sendOnce(url: string, init: RequestInit): Promise<Attempt> {
  try {
    const { ok, status, text } = await fetchAnswer(url, PATIENCE_MS, init);
    if (ok) return { value: JSON.parse(text) };
    const { code, detail } = parseProblem(text);
    const error = new Refusal(`${init.method ?? "GET"} ${new URL(url).pathname}`, status, code, detail);
    return { error, passing: status === 503 || code === "idempotency_in_progress" };
  } catch (error) {
    return { error, passing: true };
  }
}

function parseProblem(text: string): z.infer<typeof problem> {
  try {
    return problem.parse(JSON.parse(text));
  } catch {
    return { code: "unknown", detail: text };
  }
}
