/** Notes in the database that an organization is being restored, and from which archive, so that it goes on after an interruption. */
import { quote } from "../../src/store/export/tables.ts";
import { Failure } from "./failure.ts";
import type { OwnedTable } from "../../src/store/export/belongings.ts";
import type { Bindings, Statement } from "./place-bindings.ts";

export type Note = {
  readonly organizationId: string;
  /** The checksum of the archive's manifest, which has those of its tables. */
  readonly archive: string;
};

/**
 * Returns true if this archive was being restored, and false if the organization is not there. Throws a `Failure` if it is there, or is being
 * restored from another archive.
 */
export async function isGoingOn({ query }: Bindings, { organizationId, archive }: Note): Promise<boolean> {
  const tables = await query("SELECT name FROM sqlite_schema WHERE name GLOB 'restoring*'");
  const notes = new Set(tables.map(({ name }) => name));
  if (notes.has("restoring")) throw new Failure("The installation is being restored itself. Complete that first.");
  const [note] = notes.has("restoring_organizations")
    ? await query("SELECT archive FROM restoring_organizations WHERE organization_id = ?1", [organizationId])
    : [];
  if (note?.["archive"] === archive) return true;
  if (note !== undefined)
    throw new Failure(
      `The organization ${organizationId} is being restored from another archive. Go on with that one, or remove it.`,
    );
  const there = await query("SELECT 1 FROM organizations WHERE id = ?1", [organizationId]);
  if (there.length > 0) throw new Failure(`The organization ${organizationId} is there already. Nothing was written.`);
  return false;
}

export const listBeginning = ({ organizationId, archive }: Note): Statement[] => [
  {
    sql: `CREATE TABLE IF NOT EXISTS restoring_organizations
      (organization_id TEXT PRIMARY KEY, archive TEXT NOT NULL, counters TEXT NOT NULL DEFAULT '')`,
    values: [],
  },
  {
    sql: "INSERT INTO restoring_organizations (organization_id, archive) VALUES (?1, ?2)",
    values: [organizationId, archive],
  },
];

/** Returns the statements that remove the note, and the table with the last of them. */
export async function listFinishing({ query }: Bindings, organizationId: string): Promise<Statement[]> {
  const others = await query("SELECT 1 FROM restoring_organizations WHERE organization_id <> ?1 LIMIT 1", [
    organizationId,
  ]);
  if (others.length === 0) return [{ sql: "DROP TABLE restoring_organizations", values: [] }];
  return [{ sql: "DELETE FROM restoring_organizations WHERE organization_id = ?1", values: [organizationId] }];
}

/**
 * Returns what a transaction that inserts rows begins and ends with, so that the row of the organization stays as it is: it has
 * already counted what triggers would count again. What the service counts in other transactions is kept.
 */
export function makeCounterKeeper(
  tables: readonly OwnedTable[],
  organizationId: string,
): readonly [readonly Statement[], readonly Statement[]] {
  const columns = tables.find(({ table }) => table.name === "organizations")?.table.columns ?? [];
  const kept = columns.filter((column) => column !== "id").map(quote);
  const keep = `UPDATE restoring_organizations SET counters = (SELECT json_array(${kept.join(", ")}) FROM organizations WHERE id = ?1)
    WHERE organization_id = ?1`;
  const putBack = `UPDATE organizations SET ${kept.map((column, n) => `${column} = note.counters ->> ${n}`).join(", ")}
    FROM restoring_organizations AS note WHERE organizations.id = ?1 AND note.organization_id = ?1`;
  return [[{ sql: keep, values: [organizationId] }], [{ sql: putBack, values: [organizationId] }]];
}
