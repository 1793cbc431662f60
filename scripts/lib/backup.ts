/**
 * Copies a database and its files, or those of one organization, into a folder (docs/deploy.md, "Backup and restore"):
 * - `backup.json`: what is in it, with a checksum of each table
 * - `tables/NAME.ndjson`: a row a line, in the order of the primary key
 * - `files/`, and `files.ndjson` with the key, the checksum and the headers of each
 *
 * An interrupted backup goes on where it was.
 */
import { createHash } from "node:crypto";
import { appendFileSync, createReadStream, existsSync, mkdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { R2Object } from "@cloudflare/workers-types";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod";
import { sha256 } from "../../src/lib/hash.ts";
import { isId } from "../../src/lib/ids.ts";
import { VERSION } from "../../src/lib/version.ts";
import { Failure } from "./failure.ts";
import { requireNoMove } from "./homes.ts";
import { bindTo, listShards, type Bindings, type Row } from "./place-bindings.ts";
import { formatLine, toPlainRow } from "../../src/lib/rows.ts";
import { readMigrations } from "../../src/store/export/belongings.ts";
import { listTables, readPages, type Part, type Table } from "../../src/store/export/tables.ts";
import { parseRow } from "./backup-tables.ts";

const copied = z.object({ rows: z.int(), sha256: z.string() });

const manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  migrations: z.array(z.string()),
  began: z.string(),
  /** Null while it is not whole. */
  ended: z.string().nullable(),
  /** Whether all rows are of the moment at which it began. */
  isOneMoment: z.boolean(),
  /** The organizations that were written to meanwhile: their rows may be of different moments. */
  changed: z.array(z.string()),
  /** The organization of an archive; none if it has everything. */
  organization: z
    .object({
      // Files are listed by it: nothing but an id.
      id: z.string().refine(isId),
      name: z.string(),
      /** False if keys, tokens, passwords and the like were left out. */
      hasSecrets: z.boolean(),
      /** The last entry of its audit log, by which it shows whether it was written to since. Null without an entry. */
      lastWrite: z.object({ id: z.string(), time: z.string(), action: z.string() }).nullable(),
    })
    .optional(),
  /** The shards of a backup of everything: each is in a folder of its name. */
  shards: z.array(z.string()).optional(),
  tables: z.record(z.string(), copied),
  files: z.object({ count: z.int(), bytes: z.int() }),
});

export type Manifest = z.infer<typeof manifest>;

/** A line of files.ndjson. */
export const fileLine = z.object({
  key: z.string(),
  etag: z.string(),
  size: z.int(),
  sha256: z.string(),
  httpMetadata: z.record(z.string(), z.unknown()),
  customMetadata: z.record(z.string(), z.string()),
});

export type FileLine = z.infer<typeof fileLine>;

export const getTableFile = (folder: string, name: string): string => path.join(folder, "tables", `${name}.ndjson`);
export const getFilesList = (folder: string): string => path.join(folder, "files.ndjson");
/** A key may have slashes, and be the beginning of another one. */
export const getFile = (folder: string, key: string): string => path.join(folder, "files", encodeURIComponent(key));

/** Returns the manifest of a folder; null if it has none. Throws a `Failure` if it cannot be read. */
export function readManifest(folder: string): Manifest | null {
  const file = path.join(folder, "backup.json");
  if (!existsSync(file)) return null;
  const parsed = manifest.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.success) throw new Failure(`${file} is of another version of Edgepress, or damaged.`);
  return parsed.data;
}

/** What is copied. */
export type Selection = {
  /**
   * Parents first. `part` has the rows of a table, and `change` what is stored of a row; without them, all as it is. `from` is the
   * database that has them, if it is another one.
   */
  readonly tables: readonly {
    readonly table: Table;
    readonly part?: Part;
    readonly change?: (row: Row) => Row;
    readonly from?: Bindings;
  }[];
  /** The beginnings of the keys of its files. */
  readonly prefixes: readonly string[];
  readonly organization?: Manifest["organization"];
};

const selectAll = async (source: Bindings): Promise<Selection> => ({
  tables: (await listTables(source)).map((table) => ({ table })),
  prefixes: [""],
});

