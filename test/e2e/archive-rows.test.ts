/** What an archive has, what its restoration refuses, and what interruptions leave: on D1, as with `--remote`. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archive } from "../../scripts/lib/archive.ts";
import { listTables } from "../../src/store/export/tables.ts";
import { hashFile, type Manifest } from "../../scripts/lib/backup.ts";
import { executeLocally, queryLocally } from "../../scripts/lib/local-database.ts";
import { BELONGINGS, listOwnedTables } from "../../src/store/export/belongings.ts";
import { prepareDatabase } from "../../scripts/lib/organization.ts";
import type { Bindings } from "../../scripts/lib/place-bindings.ts";
import { removeOrganization } from "../../scripts/lib/remove-organization.ts";
import { restoreOrganization } from "../../scripts/lib/restore-organization.ts";
import { d1, silent } from "./administration.ts";
import { cleanUp, newState } from "./local-run.ts";

afterAll(cleanUp);

/** The identifier of an organization: it names the folder of its files, and therefore has to be a true one. */
const getId = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;

/** Rows of an organization, whose identifiers all end with its number. */
const rowsOf = (n: number) => `
  INSERT INTO organizations (id, name, creation_time, day_events) VALUES ('${getId(n)}', 'Org ${n}', '2026', 7);
  INSERT INTO blogs (id, organization_id, name, vanity_id, cover_url, locales, version, creation_time, last_edit_time)
    VALUES ('b${n}', '${getId(n)}', 'Blog', 'blog-${n}', '', '["en"]', 'v', '2026', '2026');
  INSERT INTO terms (id, organization_id, blog_id, kind, slug, name, members, version, creation_time, last_edit_time)
    VALUES ('t${n}', '${getId(n)}', 'b${n}', 'tag', 'tag', 'Tag', '{}', 'v', '2026', '2026');
  INSERT INTO slug_terms (blog_id, slug, kind, term_id, position) VALUES ('b${n}', 's1', 'tag', 't${n}', 0);
  INSERT INTO articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published, version,
      creation_time, last_edit_time, content, search_id, indexed_version, creator)
    SELECT 'a${n}-' || value, '${getId(n)}', 'b${n}', 'Title', '', 's' || value, 'en', '', value < 50, 'v' || value, '2026', '2026',
      'Text', ${n} * 1000 + value, 'v' || value, '{"kind":"user","id":"u${n}"}'
    FROM (WITH RECURSIVE c(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM c WHERE value < 60) SELECT value FROM c);
  UPDATE article_renderings SET renderer = 5, state = 'done', html = 'html' || article_id WHERE organization_id = '${getId(n)}';
  INSERT INTO revisions (article_id, number, organization_id, published, lasting, members, last_edit_time, end_time, content)
    VALUES ('a${n}-1', 1, '${getId(n)}', 1, 1, '{}', '2026', '2026', x'00ff8001');
  UPDATE articles SET slug = 'new', last_edit_time = '2026-02' WHERE id = 'a${n}-2';
  INSERT INTO events (id, organization_id, kind, data, creation_time, enqueue_time, fan_out_time)
    SELECT 'e${n}-' || value, '${getId(n)}', 'article.updated', '{}', '2026', '2026', iif(value = 3, NULL, '2026')
    FROM json_each('[1, 2, 3]');
  INSERT INTO webhook_subscriptions (id, organization_id, url, events, active, secret, failure_streak, epoch, since_seq,
      version, creation_time, last_edit_time)
    SELECT 'w${n}', '${getId(n)}', 'https://example.com', '[]', 1, 'whsec_secret${n}', 0, 0, seq, 'v', '2026', '2026'
    FROM events WHERE id = 'e${n}-2';
  INSERT INTO deliveries (event_id, subscription_id, id, organization_id, epoch, state, creation_time)
    VALUES ('e${n}-2', 'w${n}', 'd${n}', '${getId(n)}', 0, 'open', '2026');
  INSERT INTO site_hosts (blog_id, host, organization_id, token, verified_time, creation_time)
    VALUES ('b${n}', '${n}.example.com', '${getId(n)}', 'token', '2026', '2026');
  INSERT INTO users (id, name, email, email_verified, creation_time, last_edit_time)
    VALUES ('u${n}', 'Person', 'person${n}@example.com', 1, '2026', '2026');
  INSERT INTO accounts (id, user_id, provider_id, account_id, password, creation_time, last_edit_time)
    VALUES ('p${n}', 'u${n}', 'credential', 'u${n}', 'password${n}', '2026', '2026'),
      ('i${n}', 'u${n}', 'oidc', 'subject${n}', NULL, '2026', '2026');
  INSERT INTO members (id, organization_id, user_id, role, creation_time) VALUES ('m${n}', '${getId(n)}', 'u${n}', 'owner', '2026');
  INSERT INTO connected_apps (id, organization_id, user_id, client_id, client_name, scopes, resource, grant_id, creation_time)
    VALUES ('x${n}', '${getId(n)}', 'u${n}', 'c', 'App', '[]', 'https://example.com/mcp', 'grant${n}', '2026');
  INSERT INTO oauth_records (key, value, version) VALUES ('grant:x${n}:g', '{}', 'v'), ('grant:y${n}:g', '{}', 'v');
  INSERT INTO schedules (article_id, organization_id, blog_id, publish_time, time_zone, due_time, actor_kind, actor_id, version,
      creation_time) VALUES ('a${n}-60', '${getId(n)}', 'b${n}', '2030', 'UTC', '2030', 'user', 'u${n}', 'v', '2026');
  INSERT INTO credentials (id, organization_id, kind, name, hash, hint, scopes, creation_time)
    VALUES ('k${n}', '${getId(n)}', 'key', 'Key', 'hash-of-${n}', 'hint', '[]', '2026');
  INSERT INTO audit (id, organization_id, actor_kind, actor_id, action, resource_id, request_id, creation_time)
    VALUES ('z${n}', '${getId(n)}', 'user', 'u${n}', 'articles.update', 'a${n}-1', 'r', '2026');`;

