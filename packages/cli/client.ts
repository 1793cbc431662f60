/**
 * The REST client. Every write has an Idempotency-Key, so that a retry after a lost response does not repeat the write.
 */
import { randomUUID } from "node:crypto";
import { CliError, EXIT, interrupted, isAbort } from "./failure.ts";
import { readEvents, type ServerEvent } from "./events.ts";
import { invalidAnswer, refusalOf, unreachable } from "./refusal.ts";
import { retries } from "./retries.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export type Request = {
  readonly method: Method;
  /** The path from the server's root, already percent-encoded (the function `path` in this file does that). */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: object | undefined;
  /** A file that is the body, instead of `body`. */
  readonly file?: Uint8Array<ArrayBuffer> | undefined;
  /** The ETag of the version that this write replaces. The service refuses the write if the version has changed. */
  readonly ifMatch?: string | undefined;
  /** The key of a write. By default the client generates one. All attempts of one call use the same key. */
  readonly idempotencyKey?: string | undefined;
  /** Aborts this call only. The client's own signal aborts it too. */
  readonly signal?: AbortSignal | undefined;
  /** If true, Ctrl-C does not abort an attempt that has been sent. It only ends the pauses between attempts. */
  readonly finishes?: boolean | undefined;
  /** Called before every pause between attempts, with the length of the pause in seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined;
  /** Timeout of each attempt in milliseconds; one minute by default. Not used for event streams. */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds to wait while an earlier call with the same key is running. The default is a little longer than the
   * service reserves a key for a call that has died.
   */
  readonly patienceMs?: number | undefined;
};

export type Answer<T> = {
  readonly value: T;
  readonly etag: string | undefined;
  /** The cursor of the next page, from the `Link` header; undefined on the last page. */
  readonly next: string | undefined;
  /** Whether this is the stored response of an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean;
};

export type Client = {
  /** Scheme, host and port. */
  readonly server: string;
  /** Returns whether requests have a credential. Throws `CliError` if it cannot be read. */
  hasCredential(): Promise<boolean>;
  /**
   * Sends a request and returns the parsed response. Throws `CliError` for every failure. `T` is the type from the
   * OpenAPI document; the client does not validate it.
   */
  request<T>(request: Request): Promise<Answer<T>>;
  get<T>(path: string, query?: Query): Promise<Answer<T>>;
  /** Yields the pages of a list and fetches each one on demand. `limit` in the query is the size of a page. */
  pages<T>(path: string, query?: Query): AsyncGenerator<T[], void>;
  /** Returns the items of all pages. */
  all<T>(path: string): Promise<T[]>;
  /** Yields the items of all pages. */
  items<T>(path: string, query?: Query): AsyncGenerator<T, void>;
  /** Sends a write that takes long and yields the server-sent events of its response. Throws on an `error` event. */
  events(request: Request): AsyncGenerator<ServerEvent, void>;
};

/** Provides the credential of requests. */
export type Authorizer = {
  /** Returns the Authorization header, or null for anonymous requests. */
  header(): Promise<string | null>;
  /** Returns a new header after the header `refused` got a 401 response; null if there is no other. */
  renew(refused: string): Promise<string | null>;
};

export type ClientOptions = {
  readonly server: string;
  readonly authorizer: Authorizer;
  readonly signal: AbortSignal;
  readonly version: string;
  /** Called at most once for each call: before its first pause of 5 seconds or more, or its first after a timeout. */
  readonly onWait?: (seconds: number, why: string) => void;
};

/**
 * Percent-encodes the names in a path: path`/api/blogs/${id}`. Throws `CliError` `not_found` for a name that no
 * resource can have.
 */
export const path = (parts: TemplateStringsArray, ...names: readonly string[]): string =>
  String.raw({ raw: parts }, ...names.map(segment));

function segment(name: string): string {
  // URL parsers treat these names as steps in the path, even percent-encoded. The request would go to another path.
  if (!["", ".", ".."].includes(name)) return encodeURIComponent(name);
  throw new CliError("not_found", `Nothing is named "${name}".`, EXIT.notFound);
}

const TIMEOUT_MS = 60_000;

export function createClient(options: ClientOptions): Client {
  const request = async <T>(request: Request): Promise<Answer<T>> => {
    const { response, text } = await send(options, request, "application/json");
    return { value: parsed(options.server, text) as T, ...answerHeaders(options.server, response) };
  };
  const get = <T>(path: string, query?: Query) => request<T>({ method: "GET", path, query });
  async function* pages<T>(path: string, query: Query = {}): AsyncGenerator<T[], void> {
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const { value, next } = await get<T[]>(
        path,
        cursor === undefined ? query : { ...query, skip: undefined, cursor },
      );
      if (!Array.isArray(value)) throw invalidAnswer(options.server);
      yield value;
      if (next !== undefined && next === cursor) throw invalidAnswer(options.server);
      cursor = next;
    }
  }
  return {
    server: options.server,
    hasCredential: async () => (await options.authorizer.header()) !== null,
    request,
    get,
    pages,
    async all<T>(path: string) {
      const items: T[] = [];
      for await (const page of pages<T>(path)) items.push(...page);
      return items;
    },
    async *items<T>(path: string, query?: Query) {
      for await (const page of pages<T>(path, query)) yield* page;
    },
    async *events(request) {
      const { response } = await send(options, request, "text/event-stream");
      if (response.body === null) throw invalidAnswer(options.server);
      yield* readEvents(response.body, options);
    },
  };
}

