/** A replica of D1 that lags behind the primary, which answers anonymous reads. The primary is real. */
import { env } from "cloudflare:workers";

type Query = { readonly text: string; readonly values: readonly unknown[] };

/** A replica that shows what the primary had some seconds before: it asks the same queries again after each change. */
export class LaggingReplica {
  readonly #seen = new Map<string, { readonly at: number; readonly results: unknown[] }[]>();
  readonly #queries = new Map<string, Query>();
  readonly #lag: number;
  readonly #now: () => number;
  /** How many queries the replica has answered itself. */
  answered = 0;

  constructor(lag: number, now: () => number) {
    this.#lag = lag;
    this.#now = now;
  }

  /** The database of a service whose readers are answered by this replica. */
  get database(): D1Database {
    return new Proxy(env.DB, {
      get: (target, name) => {
        if (name === "withSession") return () => this.session;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  /** The replica alone. */
  get session(): D1DatabaseSession {
    const statement = (query: Query) => ({
      query,
      bind: (...values: unknown[]): unknown => statement({ ...query, values }),
      all: async () => ({ results: await this.#answer(query) }),
      raw: async () => (await this.#answer(query)).map((row) => Object.values(row as object)),
    });
    const session: unknown = {
      prepare: (text: string) => statement({ text, values: [] }),
      batch: (all: readonly { readonly query: Query }[]) =>
        Promise.all(all.map(async ({ query }) => ({ results: await this.#answer(query) }))),
    };
    return session as D1DatabaseSession;
  }

  /** Notes what the primary shows. To be called after each change that the replica is to show later. */
  async follow(): Promise<void> {
    const at = this.#now();
    for (const [key, query] of this.#queries) this.#seen.get(key)?.push({ at, results: (await ask(query)).results });
  }

  async #answer(query: Query): Promise<unknown[]> {
    this.answered++;
    const key = JSON.stringify(query);
    if (!this.#queries.has(key)) {
      this.#queries.set(key, query);
      this.#seen.set(key, [{ at: -Infinity, results: (await ask(query)).results }]);
    }
    return structuredClone(this.#reached(this.#seen.get(key) ?? [])?.results ?? []);
  }

  /** The newest of the states that the replica has reached. */
  #reached<State extends { readonly at: number }>(states: readonly State[]): State | undefined {
    const then = this.#now() - this.#lag;
    return states.findLast(({ at }) => at <= then);
  }
}

const ask = ({ text, values }: Query): Promise<D1Result> =>
  env.DB.prepare(text)
    .bind(...values)
    .all();
