/** Sends requests: credentials, the cache by ETag, retries, errors. */
import type { Operations } from "./api.ts";
import { memoryCache, type CachedResponse, type ResponseCache } from "./cache.ts";
import { EdgepressError, errorOf, parsed } from "./errors.ts";

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
  /**
   * Rules of your own, in place of both. Called for each call; what it returns gets each failure, and resolves when to
   * try again or rejects.
   */
  readonly retry?: (() => (error: EdgepressError) => Promise<void>) | undefined;
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
  readonly ifMatch?: string | null | undefined;
};

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export type ApiRequest = WriteOptions & {
  /** `GET` by default. */
  readonly method?: string | undefined;
  /** The path from the root of the service. Names in it are percent-encoded already. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** Sent as JSON; a `Blob` as it is, for files. */
  readonly body?: object | undefined;
  /** Sends neither credentials nor an `Idempotency-Key`: for writes that pages of other sites may send. */
  readonly asReader?: boolean | undefined;
  /** The ETag of a copy of your own. If it is still right, the answer has `value: undefined`. */
  readonly ifNoneMatch?: string | undefined;
  /** Asks for something else than JSON, such as `text/event-stream`: there is no `value`, and `response` is not read. */
  readonly accept?: string | undefined;
};

export type ApiAnswer<T> = {
  readonly value: T;
  readonly etag: string | null;
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
  /** The answer as it came; undefined if it was kept. */
  readonly response: Response | undefined;
};

/** An operation of the reference, by its method and path: `GET /api/blogs/{blogId}`. */
export type Route = keyof Operations;
export type AnswerOf<R extends Route> = Operations[R]["answer"];

/** What an operation takes: `params` in its path, `query` and `body`. What is undefined is not sent. */
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

/** Returns the ETag of something that the client has returned, for `ifMatch`; undefined if it has none. */
export const etagOf = (value: object): string | undefined => etags.get(value);

/** Returns the function that sends a client's requests. */
export function createTransport(options: ClientOptions): Send {
  const authorization = authorizationOf(options);
  const cache = options.cache === undefined ? memoryCache() : options.cache;
  let scope: Promise<string> | undefined;
  return async <T>(asked: string | ApiRequest, input?: Partial<ApiRequest>): Promise<ApiAnswer<T>> => {
    const request = typeof asked === "string" ? requestOf(asked, input) : asked;
    const url = urlOf(options.url, request);
    const keeps = cache !== null && (request.method ?? "GET") === "GET" && request.ifNoneMatch === undefined;
    if (!keeps) return answerOf<T>(await attempts(options, request, { url, authorization }));
    // A cache may be shared: what one credential has read must not be found by another.
    const key = `${await (scope ??= fingerprint(authorization))} ${url}`;
    const kept = await cache.get(key);
    const sent = kept === undefined ? request : { ...request, ifNoneMatch: kept.etag };
    const fresh = await attempts(options, sent, { url, authorization });
    if (fresh?.etag && fresh.body) await cache.set(key, { etag: fresh.etag, body: fresh.body, next: fresh.next });
    return answerOf<T>(fresh ?? kept);
  };
}

/** Puts names into the path of a route. Throws `not_found` for a name that nothing can have. */
function requestOf(
  route: string,
  { params = {}, ...rest }: Partial<ApiRequest> & { readonly params?: Readonly<Record<string, string>> } = {},
): ApiRequest {
  const [method, template = ""] = route.split(" ");
  const path = template.replace(/\{(\w+)\}/g, (_, member: string) => {
    const name = String(params[member]);
    // URL parsers take these as steps in the path, even percent-encoded: the request would go elsewhere.
    if (!/^\.{0,2}$/.test(name)) return encodeURIComponent(name);
    throw new EdgepressError("not_found", `Nothing is named "${name}".`, { status: 404 });
  });
  return { ...rest, method, path };
}

/** Parses a response anew each time, so that nobody changes what others get from the cache. */
function answerOf<T>(kept: Sent | CachedResponse | undefined): ApiAnswer<T> {
  const { etag, body, next = null, response }: Partial<Sent> = kept ?? {};
  const value = (body === undefined ? body : parsed(body)) as T;
  if (body !== undefined && value === undefined) throw new EdgepressError("invalid_answer", "The answer is not JSON.");
  if (etag && Object(value) === value) etags.set(value as object, etag);
  return { value, etag: etag || null, next, response };
}

const JSON_TYPE = "application/json";

type Sending = { readonly url: string; readonly authorization: string | null };

/** Sends a request until it succeeds or nothing speaks for another attempt. Returns undefined for a 304. */
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
  const again = options.retry?.() ?? retries(options, request.signal);
  for (;;) {
    const outcome = await attempt(options, request, { url, init });
    if (!(outcome instanceof EdgepressError)) return outcome;
    await again(outcome);
  }
}

/** Sends a request once. Returns failures, which may be worth another attempt. Throws the reason of the caller's signal. */
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
    if (!response.ok) return await errorOf(response);
    const { headers } = response;
    const link = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get("Link") ?? "")?.[1];
    return {
      response,
      etag: headers.get("ETag") ?? "",
      // Only the cursor is used, so that the credentials go to no other address.
      next: link === undefined ? null : (new URLSearchParams(link.split("?")[1]).get("cursor") ?? ""),
      body: accept ? undefined : await response.text(),
    };
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    if (timeout.aborted) return new EdgepressError("timeout", "The service did not answer in time.", { cause });
    return new EdgepressError("unreachable", "The service cannot be reached.", { cause });
  }
}

/** Returns what waits until the next attempt of a call, or throws the failure if there is to be none. */
function retries({ retries = 3, maxWaitSeconds = 30 }: ClientOptions, signal: AbortSignal | undefined) {
  let tried = 0;
  return async (error: EdgepressError): Promise<void> => {
    const { code, status, retryAfter } = error;
    const grows = 0.25 * 2 ** tried;
    if (tried++ >= retries || code === "timeout") throw error;
    if (code !== "unreachable") {
      // `idempotency_in_progress`: an earlier attempt of the same call is still running, whose answer was lost on the way.
      if (status !== 429 && status !== 503 && code !== "idempotency_in_progress") throw error;
      // Without Retry-After, the service means that it will not be better soon. Proxies leave it out.
      if (retryAfter === null && code !== "invalid_answer") throw error;
    }
    if (Number(retryAfter) > maxWaitSeconds) throw error;
    return pause(Math.max(Number(retryAfter), grows), signal);
  };
}

/** Waits, until the signal aborts at most: the next attempt then throws its reason. */
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

function authorizationOf({ operatorToken, accessToken, apiKey }: ClientOptions): string | null {
  if (operatorToken !== undefined) return `Token ${operatorToken}`;
  if (accessToken !== undefined) return `Bearer ${accessToken}`;
  return apiKey === undefined ? null : `Basic ${btoa(`${apiKey}:`)}`;
}

/** Returns a name for a credential that does not tell it. */
async function fingerprint(authorization: string | null): Promise<string> {
  if (authorization === null) return "anonymous";
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(authorization));
  return btoa(String.fromCharCode(...new Uint8Array(hash, 0, 16)));
}

function urlOf(base: string, { path, query = {} }: ApiRequest): string {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}
