/** In which database of a place an organization is, and what the directory in `DB` says of it (docs/architecture.md, "Shards"). */
import { prepareShard, RELIST } from "../../src/store/core/shard-triggers.ts";
import { listEntries, openNamed } from "../../src/store/database.ts";
import { assignHome } from "../../src/store/people/system-shards.ts";
import { Failure } from "./failure.ts";
import { bindTo, listShards, type Bindings } from "./place-bindings.ts";

/** Returns bindings to the database that has an organization; to `DB` if none has it. */
export async function openHome(bindings: Bindings, organizationId: string): Promise<Bindings> {
  if (listShards(bindings).length === 0) return bindings;
  const [home] = await bindings.query("SELECT shard FROM homes WHERE organization_id = ?1", [organizationId]);
  return bindTo(bindings, String(home?.["shard"] ?? "DB"));
}

/**
 * Decides where an organization will be: in the database that is named, or else in the emptiest. One that is there stays where it is. Returns bindings to
 * its database. Throws a `Failure` if there is no such shard, or if the organization is in another one.
 */
export async function chooseHome(bindings: Bindings, organizationId: string, named?: string): Promise<Bindings> {
  if (named !== undefined) bindTo(bindings, named);
  if (bindings.env === undefined || listShards(bindings).length === 0) return bindings;
  for (const name of ["DB", ...listShards(bindings)]) {
    const there = bindTo(bindings, name);
    if ((await there.query("SELECT 1 FROM organizations WHERE id = ?1", [organizationId])).length === 0) continue;
    if (named === undefined || named === name) return there;
    throw new Failure(`The organization ${organizationId} is there already, in ${name}. Nothing was written.`);
  }
  if (named === undefined) await assignHome(bindings.env, organizationId);
  else {
    const place =
      "INSERT INTO homes (organization_id, shard) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET shard = excluded.shard";
    if (named !== "DB") await prepareShard(openNamed(bindings.env, named));
    // A note that an organization was removed there must not come after its new home.
    await tellDirectory(bindTo(bindings, named));
    await bindings.execute([{ sql: place, values: [organizationId, named] }]);
  }
  return openHome(bindings, organizationId);
}

/** Makes the directory anew of what each shard has: for a `DB` that was restored to an earlier moment. Returns what to tell. */
export async function relist(bindings: Bindings): Promise<string> {
  let count = 0;
  for (const name of listShards(bindings)) {
    const shard = bindTo(bindings, name);
    const found = await shard.query(
      "SELECT id FROM organizations WHERE id NOT IN (SELECT organization_id FROM suspensions WHERE kind IN ('moving', 'arriving'))",
    );
    const place =
      "INSERT INTO homes (organization_id, shard) SELECT value, ?2 FROM json_each(?1) WHERE true ON CONFLICT DO UPDATE SET shard = excluded.shard";
    await bindings.execute([{ sql: place, values: [JSON.stringify(found.map(({ id }) => id)), name] }]);
    await tellDirectory(shard);
    await shard.execute(RELIST.map((sql) => ({ sql, values: [] })));
    await tellDirectory(shard);
    count += found.length;
  }
  return `The directory has what leads to the ${count} organizations in shards.`;
}

/** Stores in the directory what the database has noted for it, and makes the triggers that note it, if it lacks them. Does nothing for `DB`. */
export async function tellDirectory({ env, name }: Bindings): Promise<void> {
  if (env !== undefined && name !== undefined) await listEntries(env, name);
}

/** Throws a `Failure` while an organization moves to another database: the one that is named, or any. Before and after that, each has all its rows in one database. */
export async function requireNoMove(bindings: Bindings, organizationId: string | null = null): Promise<void> {
  if (listShards(bindings).length === 0) return;
  const { query } = bindTo(bindings, "DB");
  const [table] = await query("SELECT 1 FROM sqlite_schema WHERE name = 'moves'");
  const sql =
    "SELECT organization_id AS id FROM moves WHERE state <> 'switched' AND organization_id = coalesce(?1, organization_id)";
  const [moving] = table === undefined ? [] : await query(sql, [organizationId]);
  if (moving !== undefined)
    throw new Failure(
      `The organization ${String(moving["id"])} is moving to another database. Wait for its end, or cancel it.`,
    );
}
