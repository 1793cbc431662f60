/** Removes an organization: its rows, its files, and what caches have of it. */
import { BELONGINGS, listPrefixes } from "../../src/store/export/belongings.ts";
import { removeOrganizationRow, removeRows } from "../../src/store/export/removing.ts";
import { listFiles } from "./backup.ts";
import { Failure } from "./failure.ts";
import { requireNoMove, tellDirectory } from "./homes.ts";
import { bindTo, type Bindings } from "./place-bindings.ts";

export type Removed = {
  readonly files: number;
  /** How many people were members of nothing else. */
  readonly accounts: number;
};

/**
 * Removes everything of an organization. It goes on after an interruption. Accounts of people stay. Caches are purged by the service. Throws a `Failure`
 * while it moves, or has old rows in another database.
 */
export async function removeOrganization(target: Bindings, organizationId: string): Promise<Removed> {
  await requireNoMove(target, organizationId);
  await requireNoOldRows(target, organizationId);
  const accounts = await countAccounts(target, organizationId);
  const removeRest = target.name === undefined ? null : await removeOfShard(target, organizationId);
  const remove = () => removeRows(target, organizationId, { portions: Infinity });
  await remove();
  const files = await deleteFiles(target, organizationId);
  // Once more, because the service may have been at work for it until its subscriptions and schedules were gone.
  await remove();
  await removeRest?.();
  await removeOrganizationRow(target, organizationId);
  return { files, accounts };
}

/** Has the service remove at once what a move has left in another database, and throws a `Failure` until that is done. */
async function requireNoOldRows(target: Bindings, organizationId: string): Promise<void> {
  if (target.name === undefined) return;
  const sql = "UPDATE moves SET time = '' WHERE organization_id = ?1 RETURNING source";
  const [moved] = await bindTo(target, "DB").query(sql, [organizationId]);
  if (moved !== undefined)
    throw new Failure(
      `The service removes its old rows in ${String(moved["source"])} first, within some minutes. Leave it running, then repeat this command.`,
    );
}

/** Removes the OAuth records of an organization in a shard, which are in `DB`. Returns what removes the rest that is beside its own rows. */
async function removeOfShard(target: Bindings, organizationId: string): Promise<() => Promise<void>> {
  const main = bindTo(target, "DB");
  const list = async (sql: string) => JSON.stringify((await target.query(sql, [organizationId])).map(({ id }) => id));
  const apps = await list("SELECT id FROM connected_apps WHERE organization_id = ?1");
  const people = await list(`SELECT id FROM users WHERE ${BELONGINGS["users"]?.where}`);
  const records = `DELETE FROM oauth_records WHERE key IN (SELECT r.key FROM json_each(?1) AS c,
    json_each('["grant:", "token:", "awaited:"]') AS kind
    JOIN oauth_records AS r ON r.key >= kind.value || c.value AND r.key < kind.value || c.value || ';')`;
  await main.execute([{ sql: records, values: [apps] }]);
  return async () => {
    const copies = `DELETE FROM users WHERE id IN (SELECT value FROM json_each(?1)) AND id NOT IN (SELECT user_id FROM members)
      AND id NOT IN (SELECT user_id FROM connected_apps)`;
    await target.execute([{ sql: copies, values: [people] }]);
    await removeOrganizationRow(main, organizationId);
    // Once the organization is gone, the directory takes nothing of it.
    await tellDirectory(target);
  };
}

async function countAccounts(target: Bindings, organizationId: string): Promise<number> {
  const members = await target.query("SELECT user_id FROM members WHERE organization_id = ?1", [organizationId]);
  const [counted] = await bindTo(target, "DB").query(
    `SELECT count(*) AS n FROM json_each(?2) AS p
     WHERE NOT EXISTS (SELECT 1 FROM members WHERE user_id = p.value AND organization_id <> ?1)
       AND NOT EXISTS (SELECT 1 FROM directory WHERE kind = 'member' AND key = p.value AND gone = 0 AND organization_id <> ?1)`,
    [organizationId, JSON.stringify(members.map(({ user_id }) => user_id))],
  );
  return Number(counted?.["n"]);
}

async function deleteFiles({ bucket }: Bindings, organizationId: string): Promise<number> {
  let files = 0;
  for await (const objects of listFiles(bucket, listPrefixes(organizationId))) {
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
    files += objects.length;
  }
  return files;
}
