/** Reads everything of the writer's organization, as it is stored, for its owner (contract 22.8). */
import { eq, sql } from "drizzle-orm";
import { decodeRowCursor, encodeRowCursor } from "../../domain/cursor.ts";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { toPlainRow } from "../../lib/rows.ts";
import { VERSION } from "../../lib/version.ts";
import { organizations } from "../../schema/core.ts";
import { commit, makeLicense } from "../core/commit.ts";
import { orm } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import { leaveOutSecret, listArchived, readMigrations, selectPart, type OwnedTable } from "./belongings.ts";
import { bindD1 } from "./database.ts";
import { readPage, type Source } from "./tables.ts";

/** What is the same in every row of the export, and where it begins. It becomes the manifest of an archive (scripts/lib/backup.ts). */
export type ExportBegun = {
  readonly format: 1;
  readonly version: string;
  readonly migrations: string[];
  readonly began: string;
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly hasSecrets: false;
    readonly lastWrite: { readonly id: string; readonly time: string; readonly action: string };
  };
  /** Children first, so that the parents of a row that was read are only missing if they were deleted. */
  readonly tables: string[];
};

/** The tables that the last request asked for: the console reads all pages within one, which may make 1,000 queries. */
let known: { readonly requestId: string; readonly tables: readonly OwnedTable[] } | undefined;

async function listExported(source: Source, { requestId }: Writer): Promise<readonly OwnedTable[]> {
  if (known?.requestId === requestId) return known.tables;
  const tables = await listArchived(source, { hasSecrets: false });
  known = { requestId, tables };
  return tables;
}

const ACTION = "organization.export";

/** Logs that an export begins, and returns what it will have. Throws `not_found` if the organization does not exist. */
export async function beginExport(writer: Writer): Promise<ExportBegun> {
  const source = bindD1(writer.db);
  const [organization] = await orm(writer.db)
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, writer.organizationId));
  if (organization === undefined) throw new DomainError("not_found");
  const license = makeLicense(writer);
  const value: ExportBegun = {
    format: 1,
    version: VERSION,
    migrations: await readMigrations(source),
    began: license.time,
    organization: {
      ...organization,
      hasSecrets: false,
      lastWrite: { id: license.id, time: license.time, action: ACTION },
    },
    tables: (await listExported(source, writer)).map(({ table }) => table.name).toReversed(),
  };
  const outcome = await commit(writer, license, {
    action: ACTION,
    resourceId: writer.organizationId,
    blogId: null,
    where: sql`where true`,
    change: () => [],
    answer: sql`${JSON.stringify({ value })}`,
  });
  if (outcome.refused) throw new DomainError("not_found");
  return value;
}

/** How many rows the first page of a table reads: the next ones adapt to the size of its rows. */
const FIRST_ROWS = 50;

/** Returns a page of a table's rows without secrets. Throws `not_found` if the export has no such table, and `invalid_cursor`. */
export async function exportRows(
  writer: Writer,
  name: string,
  cursor: string | undefined,
): Promise<{ readonly value: Record<string, unknown>[]; readonly next: string | undefined }> {
  const source = bindD1(writer.db);
  const owned = (await listExported(source, writer)).find((each) => each.table.name === name);
  if (owned === undefined) throw new DomainError("not_found", "The export has no such table.");
  const { table, belonging } = owned;
  const { where, exported } = belonging;
  const { key } = table;
  const place = cursor === undefined ? undefined : decodeRowCursor(cursor);
  if (place !== undefined && place.key.length !== key.length) throw new DomainError("invalid_cursor");
  const page = await readPage(source, table, {
    last: place && Object.fromEntries(key.map((column, n) => [column, place.key[n] ?? null])),
    part: selectPart({ where: exported ?? where }, writer.organizationId),
    most: place?.most ?? FIRST_ROWS,
    mostBytes: LIMITS.exportPageBytes,
  });
  const last = page.rows.at(-1);
  const next = last && encodeRowCursor({ most: page.most, key: key.map((column) => last[column] as string | number) });
  return { value: page.rows.map((row) => toPlainRow(leaveOutSecret(name, row))), next };
}