/**
 * Copies all databases of a place: each shard into a folder of its name, and `DB` beside these, with the files, which come last. Returns what is
 * in all together. Throws a `Failure` as {@link backUp}, and if an organization is moving.
 */
export async function backUpAll(source: Bindings, folder: string, tell: (line: string) => void): Promise<Manifest> {
  const shards: [string, Manifest][] = [];
  await requireNoMove(source);
  for (const name of listShards(source)) {
    const [shard, own] = [bindTo(source, name), path.join(folder, name)];
    const before = readManifest(own);
    const selection = { ...(await selectAll(shard)), prefixes: [] };
    shards.push([name, before?.ended ? before : await backUp(shard, own, tell, selection)]);
  }
  await requireNoMove(source);
  return joinManifests(await backUp(source, folder, tell), shards);
}

/** Returns the manifest of `DB` with the tables of shards, such as `DB_1/articles`. */
export const joinManifests = (main: Manifest, shards: readonly (readonly [string, Manifest])[]): Manifest => ({
  ...main,
  isOneMoment: [main, ...shards.map(([, each]) => each)].every(({ isOneMoment }) => isOneMoment),
  changed: [main, ...shards.map(([, each]) => each)].flatMap(({ changed }) => changed),
  tables: Object.fromEntries(
    [["", main] as const, ...shards.map(([name, each]) => [`${name}/`, each] as const)].flatMap(
      ([prefix, { tables }]) => Object.entries(tables).map(([table, copy]) => [prefix + table, copy]),
    ),
  ),
});

/** Copies everything of a database, or what is selected. Throws a `Failure` if the folder has a whole backup already, or one of something else. */
export async function backUp(
  source: Bindings,
  folder: string,
  tell: (line: string) => void,
  selection?: Selection,
): Promise<Manifest> {
  const before = readManifest(folder);
  if (before?.ended) throw new Failure(`${folder} has a backup already, of ${before.began}.`, 2);
  const { tables, prefixes, organization } = selection ?? (await selectAll(source));
  if (before !== null && !isSame(before.organization, organization))
    throw new Failure(`${folder} has a part of another backup: choose another folder.`, 2);
  for (const each of ["tables", "files"]) mkdirSync(path.join(folder, each), { recursive: true, mode: 0o700 });
  const progress: Manifest = before ?? {
    format: 1,
    version: VERSION,
    migrations: await readMigrations(source),
    began: new Date().toISOString(),
    ended: null,
    isOneMoment: source.isSnapshot,
    changed: [],
    ...(organization && { organization }),
    ...(selection === undefined && { shards: listShards(source) }),
    tables: {},
    files: { count: 0, bytes: 0 },
  };
  if (before !== null) {
    tell(`Going on with the backup that began at ${before.began}.`);
    progress.isOneMoment = false;
  }
  const save = () =>
    writeFileAtomic(path.join(folder, "backup.json"), `${JSON.stringify(progress, null, 2)}\n`, { mode: 0o600 });
  await save();
  // Children first, so that the parents of a row that was read are only missing if they were deleted, and the row with them.
  for (const selected of tables.toReversed()) {
    const { name } = selected.table;
    if (name in progress.tables) continue;
    progress.tables[name] = await copyTable(source, selected, getTableFile(folder, name));
    await save();
  }
  if (!progress.isOneMoment) {
    const changed = await listChanged(source, progress.began);
    progress.changed = changed.filter((id) => organization === undefined || id === organization.id);
  }
  // After the rows: a file whose row is copied may be deleted meanwhile, but a new one is not missed.
  progress.files = await copyFiles(source, folder, prefixes);
  progress.ended = new Date().toISOString();
  await save();
  return progress;
}

const isSame = (one: Manifest["organization"], other: Manifest["organization"]): boolean =>
  one?.id === other?.id && one?.hasSecrets === other?.hasSecrets;

