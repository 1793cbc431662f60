/** The real database, made to fail as D1 may. */
import { env } from "cloudflare:workers";
import { withSessions } from "./sessions.ts";

/**
 * The real database, whose batches go through a function that may lose them or their answers, and single statements
 * through another one.
 */
export function databaseThat(
  batch: (statements: D1PreparedStatement[]) => Promise<D1Result[]>,
  prepare = (text: string): D1PreparedStatement => env.DB.prepare(text),
): D1Database {
  return withSessions({ prepare, batch });
}

/** Fails for the first statements, so many of them, that are asked with this value. */
export function failingFor(value: string, times: number): D1Database {
  let failed = 0;
  const prepare = (text: string) => ({
    bind(...values: unknown[]) {
      if (values.includes(value) && ++failed <= times) throw new Error("D1_ERROR: not now");
      return env.DB.prepare(text).bind(...values);
    },
  });
  return withSessions({ prepare, batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements) });
}

/**
 * Loses a transaction ("before"), or only its answer ("after"), as often as `times` says: the first ones whose statements
 * have this text. "late": the transaction seems lost, and is stored just before the next one with that text. A
 * database that was lost for good stays lost for every later statement too.
 */
export function losing(moment: "before" | "after" | "late", text: string, times: number | "for good" = 1): D1Database {
  let onItsWay: D1PreparedStatement[] | null = null;
  const texts = new WeakMap<object, string>();
  let lost = 0;
  const isGone = () => lost > 0 && times === "for good";
  const lose = () => {
    lost++;
    throw new Error("D1_ERROR: Network connection lost.");
  };
  const prepare = (query: string) => ({
    bind(...values: unknown[]) {
      if (isGone()) lose();
      const statement = env.DB.prepare(query).bind(...values);
      texts.set(statement, query);
      return statement;
    },
  });
  const batch = async (statements: D1PreparedStatement[]) => {
    const isIt = statements.some((each) => texts.get(each)?.includes(text));
    const isLost = isGone() || (isIt && (times === "for good" || lost < times));
    if (isLost && moment === "late") onItsWay = statements;
    if (isLost && moment !== "after") lose();
    if (isIt && onItsWay !== null) await env.DB.batch(onItsWay);
    if (isIt) onItsWay = null;
    const results = await env.DB.batch(statements);
    if (isLost) lose();
    return results;
  };
  return withSessions({ prepare, batch });
}