/** A database with organizations. */
async function newPlace(...sql: string[]): Promise<{ state: string; bindings: Bindings }> {
  const state = newState();
  await prepareDatabase({ folder: state });
  if (sql.length > 0) executeLocally(state, sql.join("\n"));
  return { state, bindings: await d1(state) };
}

/** The rows of each table that match, as JSON. */
function everythingIn(state: string, matching = /^/): Record<string, string[]> {
  const read = (table: string) => queryLocally(state, `SELECT * FROM "${table}"`).map((row) => JSON.stringify(row));
  const rows = (table: string) => read(table).filter((row) => matching.test(row));
  return Object.fromEntries(Object.keys(BELONGINGS).map((table) => [table, rows(table).toSorted()]));
}

/** Bindings that lose the connection in one transaction. */
const losingAt = (bindings: Bindings, nth: number): Bindings => {
  let times = 0;
  return {
    ...bindings,
    async execute(statements) {
      if (++times === nth) throw new Error("The connection is lost.");
      return bindings.execute(statements);
    },
  };
};

/** Begins again until it is done: each time the connection is lost three transactions later. Returns how often it was begun. */
async function interrupted(
  bindings: Bindings,
  work: (losing: Bindings) => Promise<unknown>,
  check = silent,
): Promise<number> {
  for (let nth = 1; ; nth += 3) {
    const error: unknown = await work(losingAt(bindings, nth)).then(
      () => null,
      (error: unknown) => error,
    );
    if (error === null) return nth;
    expect(error).toMatchObject({ message: "The connection is lost." });
    check();
  }
}

const ONE = getId(1);
const ORGANIZATION = { organizationId: ONE, hasSecrets: true };
let source: string;
let folder: string;

beforeAll(async () => {
  const place = await newPlace(rowsOf(2), rowsOf(1));
  source = place.state;
  folder = path.join(newState(), "archive");
  await archive(place.bindings, folder, ORGANIZATION, silent);
  await place.bindings.close();
});

