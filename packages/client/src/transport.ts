/** Sends requests: credentials, the cache by ETag, retries, errors. */
import { memoryCache, type CachedResponse, type ResponseCache } from "./cache.ts";
import { EdgepressError, errorOf } from "./errors.ts";

export type ClientOptions = {
  /** The address of the service, such as `https://press.example.com`. */
  readonly url: string;
  /** An API key. Reads of what is published need none. Never put a key into a page that browsers load. */
  readonly apiKey?: string | undefined;
  /** An operator token, for webhook subscriptions and the like. Takes the place of `apiKey`. */
  readonly operatorToken?: string | undefined;
  /** An access token of OAuth. Takes the place of `apiKey`. */
  readonly accessToken?: string | undefined;
  /** Where responses are kept; in memory by default. `null` keeps none. */
  readonly cache?: ResponseCache | null | undefined;
  /** Used in place of the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How often a call is tried again after 429, 503 or a lost connection; 3 by default. */
  readonly retries?: number | undefined;
  /** If the service asks for a longer pause than this many seconds, the call fails at once; 30 by default. */
  readonly maxWaitSeconds?: number | undefined;
  /** Milliseconds that an attempt may take; 30,000 by default. Generating an article takes longer. */
  readonly timeoutMs?: number | undefined;
};

/** What every call accepts. */
export type CallOptions = {
  /** Ends the call, also a pause between two attempts. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Takes the place of `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined;
};

/** What writes accept, too. */
export type WriteOptions = CallOptions & {
  /**
   * The key by which the service knows a repetition. By default a new one for each call, which all its attempts share.
   * Give one that you store to make a write safe to repeat after your program has crashed.
   */
  readonly idempotencyKey?: string | undefined;
  /** The ETag of the version that you have read (`etagOf`). If there is a newer one: `precondition_failed`. */
  readonly ifMatch?: string | undefined;
};

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export type ApiRequest = WriteOptions & {
  /** `GET` by default. */
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined;
  /** The path from the root of the service. Names in it are percent-encoded already. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: object | undefined;
  /** Sends neither credentials nor an `Idempotency-Key`: for writes that pages of other sites may send. */
  readonly asReader?: boolean | undefined;
  /** The ETag of a copy of your own. If it is still right, the answer has `value: undefined`. */
  readonly ifNoneMatch?: string | undefined;
};

export type ApiAnswer<T> = {
  readonly value: T;
  readonly etag: string | null;
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
};

export type Send = <T>(request: ApiRequest) => Promise<ApiAnswer<T>>;

const etags = new WeakMap<object, string>();

/** Returns the ETag of something that the client has returned, for `ifMatch`; undefined if it has none. */
export const etagOf = (value: object): string | undefined => etags.get(value);

/** Returns the function that sends a client's requests. */
export function createTransport(options: ClientOptions): Send {
  const authorization = authorizationOf(options);
  const cache = options.cache === undefined ? memoryCache() : options.cache;
  let scope: Promise<string> | undefined;
  return async <T>(request: ApiRequest): Promise<ApiAnswer<T>> => {
    const url = urlOf(options.url, request);
    const keeps = cache !== null && (request.method ?? "GET") === "GET" && request.ifNoneMatch === undefined;
    if (!keeps) return answerOf<T>(await attempts(options, request, { url, authorization }));
    // A cache may be shared: what one credential has read must not be found by another.
    const key = `${await (scope ??= fingerprint(authorization))} ${url}`;
    const kept = await cache.get(key);
    const sent = kept === undefined ? request : { ...request, ifNoneMatch: kept.etag };
    const fresh = await attempts(options, sent, { url, authorization });
    const response = fresh ?? kept;
    if (fresh !== undefined && fresh.etag !== "") await cache.set(key, fresh);
    return answerOf<T>(response);
  };
}

/** Parses a response anew each time, so that nobody changes what others get from the cache. */
function answerOf<T>(response: CachedResponse | undefined): ApiAnswer<T> {
  if (response === undefined) return { value: undefined as T, etag: null, next: null };
  let value: T;
  try {
    value = JSON.parse(response.body) as T;
  } catch (cause) {
    throw new EdgepressError("invalid_answer", "The answer is not JSON.", { cause });
  }
  const etag = response.etag === "" ? null : response.etag;
  if (etag !== null && typeof value === "object" && value !== null) etags.set(value, etag);
  return { value, etag, next: response.next };
}

type Sending = { readonly url: string; readonly authorization: string | null };

/** Sends a request until it succeeds or nothing speaks for another attempt. Returns undefined for a 304. */
async function attempts(
  options: ClientOptions,
  request: ApiRequest,
  { url, authorization }: Sending,
): Promise<CachedResponse | undefined> {
  const { method = "GET", body, ifMatch, ifNoneMatch, signal, asReader = false } = request;
  const key = method === "GET" || asReader ? undefined : (request.idempotencyKey ?? crypto.randomUUID());
  const headers: Record<string, string> = { Accept: "application/json" };
  if (authorization !== null && !asReader) headers["Authorization"] = authorization;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (ifMatch !== undefined) headers["If-Match"] = ifMatch;
  if (ifNoneMatch !== undefined) headers["If-None-Match"] = ifNoneMatch;
  if (key !== undefined) headers["Idempotency-Key"] = key;
  const init: RequestInit = { method, headers, redirect: "manual" };
  if (body !== undefined) init.body = JSON.stringify(body);
  for (let tried = 0; ; tried += 1) {
    const outcome = await attempt(options, request, { url, init });
    if (!(outcome instanceof EdgepressError)) return outcome;
    const seconds = pauseAfter(outcome, tried, options);
    if (seconds === null) throw outcome;
    await pause(seconds, signal);
  }
}

/** Sends a request once. Returns failures, which may be worth another attempt. Throws the reason of the caller's signal. */
async function attempt(
  options: ClientOptions,
  { signal, timeoutMs = options.timeoutMs ?? 30_000 }: ApiRequest,
  { url, init }: { readonly url: string; readonly init: RequestInit },
): Promise<CachedResponse | undefined | EdgepressError> {
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    const response = await (options.fetch ?? fetch)(url, { ...init, signal: either });
    if (response.status === 304) return undefined;
    if (!response.ok) return await errorOf(response);
    const link = /<([^>]*)>\s*;\s*rel="?next"?/.exec(response.headers.get("Link") ?? "")?.[1];
    return {
      etag: response.headers.get("ETag") ?? "",
      body: await response.text(),
      // Only the cursor is used, so that the credentials go to no other address.
      next: link === undefined ? null : new URL(link, url).searchParams.get("cursor"),
    };
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    if (timeout.aborted) return new EdgepressError("timeout", "The service did not answer in time.", { cause });
    return new EdgepressError("unreachable", "The service cannot be reached.", { cause });
  }
}

