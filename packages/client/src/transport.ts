/** Sends requests, with credentials, cache, retries and errors. */
import type { Operations } from "./api.ts";
import { memoryCache, type CachedResponse, type ResponseCache } from "./cache.ts";
import { EdgepressError, readError, parseJson } from "./errors.ts";

export type ClientOptions = {
  /** The address of the service, such as `https://press.example.com`. */
  readonly url: string;
  /** An API key. Published articles need none. Never put a key into a page that browsers load. */
  readonly apiKey?: string | undefined;
  /** An operator token, for webhook subscriptions and the like. Used in place of `apiKey`. */
  readonly operatorToken?: string | undefined;
  /** An OAuth access token. Used in place of `apiKey`. */
  readonly accessToken?: string | undefined;
  /** Stores responses; in memory by default. `null` stores none. */
  readonly cache?: ResponseCache | null | undefined;
  /** Used in place of the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How often a call is retried after 429, 503 or a lost connection; 3 by default. */
  readonly retries?: number | undefined;
  /** Seconds. If the service asks for a longer pause, the call fails at once; 30 by default. */
  readonly maxWaitSeconds?: number | undefined;
  /**
   * Your own rules for retries. Called for each call. The returned function gets each failure, and resolves when to try
   * again, or rejects.
   */
  readonly retry?: (() => (error: EdgepressError) => Promise<void>) | undefined;
  /** Milliseconds for each attempt; 30,000 by default. Generating an article takes longer. */
  readonly timeoutMs?: number | undefined;
};

/** Options of every call. */
export type CallOptions = {
  /** Aborts the call, also during a pause. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Used in place of `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined;
};

/** Options of writes. */
export type WriteOptions = CallOptions & {
  /**
   * The key by which the service recognizes a repeated write. By default, each call has a new one, which its attempts
   * share. Store a key of your own to repeat a write safely after your program has crashed.
   */
  readonly idempotencyKey?: string | undefined;
  /** The ETag of the version that you have read (`etagOf`). A newer version is refused with `precondition_failed`. */
  readonly ifMatch?: string | null | undefined;
};

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export type ApiRequest = WriteOptions & {
  /** `GET` by default. */
  readonly method?: string | undefined;
  /** The path from the root of the service, percent-encoded. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** Sent as JSON; a `Blob` (a file) as it is. */
  readonly body?: object | undefined;
  /** Sends no credentials and no `Idempotency-Key`, for writes from any site. */
  readonly asReader?: boolean | undefined;
  /** The ETag of your own copy. If it is still current, `value` is undefined. */
  readonly ifNoneMatch?: string | undefined;
  /** A type other than JSON, such as `text/event-stream`. There is no `value` then; read `response` yourself. */
  readonly accept?: string | undefined;
};

export type ApiAnswer<T> = {
  readonly value: T;
  readonly etag: string | null;
  /** The cursor of the next page, or `after` of the next events; null on the last page. */
  readonly next: string | null;
  /** The HTTP response; undefined if the answer came from the cache. */
  readonly response: Response | undefined;
};

/** An operation of the reference, by its method and path: `GET /api/blogs/{blogId}`. */
export type Route = keyof Operations;
export type AnswerOf<R extends Route> = Operations[R]["answer"];

/** The input of an operation: `params` of its path, `query` and `body`. Undefined members are not sent. */
export type InputOf<R extends Route> = { [M in keyof Operations[R] as Exclude<M, "answer">]: Loose<Operations[R][M]> };
export type Loose<T> = T extends Blob ? T : { [K in keyof T]: {} extends Pick<T, K> ? T[K] | undefined : T[K] };
type Optional<I, More> = {} extends I ? [input?: I & More] : [input: I & More];
export type Arguments<R extends Route, More = WriteOptions> = Optional<InputOf<R>, More>;

export type Send = {
  <R extends Route>(
    route: R,
    ...input: Arguments<R, WriteOptions & Pick<ApiRequest, "asReader" | "accept">>
  ): Promise<ApiAnswer<AnswerOf<R>>>;
  <T>(request: ApiRequest): Promise<ApiAnswer<T>>;
};

type Sent = Omit<CachedResponse, "body"> & { readonly body: string | undefined; readonly response: Response };

const etags = new WeakMap<object, string>();

/** Returns the ETag of a value that the client has returned, for `ifMatch`; undefined if it has none. */
export const etagOf = (value: object): string | undefined => etags.get(value);

export function createTransport(options: ClientOptions): Send {
  const authorization = buildAuthorization(options);
  const cache = options.cache === undefined ? memoryCache() : options.cache;
  let scope: Promise<string> | undefined;
  return async <T>(asked: string | ApiRequest, input?: Partial<ApiRequest>): Promise<ApiAnswer<T>> => {
    const request = typeof asked === "string" ? buildRequest(asked, input) : asked;
    const url = buildUrl(options.url, request);
    const keeps = cache !== null && (request.method ?? "GET") === "GET" && request.ifNoneMatch === undefined;
    if (!keeps) return toAnswer<T>(await attempts(options, request, { url, authorization }));
    // A cache may be shared, but one credential must not see what another has read.
    const key = `${await (scope ??= hashCredential(authorization))} ${url}`;
    const kept = await cache.get(key);
    const sent = kept === undefined ? request : { ...request, ifNoneMatch: kept.etag };
    const fresh = await attempts(options, sent, { url, authorization });
    if (fresh?.etag && fresh.body) await cache.set(key, { etag: fresh.etag, body: fresh.body, next: fresh.next });
    return toAnswer<T>(fresh ?? kept);
  };
}

/** Throws `not_found` for a parameter that cannot be the name of anything. */
function buildRequest(
  route: string,
  { params = {}, ...rest }: Partial<ApiRequest> & { readonly params?: Readonly<Record<string, string>> } = {},
): ApiRequest {
  const [method, template = ""] = route.split(" ");
  const path = template.replace(/\{(\w+)\}/g, (_, member: string) => {
    const name = String(params[member]);
    // URL parsers resolve "." and "..", even percent-encoded: the request would go elsewhere.
    if (!/^\.{0,2}$/.test(name)) return encodeURIComponent(name);
    throw new EdgepressError("not_found", `Nothing is named "${name}".`, { status: 404 });
  });
  return { ...rest, method, path };
}

/** Parses the body for each answer, so that callers share no objects through the cache. */
function toAnswer<T>(kept: Sent | CachedResponse | undefined): ApiAnswer<T> {
  const { etag, body, next = null, response }: Partial<Sent> = kept ?? {};
  const value = (body === undefined ? body : parseJson(body)) as T;
  if (body !== undefined && value === undefined) throw new EdgepressError("invalid_answer", "The answer is not JSON.");
  if (etag && Object(value) === value) etags.set(value as object, etag);
  return { value, etag: etag || null, next, response };
}

const JSON_TYPE = "application/json";

type Sending = { readonly url: string; readonly authorization: string | null };

/** Sends a request until it succeeds or a retry is pointless. Returns undefined for a 304. */
async function attempts(
  options: ClientOptions,
  request: ApiRequest,
  { url, authorization }: Sending,
): Promise<Sent | undefined> {
  const { method = "GET", body, asReader = false } = request;
  const isFile = body instanceof Blob;
  const headers: Record<string, string> = {};
  const set = (name: string, value: string | false | null | undefined) => value && (headers[name] = value);
  set("Accept", request.accept ?? JSON_TYPE);
  set("Authorization", !asReader && authorization);
  set("Content-Type", body && !isFile && JSON_TYPE);
  set("If-Match", request.ifMatch);
  set("If-None-Match", request.ifNoneMatch);
  set("Idempotency-Key", method !== "GET" && !asReader && (request.idempotencyKey ?? crypto.randomUUID()));
  const init: RequestInit = { method, headers, redirect: "manual" };
  if (body) init.body = isFile ? body : JSON.stringify(body);
  const again = options.retry?.() ?? makeRetry(options, request.signal);
  for (;;) {
    const outcome = await attempt(options, request, { url, init });
    if (!(outcome instanceof EdgepressError)) return outcome;
    await again(outcome);
  }
}

/** Sends a request once. Returns a failure, which may be retried; throws only the reason of the caller's signal. */
async function attempt(
  options: ClientOptions,
  { signal, accept, timeoutMs = options.timeoutMs ?? 30_000 }: ApiRequest,
  { url, init }: { readonly url: string; readonly init: RequestInit },
): Promise<Sent | undefined | EdgepressError> {
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    const response = await (options.fetch ?? fetch)(url, { ...init, signal: either });
    if (response.status === 304) return undefined;
    if (!response.ok) return await readError(response);
    const { headers } = response;
    const link = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get("Link") ?? "")?.[1];
    return {
      response,
      etag: headers.get("ETag") ?? "",
      next: link === undefined ? null : getPlace(link),
      body: accept ? undefined : await response.text(),
    };
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    if (timeout.aborted) return new EdgepressError("timeout", "The service did not answer in time.", { cause });
    return new EdgepressError("unreachable", "The service cannot be reached.", { cause });
  }
}

