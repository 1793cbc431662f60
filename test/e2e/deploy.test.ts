/** `npm run deploy` on an API of Cloudflare that is on loopback. wrangler is real; no account takes part. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  getConfigFile,
  getSettingsFile,
  makeConfig,
  readSettings,
  writeSettings,
} from "../../scripts/lib/deployment.ts";
import { VERSION } from "../../src/lib/version.ts";
import { Account, startCloudflare } from "./cloudflare.ts";
import { environment, NODE, ROOT } from "./local-run.ts";

const [acme, other] = [new Account("Acme"), new Account("Other")];
const name = `t${randomBytes(4).toString("hex")}`;
const home = mkdtempSync(path.join(tmpdir(), "edgepress-deploy-"));
const [settings, config] = [getSettingsFile(name), getConfigFile(name)].map((file) => path.join(ROOT, file)) as [
  string,
  string,
];
/** Bundling the whole Worker would take most of the time; .ci/run does it. */
const given = { main: "bench/worker/bare.ts" };

/** Whether a version is healthy that the request's header names. */
let isHealthy = (_version: string | undefined): boolean => true;
let cloudflare: Awaited<ReturnType<typeof startCloudflare>>;

beforeAll(async () => {
  writeSettings(name, given);
  cloudflare = await startCloudflare([acme, other], (version) =>
    isHealthy(version) ? [200, { version: VERSION }] : [503, { detail: "The schema is too old." }],
  );
});

afterAll(() => {
  cloudflare.stop();
  for (const file of [home, settings, config]) rmSync(file, { recursive: true, force: true });
});

const run = (script: string, ...args: string[]) =>
  promisify(execFile)(NODE, ["--disable-warning=ExperimentalWarning", `scripts/${script}.ts`, ...args, "--env", name], {
    cwd: ROOT,
    env: {
      ...environment(home),
      XDG_CONFIG_HOME: home,
      CLOUDFLARE_API_BASE_URL: `${cloudflare.origin}/client/v4`,
      CLOUDFLARE_API_TOKEN: "a-token",
    },
  });

const deploy = (...args: string[]) => run("deploy", ...args, "--watch", "1");

it("wants to know which account and which URL", async () => {
  await expect(deploy("--url", cloudflare.origin)).rejects.toThrow(`${other.id}  Other`);
  await expect(deploy("--account", acme.id)).rejects.toThrow("--url has to be an https URL");
  await expect(deploy("--account", acme.id, "--url", "https://localhost")).rejects.toThrow("localhost leads elsewhere");
  expect([...acme.writes, ...other.writes]).toEqual([]);
  expect(readSettings(name)).toEqual(given);
});

it("says what it would do, and does nothing", async () => {
  const { stdout } = await deploy("--account", acme.id, "--url", cloudflare.origin, "--dry-run");
  expect(stdout).toContain(`To be created   queue edgepress-${name}-events`);
  expect(stdout).toMatch(/^Migrations +\d+ to be applied$/m);
  expect([...acme.writes, ...other.writes]).toEqual([]);
  expect(readSettings(name)).toEqual(given);
});

it("creates what the account lacks, migrates and uploads, and then changes nothing", async () => {
  const { stdout } = await deploy("--account", acme.id, "--url", cloudflare.origin);
  expect(stdout).toContain(`Created         bucket edgepress-${name}-media`);
  expect(stdout).toContain(`--remote --env ${name} --owner EMAIL`);
  const [database] = acme.databases.values();
  expect(database).toMatchObject({ name: `edgepress-${name}`, replicas: "auto" });
  expect(database?.sql.prepare("SELECT count(*) AS n FROM organizations").get()).toEqual({ n: 0 });
  expect(acme.queues.size).toBe(9);
  expect([...acme.queues.values()].every(({ consumers }) => consumers.length === 1)).toBe(true);
  expect([...acme.buckets]).toEqual([`edgepress-${name}-media`]);
  expect([...acme.script(`edgepress-${name}`).secrets]).toEqual(["AUTH_SECRET"]);
  expect(readSettings(name)).toMatchObject({ ...given, account_id: acme.id, vars: { BASE_URL: cloudflare.origin } });

  acme.writes.length = 0;
  const again = await deploy();
  expect(again.stdout).toContain("Migrations      0 applied");
  expect(again.stdout).toContain("Is there        version");
  expect([...acme.writes, ...other.writes]).toEqual([]);
});

it("is administered by its name", async () => {
  const { stdout } = await run("admin", "create-organization", "Acme", "--remote", "--owner", "ada@example.com");
  expect(stdout).toContain(`Invitation      ${cloudflare.origin}/console/invitations/`);
  const [database] = acme.databases.values();
  expect(database?.sql.prepare("SELECT name FROM organizations").all()).toEqual([{ name: "Acme" }]);
});

it("goes back to the former version if a new one is not healthy", async () => {
  const { versions, deployments } = acme.script(`edgepress-${name}`);
  const [former] = versions;
  isHealthy = (version) => version === undefined || version === former?.id;
  await expect(deploy("--gradual", "--force")).rejects.toThrow(
    `The schema is too old.\nRolled back to version ${former?.id}`,
  );
  expect(versions).toHaveLength(2);
  expect(deployments.slice(0, 2)).toEqual([
    [{ version_id: former?.id, percentage: 100 }],
    [
      { version_id: versions[0]?.id, percentage: 0 },
      { version_id: former?.id, percentage: 100 },
    ],
  ]);
});

