/** Removes an organization: its rows, its files, and what caches have of it. */
import { listPrefixes } from "../../src/store/export/belongings.ts";
import { removeOrganizationRow, removeRows } from "../../src/store/export/removing.ts";
import { listFiles } from "./backup.ts";
import type { Bindings } from "./place-bindings.ts";

export type Removed = {
  readonly files: number;
  /** How many people were members of nothing else. */
  readonly accounts: number;
};

/** Removes everything of an organization. It goes on after an interruption. Accounts of people stay. Caches are purged by the service. */
export async function removeOrganization(target: Bindings, organizationId: string): Promise<Removed> {
  const accounts = await countAccounts(target, organizationId);
  const remove = () => removeRows(target, organizationId, { portions: Infinity });
  await remove();
  const files = await deleteFiles(target, organizationId);
  // Once more, because the service may have been at work for it until its subscriptions and schedules were gone.
  await remove();
  await removeOrganizationRow(target, organizationId);
  return { files, accounts };
}

async function countAccounts({ query }: Bindings, organizationId: string): Promise<number> {
  const [counted] = await query(
    `SELECT count(*) AS n FROM members AS m WHERE organization_id = ?1
       AND NOT EXISTS (SELECT 1 FROM members WHERE user_id = m.user_id AND organization_id <> ?1)`,
    [organizationId],
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
