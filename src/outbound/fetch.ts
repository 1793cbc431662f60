import { FETCHED, hold, type Held } from "../memory.ts";
import { SMALL_BYTES } from "../lib/body.ts";
import { concatBytes } from "../lib/bytes.ts";
import { VERSION } from "../lib/version.ts";
import { checkTarget, type TargetRules } from "./target.ts";

export type GetRequest = {
  readonly url: string;
  readonly rules: TargetRules;
  /** Maximum milliseconds for all redirects and the body together, not counting waits for memory. */
  readonly timeoutMs: number;
  /** Maximum bytes of the body after decompression. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly headers: Readonly<Record<string, string>>;
  /** After it is aborted, `guardedGet` throws its reason. */
  readonly signal?: AbortSignal;
};

export type GetOutcome =
  | {
      readonly kind: "response";
      readonly status: number;
      readonly headers: Headers;
      /** The body. If the status is not 2xx: its first 16 KiB, or nothing if it could not be read. */
      readonly bytes: Uint8Array;
      /** The URL that sent the response, after redirects. */
      readonly url: string;
    }
  /** `detail` is a sentence for the person who chose the address. */
  | { readonly kind: "failed"; readonly reason: GetFailure; readonly detail: string };

/** Some servers, such as Reddit's, refuse clients without a User-Agent. */
export const USER_AGENT = `Edgepress/${VERSION}`;

/** `target`: the URL is not allowed (target.ts). `connection`: DNS, TCP, TLS, HTTP or the decompression failed. */
export type GetFailure = "target" | "timeout" | "connection" | "too_many_redirects" | "too_large";

/**
 * Gets a URL that somebody else chose. Checks each redirect. After a redirect to another origin, sends only headers
 * that describe the client: no credentials, no validators. Throws only if `signal` is aborted, and `not_ready` if other
 * large responses hold too much memory.
 */
export async function guardedGet(request: GetRequest): Promise<GetOutcome> {
  request.signal?.throwIfAborted();
  const abort = new AbortController();
  const forward = (): void => abort.abort(request.signal?.reason);
  request.signal?.addEventListener("abort", forward);
  let late = false;
  let refusal: unknown;
  let held: Held | undefined;
  const lapse = (): void => {
    late = true;
    abort.abort();
  };
  let end = Date.now() + request.timeoutMs;
  let timer = setTimeout(lapse, request.timeoutMs);
  const holdBody = async (bytes: number): Promise<void> => {
    // The server's time does not run while this waits for memory.
    clearTimeout(timer);
    const left = end - Date.now();
    const growing = held ? held.grow(bytes) : hold(bytes, FETCHED).then((share) => void (held = share));
    await growing.catch((error: unknown) => Promise.reject((refusal = error) as Error));
    end = Date.now() + left;
    timer = setTimeout(lapse, left);
  };
  try {
    return await follow({ ...request, holdBody }, abort.signal);
  } catch {
    request.signal?.throwIfAborted();
    if (refusal !== undefined) throw refusal;
    if (late) return failed("timeout", `It did not answer within ${request.timeoutMs / 1000} seconds.`);
    return failed("connection", "It could not be reached, or closed the connection in the middle of its response.");
  } finally {
    clearTimeout(timer);
    held?.end();
    request.signal?.removeEventListener("abort", forward);
    // Closes the connection if the response was not read to its end.
    abort.abort();
  }
}

/** `holdBody` is called with the bytes of a successful body that have arrived, once they are more than SMALL_BYTES. */
type Holding = GetRequest & { readonly holdBody: (bytes: number) => Promise<void> };

async function follow(request: Holding, signal: AbortSignal): Promise<GetOutcome> {
  let { url: address, headers } = request;
  let origin: URL | undefined;
  for (let redirects = 0; ; redirects++) {
    const verdict = checkTarget(address, request.rules);
    if (!verdict.allowed)
      return failed("target", redirects === 0 ? verdict.reason : describeRedirect(address, verdict.reason));
    const { url } = verdict;
    url.hash = "";
    origin ??= url;
    // The headers stay away even if it redirects back to the first origin: another origin has chosen that URL.
    if (!hasSameOrigin(origin, url)) headers = pickClientHeaders(headers);
    const response = await fetch(url, { headers, redirect: "manual", signal });
    const next = findRedirect(response, url);
    if (next === undefined) return await readResponse(response, url, request);
    await response.body?.cancel();
    if (redirects === request.maxRedirects) {
      return failed("too_many_redirects", `It redirects more than ${request.maxRedirects} times.`);
    }
    address = next;
  }
}

/** Returns the absolute URL of a redirect (RFC 9110, 15.4) without user name and password. */
function findRedirect(response: Response, from: URL): string | undefined {
  const location = response.headers.get("Location");
  if (!REDIRECTS.has(response.status) || location === null) return undefined;
  // checkTarget refuses a value that is no URL.
  if (!URL.canParse(location, from.href)) return location;
  const url = new URL(location, from.href);
  url.username = "";
  url.password = "";
  url.hash = "";
  return url.href;
}

/** Returns whether a URL has the first origin, or the same host with https instead of http, as many hosts redirect. */
function hasSameOrigin(first: URL, now: URL): boolean {
  if (now.origin === first.origin) return true;
  return now.hostname === first.hostname && now.protocol === "https:" && now.port === "" && first.port === "";
}

function pickClientHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => CLIENT_HEADERS.has(name.toLowerCase())));
}

async function readResponse(response: Response, url: URL, request: Holding): Promise<GetOutcome> {
  const answer = { kind: "response", status: response.status, headers: response.headers, url: url.href } as const;
  if (response.ok) {
    const { bytes, complete } = await readBytes(response, request.maxBytes, request.holdBody);
    if (complete) return { ...answer, bytes };
    return failed("too_large", `It is larger than ${request.maxBytes / (1024 * 1024)} MiB.`);
  }
  const bytes = await readBytes(response, EXPLANATION_BYTES).then(
    (read) => read.bytes,
    () => new Uint8Array(),
  );
  request.signal?.throwIfAborted();
  return { ...answer, bytes };
}

/**
 * Reads at most `most` bytes of a body and cancels the rest. `complete` is false if there was more. Calls `holdBody` with
 * the bytes so far, and reads on once it has resolved.
 */
async function readBytes(
  { body }: Response,
  most: number,
  holdBody?: Holding["holdBody"],
): Promise<{ bytes: Uint8Array; complete: boolean }> {
  if (body === null) return { bytes: new Uint8Array(), complete: true };
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    chunks.push(chunk.subarray(0, most - length));
    length += chunk.byteLength;
    if (length > SMALL_BYTES) await holdBody?.(length);
    // Leaving the loop cancels the stream.
    if (length > most) break;
  }
  return { bytes: concatBytes(chunks), complete: length <= most };
}

const failed = (reason: GetFailure, detail: string): GetOutcome => ({ kind: "failed", reason, detail });

/** Names only the host of the URL, because the rest can be long or contain a secret. */
function describeRedirect(address: string, reason: string): string {
  const place = URL.canParse(address) ? new URL(address).host : "";
  return `It redirects to an address that is not allowed${place === "" ? "" : `, at ${place}`}. ${reason}`;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Request headers that every origin may get. */
const CLIENT_HEADERS: ReadonlySet<string> = new Set(["accept", "accept-language", "user-agent"]);

/** Maximum bytes of a body whose status is not 2xx. An API's explanation fits. */
const EXPLANATION_BYTES = 16 * 1024;
