/**
 * Requests as a caller sends them, straight to the Worker's own fetch: each call of `exports.default.fetch` makes the
 * next ones slower (workers-sdk issue 15446).
 */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Scope } from "../../src/domain/principal.ts";
import worker from "../../src/worker.ts";
import { UNLIMITED } from "./limiter.ts";

export const ORIGIN = "https://edgepress.test";

export type Credential = { readonly apiKey?: string; readonly operatorToken?: string };

/** Returns the Authorization header of a credential; no header for an anonymous caller. */
export function authorization({ apiKey, operatorToken }: Credential): Record<string, string> {
  if (apiKey !== undefined) return { Authorization: `Basic ${btoa(apiKey)}` };
  return operatorToken === undefined ? {} : { Authorization: `Token ${operatorToken}` };
}

export type Send = {
  readonly as?: Credential;
  readonly method?: string;
  /** Text, bytes and streams go as they are, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The content type of the body; null for none. */
  readonly type?: string | null;
  /** Bindings that replace those of the test's environment, and {@link UNLIMITED}. */
  readonly bindings?: Partial<Env>;
};

/** One object for all requests, because the Worker parses the settings of each object anew. */
const plain: Env = { ...env, ...UNLIMITED };

/** Sends one request, and waits for what the Worker does after its answer. */
export async function send(path: string, options: Send = {}): Promise<Response> {
  const { as = {}, body, headers = {}, type = "application/json", bindings } = options;
  const typed = body === undefined || type === null ? {} : { "Content-Type": type };
  const request = new Request(new URL(path, ORIGIN), {
    method: options.method ?? (body === undefined ? "GET" : "POST"),
    headers: { ...typed, ...authorization(as), ...headers },
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
  const context = createExecutionContext();
  const response = await worker.fetch(request, bindings === undefined ? plain : { ...plain, ...bindings }, context);
  await waitOnExecutionContext(context);
  return response;
}

/** Sends one request and reads its JSON; fails where the status is another. */
export async function sendJson<T = Record<string, unknown>>(status: number, path: string, options?: Send): Promise<T> {
  const response = await send(path, options);
  const text = await response.text();
  if (response.status !== status) throw new Error(`${path}: ${response.status}, not ${status}: ${text.slice(0, 1000)}`);
  return JSON.parse(text) as T;
}

const isRaw = (body: unknown): body is BodyInit =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;

type Issued = { _id: string; secret: string };

/** An API key with these scopes. */
export const issueKey = (as: Credential, scopes: readonly Scope[], more: object = {}): Promise<Issued> =>
  sendJson(200, "/api/apikeys", { as, body: { name: "key", scopes, ...more } });

/** An operator token. */
export const issueToken = (as: Credential, more: object = {}): Promise<Issued> =>
  sendJson(200, "/api/accesstokens", { as, body: { name: "token", ...more } });
