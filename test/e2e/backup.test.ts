/** `npm run admin -- backup` and `restore`: what comes back is every row and every byte. */
import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { backUp, getFilesList, getTableFile, readManifest } from "../../scripts/lib/backup.ts";
import { executeLocally, queryLocally } from "../../scripts/lib/local-database.ts";
import { prepareDatabase } from "../../scripts/lib/organization.ts";
import type { Bindings } from "../../scripts/lib/place-bindings.ts";
import { restore } from "../../scripts/lib/restore.ts";
import { rejectOnStop } from "../../scripts/lib/signals.ts";
import { admin, d1, filesIn, losing, silent } from "./administration.ts";
import { cleanUp, newState, start } from "./local-run.ts";

/** Every row of a database, but for when migrations were applied and which articles are indexed. */
function rowsIn(state: string) {
  const tables = queryLocally(
    state,
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
     AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'd1_migrations'`,
  );
  const rowsOf = (table: string) =>
    queryLocally(state, `SELECT * FROM "${table}"`).map((row) =>
      JSON.stringify({ ...row, ...("indexed_version" in row && { indexed_version: null }) }),
    );
  return Object.fromEntries(tables.map(({ name }) => [name, rowsOf(String(name)).toSorted()]));
}

const schemaIn = (state: string) =>
  queryLocally(state, "SELECT name, sql FROM sqlite_schema WHERE name NOT GLOB '_cf_*' ORDER BY name");

const TEXT = 'Line\nbreak, O\'Brien; -- \\n "quoted" \u{1F600} 日本語\t\u0001\u2028 e\u0301';

/** An article with a revision and an upload, and a child that comes before its parents by the names of their tables. */
const ROWS = `
  INSERT INTO organizations (id, name, creation_time) VALUES ('o1', 'O''Brien; --', '2026');
  INSERT INTO blogs (id, organization_id, name, vanity_id, cover_url, locales, version, creation_time, last_edit_time)
    VALUES ('b1', 'o1', 'Blog', 'blog', '', '["en"]', 'v', '2026', '2026');
  INSERT INTO articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published, version,
      creation_time, last_edit_time, content, search_id)
    SELECT 'a' || value, 'o1', 'b1', 'Long', '', 's' || value, 'en', '', 1, 'v' || value, '2026', '2026', '${TEXT.replaceAll("'", "''")}', value
    FROM json_each('[1, 2, 3]');
  INSERT INTO revisions (article_id, number, organization_id, published, lasting, members, last_edit_time, end_time, content)
    VALUES ('a1', 1, 'o1', 1, 1, '{}', '2026', '2026', x'00ff8001');
  INSERT INTO media (id, organization_id, media_type, bytes, creation_time) VALUES ('m1', 'o1', 'image/png', 7, '2026');
  INSERT INTO events (seq, id, organization_id, kind, data, creation_time, enqueue_time)
    VALUES (40, 'e1', 'o1', 'article.created', '{}', '2026', '2026');`;

/** The state of a service that was stopped, and the backup that was made while it was written to. */
let stopped: string;
let during: string;
let acknowledged: string[];

beforeAll(async () => {
  stopped = newState();
  const run = await start(stopped);
  const { baseUrl, blogId, apiKey } = await run.ready();
  const write = async (title: string) => {
    const response = await fetch(`${baseUrl}/api/articles`, {
      method: "POST",
      headers: { Authorization: `Basic ${btoa(`${apiKey}:`)}`, "Content-Type": "application/json" },
      body: JSON.stringify({ blogId, title, content: TEXT.repeat(title === "Long" ? 6000 : 1), published: true }),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { _id: string })._id;
  };
  acknowledged = [await write("Long"), await write("O'Brien; -- \u{1F600} 日本語")];
  during = newState();
  const backup = admin(stopped, "backup", path.join(during, "backup"));
  const ended = backup.then(() => true);
  for (let n = 0; !(await Promise.race([ended, sleep(50, false)])); n++) await write(`Written ${n}`);
  expect((await backup).stdout).toMatch(/^Backed up +\d+ rows and \d+ files .*\nAll rows are of /s);
  await run.stop();
});

afterAll(cleanUp);

it("of a service that is written to is of one moment, with all that was acknowledged before", async () => {
  const state = newState();
  await admin(state, "restore", path.join(during, "backup"));
  const rows = queryLocally(state, "SELECT id, content FROM articles");
  for (const id of acknowledged) expect(rows.find((row) => row["id"] === id)?.["content"]).toContain(TEXT);
  expect(queryLocally(state, "PRAGMA foreign_key_check")).toEqual([]);
  const [counted] = queryLocally(
    state,
    "SELECT sum(articles) AS counted, (SELECT count(*) FROM articles) AS stored FROM organizations",
  );
  expect(counted?.["counted"]).toBe(counted?.["stored"]);
});

it("comes back with every row and every byte of the files, and the service starts with it", async () => {
  const [backup, state] = [path.join(newState(), "backup"), newState()];
  await admin(stopped, "backup", backup);
  await admin(state, "restore", backup);
  expect(rowsIn(state)).toEqual(rowsIn(stopped));
  expect(schemaIn(state)).toEqual(schemaIn(stopped));
  const [before, after] = [await filesIn(stopped), await filesIn(state)];
  expect(before.length).toBeGreaterThan(5);
  expect(after).toEqual(before);

  const run = await start(state);
  const { baseUrl, blogId } = await run.ready();
  const [article] = queryLocally(stopped, "SELECT id, version FROM articles WHERE published = 1 AND title = 'Long'");
  const response = await fetch(`${baseUrl}/api/articles/${String(article?.["id"])}?blogId=${blogId}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("ETag")).toContain(String(article?.["version"]));
  const refused = admin(state, "restore", backup);
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("The database is in use") });
  await run.stop();
});