/** Returns the seconds until the next attempt; null if there is to be none. */
function pauseAfter(error: EdgepressError, tried: number, options: ClientOptions): number | null {
  const { retries = 3, maxWaitSeconds = 30 } = options;
  const { code, status, retryAfter } = error;
  if (tried >= retries || code === "timeout") return null;
  const grows = 0.25 * 2 ** tried;
  if (code === "unreachable") return grows;
  // An earlier attempt of the same call is still running: its answer was lost on the way.
  const isRunning = code === "idempotency_in_progress";
  if (status !== 429 && status !== 503 && !isRunning) return null;
  // Without Retry-After, the service means that it will not be better soon. Proxies leave it out.
  if (retryAfter === null) return code === "invalid_answer" ? grows : null;
  return retryAfter > maxWaitSeconds ? null : Math.max(retryAfter, grows);
}

/** Waits. Rejects with the reason of the signal if it aborts. */
function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", end, { once: true });
  });
}

function authorizationOf({ operatorToken, accessToken, apiKey }: ClientOptions): string | null {
  if (operatorToken !== undefined) return `Token ${operatorToken}`;
  if (accessToken !== undefined) return `Bearer ${accessToken}`;
  return apiKey === undefined ? null : `Basic ${btoa(`${apiKey}:`)}`;
}

/** Returns a name for a credential that does not tell it. */
async function fingerprint(authorization: string | null): Promise<string> {
  if (authorization === null) return "anonymous";
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(authorization));
  return Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function urlOf(base: string, { path, query = {} }: ApiRequest): string {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}
