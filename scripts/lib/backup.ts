/**
 * A copy of a database as SQL text. D1 exports no database that has a virtual table (workers-sdk issue 6305), so the
 * full text index goes before and comes back after, empty: the Worker's cron fills it again. And schema and rows are
 * exported apart: as one, rows would stand before the tables that their foreign keys name.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Failure } from "./failure.ts";
import { execute } from "./organization.ts";
import { ROOT, runWrangler } from "./wrangler.ts";

/** Says how the index is made. */
const MIGRATION = path.join(ROOT, "migrations/0004_search.sql");

const WITHOUT_INDEX = "DROP TABLE IF EXISTS article_text; DELETE FROM article_search;";
/** The triggers ask for what is stored later; what is there already has to wait in line as well. */
const ALL_DUE = `INSERT INTO article_search (article_id, organization_id, version)
  SELECT id, organization_id, '' FROM articles WHERE true ON CONFLICT DO NOTHING;`;

/** Writes the deployed database to a file that does not exist yet. Writes to the service are refused meanwhile. */
export async function exportDatabase(file: string): Promise<void> {
  const output = path.resolve(file);
  if (existsSync(output)) throw new Failure(`${output} exists already.`, 2);
  const index = indexSql();
  const folder = mkdtempSync(path.join(tmpdir(), "edgepress-"));
  try {
    await execute("remote", WITHOUT_INDEX);
    const schema = await exported(folder, "--no-data");
    const rows = await exported(folder, "--no-schema");
    writeFileSync(output, [schema, index, rows].join("\n"), { mode: 0o600, flag: "wx" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await execute("remote", `${index} ${ALL_DUE}`);
  }
}

async function exported(folder: string, part: "--no-data" | "--no-schema"): Promise<string> {
  const file = path.join(folder, `${part}.sql`);
  await runWrangler(["d1", "export", "DB", "--remote", "--skip-confirmation", part, `--output=${file}`], null);
  return readFileSync(file, "utf8");
}

function indexSql(): string {
  const [statement] = /CREATE VIRTUAL TABLE[^;]*;/.exec(readFileSync(MIGRATION, "utf8")) ?? [];
  if (statement === undefined) throw new Error(`${MIGRATION} makes no index`);
  return statement.replace("VIRTUAL TABLE", "VIRTUAL TABLE IF NOT EXISTS");
}
