/**
 * A shared cache in front of the service. It stores and reuses everything that RFC 9111 allows, and nothing else. With
 * the name of a targeted field (RFC 9213), it uses that field instead of Cache-Control if a response has it.
 */
import { send, authorization, type Credential } from "./requests.ts";

type Entry = { path: string; selecting: Map<string, string | null>; response: Response; text: string; at: number };

/** What a caller gets. `from`: the origin, the store, or the store after a validation. */
export type Served = { status: number; text: string; headers: Headers; from: "origin" | "stored" | "validated" };

type Directives = ReadonlyMap<string, string>;

export class SharedCache {
  /** While true, the origin is unreachable. */
  disconnected = false;
  readonly #targeted: string | undefined;
  #entries: Entry[] = [];
  #now = 0;

  constructor(targetedField?: string) {
    this.#targeted = targetedField;
  }

  /** Moves the clock of the cache forward. */
  advance(seconds: number): void {
    this.#now += seconds;
  }

  /** Removes responses with one of these Cache-Tags. */
  purge(tags: readonly string[]): void {
    const tagged = ({ response }: Entry) => (response.headers.get("Cache-Tag") ?? "").split(",");
    this.#entries = this.#entries.filter((entry) => !tagged(entry).some((tag) => tags.includes(tag)));
  }

  /** The number of stored responses. */
  get size(): number {
    return this.#entries.length;
  }

  /** Answers a GET as in RFC 9111, 4. */
  async get(path: string, as: Credential = {}): Promise<Served> {
    const request = new Headers(authorization(as));
    const entry = this.#select(path, request);
    if (entry === undefined) return this.#fromOrigin(path, request);
    const age = this.#now - entry.at;
    const policy = this.#policyOf(entry.response);
    if (!policy.has("no-cache") && age < freshFor(policy)) return served(entry, "stored");
    if (this.disconnected) return mayServeStale(policy) ? served(entry, "stored") : UNREACHABLE;
    if (age < freshFor(policy) + Number(policy.get("stale-while-revalidate") ?? 0)) {
      const stale = served(entry, "stored");
      await this.#validate(entry, request);
      return stale;
    }
    return this.#validate(entry, request);
  }

  /** RFC 9111, 4.1: returns the newest stored response whose selecting header fields match. */
  #select(path: string, request: Headers): Entry | undefined {
    return this.#entries.findLast(
      (entry) =>
        entry.path === path &&
        entry.response.headers.get("Vary") !== "*" &&
        [...entry.selecting].every(([name, value]) => request.get(name) === value),
    );
  }

  /** RFC 9111, 4.3: asks the origin whether a stored response is still valid. */
  async #validate(entry: Entry, request: Headers): Promise<Served> {
    const etag = entry.response.headers.get("ETag");
    const conditional = new Headers(request);
    if (etag !== null) conditional.set("If-None-Match", etag);
    const response = await send(entry.path, { headers: Object.fromEntries(conditional) });
    if (response.status !== 304) {
      this.#entries = this.#entries.filter((other) => other !== entry);
      return this.#keep(entry.path, request, response);
    }
    const headers = new Headers(entry.response.headers);
    response.headers.forEach((value, name) => headers.set(name, value));
    entry.response = new Response(null, { status: entry.response.status, headers });
    entry.at = this.#now;
    return served(entry, "validated");
  }

  async #fromOrigin(path: string, request: Headers): Promise<Served> {
    if (this.disconnected) return UNREACHABLE;
    return this.#keep(path, request, await send(path, { headers: Object.fromEntries(request) }));
  }

  async #keep(path: string, request: Headers, response: Response): Promise<Served> {
    const text = await response.text();
    if (this.#mayStore(request, response)) {
      const names = (response.headers.get("Vary") ?? "").split(",").map((name) => name.trim());
      const selecting = new Map(
        names.filter((name) => name !== "" && name !== "*").map((name) => [name, request.get(name)]),
      );
      this.#entries.push({ path, selecting, response, text, at: this.#now });
    }
    return { status: response.status, text, headers: response.headers, from: "origin" };
  }

  /** RFC 9111, 3: returns true if a shared cache may store the response. */
  #mayStore(request: Headers, response: Response): boolean {
    const policy = this.#policyOf(response);
    if (policy.has("no-store") || policy.has("private")) return false;
    const sharing = policy.has("public") || policy.has("s-maxage") || policy.has("must-revalidate");
    if (request.has("Authorization") && !sharing) return false;
    return policy.has("public") || policy.has("max-age") || policy.has("s-maxage") || HEURISTIC.has(response.status);
  }

  #policyOf(response: Response): Directives {
    const field = this.#targeted === undefined ? null : response.headers.get(this.#targeted);
    return directivesOf(field ?? response.headers.get("Cache-Control") ?? "");
  }
}

const UNREACHABLE: Served = { status: 504, text: "", headers: new Headers(), from: "origin" };

/** Statuses that a cache may store without explicit permission (RFC 9110, 15.1). */
const HEURISTIC = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);

/** The lifetime that the cache chooses if the response has none (RFC 9111, 4.2.2). A long one is the worst case. */
const HEURISTIC_SECONDS = 86_400;

const freshFor = (policy: Directives): number =>
  Number(policy.get("s-maxage") ?? policy.get("max-age") ?? HEURISTIC_SECONDS);

/** RFC 9111, 4.2.4: returns true if a stale response may be used while the origin is unreachable. */
const mayServeStale = (policy: Directives): boolean =>
  !["must-revalidate", "proxy-revalidate", "s-maxage", "no-cache"].some((name) => policy.has(name));

function directivesOf(field: string): Directives {
  const parts = field
    .toLowerCase()
    .split(",")
    .map((part) => part.trim().split("="));
  return new Map(parts.map(([name = "", value = ""]) => [name, value]));
}

const served = ({ response: { status, headers }, text }: Entry, from: Served["from"]): Served => ({
  status,
  text,
  headers,
  from,
});
