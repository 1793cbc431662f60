/** The REST client: `@edgepress/client` with the credentials, the retries and the errors of this program. */
import { createClient as create, type Client } from "../client/src/client.ts";
import { toCliError } from "./failure.ts";
import { explainError } from "./refusal.ts";
import { makeRetry, type Waiting } from "./retries.ts";

export type { Client };
export type { ApiAnswer } from "../client/src/transport.ts";
export type * from "../client/src/api.ts";

export type Authorizer = {
  header(): Promise<string | null>;
  /** Returns another header after `refused` got a 401; null if there is none. */
  renew(refused: string): Promise<string | null>;
};

export type ClientOptions = Waiting & {
  readonly server: string;
  readonly authorizer: Authorizer;
  readonly version: string;
  /** If true, Ctrl-C ends the pauses between attempts, but no write that has been sent. */
  readonly finishes?: boolean;
  /** Milliseconds for each attempt; one minute by default. */
  readonly timeoutMs?: number;
};

/** Returns a client that throws `CliError` for every refusal and failure. */
export function createClient(options: ClientOptions): Client {
  const { server, authorizer, signal, version, finishes = false, timeoutMs = 60_000 } = options;
  let authorization: string | null | undefined;
  const attempt = (url: string, init: RequestInit) => {
    const headers = { ...(init.headers as Record<string, string>), "User-Agent": `edgepress-cli/${version}` };
    const own = [init.signal ?? signal, ...(finishes && init.method !== "GET" ? [] : [signal])];
    const credential = authorization ? { Authorization: authorization } : {};
    return fetch(url, { ...init, headers: { ...headers, ...credential }, signal: AbortSignal.any(own) });
  };
  async function authorized(url: string, init: RequestInit): Promise<Response> {
    // A token may expire during a pause. If it cannot be renewed, the old one is sent, and the service decides.
    const before = authorization ?? null;
    const header = await authorizer.header().catch((error) => before ?? Promise.reject(toCliError(error)));
    authorization = header;
    const response = await attempt(url, init);
    if (response.status !== 401 || header === null) return response;
    const fresh = await authorizer.renew(header).catch((error) => Promise.reject(toCliError(error)));
    if (fresh === null) return response;
    await response.body?.cancel();
    authorization = fresh;
    return attempt(url, init);
  }
  return create({
    url: server,
    cache: null,
    timeoutMs,
    fetch: authorized,
    retry() {
      const next = makeRetry(options);
      return (error) => next(explainError(error, { server, authorization }));
    },
  });
}
