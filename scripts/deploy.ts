/**
 * `npm run deploy`: makes a deployment on Cloudflare what this source is. Creates what the account lacks, migrates, uploads,
 * and asks /healthz. `npm run migrate` stops before the upload.
 */
import { randomBytes } from "node:crypto";
import { lookup } from "node:dns/promises";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { parseOrigin } from "../src/domain/settings.ts";
import { VERSION } from "../src/lib/version.ts";
import { buildAssets } from "./build-assets.ts";
import { hashFiles, SOURCES } from "./lib/build-worker.ts";
import { createMissing, findAccount, report, signIn, type CallApi } from "./lib/cloudflare.ts";
import {
  getBaseUrl,
  getConfigFile,
  getSettingsFile,
  makeConfig,
  PRODUCTION,
  readSettings,
  writeConfig,
  writeSettings,
  type Config,
  type Settings,
} from "./lib/deployment.ts";
import { Failure, runScript } from "./lib/failure.ts";
import { complete, isIncomplete, makeCheck, rollOut, waitUntilOk } from "./lib/rollout.ts";
import { listLostShards, listShardNames, parseShards } from "./lib/shards.ts";
import { rejectOnStop } from "./lib/signals.ts";
import { ROOT, runWrangler, stopPrograms } from "./lib/wrangler.ts";

const USAGE = `Usage: npm run deploy -- [--env NAME] [--account ID] [--url URL] [--replace-dns] [--gradual] [--watch SECONDS] [--force]
                            [--shards N] [--dry-run]
       npm run migrate -- [--env NAME] [--shards N]

  The first run needs --url, and --account if you have several; both are kept in ${getSettingsFile("NAME")}.
  Later runs deploy what has changed since. "migrate" creates and migrates the databases, and uploads nothing.

  --env NAME        which deployment: "${PRODUCTION}" (the default), or another, such as staging, with resources of its own
  --account ID      the Cloudflare account
  --url URL         where people reach the service, such as https://press.example.com
  --replace-dns     with --url: take the place of the DNS record that its host has
  --gradual         give the new version to 0, 10, 50 and 100 % of all requests, and roll back if /healthz is not ok
  --watch SECONDS   how long each of these steps is watched, or how long to wait for /healthz (120)
  --shards N        how many databases there are beside the first, for further organizations; kept, and never fewer (docs/operations.md)
  --force           upload the Worker even if it has not changed
  --dry-run         only say what would be done, and build the Worker; it also looks into the account, so sign in first`;

await runScript(() => Promise.race([main(), rejectOnStop()]), stopPrograms);

type Options = ReturnType<typeof parse>;

