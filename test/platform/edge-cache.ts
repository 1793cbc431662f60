/**
 * The cache that the platform has in front of a Worker, by its documented rules and on a clock of its own: the host is
 * not in its key, `Vary` is honoured for every header, a response without caching headers is kept for hours, and what is
 * compressed on the way out has a weak ETag.
 */
import { brotliCompressSync, gzipSync } from "node:zlib";
import { authorization, send, type Send } from "../helpers/requests.ts";

/** What a client gets. `from` is the platform's Cf-Cache-Status. */
export type Served = {
  readonly status: number;
  readonly headers: Headers;
  /** The bytes as they are sent: compressed if Content-Encoding says so. */
  readonly bytes: Uint8Array;
  /** The body before it was compressed. */
  readonly text: string;
  readonly from: "HIT" | "MISS" | "BYPASS" | "EXPIRED" | "REVALIDATED" | "UPDATING" | "STALE";
};

type Stored = {
  readonly vary: ReadonlyMap<string, string | null>;
  readonly status: number;
  headers: Headers;
  readonly body: Uint8Array;
  /** When it is stale: at the end of its time, or when it was invalidated. */
  freshUntil: number;
};

/** A response of the Worker. */
type Fresh = Pick<Stored, "status" | "headers" | "body">;

/** The result of a purge or invalidation. */
type Called = { readonly success: boolean; readonly status: 200 | 400 | 429 };

type Directives = ReadonlyMap<string, string>;

/** Seconds for which a response without caching headers is kept, by status. */
const HEURISTIC: Readonly<Record<number, number>> = {
  200: 7200,
  203: 7200,
  204: 7200,
  300: 1200,
  301: 1200,
  404: 180,
  405: 60,
  410: 180,
  414: 60,
  501: 60,
};

/** Request headers that are in the key, as some frameworks let them change what a request means. */
const IN_KEY = [
  "x-http-method-override",
  "x-http-method",
  "x-method-override",
  "x-forwarded-host",
  "x-host",
  "x-forwarded-scheme",
  "x-original-url",
  "x-rewrite-url",
  "forwarded",
];

/** Media types that the platform compresses. */
const COMPRESSED = /^(?:text\/|application\/(?:json|javascript|problem\+json|xml)|image\/svg)/;

export class EdgeCache {
  /** By key, the variants of a response. */
  readonly #stored = new Map<string, Stored[]>();
  readonly #purges = new PurgeLimit();
  /** Seconds since the beginning. */
  now = 0;
  /** While true, the Worker fails. */
  failing = false;
  /** How many requests the Worker got, how many of its responses had a body, and the bytes of these. */
  readonly asked = { requests: 0, bodies: 0, bytes: 0 };
  /** Bindings that the Worker gets instead of those of the test's environment. */
  bindings: Partial<Env> = {};

  /** The paths of stored responses, each once. */
  get paths(): string[] {
    return [...this.#stored].filter(([, variants]) => variants.length > 0).map(([key]) => key.split("\n", 1)[0] ?? "");
  }

  /** The stored responses, with their bodies as text. */
  get responses(): {
    readonly path: string;
    readonly headers: Headers;
    readonly text: string;
    readonly isFresh: boolean;
  }[] {
    return [...this.#stored].flatMap(([key, variants]) =>
      variants.map(({ headers, body, freshUntil }) => ({
        isFresh: this.now < freshUntil,
        path: key.split("\n", 1)[0] ?? "",
        headers,
        text: new TextDecoder().decode(body),
      })),
    );
  }

  /** Answers a request. `path` may be a whole URL, which names another host. */
  async fetch(path: string, options: Send = {}): Promise<Served> {
    const request = headersOf(path, options);
    const method = options.method ?? (options.body === undefined ? "GET" : "POST");
    const served =
      method === "GET" || method === "HEAD"
        ? await this.#read(path, request, options)
        : { ...(await this.#ask(path, options)), from: "BYPASS" as const };
    return sent(served, request, method);
  }

  /** Purges as the platform's API does: 100 tags a call, 5 calls a minute, a bucket of 25. */
  purge(tags: readonly string[]): Called {
    return this.#call(tags, (key) => this.#stored.delete(key));
  }

  /**
   * Marks as stale what has these tags, within the limits of purges. What is stale already stays so: the time in which it
   * may be shown is not extended.
   */
  invalidate(tags: readonly string[]): Called {
    return this.#call(tags, (_, variants) => {
      for (const variant of variants) variant.freshUntil = Math.min(variant.freshUntil, this.now);
    });
  }

  #call(tags: readonly string[], act: (key: string, variants: readonly Stored[]) => void): Called {
    if (tags.length > 100) return { success: false, status: 400 };
    if (!this.#purges.take(this.now)) return { success: false, status: 429 };
    const named = new Set(tags.map((tag) => tag.toLowerCase()));
    for (const [key, variants] of this.#stored) {
      // The variants of a URL go together.
      if (variants.some(({ headers }) => tagsOf(headers).some((tag) => named.has(tag)))) act(key, variants);
    }
    return { success: true, status: 200 };
  }

  async #read(path: string, request: Headers, options: Send): Promise<Fresh & Pick<Served, "from">> {
    const key = keyOf(path, request);
    const stored = this.#stored.get(key)?.find(({ vary }) => matches(vary, request));
    if (stored === undefined) return this.#fill(key, path, request, options);
    if (this.now < stored.freshUntil) return { ...stored, from: "HIT" };
    if (this.now < stored.freshUntil + Number(policyOf(stored.headers).get("stale-while-revalidate") ?? 0)) {
      const stale = { ...stored, from: "UPDATING" as const };
      if (!this.failing) await this.#revalidate(key, path, stored, options);
      return stale;
    }
    return this.#revalidate(key, path, stored, options);
  }