it("every table says to whom its rows belong, and comes after its parents", async () => {
  const { bindings } = await newPlace();
  const tables = await listTables(bindings);
  const order = (await listOwnedTables(bindings)).map(({ table }) => table.name);
  for (const { name, columns, parents } of tables) {
    if (columns.includes("organization_id")) expect(BELONGINGS[name]?.where, name).toContain("organization_id = ?1");
    for (const { table } of parents)
      if (order.includes(name)) expect(order.indexOf(table), name).toBeLessThanOrEqual(order.indexOf(name));
  }
  const known = new Set([...tables.map(({ name }) => name), "assertions"]);
  expect(Object.keys(BELONGINGS).filter((name) => !known.has(name))).toEqual([]);
  await bindings.execute([{ sql: "CREATE TABLE later (id TEXT PRIMARY KEY)", values: [] }]);
  await expect(listOwnedTables(bindings)).rejects.toThrow("to whom rows belong: later");
  await bindings.close();
});

describe("an organization", () => {
  it("has nothing of others in its archive", () => {
    const texts = readdirSync(path.join(folder, "tables")).map((file) =>
      readFileSync(path.join(folder, "tables", file), "utf8"),
    );
    expect(
      texts.join("\n").match(/"(?:(?:[abdeikmptuwxz]|0[-078]+)2(?:-\d+)?|Org 2|hash-of-2|grant:.*|oidc)"/g),
    ).toBeNull();
    expect(texts.join("\n")).toMatch(/hash-of-1.*password1|password1.*hash-of-1/s);
  });

  it("is restored wherever it was interrupted, and readers see nothing of it before", async () => {
    const { state, bindings } = await newPlace(rowsOf(3));
    const others = everythingIn(state);
    const seen = () => {
      const [counts] = queryLocally(
        state,
        `SELECT (SELECT count(*) FROM articles WHERE organization_id = '${ONE}' AND published = 1) AS shown,
           (SELECT count(*) FROM articles WHERE organization_id = '${ONE}') AS articles,
           (SELECT count(*) FROM revisions WHERE organization_id = '${ONE}') AS revisions,
           (SELECT count(*) FROM events WHERE organization_id = '${ONE}' AND fan_out_time IS NOT NULL) AS events,
           (SELECT count(*) FROM blogs WHERE organization_id = '${ONE}' AND site_enabled = 1) AS sites,
           (SELECT count(*) FROM credentials WHERE organization_id = '${ONE}') AS keys`,
      );
      if (counts?.["shown"] !== 0) expect(counts).toMatchObject({ articles: 60, revisions: 1 });
      if (counts?.["keys"] !== 0) expect(counts).toMatchObject({ shown: 49 });
      expect(counts).toMatchObject({ sites: 0 });
    };
    const times = await interrupted(bindings, (losing) => restoreOrganization(losing, folder, silent), seen);
    expect(times).toBeGreaterThan(15);
    expect(everythingIn(state, /^(?!.*("(?:[abdeikmptuwxz]|0[-078]+)1(-\d+)?"|person1@))/)).toEqual(others);
    expect(queryLocally(state, "PRAGMA foreign_key_check")).toEqual([]);
    expect(queryLocally(state, "SELECT name FROM sqlite_schema WHERE name GLOB 'restoring*'")).toEqual([]);
    for (const sql of ALIKE) expect(queryLocally(state, sql), sql).toEqual(queryLocally(source, sql));
    await bindings.close();
  });

  /** What has to be the same in both, whatever numbers an installation gives. */
  const ALIKE = [
    `SELECT * FROM organizations WHERE id = '${ONE}'`,
    "SELECT * FROM blogs WHERE id = 'b1'",
    "SELECT * FROM terms WHERE id = 't1'",
    "SELECT * FROM term_articles WHERE term_id = 't1' ORDER BY article_id",
    `SELECT * FROM article_renderings WHERE organization_id = '${ONE}' ORDER BY article_id`,
    `SELECT id, published, version, creator FROM articles WHERE organization_id = '${ONE}' ORDER BY id`,
    `SELECT slug, article_id, number, live FROM moved_slugs WHERE organization_id = '${ONE}'`,
    `SELECT id, fan_out_time FROM events WHERE organization_id = '${ONE}' ORDER BY seq`,
    // Events have other numbers, but the subscription still begins after the same one.
    "SELECT e.id FROM webhook_subscriptions AS w JOIN events AS e ON e.seq = w.since_seq WHERE w.id = 'w1'",
    "SELECT * FROM accounts WHERE user_id = 'u1' AND provider_id = 'credential'",
    `SELECT * FROM schedules WHERE organization_id = '${ONE}'`,
    `SELECT * FROM credentials WHERE organization_id = '${ONE}'`,
  ];

  it.each([
    ["a URL name", "UPDATE blogs SET vanity_id = 'blog-1'", "in blogs: vanity_id blog-1"],
    ["a verified host", "UPDATE site_hosts SET host = '1.example.com'", "in site_hosts: host 1.example.com"],
    [
      "an identifier",
      `UPDATE audit SET organization_id = '${getId(4)}'; UPDATE deliveries SET event_id = 'e1-2', subscription_id = 'w1'`,
      "in deliveries",
    ],
    [
      "an unproven account",
      "UPDATE users SET email = 'person1@example.com', email_verified = 0",
      "proved it: person1@example.com",
    ],
  ])("is refused before anything is written if %s is taken", async (_, sql, reason) => {
    const { state, bindings } = await newPlace(rowsOf(3), sql);
    const before = everythingIn(state);
    await expect(restoreOrganization(bindings, folder, silent)).rejects.toThrow(reason);
    expect(everythingIn(state)).toEqual(before);
    await bindings.close();
  });

  it("puts nothing below rows of others, whatever its archive says", async () => {
    const { state, bindings } = await newPlace(rowsOf(3));
    const before = everythingIn(state, /"(?:[abdeikmptuwxz]|0[-078]+)3/);
    const forged = path.join(newState(), "archive");
    cpSync(folder, forged, { recursive: true });
    await forge(forged, "slug_terms", '"b1"', '"b3"');
    await forge(forged, "revisions", '"a1-1"', '"a3-2"');
    await forge(forged, "deliveries", '"e1-2"', '"e3-1"');
    expect((await restoreOrganization(bindings, forged, silent)).leftOut).toBe(3);
    expect(everythingIn(state, /"(?:[abdeikmptuwxz]|0[-078]+)3/)).toEqual(before);
    await bindings.close();
  });

  /** Writes an archive anew that says something else. */
  async function forge(at: string, table: string, text: string, other: string, rows?: number): Promise<void> {
    const file = path.join(at, "tables", `${table}.ndjson`);
    if (text !== "") writeFileSync(file, readFileSync(file, "utf8").replaceAll(text, other));
    const manifest = path.join(at, "backup.json");
    const whole = JSON.parse(readFileSync(manifest, "utf8")) as Manifest;
    const tables = {
      ...whole.tables,
      [table]: { rows: rows ?? whole.tables[table]?.rows, sha256: await hashFile(file) },
    };
    writeFileSync(manifest, JSON.stringify({ ...whole, tables }));
  }

  it("joins a person with a proven address to the account here, which stays as it is, and what they do is theirs", async () => {
    const { state, bindings } = await newPlace(rowsOf(3), "UPDATE users SET email = 'person1@example.com'");
    const before = ["users", "accounts", "sessions"].map((table) => queryLocally(state, `SELECT * FROM ${table}`));
    await restoreOrganization(bindings, folder, silent);
    expect(["users", "accounts", "sessions"].map((table) => queryLocally(state, `SELECT * FROM ${table}`))).toEqual(
      before,
    );
    expect(queryLocally(state, `SELECT user_id, role FROM members WHERE organization_id = '${ONE}'`)).toEqual([
      { user_id: "u3", role: "owner" },
    ]);
    expect(queryLocally(state, `SELECT actor_id FROM schedules WHERE organization_id = '${ONE}'`)).toEqual([
      { actor_id: "u3" },
    ]);
    expect(queryLocally(state, `SELECT DISTINCT creator FROM articles WHERE organization_id = '${ONE}'`)).toEqual([
      { creator: '{"kind":"user","id":"u3"}' },
    ]);
    await bindings.close();
  });

  it("goes without secrets if it shall, and then nobody has a key, and webhooks rest", async () => {
    const [from, { state, bindings }] = [await d1(source), await newPlace(rowsOf(3))];
    const bare = path.join(newState(), "archive");
    await archive(from, bare, { ...ORGANIZATION, hasSecrets: false }, silent);
    await from.close();
    const texts = readdirSync(path.join(bare, "tables")).map((file) =>
      readFileSync(path.join(bare, "tables", file), "utf8"),
    );
    expect(texts.join("\n")).not.toMatch(/hash-of-|password1|whsec_/);
    await restoreOrganization(bindings, bare, silent);
    expect(queryLocally(state, `SELECT count(*) AS n FROM credentials WHERE organization_id = '${ONE}'`)).toEqual([
      { n: 0 },
    ]);
    expect(
      queryLocally(state, "SELECT active, length(secret) > 40 AS secret FROM webhook_subscriptions WHERE id = 'w1'"),
    ).toEqual([{ active: 0, secret: 1 }]);
    await bindings.close();
  });

  it("lets nobody in by what an owner has written into an export, and gives no quotas", async () => {
    const [from, { state, bindings }] = [await d1(source), await newPlace(rowsOf(3))];
    const forged = path.join(newState(), "archive");
    await archive(from, forged, { ...ORGANIZATION, hasSecrets: false }, silent);
    await from.close();
    await forge(forged, "organizations", '"quotas":null', String.raw`"quotas":"{\"articles\":9}"`);
    for (const table of ["accounts", "credentials"]) {
      cpSync(path.join(folder, "tables", `${table}.ndjson`), path.join(forged, "tables", `${table}.ndjson`));
      // The first is in the folder only; the second is also in the manifest.
      if (table === "credentials") await forge(forged, table, "", "", 1);
    }
    await restoreOrganization(bindings, forged, silent);
    expect(queryLocally(state, `SELECT quotas FROM organizations WHERE id = '${ONE}'`)).toEqual([{ quotas: null }]);
    expect(queryLocally(state, "SELECT email_verified FROM users WHERE id = 'u1'")).toEqual([{ email_verified: 0 }]);
    expect(queryLocally(state, "SELECT 1 FROM accounts WHERE user_id = 'u1'")).toEqual([]);
    expect(queryLocally(state, `SELECT 1 FROM credentials WHERE organization_id = '${ONE}'`)).toEqual([]);
    await bindings.close();
  });

  it("is removed wherever that was interrupted, also before it was whole, and the number of the last event is not given again", async () => {
    const state = newState();
    cpSync(path.join(source, "v3"), path.join(state, "v3"), { recursive: true });
    const bindings = await d1(state);
    const [last] = await bindings.query("SELECT max(seq) AS seq FROM events");
    expect(await bindings.query("SELECT organization_id FROM events ORDER BY seq DESC LIMIT 1")).toEqual([
      { organization_id: ONE },
    ]);
    await interrupted(bindings, (losing) => removeOrganization(losing, ONE));
    expect(await bindings.query("SELECT max(seq) AS seq FROM events")).toEqual([last]);
    const left = everythingIn(state, /"(?:[abdeikmptuwxz]|0[-078]+)1(?:-\d+)?"|grant:x1|person1@|Org 1/);
    expect(Object.entries(left).flatMap(([table, rows]) => (rows.length > 0 ? [table] : []))).toEqual([
      "users",
      "accounts",
    ]);
    expect(everythingIn(state, /grant:y1/)).toMatchObject({
      oauth_records: [expect.any(String)],
    });
    const others = (at: string) => ALIKE.map((sql) => queryLocally(at, sql.replaceAll("1'", "2'")));
    expect(others(state)).toEqual(others(source));

    await expect(restoreOrganization(losingAt(bindings, 4), folder, silent)).rejects.toThrow("lost");
    await removeOrganization(bindings, ONE);
    expect(await bindings.query("SELECT count(*) AS n FROM restoring_organizations")).toEqual([{ n: 0 }]);
    expect((await restoreOrganization(bindings, folder, silent)).leftOut).toBe(0);
    await bindings.close();
  });
});
