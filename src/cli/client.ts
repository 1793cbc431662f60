/** The service over REST. Every write carries an Idempotency-Key, so that a lost answer doubles nothing. */
import { randomUUID } from "node:crypto";
import { CliError, EXIT, interrupted, isAbort } from "./failure.ts";
import { readEvents, type ServerEvent } from "./events.ts";
import { invalidAnswer, refusalOf, unreachable } from "./refusal.ts";
import { retries } from "./retries.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export type Request = {
  readonly method: Method;
  /** From the server's root, already percent-encoded (`path` of this file does that). */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: object | undefined;
  /** The ETag of the version that is to be written over. */
  readonly ifMatch?: string | undefined;
  /** For writes; without it a new one is made, and kept over all tries. */
  readonly idempotencyKey?: string | undefined;
  /** Besides the client's own. */
  readonly signal?: AbortSignal | undefined;
  /** Once it is sent, its answer is waited for: Ctrl-C ends the pauses between tries only. */
  readonly finishes?: boolean | undefined;
  /** Called for every pause between tries, in seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined;
  /** Milliseconds for each try; a minute without it. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds to wait for an earlier call under this key; by default, a little longer than one that died holds it. */
  readonly patienceMs?: number | undefined;
};

export type Answer<T> = {
  readonly value: T;
  readonly etag: string | undefined;
  /** The cursor of the next page, by the `Link` header. */
  readonly next: string | undefined;
  /** Whether the service had done this call before, and answered as it did then. */
  readonly replayed: boolean;
};

export type Client = {
  /** Scheme, host and port. */
  readonly server: string;
  /** Throws `CliError` for every refusal. The type is what the OpenAPI document promises. */
  request<T>(request: Request): Promise<Answer<T>>;
  get<T>(path: string, query?: Query): Promise<Answer<T>>;
  /** Page after page of a list, each read when it is asked for. `limit` in the query is the size of a page. */
  pages<T>(path: string, query?: Query): AsyncGenerator<T[], void>;
  /** The items of all pages. */
  items<T>(path: string, query?: Query): AsyncGenerator<T, void>;
  /** A lengthy write, as a stream of events; throws what an `error` event says. */
  events(request: Request): AsyncGenerator<ServerEvent, void>;
};

/** Whose requests these are. */
export type Authorizer = {
  /** The Authorization header, or null for nobody's. */
  header(): Promise<string | null>;
  /** Another header after `refused` was answered with 401; null where there is none. */
  renew(refused: string): Promise<string | null>;
};

export type ClientOptions = {
  readonly server: string;
  readonly authorizer: Authorizer;
  readonly signal: AbortSignal;
  readonly version: string;
  /** Tells of a call's first pause that is long, or comes after a long wait; seconds. */
  readonly onWait?: (seconds: number, why: string) => void;
};

/** Percent-encodes the names in a path: path`/api/blogs/${id}`. Throws `not_found` for what can be nothing's name. */
export const path = (parts: TemplateStringsArray, ...names: readonly string[]): string =>
  String.raw({ raw: parts }, ...names.map(segment));

function segment(name: string): string {
  // A URL takes these for steps through its path, encoded or not: another address would be asked.
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
    request,
    get,
    pages,
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

/** An answer, and its body where it was asked for as JSON: the body of a stream is not read yet. */
type Reply = { readonly response: Response; readonly text: string };

/** Sends until there is an answer that no other try would change. */
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
    // Nothing was done: a fresh token may do it. Once, so that a credential that is dead ends this.
    const fresh = await authorizer.renew(header);
    renewed = true;
    if (fresh === null) return reply;
    header = fresh;
    return attempt(options, sent, { accept, header });
  };
  for (;;) {
    // A credential that cannot be had for now is waited for as an answer is.
    const reply = await once().catch(asRefusal);
    if (!(reply instanceof CliError)) return reply;
    await nextTry(reply);
  }
}

const isUnauthorized = (reply: Reply | CliError): boolean => reply instanceof CliError && reply.details.status === 401;

const asRefusal = (error: unknown): CliError | Promise<never> =>
  error instanceof CliError ? error : Promise.reject(error);

/** A pause may outlast a token. Where that cannot be renewed, what the server says of the old one counts. */
const headerAfter = (authorizer: Authorizer, before: string | null | undefined): Promise<string | null> =>
  authorizer.header().catch((error) => (before === undefined ? Promise.reject(error) : before));

/** One try, to the end of its body: a response that is cut off does not count as one. */
async function attempt(
  options: ClientOptions,
  request: Request,
  { accept, header }: { accept: string; header: string | null },
): Promise<Reply | CliError> {
  const { method, body, ifMatch, idempotencyKey } = request;
  const signal = request.finishes === true ? (request.signal ?? NEVER) : signalsOf(options, request);
  // An event stream takes as long as it takes, and shows by its heartbeat that it is alive.
  const timeout = accept === "application/json" ? AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS) : null;
  try {
    const response = await fetch(urlOf(options.server, request), {
      method,
      // Where a server sends its callers elsewhere, credentials must not follow.
      redirect: "manual",
      signal: timeout === null ? signal : AbortSignal.any([signal, timeout]),
      headers: {
        Accept: accept,
        "User-Agent": `edgepress-cli/${options.version}`,
        ...(header !== null && { Authorization: header }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(ifMatch !== undefined && { "If-Match": ifMatch }),
        ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
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

function answerHeaders(server: string, { headers }: Response): Omit<Answer<never>, "value"> {
  const link = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get("Link") ?? "")?.[1];
  // Otherwise a list would end early without anybody noticing.
  if (link !== undefined && !URL.canParse(link, server)) throw invalidAnswer(server);
  // Of the address only the cursor is used: credentials stay with the server that they are for.
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