async function copyTable(
  source: Bindings,
  { table, part, change = (row) => row, from = source }: Selection["tables"][number],
  file: string,
): Promise<z.infer<typeof copied>> {
  const { count, last } = await cutOff(file);
  let rows = count;
  for await (const page of readPages(from, table, { last: last === "" ? undefined : parseRow(last), part })) {
    appendFileSync(file, page.map((row) => formatLine(toPlainRow(change(row)))).join(""), { mode: 0o600 });
    rows += page.length;
  }
  appendFileSync(file, "", { mode: 0o600 });
  return { rows, sha256: await hashFile(file) };
}

/** Cuts off a line that was not written to its end. Returns how many whole ones there are, and the last of them. */
async function cutOff(file: string): Promise<{ readonly count: number; readonly last: string }> {
  let [count, bytes, last] = [0, 0, ""];
  if (!existsSync(file)) return { count, last };
  const { size } = statSync(file);
  for await (const line of readLines(file)) {
    const end = bytes + Buffer.byteLength(line) + 1;
    if (end > size) truncateSync(file, bytes);
    else [count, bytes, last] = [count + 1, end, line];
  }
  return { count, last };
}

export const readLines = (file: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });

export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** Clocks of several isolates differ, and a write is stored after the time that it has. */
const CLOCKS_MS = 60_000;

/** Returns the organizations that were written to since a time, by their audit logs. */
async function listChanged({ query }: Bindings, since: string): Promise<string[]> {
  const from = new Date(Date.parse(since) - CLOCKS_MS).toISOString();
  const rows = await query("SELECT DISTINCT organization_id AS id FROM audit WHERE creation_time >= ?1 ORDER BY 1", [
    from,
  ]);
  return rows.map(({ id }) => String(id));
}

/** How many files are copied at once. */
const FILES_AT_ONCE = 4;

async function copyFiles(
  { bucket }: Bindings,
  folder: string,
  prefixes: readonly string[],
): Promise<Manifest["files"]> {
  const list = getFilesList(folder);
  await cutOff(list);
  const known = await readFileLines(folder);
  for await (const objects of listFiles(bucket, prefixes)) {
    const wanted = objects.filter(({ key, etag }) => known.get(key)?.etag !== etag);
    for (let from = 0; from < wanted.length; from += FILES_AT_ONCE) {
      const lines = await Promise.all(
        wanted.slice(from, from + FILES_AT_ONCE).map((each) => copyFile(bucket, folder, each)),
      );
      for (const line of lines) {
        if (line === null) continue;
        known.set(line.key, line);
        appendFileSync(list, `${JSON.stringify(line)}\n`, { mode: 0o600 });
      }
    }
  }
  appendFileSync(list, "", { mode: 0o600 });
  const files = [...known.values()];
  return { count: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

/** Yields the files whose keys begin with one of the prefixes, by pages. */
export async function* listFiles(bucket: Bindings["bucket"], prefixes: readonly string[]): AsyncGenerator<R2Object[]> {
  for (const prefix of prefixes) {
    for (let cursor: string | undefined; ;) {
      const page = await bucket.list({
        prefix,
        include: ["httpMetadata", "customMetadata"],
        ...(cursor !== undefined && { cursor }),
      });
      yield page.objects;
      if (!page.truncated) break;
      cursor = page.cursor;
    }
  }
}

/** Returns null for a file that was deleted since it was listed. */
async function copyFile(bucket: Bindings["bucket"], folder: string, { key }: R2Object): Promise<FileLine | null> {
  const object = await bucket.get(key);
  if (object === null) return null;
  const bytes = new Uint8Array(await object.arrayBuffer());
  await writeFile(getFile(folder, key), bytes, { mode: 0o600 });
  const { etag, size, httpMetadata = {}, customMetadata = {} } = object;
  return fileLine.parse({
    key,
    etag,
    size,
    sha256: await sha256(bytes),
    httpMetadata: { ...httpMetadata },
    customMetadata,
  });
}

/** Returns the last line of each key. */
export async function readFileLines(folder: string): Promise<Map<string, FileLine>> {
  const found = new Map<string, FileLine>();
  if (!existsSync(getFilesList(folder))) return found;
  for await (const line of readLines(getFilesList(folder))) {
    const parsed = fileLine.parse(JSON.parse(line));
    found.set(parsed.key, parsed);
  }
  return found;
}
