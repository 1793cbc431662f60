/** An installation with shards: `EDGEPRESS_SHARDS=2 npm start`, and `npm run admin` on it. */
import { execFile } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCron } from "../../scripts/lib/cron.ts";
import { executeLocally, queryLocally } from "../../scripts/lib/local-database.ts";
import { openBindings, type Bindings } from "../../scripts/lib/place-bindings.ts";
import { restore } from "../../scripts/lib/restore.ts";
import { admin, silent } from "./administration.ts";
import { basic, token } from "./demo.ts";
import { cleanUp, environment, newState, NODE, ROOT, start } from "./local-run.ts";

const adminWith = (settings: object, state: string, ...args: string[]) =>
  promisify(execFile)(NODE, ["--disable-warning=ExperimentalWarning", "scripts/admin.ts", ...args], {
    cwd: ROOT,
    env: { ...environment(state), ...settings },
  });

const TWO = { EDGEPRESS_SHARDS: "2" };

let state: string;
let run: Awaited<ReturnType<typeof start>>;
let organizationId: string;
let operator: { Authorization: string };
let apiKey: string;

const ask = async <T>(url: string, headers: Record<string, string>, body?: object): Promise<T> => {
  const method = body === undefined ? "GET" : "POST";
  const init = { method, headers: { ...headers, "Content-Type": "application/json" } };
  const response = await fetch(
    `${run.baseUrl}${url}`,
    body === undefined ? init : { ...init, body: JSON.stringify(body) },
  );
  const text = await response.text();
  expect(response.status, `${method} ${url}: ${text}`).toBe(200);
  return JSON.parse(text) as T;
};

/** Starts the service on a state, and finds the organization's article as everybody does. */
async function findIn(folder: string): Promise<void> {
  run = await start(folder);
  await run.ready();
  await ask("/api/me", basic(apiKey));
  for (const headers of [{}, basic(apiKey)]) {
    const article = await ask<{ title: string }>("/api/articles/far-away", headers);
    expect(article.title).toBe("Far away");
  }
  const found = await fetch(`${run.baseUrl}/far-notes`);
  expect([found.status, await found.text()]).toEqual([200, expect.stringContaining("Far away")]);
}

const databaseOf = async (folder: string, id: string): Promise<unknown> => {
  const { stdout } = await admin(folder, "organizations", "--json");
  const all = JSON.parse(stdout) as { id: string; database: string }[];
  return all.filter((each) => each.id === id).map(({ database }) => database);
};

const HOMES = "SELECT * FROM homes WHERE shard <> 'DB' ORDER BY 1";
const ENTRIES = `SELECT kind, key, id, organization_id, blog_id, locale, since FROM directory
  WHERE gone = 0 AND kind <> 'organization' ORDER BY kind, key, id`;

