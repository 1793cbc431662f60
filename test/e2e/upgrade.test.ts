/** What `npm start` makes of the database of an earlier version. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { executeLocally, queryLocally } from "../../scripts/lib/local-database.ts";
import { prepareDatabase } from "../../scripts/lib/organization.ts";
import { cleanUp, newState } from "./local-run.ts";

/** A database of each released version: its tables, and what the demo had made of them. */
const STATES = path.resolve(import.meta.dirname, "../fixtures/states");

const TABLES = `SELECT name FROM sqlite_schema
  WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'article_text_*'`;

/** Returns the columns of each table, and the text of each index and trigger. */
const schemaOf = (state: string) => ({
  columns: queryLocally(
    state,
    `SELECT t.name AS "table", c.* FROM (${TABLES}) AS t, pragma_table_xinfo(t.name) AS c ORDER BY 1, c.cid`,
  ),
  others: queryLocally(state, "SELECT name, sql FROM sqlite_schema WHERE type <> 'table' ORDER BY name"),
});

/** Returns the columns of each table but that of the migrations, as a list for SELECT. */
const listColumns = (state: string) =>
  queryLocally(
    state,
    `SELECT t.name AS "table", group_concat('"' || c.name || '"') AS columns
     FROM (${TABLES} AND name <> 'd1_migrations') AS t, pragma_table_info(t.name) AS c GROUP BY 1`,
  );

const readRows = (state: string, columns: ReturnType<typeof listColumns>) =>
  columns.map(({ table, columns: names }) => [
    table,
    queryLocally(state, `SELECT ${String(names)} FROM "${String(table)}"`),
  ]);

afterAll(cleanUp);

describe("a database of", () => {
  it.each(readdirSync(STATES))("%s gets the schema of this version, and keeps every row", async (file) => {
    const [earlier, fresh] = [newState(), newState()];
    executeLocally(earlier, gunzipSync(readFileSync(path.join(STATES, file))).toString());
    const columns = listColumns(earlier);
    const before = readRows(earlier, columns);
    await prepareDatabase({ folder: earlier });
    await prepareDatabase({ folder: fresh });
    expect(schemaOf(earlier)).toEqual(schemaOf(fresh));
    expect(readRows(earlier, columns)).toEqual(before);
  });
});

it("a database from before 1.0.0 that lacks migrations stays as it is, and npm start says what to start first", async () => {
  const state = newState();
  executeLocally(
    state,
    `CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT);
     INSERT INTO d1_migrations (name) VALUES ('0000_core.sql'), ('0041_renderer_5.sql');`,
  );
  await expect(prepareDatabase({ folder: state })).rejects.toThrow(
    "as it was: this database is older than 1.0.0: start the version of commit 855f6380 once, and then this one.",
  );
  expect(queryLocally(state, TABLES)).toEqual([{ name: "d1_migrations" }]);
});
