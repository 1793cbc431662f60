/** `npm run admin -- export` from outside: a database of this machine takes the place of the deployed one. */
import { execFile, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import * as z from "zod";
import { executeLocally } from "../../scripts/lib/local-database.ts";
import { prepareDatabase } from "../../scripts/lib/organization.ts";
import { rejectOnStop } from "../../scripts/lib/signals.ts";
import { sample } from "../helpers/sample.ts";
import { NODE, ROOT, WAIT } from "./local-run.ts";

/**
 * Writes down its arguments, and passes them on with --local for --remote. With STUB, it does with an export what STUB
 * says, and answers the query before it as the last time.
 */
const STUB = `
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
const args = process.argv.slice(2);
appendFileSync("commands.log", JSON.stringify(args) + "\\n");
const output = args.find((each) => each.startsWith("--output="))?.slice("--output=".length);
if (output !== undefined && process.env.STUB === "refuses") {
  console.error("D1 Export error: no");
  process.exit(1);
} else if (output !== undefined && process.env.STUB === "waits") {
  writeFileSync(output, "INSERT INTO secrets");
  setInterval(() => undefined, 1000);
} else if (process.env.STUB && existsSync("schema.json")) {
  process.stdout.write(readFileSync("schema.json"));
} else {
  const local = args.map((each) => (each === "--remote" ? "--local" : each));
  const wrangler = ${JSON.stringify(path.join(ROOT, "node_modules/wrangler/bin/wrangler.js"))};
  const { status, stdout } = spawnSync(process.execPath, [wrangler, ...local], { stdio: ["inherit", "pipe", "inherit"] });
  process.stdout.write(stdout);
  if (args.includes("--json")) writeFileSync("schema.json", stdout);
  process.exitCode = status ?? 1;
}
`;

const folder = mkdtempSync(path.join(tmpdir(), "edgepress backup-"));
const project = path.join(folder, "deployed");
const target = path.join(folder, "target");

beforeAll(async () => {
  for (const each of [project, target, path.join(folder, "home")]) {
    mkdirSync(each);
    cpSync(path.join(ROOT, "wrangler.toml"), path.join(each, "wrangler.toml"));
  }
  for (const each of ["src", "packages", "scripts", "migrations", "package.json"]) {
    cpSync(path.join(ROOT, each), path.join(project, each), { recursive: true });
  }
  const modules = path.join(project, "node_modules");
  mkdirSync(path.join(modules, "wrangler/bin"), { recursive: true });
  writeFileSync(path.join(modules, "wrangler/package.json"), '{ "type": "module" }');
  writeFileSync(path.join(modules, "wrangler/bin/wrangler.js"), STUB);
  for (const each of readdirSync(path.join(ROOT, "node_modules"))) {
    if (each !== "wrangler") symlinkSync(path.join(ROOT, "node_modules", each), path.join(modules, each));
  }
  await prepareDatabase({ folder: path.join(project, ".wrangler/state") });
  fill(databaseIn(project));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("writes a file that makes the same database, and changes nothing in the one that it is a copy of", async () => {
  const before = contents(project);
  const file = path.join(folder, "backup.sql");
  await promisify(execFile)(...admin("export", file, "--remote"));
  expect(contents(project)).toEqual(before);
  expect(commands()).toEqual([
    expect.stringMatching(/^d1 execute .*--command=SELECT /s),
    expect.stringMatching(/^d1 export /),
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(leftovers()).toEqual([]);

  // As wrangler does it, SQLite takes the same text.
  if (inject("exhaustive")) await wrangler(target, "d1", "execute", "DB", "--file", file);
  else executeLocally(path.join(target, ".wrangler/state"), readFileSync(file, "utf8"));
  const restored = contents(target);
  expect(restored.schema).toEqual(before.schema);
  // The index is made again: every article waits for the Worker's cron.
  expect(restored.rows["articles"]).toMatchObject([{ id: "a1", search_id: 7, indexed_version: null }]);
  expect(restored.rows["organizations"]).toMatchObject([
    { articles: 1, article_bytes: 18, answer_bytes: 0, contacts: 1, media_bytes: 7, day_events: 2, day_deliveries: 1 },
  ]);
  expect({ ...restored.rows, articles: [] }).toEqual({ ...before.rows, articles: [] });
  const database = databaseIn(target);
  expect(database.prepare("SELECT count(*) AS n FROM article_text").get()).toEqual({ n: 0 });
  database.close();

  const second = promisify(execFile)(...admin("export", file, "--remote"));
  await expect(second).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("exists already") });
});

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

it.each(SIGNALS)("is ended by %s, with the code that shells know", async (signal, code) => {
  const listening = vi.spyOn(process, "on").mockReturnValue(process);
  const ended = rejectOnStop();
  const listeners = listening.mock.calls.flatMap(([name, listener]) => (name === signal ? [listener] : []));
  listening.mockRestore();
  expect(listeners).toHaveLength(1);
  for (const listener of listeners) listener();
  await expect(ended).rejects.toMatchObject({ message: "Interrupted.", exitCode: code });
});

it.each(sample(SIGNALS, 0, 1))("leaves nothing behind when %s ends it", async (signal, code) => {
  const before = contents(project);
  const [program, args, options] = admin("export", path.join(folder, "interrupted.sql"), "--remote");
  const child = spawn(program, args, { ...options, env: { ...options.env, STUB: "waits" } });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const said = text(child.stderr);
  await vi.waitFor(() => {
    expect(leftovers()).toHaveLength(1);
    expect(readdirSync(path.join(folder, leftovers()[0] ?? ""))).toEqual(["rows.sql"]);
  }, WAIT);
  // As with Ctrl-C: once from the terminal, once from npm.
  child.kill(signal);
  child.kill(signal);
  expect(await ended).toBe(code);
  expect(await said).toBe("Interrupted.\n");
  expect(leftovers()).toEqual([]);
  expect(readdirSync(folder)).not.toContain("interrupted.sql");
  expect(contents(project)).toEqual(before);
});

it("says why D1 refuses an export, and leaves nothing behind", async () => {
  const before = contents(project);
  const [program, args, options] = admin("export", path.join(folder, "refused.sql"), "--remote");
  const refused = promisify(execFile)(program, args, { ...options, env: { ...options.env, STUB: "refuses" } });
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("D1 Export error: no") });
  expect(leftovers()).toEqual([]);
  expect(readdirSync(folder)).not.toContain("refused.sql");
  expect(contents(project)).toEqual(before);
});

const environment = {
  PATH: process.env["PATH"],
  HOME: path.join(folder, "home"),
  CI: "1",
  NO_COLOR: "1",
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  NODE_COMPILE_CACHE: path.join(ROOT, "node_modules/.cache/compiled"),
};

function admin(...args: string[]) {
  writeFileSync(path.join(project, "commands.log"), "");
  return [NODE, ["scripts/admin.ts", ...args], { cwd: project, env: environment }] as const;
}

/** What the last `admin` asked of wrangler. */
function commands(): string[] {
  const lines = readFileSync(path.join(project, "commands.log"), "utf8").trim().split("\n");
  return lines.map((line) => z.array(z.string()).parse(JSON.parse(line)).join(" "));
}

const wrangler = (cwd: string, ...args: string[]) =>
  promisify(execFile)(NODE, [path.join(ROOT, "node_modules/wrangler/bin/wrangler.js"), ...args, "--local"], {
    cwd,
    env: environment,
  });

const leftovers = () => readdirSync(folder).filter((name) => name.startsWith("."));

function databaseIn(place: string): DatabaseSync {
  const state = path.join(place, ".wrangler/state/v3/d1/miniflare-D1DatabaseObject");
  const file = readdirSync(state).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  return new DatabaseSync(path.join(state, file ?? ""), { timeout: 5000 });
}

/** An indexed article whose organization comes after it, by the names of their tables, and the last event. */
function fill(database: DatabaseSync): void {
  database.exec(`
    INSERT INTO organizations (id, name, creation_time) VALUES ('o1', 'O''Brien; --', '2026');
    INSERT INTO blogs (id, organization_id, name, vanity_id, cover_url, locales, version, creation_time, last_edit_time)
      VALUES ('b1', 'o1', 'Blog', 'blog', '', '["en"]', 'v', '2026', '2026');
    INSERT INTO articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published, version,
        creation_time, last_edit_time, content, search_id, indexed_version)
      VALUES ('a1', 'o1', 'b1', 'It''s', '', 'its', 'en', '', 1, 'v1', '2026', '2026', 'one' || char(10) || '; — 😀',
        7, 'v1');
    INSERT INTO contacts (id, organization_id, blog_id, email, name, locale, creation_time)
      VALUES ('c1', 'o1', 'b1', 'a@example.com', '', 'en', '2026');
    INSERT INTO article_text (rowid, title) SELECT search_id, 'It is' FROM articles;
    INSERT INTO media (id, organization_id, media_type, bytes, creation_time) VALUES ('m1', 'o1', 'image/png', 7, '2026');
    INSERT INTO events (seq, id, organization_id, kind, data, creation_time, enqueue_time) VALUES
      (40, 'e1', 'o1', 'article.created', '{}', '2026', '2026'), (41, 'e2', 'o1', 'contact.created', '{}', '2026', '2026');
    INSERT INTO deliveries (event_id, subscription_id, id, organization_id, epoch, state, creation_time)
      VALUES ('e2', 's1', 'd1', 'o1', 0, 'open', '2026');
    UPDATE organizations SET day_deliveries = 1;`);
  database.close();
}

/** Without SQLite's own, D1's, and those that the index consists of. */
const TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
  AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'`;

function contents(place: string) {
  const database = databaseIn(place);
  const all = (sql: string) => database.prepare(sql).all();
  // D1 makes a table of its own once it opens the file.
  const schema = all(
    `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT GLOB '_cf_*' ORDER BY type, name`,
  );
  const tables = z.array(z.object({ name: z.string() })).parse(all(TABLES));
  const rows = Object.fromEntries(tables.map(({ name }) => [name, all(`SELECT * FROM "${name}"`)]));
  database.close();
  return { schema, rows };
}
