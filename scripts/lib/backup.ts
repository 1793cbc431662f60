/**
 * A copy of the deployed database as SQL text, which changes nothing in it. D1 exports no virtual table, and refuses a
 * database that has one (workers-sdk issue 6305) unless it is told by name which tables to export. So the rows come from
 * one export of all other tables, as they are at one moment. The schema is read apart: it has to stand before the rows,
 * whose foreign keys name tables that follow, and D1 leaves out the indexes and triggers of tables it is told by name.
 */
import {
  appendFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  mkdtempSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { Failure } from "./failure.ts";
import { query } from "./organization.ts";
import { runWrangler } from "./wrangler.ts";

/** Tables before what is made on them. SQLite's and D1's own come by themselves, as does what an index consists of. */
const SCHEMA = `SELECT o.type, o.name, o.sql, t.type = 'virtual' AS virtual
  FROM sqlite_schema AS o JOIN pragma_table_list AS t ON t.schema = 'main' AND t.name = o.tbl_name
  WHERE o.sql IS NOT NULL AND t.type <> 'shadow' AND o.name NOT GLOB 'sqlite_*' AND o.name NOT GLOB '_cf_*'
  ORDER BY o.type <> 'table', o.rowid`;
/** Numbers that were given are not given again: what a subscription has seen counts by them (`since_seq`). */
const SEQUENCES = "SELECT name, seq FROM sqlite_sequence";

const answer = z.tuple([
  z.array(z.object({ type: z.string(), name: z.string(), sql: z.string(), virtual: z.number() })),
  z.array(z.object({ name: z.string(), seq: z.int() })),
]);

/** Says which articles the full text index has. Without it, the triggers ask the Worker's cron for all of them. */
const INDEXED = "article_search";

/**
 * Triggers count what organizations have stored (migrations, 0007_usage), which their rows say already: where those come
 * first, everything would be counted twice.
 */
const RECOUNT = `UPDATE organizations SET
  articles = (SELECT count(*) FROM articles WHERE organization_id = organizations.id),
  article_bytes = (SELECT coalesce(sum(octet_length(title) + octet_length(description) + octet_length(cover_url)
    + octet_length(content)), 0) FROM articles WHERE organization_id = organizations.id),
  answer_bytes = (SELECT coalesce(sum(octet_length(content)), 0) FROM idempotency WHERE organization_id = organizations.id),
  contacts = (SELECT count(*) FROM contacts WHERE organization_id = organizations.id);`;

/** Writes the deployed database to a file that does not exist yet. D1 answers nothing else meanwhile. */
export async function exportDatabase(file: string): Promise<void> {
  const output = path.resolve(file);
  if (existsSync(output)) throw new Failure(`${output} exists already.`, 2);
  const folder = temporaryFolder(path.dirname(output));
  const [schema, sequences] = answer.parse(await query("remote", `${SCHEMA}; ${SEQUENCES};`));
  const tables = schema.filter(({ type, name, virtual }) => type === "table" && virtual === 0 && name !== INDEXED);

  const rows = path.join(folder, "rows.sql");
  const named = tables.map(({ name }) => `--table=${name}`);
  const args = ["d1", "export", "DB", "--remote", "--skip-confirmation", "--no-schema", ...named, `--output=${rows}`];
  await runWrangler(args, null);

  const whole = path.join(folder, "whole.sql");
  appendFileSync(whole, schema.map(({ sql }) => `${sql};\n`).join(""), { mode: 0o600 });
  // Not in memory: a text there is at most half a gigabyte, a database more.
  await pipeline(createReadStream(rows), createWriteStream(whole, { flags: "a" }));
  const values = sequences.map(({ name, seq }) => `('${name}', ${seq})`).join(", ");
  appendFileSync(
    whole,
    `\nDELETE FROM sqlite_sequence;\nINSERT INTO sqlite_sequence (name, seq) VALUES ${values};\n${RECOUNT}\n`,
  );
  try {
    // Unlike a rename, it replaces nothing that has appeared meanwhile.
    linkSync(whole, output);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? new Failure(`${output} exists already.`, 2) : error;
  }
}

/** Beside the file that comes of it, and gone with this process, however a signal ends it: secrets are in there. */
function temporaryFolder(parent: string): string {
  const folder = mkdtempSync(path.join(parent, ".edgepress-export-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
