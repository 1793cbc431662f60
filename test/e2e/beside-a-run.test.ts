/** What is run beside `npm start`, on the same state folder: the administration, the variables for a shell. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { connect } from "../../scripts/lib/api.ts";
import { prepareDemo } from "../../scripts/lib/demo-access.ts";
import { getDatabaseFile, executeLocally, findDemo, queryLocally } from "../../scripts/lib/local-database.ts";
import { prepareDatabase } from "../../scripts/lib/organization.ts";
import { makeAppender } from "../../scripts/lib/output.ts";
import { seedContent } from "../../scripts/lib/seed.ts";
import { openState } from "../../scripts/lib/state.ts";
import { sample } from "../helpers/sample.ts";
import { cleanUp, environment, newState, NODE, ROOT } from "./local-run.ts";

const run = (state: string, file: string, ...args: string[]) =>
  promisify(execFile)(file, args, { cwd: ROOT, env: environment(state) });

/** A state folder as `npm start` leaves it. */
function startedState(state = newState()): string {
  const local = { baseUrl: "http://127.0.0.1:8931", blogId: "b", apiKey: "it's", readOnlyKey: "r", operatorToken: "t" };
  writeFileSync(path.join(state, "local.json"), JSON.stringify(local));
  return state;
}

afterEach(() => vi.restoreAllMocks());
afterAll(cleanUp);

describe("the invitation of a new organization's owner", async () => {
  const create = (state: string, ...args: string[]) =>
    run(state, NODE, "scripts/admin.ts", "create-organization", "Owned", "--owner", "ada@example.com", ...args);

  const database = newState();
  const PLACES = [
    ["where npm start would be", () => database, [], "http://127.0.0.1:8787"],
    ["the last local start", () => startedState(database), [], "http://127.0.0.1:8931"],
    [
      "where --console says",
      () => startedState(database),
      ["--console", "https://press.example.com"],
      "https://press.example.com",
    ],
  ] as const;

  it.each(sample(PLACES, 0, 1))("leads to %s", async (_, state, args, origin) => {
    const { stdout } = await create(state(), ...args);
    const [, link = ""] = /^Invitation +(http\S+)$/m.exec(stdout) ?? [];
    expect(link.replace(/\w{40}$/, "")).toBe(`${origin}/console/invitations/`);
  });

  it("is refused, before anything is stored, where its link would lead nowhere", async () => {
    const remote = create(newState(), "--remote", "--env", "nowhere");
    await expect(remote).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^deployments\/nowhere\.json names no database/),
    });
    const wrong = create(newState(), "--console", "press.example.com");
    await expect(wrong).rejects.toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^--console is/) });
  });
});

it("statements for the local database are executed all, or none", () => {
  const state = newState();
  expect(() => executeLocally(state, "CREATE TABLE first (a); INSERT INTO nowhere VALUES (1);")).toThrow("nowhere");
  expect(queryLocally(state, "SELECT name FROM sqlite_schema")).toEqual([]);
});

describe("npm run variables", () => {
  // By npm, test/e2e/first-run.test.ts does it.
  const program = `eval "$("${NODE}" scripts/variables.ts)"; echo "$baseUrl $apiKey"`;
  const load = (state: string) => run(state, "bash", "-c", program);

  it("loads into a shell what npm start wrote down", async () => {
    expect((await load(startedState())).stdout).toBe("http://127.0.0.1:8931 it's\n");
  });

  it("says what to do where nothing was started", async () => {
    const { stdout, stderr } = await load(newState());
    expect(stdout).toBe(" \n");
    expect(stderr).toMatch(/^No local run .*EDGEPRESS_STATE.*\n$/);
  });
});

/** Starts a process of Node that runs a program of a few lines. */
const running = (program: string, stdout: "pipe" | number) =>
  spawn(NODE, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program], {
    cwd: ROOT,
    stdio: ["ignore", stdout, "pipe"],
  });

it("what npm start runs with ends quietly once nobody reads its output", async () => {
  const child = running(
    `import { waitForStop } from "./scripts/lib/signals.ts";
    const asked = waitForStop();
    setInterval(() => console.log("a line"), 10);
    process.exit((await asked) === null ? 0 : 1);`,
    "pipe",
  );
  await once(child.stdout ?? child, "data");
  child.stdout?.destroy();
  expect(await once(child, "close")).toEqual([0, null]);
  expect(child.stderr?.read()).toBeNull();
});

