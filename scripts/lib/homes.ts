/** In which database of a place an organization is, and what the directory in `DB` says of it (docs/architecture.md, "Shards"). */
import { prepareShard } from "../../src/store/core/shard-triggers.ts";
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
    const place = "INSERT INTO homes (organization_id, shard) SELECT ?1, ?2 WHERE ?2 <> 'DB'";
    if (named !== "DB") await prepareShard(openNamed(bindings.env, named));
    await bindings.execute([
      { sql: "DELETE FROM homes WHERE organization_id = ?1", values: [organizationId] },
      { sql: place, values: [organizationId, named] },
    ]);
  }
  return openHome(bindings, organizationId);
}

/** Stores in the directory what the database has noted for it, and makes the triggers that note it, if it lacks them. Does nothing for `DB`. */
export async function tellDirectory({ env, name }: Bindings): Promise<void> {
  if (env !== undefined && name !== undefined) await listEntries(env, name);
}