it("gives a healthy version to everybody, step by step", async () => {
  const { versions, deployments } = acme.script(`edgepress-${name}`);
  isHealthy = () => true;
  await deploy("--gradual", "--force");
  const shares = deployments.slice(0, 4).map((each) => each.find((share) => share.version_id === versions[0]?.id));
  expect(shares.map((share) => share?.percentage)).toEqual([100, 50, 10, 0]);
});

it("completes a rollout of which the end has failed, once", async () => {
  const { versions } = acme.script(`edgepress-${name}`);
  acme.failingSchedules = 1;
  await expect(deploy("--gradual", "--force")).rejects.toThrow("Invalid cron string");
  acme.writes.length = 0;
  const { stdout } = await deploy("--gradual");
  expect(stdout).toContain(`Is there        version ${versions[0]?.id}`);
  const worker = `/workers/scripts/edgepress-${name}`;
  expect(acme.writes).toEqual(expect.arrayContaining([`PUT ${worker}/schedules`, `PATCH ${worker}/script-settings`]));
  acme.writes.length = 0;
  await deploy("--gradual");
  expect(acme.writes).toEqual([]);
});

it("goes back to the version that everybody had if an interrupted rollout is run again", async () => {
  const { versions, deployments } = acme.script(`edgepress-${name}`);
  const [proven, unproven] = [versions[0]?.id ?? "", versions[1]?.id ?? ""];
  const half = [unproven, proven].map((version_id) => ({ version_id, percentage: 50 }));
  deployments.unshift(half);
  isHealthy = (version) => version === undefined || version === proven;
  await expect(deploy("--gradual")).rejects.toThrow(`Rolled back to version ${proven}`);
  expect(deployments.slice(0, 3)).toEqual([
    [{ version_id: proven, percentage: 100 }],
    [
      { version_id: versions[0]?.id, percentage: 0 },
      { version_id: proven, percentage: 100 },
    ],
    half,
  ]);
  isHealthy = () => true;
});

it("uses the database that the settings name, and no other", async () => {
  const known = readSettings(name);
  const sql = new DatabaseSync(":memory:");
  acme.databases.set("another", { name: "older-than-this", sql });
  writeSettings(name, { ...known, database_id: "another" });
  const { stdout } = await run("deploy", "--migrate-only");
  expect(stdout).toContain("Is there        database older-than-this");
  expect(sql.prepare("SELECT count(*) AS n FROM organizations").get()).toEqual({ n: 0 });
  expect(readSettings(name).database_id).toBe("another");
  writeSettings(name, { ...known, database_id: "gone" });
  await expect(run("deploy", "--migrate-only")).rejects.toThrow("The account has no database gone");
  writeSettings(name, known);
});

it("has shards, which are migrated as the database is, and never fewer", async () => {
  const known = readSettings(name);
  const { stdout } = await run("deploy", "--migrate-only", "--shards", "2");
  expect(stdout).toMatch(/Created +database edgepress-\S+-2\n/);
  expect(stdout).toMatch(/Migrations +[1-9]\d* applied in DB_2\n/);
  const { shards = [], database_id = "" } = readSettings(name);
  acme.writes.length = 0;
  await run("deploy", "--migrate-only");
  expect(acme.writes).toEqual([]);
  await expect(run("deploy", "--migrate-only", "--shards", "1")).rejects.toThrow("there are 2 shards");

  acme.databases.get(database_id)?.sql.exec("INSERT INTO homes VALUES ('o1', 'DB_2')");
  const organization = "INSERT INTO organizations (id, name, creation_time) VALUES ('o1', 'One', '2026')";
  acme.databases.get(shards[1] ?? "")?.sql.exec(organization);
  writeSettings(name, { ...readSettings(name), shards: shards.toReversed() });
  await expect(run("deploy", "--migrate-only")).rejects.toThrow("The database of DB_1 is that of DB_2");
  writeSettings(name, known);
  await expect(run("deploy", "--migrate-only")).rejects.toThrow("Organizations are in DB_2");
});

it("has resources and namespaces of rate limits of its own, beside production", () => {
  const [production, staging] = [makeConfig("production", {}), makeConfig("staging", { vars: { SIGN_UP: "open" } })];
  expect(production.name).toBe("edgepress");
  expect(staging).toMatchObject({
    name: "edgepress-staging",
    d1_databases: [{ database_name: "edgepress-staging" }],
    r2_buckets: [{ bucket_name: "edgepress-staging-media" }],
    vars: { SIGN_UP: "open", ENVIRONMENT: "production" },
  });
  expect(staging.queues?.consumers?.every(({ queue }) => queue.startsWith("edgepress-staging-"))).toBe(true);
  expect(production.ratelimits?.[0]).toMatchObject({ name: "LIMIT_3", namespace_id: "1001" });
  const namespaces = [production, staging].flatMap(({ ratelimits }) => ratelimits?.map((each) => each.namespace_id));
  expect(new Set(namespaces).size).toBe(24);
});
