/** Copies one organization into a folder, as backup.ts copies everything. */
import { backUp, readManifest, type Manifest, type Selection } from "./backup.ts";
import { Failure } from "./failure.ts";
import { requireNoMove } from "./homes.ts";
import {
  BELONGINGS,
  leaveOutSecret,
  listArchived,
  listPrefixes,
  selectPart,
} from "../../src/store/export/belongings.ts";
import { bindTo, type Bindings } from "./place-bindings.ts";

export type ArchiveOptions = {
  readonly organizationId: string;
  readonly hasSecrets: boolean;
};

/**
 * Copies an organization. An interrupted copy goes on where it was. Throws a `Failure` if there is no such organization, or if the
 * folder has something else.
 */
export async function archive(
  source: Bindings,
  folder: string,
  { organizationId, hasSecrets }: ArchiveOptions,
  tell: (line: string) => void,
): Promise<Manifest> {
  const name = await findName(source, organizationId);
  if (name === null) throw new Failure(`There is no organization ${organizationId}.`);
  if ((await findSuspension(source, organizationId)) === "erased")
    throw new Failure(`${name} is being deleted for good, and is no longer whole.`);
  await requireNoMove(source, organizationId);
  const lastWrite = await findLastWrite(source, organizationId);
  const passwords = source.name === undefined ? null : await selectPasswords(source, organizationId);
  const tables = (await listArchived(source, { hasSecrets })).map(
    ({ table, belonging }): Selection["tables"][number] => ({
      table,
      part: (table.name === "accounts" && passwords?.part) || selectPart(belonging, organizationId),
      from: (table.name === "accounts" && passwords?.from) || source,
      change: (row) => (hasSecrets ? row : leaveOutSecret(table.name, row)),
    }),
  );
  const organization = { id: organizationId, name, hasSecrets, lastWrite };
  return backUp(source, folder, tell, { tables, prefixes: listPrefixes(organizationId), organization });
}

/** Returns where the passwords of people are if their organization is in a shard, which has copies of `users` only. */
async function selectPasswords(source: Bindings, organizationId: string) {
  const people = await source.query(`SELECT id FROM users WHERE ${BELONGINGS["users"]?.where}`, [organizationId]);
  const where = "provider_id = 'credential' AND user_id IN (SELECT value FROM json_each(?1))";
  return { from: bindTo(source, "DB"), part: { where, values: [JSON.stringify(people.map(({ id }) => id))] } };
}

/** Returns the name of an organization; null if there is none with this id. */
export async function findName({ query }: Pick<Bindings, "query">, organizationId: string): Promise<string | null> {
  const [found] = await query("SELECT name FROM organizations WHERE id = ?1", [organizationId]);
  return found === undefined ? null : String(found["name"]);
}

/** Returns whether an organization is suspended, deleted by its owner, or being deleted for good ("erased"), or at a ceiling; null if it is active. */
export async function findSuspension(
  { query }: Pick<Bindings, "query">,
  organizationId: string,
): Promise<string | null> {
  const [found] = await query("SELECT kind FROM suspensions WHERE organization_id = ?1", [organizationId]);
  return found === undefined ? null : String(found["kind"]);
}

type LastWrite = NonNullable<Manifest["organization"]>["lastWrite"];

async function findLastWrite({ query }: Bindings, organizationId: string): Promise<LastWrite> {
  const [last] = await query(
    "SELECT id, creation_time AS time, action FROM audit WHERE organization_id = ?1 ORDER BY id DESC LIMIT 1",
    [organizationId],
  );
  return last === undefined
    ? null
    : { id: String(last["id"]), time: String(last["time"]), action: String(last["action"]) };
}

/** Returns the last entry of an organization's audit log since an archive of it was begun; null if there is none. */
export async function findWriteSince(source: Bindings, folder: string, organizationId: string): Promise<LastWrite> {
  const of = readManifest(folder);
  if (of?.ended == null || of.organization?.id !== organizationId)
    throw new Failure(`${folder} has no whole archive of the organization ${organizationId}.`, 2);
  const last = await findLastWrite(source, organizationId);
  return last?.id === of.organization.lastWrite?.id ? null : last;
}