// What --remote reads and writes: a D1 database, in which each query sees what was written before it.
describe("of a deployed service", () => {
  let deployed: string;
  let backup: string;
  beforeAll(async () => {
    deployed = newState();
    await prepareDatabase({ folder: deployed });
    executeLocally(deployed, ROWS);
    backup = path.join(newState(), "backup");
    const source = await d1(deployed);
    await backUp(source, backup, silent);
    await source.close();
  });

  it("goes on after an interruption, and so does its restoration", async () => {
    const [source, state] = [await d1(deployed), newState()];
    const folder = path.join(newState(), "backup");
    await expect(backUp(losing(source, "articles"), folder, silent)).rejects.toThrow("The connection is lost.");
    expect(readManifest(folder)?.ended).toBeNull();
    await expect(restore(source, folder, silent)).rejects.toThrow("is not whole");
    // As if it had ended in the middle of a line.
    for (const file of [getTableFile(folder, "articles"), getFilesList(folder)]) appendFileSync(file, '{"id":"cut o');
    await backUp(source, folder, silent);
    await source.close();

    await prepareDatabase({ folder: state });
    const target = await d1(state);
    await expect(restore(losing(target, "articles"), folder, silent)).rejects.toThrow("The connection is lost.");
    await expect(restore(target, backup, silent)).rejects.toThrow("being restored from another backup");
    await restore(target, folder, silent);
    await target.close();
    expect(rowsIn(state)).toEqual(rowsIn(deployed));
    expect(schemaIn(state)).toEqual(schemaIn(deployed));
  });

  it("says who wrote meanwhile, and leaves out what belongs to a deleted article", async () => {
    const busy = newState();
    cpSync(path.join(deployed, "v3"), path.join(busy, "v3"), { recursive: true });
    const source = await d1(busy);
    const [article] = await source.query("SELECT id, organization_id AS organization FROM articles WHERE id = 'a1'");
    let isDeleted = false;
    const writing: Bindings = {
      ...source,
      async query(sql, values) {
        if (!isDeleted && sql.includes('FROM "articles"')) {
          isDeleted = true;
          await source.execute([
            { sql: "DELETE FROM articles WHERE id = ?1", values: [article?.["id"] ?? null] },
            {
              sql: `INSERT INTO audit (id, organization_id, actor_kind, actor_id, action, resource_id, request_id, creation_time)
                VALUES ('z', ?1, 'key', 'k', 'articles.delete', ?2, 'r', ?3)`,
              values: [article?.["organization"] ?? null, article?.["id"] ?? null, new Date().toISOString()],
            },
          ]);
        }
        return source.query(sql, values);
      },
    };
    const folder = path.join(newState(), "backup");
    const { changed, isOneMoment } = await backUp(writing, folder, silent);
    expect([isOneMoment, changed]).toEqual([false, [article?.["organization"]]]);
    await source.close();

    const state = newState();
    await prepareDatabase({ folder: state });
    const target = await d1(state);
    expect((await restore(target, folder, silent)).leftOut).toBeGreaterThan(0);
    await target.close();
    expect(queryLocally(state, "PRAGMA foreign_key_check")).toEqual([]);
  });

  it("is refused if it is damaged or of another version, before anything is written", async () => {
    const folder = path.join(newState(), "backup");
    cpSync(backup, folder, { recursive: true });
    const state = newState();
    await prepareDatabase({ folder: state });
    const target = await d1(state);
    const before = readFileSync(getTableFile(folder, "articles"), "utf8");
    writeFileSync(getTableFile(folder, "articles"), before.replace("Long", "Lung"));
    await expect(restore(target, folder, silent)).rejects.toThrow("articles.ndjson is damaged");
    writeFileSync(getTableFile(folder, "articles"), before);
    await target.execute([{ sql: "INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')", values: [] }]);
    await expect(restore(target, folder, silent)).rejects.toThrow("restore it with that version");
    await target.close();
    expect(queryLocally(state, "SELECT count(*) AS n FROM blogs")).toEqual([{ n: 0 }]);
  });
});

it("is not begun over another one", async () => {
  const refused = admin(stopped, "backup", path.join(during, "backup"));
  await expect(refused).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("has a backup already") });
});

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("is ended by %s, with the code that shells know", async (signal, code) => {
  const listening = vi.spyOn(process, "on").mockReturnValue(process);
  const ended = rejectOnStop();
  const listeners = listening.mock.calls.flatMap(([name, listener]) => (name === signal ? [listener] : []));
  listening.mockRestore();
  expect(listeners).toHaveLength(1);
  for (const listener of listeners) listener();
  await expect(ended).rejects.toMatchObject({ message: "Interrupted.", exitCode: code });
});
