/** Two shards beside the database: `shards` are bindings for {@link send}. */
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { prepareShard } from "../../src/store/core/shard-triggers.ts";

export const shards = { DB_1: env.TEST_DB_1, DB_2: env.TEST_DB_2 } as unknown as Partial<Env>;

/** Makes the tables of the shards. */
export async function prepareShards(): Promise<void> {
  for (const db of [env.TEST_DB_1, env.TEST_DB_2]) {
    await applyD1Migrations(db, env.MIGRATIONS);
    await prepareShard(db);
  }
}
