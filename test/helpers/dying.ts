/** An invocation that dies in the middle of its work. */
import { env } from "cloudflare:workers";
import type { shards } from "./shards.ts";

/** Returns the bindings of an invocation that dies at its nth statement, before or after that is stored. */
export function dyingAt(nth: number, isStored: boolean) {
  let count = 0;
  const die = async <T>(run: () => Promise<T>): Promise<T> => {
    count++;
    if (count === nth && isStored) await run();
    if (count >= nth) throw new Error("The invocation has died.");
    return run();
  };
  const wrap = (db: D1Database) => ({
    prepare: (text: string) => wrapStatement(db.prepare(text)),
    batch: (statements: { real: D1PreparedStatement }[]) => die(() => db.batch(statements.map(({ real }) => real))),
  });
  const wrapStatement = (real: D1PreparedStatement): object => ({
    real,
    bind: (...values: unknown[]) => wrapStatement(real.bind(...values)),
    all: () => die(() => real.all()),
    run: () => die(() => real.run()),
    raw: () => die(() => real.raw()),
  });
  const dying = { ...env, DB: wrap(env.DB), DB_1: wrap(env.TEST_DB_1), DB_2: wrap(env.TEST_DB_2) };
  return { dying: dying as unknown as typeof env & typeof shards, hasDied: () => count >= nth };
}
