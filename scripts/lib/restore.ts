/** Makes a database and its files as a backup has them (backup.ts). */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { sha256 } from "../../src/lib/hash.ts";
import { Failure } from "./failure.ts";
import {
  getFile,
  getTableFile,
  hashFile,
  joinManifests,
  readFileLines,
  readLines,
  readManifest,
  type FileLine,
  type Manifest,
} from "./backup.ts";
import { readMigrations } from "../../src/store/export/belongings.ts";
import { tellDirectory } from "./homes.ts";
import { bindTo, listShards, type Bindings, type Row, type Statement } from "./place-bindings.ts";
import { listTables, type Table } from "../../src/store/export/tables.ts";
import { insertPlainRows, insertRow, isPlain, parseRow } from "./backup-tables.ts";

/** How much one transaction writes at most: D1 limits what a call may have. */
const [MOST_STATEMENTS, MOST_BYTES] = [50, 1024 * 1024];

export type Restored = { readonly manifest: Manifest; readonly leftOut: number };

type Part = { readonly target: Bindings; readonly folder: string; readonly manifest: Manifest };

/**
 * Restores a backup into databases that have all tables and no organization. The triggers that keep counters rest meanwhile, as the
 * rows have what they counted; those of shards note what the directory is made of. An interrupted restoration goes on with the same backup. The full
 * text index is made again by the service. Throws a `Failure` if the backup is damaged, not whole, or of another version, or if a database is in use.
 */
export async function restore(target: Bindings, folder: string, tell: (line: string) => void): Promise<Restored> {
  const shards: Part[] = [];
  for (const name of listCopiedShards(target, folder)) {
    const [shard, own] = [bindTo(target, name), path.join(folder, name)];
    shards.push({ target: shard, folder: own, manifest: await checkBackup(shard, own) });
  }
  const main = { target, folder, manifest: await checkBackup(target, folder) };
  // Each has its note before `DB` has, and is done before: a shard without a note beside that of `DB` is done.
  const goesOn = await hasNote(target);
  for (const part of [...shards, main]) if (!goesOn || part === main) await begin(part.target, part.manifest);
  for (const shard of shards) await prepareShard(shard, target);
  let leftOut = 0;
  for (const part of [...shards, main]) if (await hasNote(part.target)) leftOut += await restoreRows(part);
  tell("The rows are restored. Now the files.");
  await putFiles(target, folder, [...(await readFileLines(folder)).values()]);
  for (const { target: shard } of shards) {
    if (await hasNote(shard)) await finish(shard);
    await tellDirectory(shard);
  }
  await finish(target);
  return {
    manifest: joinManifests(
      main.manifest,
      shards.map((part) => [part.target.name ?? "", part.manifest] as const),
    ),
    leftOut,
  };
}

/** Returns the shards of a backup. Throws a `Failure` if the place lacks one. */
function listCopiedShards(target: Bindings, folder: string): string[] {
  const copied = readManifest(folder)?.shards ?? [];
  if (copied.every((name) => listShards(target).includes(name))) return copied;
  throw new Failure(
    `The backup has ${copied.length} shards. Make as many here: npm run migrate -- --shards ${copied.length}, or EDGEPRESS_SHARDS=${copied.length}.`,
  );
}

async function restoreRows({ target, folder, manifest }: Part): Promise<number> {
  const tables = await listTables(target);
  for (const table of tables) {
    if ((manifest.tables[table.name]?.rows ?? 0) === 0) continue;
    await executeGroups(target, insertRows(table, getTableFile(folder, table.name)));
  }
  return countLeftOut(target, tables, manifest);
}

/** Notes in `DB` which organizations will be in a shard, and has it note from then on what the directory is made of. */
async function prepareShard({ target, folder }: Part, main: Bindings): Promise<void> {
  const sql = "INSERT INTO homes (organization_id, shard) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
  const homes: Statement[] = [];
  const elsewhere = new Set<unknown>();
  for await (const { organization_id: id, kind } of readRows(getTableFile(folder, "suspensions")))
    if (kind === "moving" || kind === "arriving") elsewhere.add(id);
  for await (const { id } of readRows(getTableFile(folder, "organizations")))
    if (!elsewhere.has(id)) homes.push({ sql, values: [String(id), target.name ?? ""] });
  if (homes.length > 0) await main.execute(homes);
  await tellDirectory(target);
}

/** Returns the manifest of a backup. Throws a `Failure` if the backup is not whole, damaged, or of another version than the target. */
export async function checkBackup(target: Bindings, folder: string): Promise<Manifest> {
  const manifest = readManifest(folder);
  if (manifest === null) throw new Failure(`${folder} has no backup.`, 2);
  const command = manifest.organization === undefined ? "backup" : "archive";
  if (manifest.ended === null) throw new Failure(`The ${command} in ${folder} is not whole: run ${command} once more.`);
  await checkVersion(target, manifest);
  await checkFiles(folder, manifest);
  return manifest;
}

async function checkVersion(target: Bindings, { migrations, version }: Manifest): Promise<void> {
  const applied = await readMigrations(target);
  if (JSON.stringify(applied) === JSON.stringify(migrations)) return;
  throw new Failure(
    `The backup is of version ${version}, whose tables differ: restore it with that version, and upgrade it then.`,
  );
}

/** Compares all checksums before anything is written. */
async function checkFiles(folder: string, { tables, files }: Manifest): Promise<void> {
  for (const [name, { sha256 }] of Object.entries(tables)) {
    const found = await hashFile(getTableFile(folder, name)).catch(() => null);
    if (found !== sha256)
      throw new Failure(`${getTableFile(folder, name)} is damaged or missing: its checksum differs.`);
  }
  const lines = await readFileLines(folder);
  if (lines.size !== files.count)
    throw new Failure(`files.ndjson names ${lines.size} files instead of ${files.count}.`);
}

