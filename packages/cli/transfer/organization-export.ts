/**
 * Writes everything of an organization into a folder, in the form of an archive without secrets (scripts/lib/backup.ts): an operator
 * restores it with `npm run admin -- restore`.
 */
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { appendFile, mkdir, open, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import writeFileAtomic from "write-file-atomic";
import { decodeBase64 } from "../../../src/lib/bytes.ts";
import { formatLine } from "../../../src/lib/rows.ts";
import type { Client, Operations } from "../client.ts";
import { openOperatorClient } from "../commands/declare.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import type { Progress } from "../progress.ts";
import { toPrintableLine } from "../terminal.ts";

type Begun = Operations["POST /api/organization/export"]["answer"];

type Manifest = Omit<Begun, "tables"> & {
  ended: string | null;
  readonly isOneMoment: false;
  changed: string[];
  readonly tables: Record<string, { readonly rows: number; readonly sha256: string }>;
  files: { readonly count: number; readonly bytes: number };
};

type FileLine = {
  readonly key: string;
  readonly etag: string;
  readonly size: number;
  readonly sha256?: string;
};

type Exporting = { readonly client: Client; readonly folder: string; readonly progress: Progress };

/**
 * Exports the organization. An interrupted export goes on with the table where it stopped. Throws `CliError` if the folder has something
 * else.
 */
export async function exportOrganization(context: Context, folder: string): Promise<void> {
  const { output } = context;
  if (folder === "") throw usageError("Name the folder to export to.");
  const client = await openOperatorClient(context);
  const before = await readManifest(folder);
  if (before !== null && before.ended !== null)
    throw fileError(`${folder} has an export already, of ${before.began}.`, "Choose another folder.");
  const { value: begun } = await client.request("POST /api/organization/export");
  const manifest = before ?? makeManifest(begun);
  if (manifest.organization.id !== begun.organization.id || String(manifest.migrations) !== String(begun.migrations))
    throw fileError(
      `${folder} has a part of another export: of another organization, or of another version.`,
      "Choose another folder.",
    );
  for (const each of ["tables", "files"]) await mkdir(path.join(folder, each), { recursive: true, mode: 0o700 });
  const progress = output.progress("Exporting");
  const exporting = { client, folder, progress };
  const save = () =>
    writeFileAtomic(path.join(folder, "backup.json"), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  progress.say("rows and files");
  try {
    await save();
    for (const table of begun.tables) {
      if (table in manifest.tables) continue;
      manifest.tables[table] = await exportTable(exporting, table);
      await save();
    }
    manifest.changed = (await wasWritten(exporting, manifest)) ? [manifest.organization.id] : [];
    // After the rows: a file whose row is exported may be deleted meanwhile, but a new one is not missed.
    manifest.files = await exportFiles(exporting);
    manifest.ended = new Date().toISOString();
    await save();
  } finally {
    progress.end();
  }
  report(context, folder, manifest);
}

function report({ output }: Context, folder: string, { tables, files, changed, organization }: Manifest): void {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  output.result({ folder, rows, files: files.count, bytes: files.bytes, changed: changed.length > 0 }, () => {
    const counts = `${rows.toLocaleString("en")} rows and ${files.count.toLocaleString("en")} files`;
    return `${toPrintableLine(folder)}: ${counts} of ${toPrintableLine(organization.name)}.`;
  });
  if (changed.length > 0)
    output.warn(
      "The organization was written to meanwhile, so its rows may be of different moments. Export it once more in a quiet hour.",
    );
}

const fileError = (message: string, hint: string): CliError =>
  new CliError("file_error", message, EXIT.failed, { hint });

const makeManifest = (begun: Begun): Manifest => ({
  ...begun,
  ended: null,
  isOneMoment: false,
  changed: [],
  tables: {},
  files: { count: 0, bytes: 0 },
});

async function readManifest(folder: string): Promise<Manifest | null> {
  const file = path.join(folder, "backup.json");
  if (!existsSync(file)) return null;
  try {
    const { organization, tables, ...more } = JSON.parse(await readFile(file, "utf8")) as Partial<Manifest>;
    if (organization?.id !== undefined && tables !== undefined) return { organization, tables, ...more } as Manifest;
  } catch {
    // The same as for another file of this name.
  }
  throw fileError(`${file} is of no export of an organization.`, "Choose another folder.");
}

/** Writes a table anew. */
async function exportTable({ client, folder, progress }: Exporting, table: string) {
  const file = await open(path.join(folder, "tables", `${table}.ndjson`), "w", 0o600);
  const hash = createHash("sha256");
  let rows = 0;
  try {
    for await (const row of client.list("GET /api/organization/export", { query: { table } })) {
      const line = formatLine(row);
      hash.update(line);
      await file.write(line);
      rows++;
      progress.advance();
    }
  } finally {
    await file.close();
  }
  return { rows, sha256: hash.digest("hex") };
}

/** Returns whether the audit log has another entry since the export began. */
async function wasWritten({ client }: Exporting, { organization, began }: Manifest): Promise<boolean> {
  // Clocks of several isolates differ.
  const from = new Date(Date.parse(began) - 60_000).toISOString();
  for await (const { _id, action } of client.list("GET /api/audit", { query: { from } })) {
    if (_id === organization.lastWrite.id) return false;
    if (action !== organization.lastWrite.action) return true;
  }
  return true;
}

async function exportFiles({ client, folder, progress }: Exporting): Promise<Manifest["files"]> {
  const list = path.join(folder, "files.ndjson");
  const known = await readFileLines(list);
  const found: FileLine[] = [];
  for await (const row of client.list("GET /api/organization/export", { query: { table: "files" } })) {
    const listed = row as FileLine;
    const same = known.get(listed.key);
    const line = same?.etag === listed.etag ? same : await exportFile(client, folder, listed);
    if (line === null) continue;
    if (line !== same) await appendFile(list, formatLine(line), { mode: 0o600 });
    found.push(line);
    progress.advance();
  }
  // Only what is there at the end: a file of an interrupted run may have been deleted since.
  await writeFileAtomic(list, found.map((line) => formatLine(line)).join(""), { mode: 0o600 });
  return { count: found.length, bytes: found.reduce((sum, { size }) => sum + size, 0) };
}

async function readFileLines(list: string): Promise<Map<string, FileLine>> {
  const found = new Map<string, FileLine>();
  if (!existsSync(list)) return found;
  for await (const line of createInterface({ input: createReadStream(list) })) {
    // The last line of an interrupted run may have no end.
    if (!line.endsWith("}")) continue;
    const parsed = JSON.parse(line) as FileLine;
    found.set(parsed.key, parsed);
  }
  return found;
}

/** Writes a file; returns null if it was deleted or replaced since it was listed. */
async function exportFile(client: Client, folder: string, listed: FileLine): Promise<FileLine | null> {
  const parts: Uint8Array[] = [];
  for (let offset = listed.size === 0 ? null : 0; offset !== null;) {
    const part: Awaited<ReturnType<typeof readPart>> = await readPart(client, listed.key, offset);
    if (part === null || part.etag !== listed.etag) return null;
    parts.push(decodeBase64(part.base64));
    offset = part.next;
  }
  const bytes = Buffer.concat(parts);
  await writeFile(path.join(folder, "files", encodeURIComponent(listed.key)), bytes, { mode: 0o600 });
  return { ...listed, sha256: createHash("sha256").update(bytes).digest("hex") };
}

async function readPart(client: Client, key: string, offset: number) {
  try {
    return (await client.request("GET /api/organization/export/file", { query: { key, offset } })).value;
  } catch (error) {
    if (error instanceof CliError && error.code === "not_found") return null;
    throw error;
  }
}