/** Tables in which a database has a text, but for the purges that the service still has to carry out, and what the directory keeps for a day. */
const tablesWith = (folder: string, binding: string, text: string): string[] =>
  queryLocally(folder, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'article_text*'", binding)
    .filter(({ name }) => name !== "purges" && name !== "directory")
    .map(({ name }) => String(name))
    .filter((name) => JSON.stringify(queryLocally(folder, `SELECT * FROM "${name}"`, binding)).includes(text));

beforeAll(async () => {
  state = newState();
  run = await start(state, undefined, TWO);
  await run.ready();
  const { stdout } = await admin(state, "create-organization", "Far", "--shard", "DB_1", "--owner", "ada@example.com");
  const [, id = "", secret = ""] = /Identifier +(\S+)\nOperator token +(\S+)/.exec(stdout) ?? [];
  [organizationId, operator] = [id, token(secret)];
  const scopes = ["articles:read", "articles:write", "blogs:write"];
  ({ secret: apiKey } = await ask<{ secret: string }>("/api/apikeys", operator, { name: "Key", scopes }));
  const site = { name: "Far notes", vanityId: "far-notes" };
  const { _id: blogId } = await ask<{ _id: string }>("/api/blogs", operator, site);
  await ask("/api/articles", basic(apiKey), { blogId, title: "Far away", published: true });
  const user = (name: string) =>
    `INSERT INTO users (id, name, email, email_verified, creation_time, last_edit_time)
     VALUES ('u1', '${name}', 'grace@example.com', 1, '2026', '2026');`;
  executeLocally(
    state,
    `${user("Grace")} INSERT INTO accounts (id, user_id, provider_id, account_id, password, creation_time, last_edit_time)
     VALUES ('c1', 'u1', 'credential', 'u1', 'hash', '2026', '2026');`,
  );
  executeLocally(
    state,
    `${user("Grace")} INSERT INTO members (id, organization_id, user_id, role, creation_time)
     VALUES ('n1', '${organizationId}', 'u1', 'owner', '2026');`,
    "DB_1",
  );
});

afterAll(cleanUp);

it("has an organization where it was put, and others in the emptiest database", async () => {
  expect(await databaseOf(state, organizationId)).toEqual(["DB_1"]);
  const { stdout } = await admin(state, "create-organization", "Somewhere");
  const [, id = ""] = /Identifier +(\S+)/.exec(stdout) ?? [];
  expect(await databaseOf(state, id)).toEqual([expect.stringMatching(/^DB_[12]$/)]);
  await expect(admin(state, "create-organization", "Nowhere", "--shard", "DB_3")).rejects.toThrow(
    "There is no shard DB_3",
  );
});

it("suspends and resumes it, and gives it a new token and quotas", async () => {
  await admin(state, "suspend", organizationId, "--reason", "Unpaid");
  expect((await fetch(`${run.baseUrl}/api/articles/far-away`)).status).toBe(404);
  expect((await fetch(`${run.baseUrl}/api/me`, { headers: basic(apiKey) })).status).toBe(403);
  await admin(state, "resume", organizationId);
  await ask("/api/articles/far-away", {});
  const { stdout } = await admin(state, "create-token", organizationId);
  await ask("/api/me", token(/Operator token +(\S+)/.exec(stdout)?.[1] ?? ""));
  expect((await admin(state, "quotas", organizationId, "--articles", "7")).stdout).toMatch(/articles +7\n/);
});

it("never has fewer shards", async () => {
  await expect(adminWith({ EDGEPRESS_SHARDS: "1" }, state, "create-organization", "Fewer")).rejects.toThrow(
    "there are 2 shards. More can be added",
  );
});

it("comes back from a backup, also if that was interrupted, in an empty place with as many shards", async () => {
  const [copy, empty] = [path.join(newState(), "copy"), newState()];
  expect((await admin(state, "backup", copy)).stdout).toContain("Each database is of a moment of its own");
  await run.stop();
  await expect(admin(empty, "restore", copy)).rejects.toThrow("The backup has 2 shards");
  await expect(adminWith(TWO, empty, "create-token", "nobody")).rejects.toThrow("There is no organization");
  const place = await openBindings({ folder: empty }, "write");
  const put = () => Promise.reject(new Error("The connection is lost."));
  const interrupted = restore({ ...place, bucket: { put } as unknown as Bindings["bucket"] }, copy, silent);
  await expect(interrupted).rejects.toThrow("The connection is lost.");
  await place.close();
  expect((await admin(empty, "restore", copy)).stdout).toMatch(/^Restored +\d+ rows/m);
  const expectSameDirectory = () => {
    for (const sql of [HOMES, ENTRIES]) expect(queryLocally(empty, sql)).toEqual(queryLocally(state, sql));
    expect(queryLocally(empty, "SELECT * FROM unlisted", "DB_1")).toEqual([]);
  };
  expectSameDirectory();
  await findIn(empty);
  await run.stop();
  executeLocally(empty, "DELETE FROM homes; DELETE FROM directory WHERE kind <> 'blog';");
  await admin(empty, "relist");
  expectSameDirectory();
});

it("moves to another shard by an archive, and to another place with the passwords of its people", async () => {
  const [folder, elsewhere] = [path.join(newState(), "archive"), newState()];
  await admin(state, "archive", organizationId, folder);
  const twice = admin(state, "restore", folder, "--shard", "DB_2");
  await expect(twice).rejects.toThrow("is there already, in DB_1");
  await admin(state, "remove", organizationId, "--confirm", "Far", "--archive", folder);
  expect(tablesWith(state, "DB", organizationId)).toEqual([]);
  expect(queryLocally(state, ENTRIES).filter((entry) => entry["organization_id"] === organizationId)).toEqual([]);
  expect(tablesWith(state, "DB_1", organizationId)).toEqual([]);
  expect(tablesWith(state, "DB_1", "grace@example.com")).toEqual([]);

  executeLocally(
    state,
    "UPDATE blogs SET vanity_id = 'far-notes' WHERE vanity_id = (SELECT min(vanity_id) FROM blogs)",
  );
  await expect(admin(state, "restore", folder, "--shard", "DB_2")).rejects.toThrow("already, in blogs: far-notes");
  executeLocally(state, "UPDATE blogs SET vanity_id = 'others' WHERE vanity_id = 'far-notes'");
  await admin(state, "restore", folder, "--shard", "DB_2");
  expect(await databaseOf(state, organizationId)).toEqual(["DB_2"]);
  const MEMBERS = "SELECT user_id, role, email FROM members JOIN users ON users.id = user_id";
  expect(queryLocally(state, MEMBERS, "DB_2")).toEqual([{ user_id: "u1", role: "owner", email: "grace@example.com" }]);
  await findIn(state);

  await admin(elsewhere, "restore", folder);
  expect(queryLocally(elsewhere, "SELECT password FROM accounts")).toEqual([{ password: "hash" }]);
});

it("moves to another shard while it works, and is not in the former one any more", async () => {
  await expect(admin(state, "move-organization", organizationId, "--to", "DB_2")).rejects.toThrow("is in DB_2 already");
  await expect(admin(state, "move-organization", organizationId, "--to", "DB_9")).rejects.toThrow("no shard DB_9");
  const cancelled = admin(state, "move-organization", organizationId, "--to", "DB_1");
  while (queryLocally(state, "SELECT 1 FROM moves").length === 0) await sleep(100);
  expect((await admin(state, "organizations")).stdout).toMatch(/ moving +DB_2$/m);
  executeLocally(state, "DELETE FROM moves");
  await expect(cancelled).rejects.toThrow("It has not moved: the move was cancelled.");
  const moving = admin(state, "move-organization", organizationId, "--to", "DB_1");
  // Otherwise it waits for the minute in which the service remembers where things are.
  while (queryLocally(state, "SELECT 1 FROM moves").length === 0) await sleep(100);
  executeLocally(state, "UPDATE moves SET creation_time = '2020-01-01T00:00:00.000Z'");
  await runCron(run.baseUrl);
  expect((await moving).stdout).toContain("Moved           to DB_1");
  const back = admin(state, "move-organization", organizationId, "--to", "DB_2");
  await expect(back).rejects.toThrow("It moved to DB_1 at ");
  expect(await databaseOf(state, organizationId)).toEqual(["DB_1"]);
  await run.stop();
  await findIn(state);
  const { _id: id } = await ask<{ _id: string }>("/api/articles/far-away", {});
  await ask("/api/articles", basic(apiKey), { _id: id, title: "Nearer" });
  expect(queryLocally(state, "SELECT title FROM articles", "DB_1")).toContainEqual({ title: "Nearer" });
});