const hasNote = async ({ query }: Bindings): Promise<boolean> =>
  (await query("SELECT 1 FROM sqlite_schema WHERE name = 'restoring'")).length > 0;

/** Notes the triggers, and which backup this is, and removes the triggers. The note is also what makes it go on. */
async function begin(target: Bindings, { began }: Manifest): Promise<void> {
  const { query, execute } = target;
  if (await hasNote(target)) {
    const [of] = await query("SELECT sql FROM restoring WHERE name = ''");
    if (of?.["sql"] === began) return;
    throw new Failure("The database is being restored from another backup: start over with an empty one.");
  }
  const [used] = await query("SELECT (SELECT count(*) FROM organizations) + (SELECT count(*) FROM users) AS n");
  if (used?.["n"] !== 0) throw new Failure("The database is in use: a backup is only restored into an empty one.");
  const triggers = await query(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name NOT GLOB 'listed_*'",
  );
  await execute([
    { sql: "CREATE TABLE restoring (name TEXT, sql TEXT)", values: [] },
    { sql: "INSERT INTO restoring VALUES ('', ?1)", values: [began] },
    ...triggers.flatMap(({ name, sql }): Statement[] => [
      { sql: "INSERT INTO restoring VALUES (?1, ?2)", values: [String(name), String(sql)] },
      { sql: `DROP TRIGGER "${String(name)}"`, values: [] },
    ]),
  ]);
}

/** Yields the statements that insert the rows of a file: most rows hundreds at a time, as each statement takes milliseconds. */
async function* insertRows(table: Table, file: string): AsyncGenerator<Statement[]> {
  let [plain, bytes]: [Row[], number] = [[], 0];
  for await (const row of readRows(file)) {
    const size = Buffer.byteLength(JSON.stringify(row));
    if (!isPlain(row) || size > MOST_BYTES) {
      yield [insertRow(table, row)];
      continue;
    }
    if (bytes + size > MOST_BYTES) {
      yield [insertPlainRows(table, plain)];
      [plain, bytes] = [[], 0];
    }
    plain.push(row);
    bytes += size;
  }
  if (plain.length > 0) yield [insertPlainRows(table, plain)];
}

export async function* readRows(file: string): AsyncGenerator<Row> {
  for await (const line of readLines(file)) yield parseRow(line);
}

/** Executes many statements in transactions of a bounded size. Those of a group, and those around it, share one. */
export async function executeGroups(
  { execute }: Bindings,
  groups: AsyncIterable<readonly Statement[]>,
  [before, after]: readonly [readonly Statement[], readonly Statement[]] = [[], []],
): Promise<void> {
  let [statements, bytes]: [Statement[], number] = [[], 0];
  const flush = async () => {
    if (statements.length > 0) await execute([...before, ...statements, ...after]);
    [statements, bytes] = [[], 0];
  };
  for await (const group of groups) {
    statements.push(...group);
    for (const { values } of group)
      for (const cell of values) bytes += typeof cell === "number" ? 8 : (cell?.length ?? 0);
    if (statements.length >= MOST_STATEMENTS || bytes > MOST_BYTES) await flush();
  }
  await flush();
}

/** Counts the children of deleted rows, which are not stored. Throws a `Failure` if anything else is not as in the backup. */
async function countLeftOut({ query }: Bindings, tables: readonly Table[], manifest: Manifest) {
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM "${name}") AS "${name}"`);
  const [stored = {}] = await query(`SELECT ${counts.join(", ")}`);
  let leftOut = 0;
  for (const { name, parents } of tables) {
    const [is, wanted] = [Number(stored[name]), manifest.tables[name]?.rows ?? 0];
    if (is > wanted || (is < wanted && parents.length === 0))
      throw new Failure(`${name} has ${is} rows instead of ${wanted}.`);
    leftOut += wanted - is;
  }
  return leftOut;
}

/** How many files are stored at once. */
const FILES_AT_ONCE = 4;

/** Stores files of a backup. Throws a `Failure` if one is not the file that was copied. */
export async function putFiles(target: Bindings, folder: string, lines: readonly FileLine[]): Promise<void> {
  for (let from = 0; from < lines.length; from += FILES_AT_ONCE)
    await Promise.all(lines.slice(from, from + FILES_AT_ONCE).map((line) => putFile(target, folder, line)));
}

async function putFile({ bucket }: Bindings, folder: string, line: FileLine): Promise<void> {
  const bytes = await readFile(getFile(folder, line.key)).catch(() => null);
  if (bytes === null || (await sha256(new Uint8Array(bytes))) !== line.sha256)
    throw new Failure(`${getFile(folder, line.key)} is damaged or missing: its checksum differs.`);
  const { httpMetadata, customMetadata } = line;
  await bucket.put(line.key, new Uint8Array(bytes), { httpMetadata, customMetadata });
}

/** Makes the triggers again, and removes the note. Articles without an indexed version are indexed by the Worker's cron. */
async function finish({ query, execute }: Bindings): Promise<void> {
  const triggers = await query("SELECT sql FROM restoring WHERE name <> ''");
  await execute([
    { sql: "UPDATE articles SET indexed_version = NULL", values: [] },
    ...triggers.map(({ sql }): Statement => ({ sql: String(sql), values: [] })),
    { sql: "DROP TABLE restoring", values: [] },
  ]);
}