/** A response. `text` is its body, or "" for an event stream, whose body has not been read yet. */
type Reply = { readonly response: Response; readonly text: string };

/**
 * Sends a request and retries it after failures that may be temporary. Returns the first successful response, or throws
 * the last failure as `CliError`.
 */
async function send(options: ClientOptions, request: Request, accept: string): Promise<Reply> {
  const { authorizer, onWait } = options;
  const key = request.method === "GET" ? undefined : (request.idempotencyKey ?? randomUUID());
  const { onWait: onPause, patienceMs } = request;
  const nextTry = retries({ signal: signalsOf(options, request), onWait, onPause, patienceMs });
  let header: string | null | undefined;
  let renewed = false;
  const once = async (): Promise<Reply | CliError> => {
    header = await headerAfter(authorizer, header);
    const sent = { ...request, idempotencyKey: key };
    const reply = await attempt(options, sent, { accept, header });
    if (!isUnauthorized(reply) || header === null || renewed) return reply;
    // The service has refused the request, so it is safe to send it again with a new token. The client does so only
    // once for each call, so that a revoked credential does not cause an endless loop.
    const fresh = await authorizer.renew(header);
    renewed = true;
    if (fresh === null) return reply;
    header = fresh;
    return attempt(options, sent, { accept, header });
  };
  for (;;) {
    // `once` throws if the credential cannot be read or renewed. That failure is retried like a failed request.
    const reply = await once().catch(asRefusal);
    if (!(reply instanceof CliError)) return reply;
    await nextTry(reply);
  }
}

const isUnauthorized = (reply: Reply | CliError): boolean => reply instanceof CliError && reply.details.status === 401;

/** Returns a `CliError`; rejects with any other error. */
const asRefusal = (error: unknown): CliError | Promise<never> =>
  error instanceof CliError ? error : Promise.reject(error);

/**
 * Returns the header for the next attempt. `before` is the header of the previous attempt, undefined for the first one.
 * A token may expire during a pause. If it cannot be renewed, this returns `before`: the server's response to the old
 * token is then the result.
 */
const headerAfter = (authorizer: Authorizer, before: string | null | undefined): Promise<string | null> =>
  authorizer.header().catch((error) => (before === undefined ? Promise.reject(error) : before));

/**
 * Sends the request once and, unless it is an event stream, reads the whole body. Returns the `CliError` of a refusal,
 * a timeout or a broken connection. Throws `CliError` `interrupted` if a signal aborts.
 */
async function attempt(
  options: ClientOptions,
  request: Request,
  { accept, header }: { accept: string; header: string | null },
): Promise<Reply | CliError> {
  const { method, body, file, ifMatch, idempotencyKey } = request;
  const signal = request.finishes === true ? (request.signal ?? NEVER) : signalsOf(options, request);
  // An event stream has no timeout: it may take long, and the service sends a heartbeat.
  const timeout = accept === "application/json" ? AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS) : null;
  try {
    const response = await fetch(urlOf(options.server, request), {
      method,
      // The client follows no redirects, so that it never sends credentials to another server.
      redirect: "manual",
      signal: timeout === null ? signal : AbortSignal.any([signal, timeout]),
      headers: {
        Accept: accept,
        "User-Agent": `edgepress-cli/${options.version}`,
        ...(header !== null && { Authorization: header }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(file !== undefined && { "Content-Type": "application/octet-stream" }),
        ...(ifMatch !== undefined && { "If-Match": ifMatch }),
        ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file !== undefined && { body: file }),
    });
    if (!response.ok) return await refusalOf(response, header);
    return { response, text: accept === "application/json" ? await response.text() : "" };
  } catch (error) {
    if (signal.aborted || (isAbort(error) && timeout?.aborted !== true)) throw interrupted();
    return timeout?.aborted === true
      ? new CliError("timeout", `${options.server} did not answer in time.`)
      : unreachable(options.server, error);
  }
}

const NEVER = new AbortController().signal;

const signalsOf = (options: ClientOptions, { signal }: Request): AbortSignal =>
  signal === undefined ? options.signal : AbortSignal.any([options.signal, signal]);

function urlOf(server: string, { path, query = {} }: Request): URL {
  const url = new URL(path, server);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** Returns what a response's headers say. Throws `CliError` `invalid_answer` if the `Link` header is not a URL. */
function answerHeaders(server: string, { headers }: Response): Omit<Answer<never>, "value"> {
  const link = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get("Link") ?? "")?.[1];
  // Ignoring it would end the list early, and nobody would notice.
  if (link !== undefined && !URL.canParse(link, server)) throw invalidAnswer(server);
  // Only the cursor of the URL is used, so that the next request, with its credentials, goes to the same server.
  const next = link === undefined ? null : new URL(link, server).searchParams.get("cursor");
  return {
    etag: headers.get("ETag") ?? undefined,
    next: next ?? undefined,
    replayed: headers.get("Idempotent-Replayed") === "true",
  };
}

function parsed(server: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidAnswer(server, { cause: error });
  }
}