// What writes to /dev/full is told that the disk is full.
const onFullDisk = { skip: !existsSync("/dev/full") };

it("what npm start runs with goes on where there is no room for its output", onFullDisk, async () => {
  const program = `import { setTimeout as sleep } from "node:timers/promises";
    import { waitForStop } from "./scripts/lib/signals.ts";
    const asked = waitForStop();
    console.log("a line");
    await sleep(50);
    process.exit(await Promise.race([asked.then(() => 1), sleep(50, 42)]));`;
  const child = running(program, openSync("/dev/full", "w"));
  expect(await once(child, "close")).toEqual([42, null]);
});

it("a log goes on once there is room for it again, and says once that there was none", onFullDisk, async () => {
  const file = path.join(newState(), "edgepress.log");
  symlinkSync("/dev/full", file);
  const shown: string[] = [];
  const append = makeAppender(file, (line) => shown.push(line));
  for (const line of ["lost", "lost, too", "lost as well"]) {
    append(line);
    await sleep(50);
  }
  rmSync(file);
  append("kept");
  await vi.waitFor(() => expect(readFileSync(file, "utf8")).toBe("kept\n"));
  expect(shown).toEqual([expect.stringMatching(/edgepress\.log cannot be written, .*ENOSPC/)]);
});

// That a start prints such a line and ends, settings.test.ts tries.
describe("npm start says in a line what to do about", () => {
  const refusal = (message: RegExp) => ({ exitCode: 1, message: expect.stringMatching(message) });

  // Node's `recursive` never returns there.
  it("a state folder that cannot be made", { skip: !existsSync("/proc/self") }, () => {
    expect(() => openState("/proc/edgepress/state")).toThrow(
      expect.objectContaining(refusal(/^The state folder \/proc\/edgepress cannot be created: ENOENT[^\n]+$/)),
    );
  });

  it("a database that is damaged", async () => {
    const folder = newState();
    mkdirSync(path.dirname(getDatabaseFile(folder)), { recursive: true });
    writeFileSync(getDatabaseFile(folder), "no database");
    await expect(prepareDatabase({ folder })).rejects.toMatchObject(
      refusal(/\.sqlite is damaged\. Restore it, or remove the folder [^\n]+$/),
    );
  });

  it("a database with the tables of another program", async () => {
    const folder = newState();
    executeLocally(folder, "CREATE TABLE articles (id);");
    await expect(prepareDatabase({ folder })).rejects.toMatchObject(
      refusal(/ cannot be migrated, and is as it was: no such column: [^\n]+\. [^\n]+$/),
    );
  });
});

it("a start leaves out blogs of the demo that another organization has", async () => {
  const answers = [Response.json([])];
  const taken = () => Response.json({ code: "vanity_id_taken", detail: "" }, { status: 409 });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => answers.shift() ?? taken());
  const said = vi.spyOn(console, "log").mockReturnValue();
  expect(await seedContent(connect("http://127.0.0.1:9", { apiKey: "" }), () => "")).toBe("");
  expect(said).toHaveBeenCalledWith(expect.stringMatching(/^Another organization has the demo's blog /));
});

it("a start does not create the organization of the demo again once it was deleted for good, unless the database was, too", async () => {
  const state = openState(newState());
  const credentials = await state.credentials();
  const prepare = async () => {
    await prepareDemo(state, credentials);
    return findDemo(state.folder, credentials.organizationId).state;
  };
  expect(await prepare()).toBe("active");
  state.publish({ ...credentials, baseUrl: "", blogId: "", email: "", feedUrl: "", model: "" });
  executeLocally(
    state.folder,
    `INSERT INTO suspensions (organization_id, reason, kind, creation_time)
     SELECT id, '', 'erased', creation_time FROM organizations; DELETE FROM members`,
  );
  expect(await prepare()).toBe("erased");
  expect(queryLocally(state.folder, "SELECT 1 FROM members")).toEqual([]);
  executeLocally(
    state.folder,
    "PRAGMA defer_foreign_keys = ON; DELETE FROM credentials; DELETE FROM suspensions; DELETE FROM organizations",
  );
  expect(await prepare()).toBe("absent");
  rmSync(path.dirname(getDatabaseFile(state.folder)), { recursive: true });
  expect(await prepare()).toBe("active");
});
