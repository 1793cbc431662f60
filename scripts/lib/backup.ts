/**
 * Exports the deployed database as SQL text. D1 refuses to export a database with virtual tables (workers-sdk issue 6305),
 * unless the request names the tables. So one export names all other tables, which gives a consistent snapshot. The schema
 * comes from a separate query, because an export of named tables omits indexes and triggers. It comes before the rows,
 * whose foreign keys refer to tables of later rows.
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
import { COUNTED } from "../../src/domain/article-fields.ts";
import { articles } from "../../src/schema/articles.ts";
import { Failure } from "./failure.ts";
import { queryRemote } from "./organization.ts";
import { runWrangler } from "./wrangler.ts";

/**
 * Selects the schema, with tables before their indexes and triggers. Omits the tables of SQLite and D1, and the shadow
 * tables of the full text index, which the new database creates by itself.
 */
const SCHEMA = `SELECT o.type, o.name, o.sql, t.type = 'virtual' AS virtual
  FROM sqlite_schema AS o JOIN pragma_table_list AS t ON t.schema = 'main' AND t.name = o.tbl_name
  WHERE o.sql IS NOT NULL AND t.type <> 'shadow' AND o.name NOT GLOB 'sqlite_*' AND o.name NOT GLOB '_cf_*'
  ORDER BY o.type <> 'table', o.rowid`;
const answer = z.array(z.object({ type: z.string(), name: z.string(), sql: z.string(), virtual: z.number() }));

/**
 * Sets the counters of organizations, tags and authors. Triggers increase them for each inserted row
 * (src/schema/core.ts), but the inserted organizations already contain their final counts.
 */
const RECOUNT = `UPDATE organizations SET
  articles = (SELECT count(*) FROM articles WHERE organization_id = organizations.id),
  article_bytes = (SELECT coalesce(sum(${COUNTED.map((name) => `coalesce(octet_length(${articles[name].name}), 0)`).join(" + ")}), 0)
    FROM articles WHERE organization_id = organizations.id)
    + (SELECT coalesce(sum(octet_length(members) + coalesce(octet_length(content), 0)), 0) FROM working_copies
    WHERE organization_id = organizations.id)
    + (SELECT coalesce(sum(octet_length(members)), 0) FROM terms
    WHERE organization_id = organizations.id AND octet_length(members) > 64),
  revision_bytes = (SELECT coalesce(sum(octet_length(members) + coalesce(octet_length(content), 0)), 0) FROM revisions
    WHERE organization_id = organizations.id),
  answer_bytes = (SELECT coalesce(sum(coalesce(octet_length(content), 0)
    + iif(octet_length(answer) > 1024, octet_length(answer), 0)), 0) FROM idempotency WHERE organization_id = organizations.id),
  contacts = (SELECT count(*) FROM contacts WHERE organization_id = organizations.id),
  redirects = (SELECT count(*) FROM redirects WHERE organization_id = organizations.id),
  media_bytes = 0, media_items = 0, day_events = 0, day_deliveries = 0;
UPDATE organizations SET media_bytes = m.n, media_items = m.items
  FROM (SELECT organization_id, sum(bytes) AS n, sum(library) AS items FROM media GROUP BY organization_id) AS m
  WHERE m.organization_id = organizations.id;
UPDATE organizations SET day_events = e.n
  FROM (SELECT organization_id, substr(creation_time, 1, 10) AS of, count(*) AS n FROM events GROUP BY 1, 2) AS e
  WHERE e.organization_id = organizations.id AND e.of = organizations.day;
UPDATE organizations SET day_deliveries = d.n
  FROM (SELECT organization_id, substr(creation_time, 1, 10) AS of, count(*) AS n FROM deliveries GROUP BY 1, 2) AS d
  WHERE d.organization_id = organizations.id AND d.of = organizations.day;
UPDATE terms SET articles = (SELECT count(*) FROM term_articles WHERE term_id = terms.id),
  published_articles = (SELECT coalesce(sum(published), 0) FROM term_articles WHERE term_id = terms.id);`;

/** Tables that triggers (migrations) or the sweep fill again. */
const DERIVED = new Set(["term_articles", "media_uses", "article_renderings"]);

/**
 * Notes which articles show which uploads. The triggers (migrations) find nothing for an article that is inserted before
 * its pictures.
 */
const USES = [
  ["article", "id", "articles", "t.cover_url || ' ' || coalesce(t.seo, '') || ' ' || t.content"],
  ["draft", "article_id", "working_copies", "t.members || ' ' || coalesce(t.content, '')"],
]
  .map(
    ([place, id, table, texts]) => `INSERT OR IGNORE INTO media_uses (media_id, article_id, place, organization_id)
  SELECT m.id, t.${id}, '${place}', t.organization_id FROM ${table} AS t
  JOIN json_each('[' || replace(json_quote(${texts}), '/media/', '","') || ']') AS named ON named.key > 0
  JOIN media AS m ON m.id = substr(named.value, 1, 36) AND m.organization_id = t.organization_id AND m.library = 1;`,
  )
  .join("\n");

/** The full text index is not exported. This makes the Worker's cron index every article. */
const UNINDEXED = "UPDATE articles SET indexed_version = NULL;";

/** Writes the deployed database to a new file. Throws a `Failure` if it exists. D1 answers no other query meanwhile. */
export async function exportDatabase(file: string): Promise<void> {
  const output = path.resolve(file);
  if (existsSync(output)) throw new Failure(`${output} exists already.`, 2);
  const folder = makeTemporaryFolder(path.dirname(output));
  const [schema = []] = z.array(answer).parse(await queryRemote(`${SCHEMA};`));
  const tables = schema.filter(({ type, name, virtual }) => type === "table" && virtual === 0 && !DERIVED.has(name));

  const rows = path.join(folder, "rows.sql");
  const named = tables.map(({ name }) => `--table=${name}`);
  const args = ["d1", "export", "DB", "--remote", "--skip-confirmation", "--no-schema", ...named, `--output=${rows}`];
  await runWrangler(args, null);

  const whole = path.join(folder, "whole.sql");
  appendFileSync(whole, schema.map(({ sql }) => `${sql};\n`).join(""), { mode: 0o600 });
  // As a stream: a string can hold about half a gigabyte, and a database can be larger.
  await pipeline(createReadStream(rows), createWriteStream(whole, { flags: "a" }));
  appendFileSync(whole, `\n${RECOUNT}\n${USES}\n${UNINDEXED}\n`);
  try {
    // Unlike a rename, a link fails if the file exists by now.
    linkSync(whole, output);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? new Failure(`${output} exists already.`, 2) : error;
  }
}

/** Creates a folder beside the output file, because links cannot cross file systems. Deletes it at exit: it has secrets. */
function makeTemporaryFolder(parent: string): string {
  const folder = mkdtempSync(path.join(parent, ".edgepress-export-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