/** Returns only the place in a list, so that credentials go to no other address. Events have theirs in `after`. */
function getPlace(link: string): string {
  const query = new URLSearchParams(link.split("?")[1]);
  return query.get("cursor") ?? query.get("after") ?? "";
}

/** Returns a function that waits until the next attempt of a call, or throws the failure if a retry is pointless. */
function makeRetry({ retries = 3, maxWaitSeconds = 30 }: ClientOptions, signal: AbortSignal | undefined) {
  let tried = 0;
  return async (error: EdgepressError): Promise<void> => {
    const { code, status, retryAfter } = error;
    const grows = 0.25 * 2 ** tried;
    if (tried++ >= retries || code === "timeout") throw error;
    if (code !== "unreachable") {
      // `idempotency_in_progress`: an earlier attempt of this call is still running, and its answer was lost.
      if (status !== 429 && status !== 503 && code !== "idempotency_in_progress") throw error;
      // Without Retry-After, the service does not expect to recover soon. Proxies always leave it out.
      if (retryAfter === null && code !== "invalid_answer") throw error;
    }
    if (Number(retryAfter) > maxWaitSeconds) throw error;
    return pause(Math.max(Number(retryAfter), grows), signal);
  };
}

/** Also resolves when the signal aborts: the next attempt then throws its reason. */
function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal?.addEventListener("abort", end);
  });
}

function buildAuthorization({ operatorToken, accessToken, apiKey }: ClientOptions): string | null {
  if (operatorToken !== undefined) return `Token ${operatorToken}`;
  if (accessToken !== undefined) return `Bearer ${accessToken}`;
  return apiKey === undefined ? null : `Basic ${btoa(`${apiKey}:`)}`;
}

/** Returns a name for a credential that does not reveal it. */
async function hashCredential(authorization: string | null): Promise<string> {
  if (authorization === null) return "anonymous";
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(authorization));
  return btoa(String.fromCharCode(...new Uint8Array(hash, 0, 16)));
}

function buildUrl(base: string, { path, query = {} }: ApiRequest): string {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}
