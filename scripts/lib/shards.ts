/** How many shards an installation has (docs/operations.md, "Shards"). */
import { Failure } from "./failure.ts";

/** D1's limits would allow more. Each has its part of the work of a minute. */
const MOST_SHARDS = 50;

/**
 * Returns how many shards there will be: those that are there, or more. Throws a `Failure` for fewer, as organizations may be in each of them.
 * `what` is the setting that wants them.
 */
export function parseShards(what: string, wanted: string | undefined, known: number): number {
  if (wanted === undefined) return known;
  const shards = Number(wanted);
  if (!Number.isInteger(shards) || shards < 0 || shards > MOST_SHARDS)
    throw new Failure(`${what} is "${wanted}"; it has to be a number of shards, ${MOST_SHARDS} at most.`, 2);
  if (shards < known)
    throw new Failure(
      `${what} is ${shards}, but there are ${known} shards. More can be added, but none can be left out: organizations would be lost.`,
      2,
    );
  return shards;
}

/** Returns the shards that have organizations, by `homes` of `DB`, and are not among these names. */
export async function listLostShards(
  query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>,
  known: readonly string[],
): Promise<string[]> {
  const used = await query("SELECT DISTINCT shard FROM homes WHERE shard <> 'DB' ORDER BY shard");
  return used.map(({ shard }) => String(shard)).filter((name) => !known.includes(name));
}

export const listShardNames = (count: number): string[] => Array.from({ length: count }, (_, n) => `DB_${n + 1}`);