function parse() {
  try {
    return parseArgs({
      options: {
        env: { type: "string", default: PRODUCTION },
        account: { type: "string" },
        url: { type: "string" },
        "replace-dns": { type: "boolean", default: false },
        gradual: { type: "boolean", default: false },
        watch: { type: "string", default: "120" },
        shards: { type: "string" },
        force: { type: "boolean", default: false },
        "dry-run": { type: "boolean", default: false },
        "migrate-only": { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${USAGE}`, 2);
  }
}

async function main(): Promise<number> {
  const options = parse();
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const { env, "dry-run": isDryRun } = options;
  if (!(Number(options.watch) > 0)) throw new Failure(`--watch has to be a number of seconds.\n\n${USAGE}`, 2);
  const before = readSettings(env);
  const call = await signIn();
  const account = await findAccount(call, chooseAccount(before, options));
  console.log(`Account         ${account.name} (${account.id})`);
  const at = `/accounts/${account.id}`;
  const located = await locate(call, at, { ...before, account_id: account.id }, options);
  const { database_id, shards = [] } = located;
  const count = parseShards("--shards", options.shards, shards.length);
  const wanted = { ...located, ...(count > 0 && { shards: Array.from({ length: count }, (_, n) => shards[n] ?? "") }) };
  const known = [database_id, ...shards];
  const ids = await createMissing(call, at, { config: makeConfig(env, wanted), known }, isDryRun);
  const [databaseId, ...shardIds] = ids;
  const settings = {
    ...located,
    ...(databaseId && { database_id: databaseId }),
    ...(count > 0 && { shards: shardIds }),
  };
  if (!isDryRun) writeSettings(env, settings);
  const config = makeConfig(env, settings);
  writeConfig(env, config);
  const databases = ["DB", ...listShardNames(count)].map((binding, n) => ({
    binding,
    query: makeQuery(call, at, ids[n]),
  }));
  await requireShards(databases);
  for (const database of databases) await migrate(database, options);
  if (!options["migrate-only"]) await deploy(call, `${at}/workers/scripts/${config.name}`, config, options);
  return 0;
}

/** Returns the account that the settings, the options or wrangler's variable name, or undefined. Throws a `Failure`. */
function chooseAccount({ account_id }: Settings, { env, account }: Options): string | undefined {
  if (account_id !== undefined && account !== undefined && account !== account_id)
    throw new Failure(`${getSettingsFile(env)} has the account ${account_id}, not ${account}.`, 2);
  return account_id ?? account ?? process.env["CLOUDFLARE_ACCOUNT_ID"];
}

/** Returns settings with the address of the deployment, and its route. Throws a `Failure` for an address that cannot be. */
async function locate(call: CallApi, at: string, settings: Settings, options: Options): Promise<Settings> {
  const config = makeConfig(options.env, settings);
  const known = getBaseUrl(config);
  if (options.url === undefined && (known !== "" || options["migrate-only"])) return settings;
  const origin = parseOrigin(options.url ?? "");
  if (origin === "")
    throw new Failure("--url has to be an https URL without a path: where people reach the service.", 2);
  if (known === origin) return settings;
  if (known !== "") throw new Failure(`BASE_URL is ${known}: change it in ${getSettingsFile(options.env)}.`, 2);
  const { hostname, protocol } = new URL(origin);
  // Local trials of this script have no host.
  if (protocol === "http:") return { ...settings, vars: { ...settings.vars, BASE_URL: origin } };
  if (!options["replace-dns"]) await requireFreeHost(call, at, hostname, config.name);
  const routes = [{ pattern: hostname, custom_domain: true }];
  return { routes, ...settings, vars: { ...settings.vars, BASE_URL: origin } };
}

/** Throws a `Failure` if a host leads elsewhere: wrangler, which cannot ask here, would replace its DNS record. */
async function requireFreeHost(call: CallApi, at: string, host: string, name?: string): Promise<void> {
  const domains = await call<{ service: string }[]>(`${at}/workers/domains?hostname=${host}`);
  if (domains?.some(({ service }) => service === name)) return;
  const addresses = await lookup(host, { all: true }).catch(() => []);
  if (addresses.length === 0 && !domains?.length) return;
  throw new Failure(
    `${host} leads elsewhere. Remove its DNS record, or let its place be taken by --replace-dns. For a route instead of a
custom domain, write "routes", and BASE_URL in "vars", into the settings (docs/deploy.md).`,
    2,
  );
}

type Migrated = {
  readonly binding: string;
  /** Returns the rows of a query; none if the table or the database is not there. */
  readonly query: (sql: string) => Promise<Record<string, unknown>[]>;
};

function makeQuery(call: CallApi, at: string, id = ""): Migrated["query"] {
  return async (sql) => {
    if (id === "") return [];
    const found = call<{ results: Record<string, unknown>[] }[]>(`${at}/d1/database/${id}/query`, { sql });
    const rows = await found.catch((error: Error) => {
      if (error.message.includes("no such table")) return [];
      throw error;
    });
    return rows?.[0]?.results ?? [];
  };
}

/** Throws a `Failure` if organizations are in a shard that the settings lack, or have in another place of their list. */
async function requireShards(databases: readonly Migrated[]): Promise<void> {
  const [main, ...shards] = databases;
  const names = shards.map(({ binding }) => binding);
  const lost = main === undefined ? [] : await listLostShards(main.query, names);
  if (lost.length > 0)
    throw new Failure(
      `Organizations are in ${lost.join(", ")}: name all shards, by "shards" of the settings or --shards.`,
    );
  for (const { binding, query } of shards) {
    const [organization] = await query("SELECT id FROM organizations LIMIT 1");
    const [home] =
      (await main?.query(`SELECT shard FROM homes WHERE organization_id = '${String(organization?.["id"])}'`)) ?? [];
    if (home !== undefined && home["shard"] !== binding)
      throw new Failure(
        `The database of ${binding} is that of ${String(home["shard"])}: "shards" of the settings has another order.`,
      );
  }
}

async function migrate({ binding, query }: Migrated, { env, "dry-run": isDryRun }: Options): Promise<void> {
  const applied = new Set((await query("SELECT name FROM d1_migrations")).map(({ name }) => name));
  const pending = globSync("migrations/*.sql", { cwd: ROOT }).filter((file) => !applied.has(path.basename(file)));
  if (pending.length > 0 && !isDryRun)
    await runWrangler(["d1", "migrations", "apply", binding, "--remote", "--config", getConfigFile(env)], null);
  const where = binding === "DB" ? "" : ` in ${binding}`;
  console.log(`Migrations      ${pending.length} ${isDryRun ? "to be applied" : "applied"}${where}`);
}

type Version = { readonly annotations?: { readonly "workers/tag"?: string } };

type Deployments = {
  /** The newest comes first. */
  readonly deployments: readonly {
    readonly versions: readonly { readonly version_id: string }[];
    readonly annotations?: { readonly "workers/message"?: string };
  }[];
};

/** Uploads the Worker if it has changed, and asks for its health. `script` is its path. Throws a `Failure` if it is not ok. */
async function deploy(call: CallApi, script: string, config: Config, options: Options): Promise<void> {
  const { env, gradual, force, "dry-run": isDryRun } = options;
  const [file, seconds] = [getConfigFile(env), Number(options.watch)];
  const secrets = await call<{ name: string }[]>(`${script}/secrets`);
  const hasSecret = secrets?.some(({ name }) => name === "AUTH_SECRET") ?? false;
  await buildAssets();
  // Tells later runs whether anything has changed.
  const tag = hashFiles(JSON.stringify(config), [...SOURCES, "public/**"]);
  const deployments = (await call<Deployments>(`${script}/deployments`))?.deployments ?? [];
  // Not one of an interrupted rollout, however many requests it has: nobody has seen that it is any good.
  const proven = deployments.find(({ versions }) => versions.length === 1);
  const stable = proven?.versions[0]?.version_id;
  if (gradual && deployments.length > 0 && stable === undefined)
    throw new Failure(
      `None of the last deployments was of one version alone. Choose one: npx wrangler rollback ID --config ${file}`,
    );
  const version =
    proven === deployments[0] && stable !== undefined ? await call<Version>(`${script}/versions/${stable}`) : null;
  const isCurrent = version?.annotations?.["workers/tag"] === tag && !force;
  if (isDryRun) await runWrangler(["deploy", "--dry-run", "--config", file], null);
  if (isCurrent || isDryRun) report(`version ${isCurrent ? stable : "of the Worker"}`, isCurrent, isDryRun);
  else
    await withSecretsFile(hasSecret, async (secretsFile) => {
      const args = ["--config", file, "--tag", tag, "--message", VERSION, ...secretsFile];
      if (stable === undefined || !gradual) return upload(["deploy", ...args]);
      const uploaded = await upload(["versions", "upload", ...args]);
      return rollOut({ call, script, config, file, stable, seconds }, uploaded);
    });
  const message = proven?.annotations?.["workers/message"];
  if (isCurrent && stable !== undefined && (await isIncomplete({ call, script }, stable, message))) {
    if (!isDryRun) await complete({ call, script, config, file }, stable);
    report("triggers of the version", false, isDryRun);
  }
  report("secret AUTH_SECRET", hasSecret, isDryRun);
  if (isDryRun) return;
  const complaint = await waitUntilOk(makeCheck(getBaseUrl(config)), seconds);
  if (complaint !== null) throw new Failure(`${complaint}\nTo go back: npx wrangler rollback --config ${file}`);
  console.log(`Healthy         ${getBaseUrl(config)}`);
  if (deployments.length > 0) return;
  console.log(`\nNext: npm run admin -- create-organization "NAME" --remote --env ${env} --owner EMAIL`);
}

/** Returns the id of the version that wrangler has uploaded. */
async function upload(args: readonly string[]): Promise<string> {
  const output = await runWrangler(args, null).catch((error: Error) => {
    throw new Failure(`${error.message}\n\nOnce that is mended, run it with --force.`);
  });
  const id = /Version ID: (\S+)/.exec(output)?.[1] ?? "";
  console.log(`Uploaded        version ${id}`);
  return id;
}

/** Calls `work` with wrangler's options for a new AUTH_SECRET, if there is none: that of the environment, or a random one. */
async function withSecretsFile(hasSecret: boolean, work: (options: string[]) => Promise<unknown>): Promise<void> {
  if (hasSecret) return void (await work([]));
  const folder = mkdtempSync(path.join(tmpdir(), "edgepress-secrets-"));
  try {
    const file = path.join(folder, "secrets.json");
    const secret = process.env["AUTH_SECRET"] ?? randomBytes(32).toString("base64url");
    writeFileSync(file, JSON.stringify({ AUTH_SECRET: secret }), { mode: 0o600 });
    await work(["--secrets-file", file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
