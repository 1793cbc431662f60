/** One guarded GET of an address that somebody else chose: every hop is checked, and what it may cost is bounded. */
import { joined } from "../lib/bytes.ts";
import { checkTarget, type TargetRules } from "./target.ts";

export type GetRequest = {
  readonly url: string;
  readonly rules: TargetRules;
  /** Milliseconds for everything: all hops, and the body. */
  readonly timeoutMs: number;
  /** Bytes of the body after decompression. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The caller's: once it is aborted, the GET throws its reason. */
  readonly signal?: AbortSignal;
};

export type GetOutcome =
  | {
      readonly kind: "response";
      readonly status: number;
      readonly headers: Headers;
      /** For an unsuccessful status, the beginning of the body, if it could be read. */
      readonly bytes: Uint8Array;
      /** Where the answer came from, after redirects. */
      readonly url: string;
    }
  /** `detail` is a sentence for the person who chose the address. */
  | { readonly kind: "failed"; readonly reason: GetFailure; readonly detail: string };

/** What the service calls itself to others. Reddit, for one, refuses clients that do not say who they are. */
export const USER_AGENT = "Edgepress/1.0";

/** `target`: an address that is not allowed. `connection`: DNS, TCP, TLS, HTTP or the decompression failed. */
export type GetFailure = "target" | "timeout" | "connection" | "too_many_redirects" | "too_large";

/**
 * Gets a URL, following redirects by hand. What is sent to another origin than the first is only what
 * identifies the client: no credentials, and no validators. Never throws, except for `signal`.
 */
export async function guardedGet(request: GetRequest): Promise<GetOutcome> {
  request.signal?.throwIfAborted();
  const abort = new AbortController();
  const forward = (): void => abort.abort(request.signal?.reason);
  request.signal?.addEventListener("abort", forward);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    abort.abort();
  }, request.timeoutMs);
  try {
    return await follow(request, abort.signal);
  } catch {
    request.signal?.throwIfAborted();
    return late ? failed("timeout", tooLate(request)) : failed("connection", UNREACHABLE);
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", forward);
    // Ends whatever a response that was left early still holds open.
    abort.abort();
  }
}

async function follow(request: GetRequest, signal: AbortSignal): Promise<GetOutcome> {
  let { url: address, headers } = request;
  let origin: URL | undefined;
  for (let redirects = 0; ; redirects++) {
    const verdict = checkTarget(address, request.rules);
    if (!verdict.allowed)
      return failed("target", redirects === 0 ? verdict.reason : elsewhere(address, verdict.reason));
    const { url } = verdict;
    url.hash = "";
    origin ??= url;
    // Once left, for good: what an origin elsewhere redirects back to is its choice.
    if (!staysAt(origin, url)) headers = clientHeaders(headers);
    const response = await fetch(url, { headers, redirect: "manual", signal });
    const next = redirectOf(response, url);
    if (next === undefined) return await read(response, url, request);
    await response.body?.cancel();
    if (redirects === request.maxRedirects) {
      return failed("too_many_redirects", `It redirects more than ${request.maxRedirects} times.`);
    }
    address = next;
  }
}

/** Where a response redirects to, absolute and without user info; undefined if it is none (RFC 9110, 15.4). */
function redirectOf(response: Response, from: URL): string | undefined {
  const location = response.headers.get("Location");
  if (!REDIRECTS.has(response.status) || location === null) return undefined;
  // A value that is not a URL is left as it is: the check refuses it.
  if (!URL.canParse(location, from.href)) return location;
  const url = new URL(location, from.href);
  url.username = "";
  url.password = "";
  url.hash = "";
  return url.href;
}

/** Whether a hop is still at the first origin; the same host upgraded to https counts, as its first one often does. */
function staysAt(first: URL, now: URL): boolean {
  if (now.origin === first.origin) return true;
  return now.hostname === first.hostname && now.protocol === "https:" && now.port === "" && first.port === "";
}

function clientHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => CLIENT_HEADERS.has(name.toLowerCase())));
}

async function read(response: Response, url: URL, request: GetRequest): Promise<GetOutcome> {
  const answer = { kind: "response", status: response.status, headers: response.headers, url: url.href } as const;
  if (response.ok) {
    const { bytes, complete } = await bytesOf(response, request.maxBytes);
    if (complete) return { ...answer, bytes };
    return failed("too_large", `It is larger than ${request.maxBytes / (1024 * 1024)} MiB.`);
  }
  // The status has decided already, and must not be lost with its explanation.
  const bytes = await bytesOf(response, EXPLANATION_BYTES).then(
    (read) => read.bytes,
    () => new Uint8Array(),
  );
  request.signal?.throwIfAborted();
  return { ...answer, bytes };
}

/** Reads up to so many bytes. Reading stops there, and the rest is cancelled. */
async function bytesOf({ body }: Response, most: number): Promise<{ bytes: Uint8Array; complete: boolean }> {
  if (body === null) return { bytes: new Uint8Array(), complete: true };
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    chunks.push(chunk.subarray(0, most - length));
    length += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (length > most) break;
  }
  return { bytes: joined(chunks), complete: length <= most };
}

const failed = (reason: GetFailure, detail: string): GetOutcome => ({ kind: "failed", reason, detail });

const tooLate = (request: GetRequest): string => `It did not answer within ${request.timeoutMs / 1000} seconds.`;

/** The host is enough to recognize the place; the rest of an address may be long, and a secret. */
function elsewhere(address: string, reason: string): string {
  const place = URL.canParse(address) ? new URL(address).host : "";
  return `It redirects to an address that is not allowed${place === "" ? "" : `, at ${place}`}. ${reason}`;
}

const UNREACHABLE = "It could not be reached, or closed the connection in the middle of its response.";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What any origin may know. */
const CLIENT_HEADERS: ReadonlySet<string> = new Set(["accept", "accept-language", "user-agent"]);

/** Of the body of a failure: enough for an API's explanation. */
const EXPLANATION_BYTES = 16 * 1024;
