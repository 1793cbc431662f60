/** A database that is found by the first query: which one it is takes a query itself. */
import type { D1Database, D1PreparedStatement, D1SessionConstraint } from "@cloudflare/workers-types";

/** `afterWrite` is called after a single statement that writes; a batch does the same by itself. */
export type Opened = Pick<D1Database, "prepare" | "batch"> & { readonly afterWrite?: () => Promise<void> };
type Opener = () => Promise<Opened>;

/** Returns a database that asks the one that `find` returns. `find` is called once, but again after a failure. */
export function deferDatabase(find: () => Promise<D1Database>): D1Database {
  const open = once(find);
  const deferred = {
    ...defer(open),
    withSession: (at: D1SessionConstraint) => defer(once(async () => (await open()).withSession(at))),
  };
  return deferred as unknown as D1Database;
}

function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () =>
    (found ??= find().catch((error: unknown) => {
      found = undefined;
      throw error;
    }));
}

const defer = (open: Opener) => ({
  prepare: (text: string) => new DeferredStatement(open, text, []),
  async batch(statements: readonly DeferredStatement[]) {
    const db = await open();
    return db.batch(statements.map((statement) => statement.prepare(db)));
  },
});

/** A statement with the methods that the stores and Drizzle use. */
class DeferredStatement {
  readonly #open: Opener;
  readonly #text: string;
  readonly #values: readonly unknown[];

  constructor(open: Opener, text: string, values: readonly unknown[]) {
    this.#open = open;
    this.#text = text;
    this.#values = values;
  }

  bind(...values: unknown[]): DeferredStatement {
    return new DeferredStatement(this.#open, this.#text, values);
  }

  prepare(db: Opened): D1PreparedStatement {
    return db.prepare(this.#text).bind(...this.#values);
  }

  all = () => this.#ask((statement) => statement.all());
  run = () => this.#ask((statement) => statement.run());
  raw = () => this.#ask((statement) => statement.raw());

  async #ask<T>(ask: (statement: D1PreparedStatement) => Promise<T>): Promise<T> {
    const db = await this.#open();
    const result = await ask(this.prepare(db));
    if (WRITES.test(this.#text)) await db.afterWrite?.();
    return result;
  }
}

/** Matches a statement that writes. */
export const WRITES = /^\s*(?:insert|update|delete)\b/i;