  async #fill(key: string, path: string, request: Headers, options: Send): Promise<Fresh & Pick<Served, "from">> {
    const answer = await this.#ask(path, { ...options, method: "GET" });
    return { ...answer, from: this.#keep(key, request, answer) ? "MISS" : "BYPASS" };
  }

  async #revalidate(key: string, path: string, stored: Stored, options: Send): Promise<Fresh & Pick<Served, "from">> {
    const etag = stored.headers.get("ETag");
    const headers = { ...options.headers, ...(etag !== null && { "If-None-Match": etag }) };
    const answer = await this.#ask(path, { ...options, method: "GET", headers });
    if (answer.status >= 500 && this.now < stored.freshUntil + staleOnErrorFor(stored))
      return { ...stored, from: "STALE" };
    if (answer.status === 304) {
      answer.headers.forEach((value, name) => stored.headers.set(name, value));
      stored.freshUntil = this.now + freshFor(stored);
      return { ...stored, from: "REVALIDATED" };
    }
    this.#stored.set(key, this.#stored.get(key)?.filter((variant) => variant !== stored) ?? []);
    const request = headersOf(path, options);
    this.#keep(key, request, answer);
    return { ...answer, from: "EXPIRED" };
  }

  async #ask(path: string, options: Send): Promise<Fresh> {
    if (this.failing) return { status: 500, headers: new Headers(), body: new Uint8Array() };
    const response = await send(path, { ...options, bindings: { ...this.bindings, ...options.bindings } });
    const { status, headers } = response;
    const body = new Uint8Array(await response.arrayBuffer());
    this.asked.requests++;
    if (body.length > 0) this.asked.bodies++;
    this.asked.bytes += body.length;
    return { status, headers: new Headers(headers), body };
  }

  /** Stores a response if it may be stored; returns whether it did. */
  #keep(key: string, request: Headers, answer: Fresh): boolean {
    const names = (answer.headers.get("Vary") ?? "").split(",").map((name) => name.trim().toLowerCase());
    if (names.includes("*") || !mayStore(request, answer)) return false;
    const vary = new Map(names.filter((name) => name !== "").map((name) => [name, request.get(name)]));
    const others = this.#stored.get(key)?.filter((variant) => !matches(variant.vary, request)) ?? [];
    this.#stored.set(key, [...others, { ...answer, vary, freshUntil: this.now + freshFor(answer) }]);
    return true;
  }
}

/** Calls that a Worker may make to purge or invalidate, together: a bucket of 25 that gets 5 a minute. */
class PurgeLimit {
  #left = 25;
  #since = 0;

  take(now: number): boolean {
    this.#left = Math.min(25, this.#left + ((now - this.#since) * 5) / 60);
    this.#since = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}

function keyOf(path: string, request: Headers): string {
  const { pathname, search } = new URL(path, "https://any.host");
  return [pathname + search, ...IN_KEY.map((name) => request.get(name) ?? "")].join("\n");
}

/** Returns the headers that the edge sees. */
const headersOf = (path: string, { as = {}, headers }: Send): Headers =>
  new Headers({ Host: new URL(path, "https://edge.test").host, ...authorization(as), ...headers });

const matches = (vary: Stored["vary"], request: Headers): boolean =>
  [...vary].every(([name, value]) => request.get(name) === value);

function mayStore(request: Headers, { status, headers }: Fresh): boolean {
  const policy = policyOf(headers);
  if (policy.has("no-store") || policy.has("private") || headers.has("Set-Cookie")) return false;
  if (status === 206 || status === 304 || (status >= 520 && status <= 526)) return false;
  const shared = directivesOf(headers.get("Cache-Control"));
  const isShared = ["public", "must-revalidate", "s-maxage"].some((name) => policy.has(name) || shared.has(name));
  if (request.has("Authorization") && !isShared) return false;
  return policy.size > 0 || status in HEURISTIC;
}

/** The directives that count: those of the field that is most specific to this cache. */
function policyOf(headers: Headers): Directives {
  for (const name of ["Cloudflare-CDN-Cache-Control", "CDN-Cache-Control", "Cache-Control"]) {
    const field = headers.get(name);
    if (field !== null) return directivesOf(field);
  }
  return new Map();
}

function directivesOf(field: string | null): Directives {
  const parts = (field ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.trim().split("="))
    .filter(([name]) => name !== "");
  return new Map(parts.map(([name = "", value = ""]) => [name, value]));
}

function freshFor({ status, headers }: Fresh): number {
  const policy = policyOf(headers);
  if (policy.has("no-cache")) return 0;
  const seconds = policy.get("s-maxage") ?? policy.get("max-age");
  return seconds === undefined ? (HEURISTIC[status] ?? 0) : Number(seconds);
}

/** Seconds for which a stale response is served while the Worker fails: for ever, unless it says otherwise. */
function staleOnErrorFor(stored: Stored): number {
  const policy = policyOf(stored.headers);
  if (["s-maxage", "must-revalidate", "proxy-revalidate"].some((name) => policy.has(name))) return 0;
  const seconds = policy.get("stale-if-error");
  return seconds === undefined ? Infinity : Number(seconds);
}

const tagsOf = (headers: Headers): string[] =>
  (headers.get("Cache-Tag") ?? "").split(",").map((tag) => tag.trim().toLowerCase());

/** What goes to the client: conditional, compressed, and without the fields that are for the cache alone. */
function sent(answer: Fresh & Pick<Served, "from">, request: Headers, method: string): Served {
  const headers = new Headers(answer.headers);
  for (const name of ["Cloudflare-CDN-Cache-Control", "Cache-Tag"]) headers.delete(name);
  const text = new TextDecoder().decode(answer.body);
  const encoding = encodingOf(request, headers);
  if (encoding !== null && answer.body.length > 0) {
    headers.set("Content-Encoding", encoding);
    headers.delete("Content-Length");
    const etag = headers.get("ETag");
    if (etag !== null && !etag.startsWith("W/")) headers.set("ETag", `W/${etag}`);
  }
  const { from } = answer;
  if (answer.from !== "BYPASS" && hasMatch(request, headers)) {
    return { status: 304, headers, bytes: new Uint8Array(), text: "", from };
  }
  const isEmpty = method === "HEAD" || answer.body.length === 0;
  const bytes = isEmpty ? new Uint8Array() : compressed(answer.body, headers.get("Content-Encoding"));
  return { status: answer.status, headers, bytes, text: isEmpty ? "" : text, from };
}

function encodingOf(request: Headers, headers: Headers): "br" | "gzip" | null {
  if (!COMPRESSED.test(headers.get("Content-Type") ?? "") || headers.has("Content-Encoding")) return null;
  if (directivesOf(headers.get("Cache-Control")).has("no-transform")) return null;
  const accepted = request.get("Accept-Encoding") ?? "";
  return /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : null;
}

function compressed(body: Uint8Array, encoding: string | null): Uint8Array {
  if (encoding === "br") return new Uint8Array(brotliCompressSync(body));
  return encoding === "gzip" ? new Uint8Array(gzipSync(body)) : body;
}

/** Whether the client has what is served already (weak comparison). */
function hasMatch(request: Headers, headers: Headers): boolean {
  const etag = headers.get("ETag")?.replace(/^W\//, "");
  const known = request.get("If-None-Match");
  const tags = known?.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag.replace(/^W\//, "") === etag);
}
