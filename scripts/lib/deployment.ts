/**
 * What makes a deployment: the settings that its operator chose, and the configuration of wrangler that they make of
 * wrangler.toml. Git ignores both files. Neither has a secret.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import type { Unstable_RawConfig } from "wrangler";
import * as z from "zod";
import { parseJson } from "../../src/lib/json.ts";
import { Failure } from "./failure.ts";
import { ROOT } from "./wrangler.ts";

export type Config = Unstable_RawConfig;

/** The deployment that keeps the names of wrangler.toml. */
export const PRODUCTION = "production";

/** `vars` add to those of wrangler.toml; any other key of wrangler's configuration takes the place of its own. */
const settingsFile = z.looseObject({
  account_id: z.string().optional(),
  database_id: z.string().optional(),
  /** The ids of the databases `DB_1`, `DB_2` and so on; "" for one that is not there yet. */
  shards: z.array(z.string()).optional(),
  /** The Worker's name, with which those of its database, queues and bucket begin. */
  name: z.string().optional(),
  vars: z.record(z.string(), z.string()).optional(),
});

export type Settings = Readonly<z.infer<typeof settingsFile>>;

export const getSettingsFile = (deployment: string): string => `deployments/${deployment}.json`;

/** The configuration is beside wrangler.toml because of the paths in it. */
export const getConfigFile = (deployment: string): string => `wrangler.${deployment}.json`;

/** Returns the settings of a deployment, which are empty before its first run. Throws a `Failure` for an invalid file. */
export function readSettings(deployment: string): Settings {
  if (!/^[a-z][a-z\d-]{0,30}$/.test(deployment))
    throw new Failure(`"${deployment}" is no name of a deployment: use small letters, digits and hyphens.`, 2);
  const name = getSettingsFile(deployment);
  const file = path.join(ROOT, name);
  if (!existsSync(file)) return {};
  const { data, error } = settingsFile.safeParse(parseJson(readFileSync(file, "utf8")));
  if (error) throw new Failure(`${name} is invalid:\n${z.prettifyError(error)}`);
  return data;
}

export function writeSettings(deployment: string, settings: Settings): void {
  const file = path.join(ROOT, getSettingsFile(deployment));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, toText(settings));
}

const toText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the configuration of a deployment: wrangler.toml with names, namespaces and settings of its own. */
export function makeConfig(deployment: string, { database_id, shards = [], vars, ...settings }: Settings): Config {
  const toml = readFileSync(path.join(ROOT, "wrangler.toml"), "utf8");
  const { name: base = "" } = parse(toml) as Config;
  const name = settings.name ?? (deployment === PRODUCTION ? base : `${base}-${deployment}`);
  // Two deployments in one account must not count in the same namespaces.
  const shift = name === base ? 0 : 1000 + 1000 * Number.parseInt(hash(name).slice(0, 5), 16);
  const adapt = (key: string, value: unknown): unknown => {
    if (key === "database_id") return database_id ?? value;
    if (key === "namespace_id") return String(Number(value) + shift);
    return NAMES.has(key) && typeof value === "string" && value.startsWith(base)
      ? name + value.slice(base.length)
      : value;
  };
  const own = JSON.parse(JSON.stringify(parse(toml)), adapt) as Config;
  const [main] = own.d1_databases ?? [];
  for (const [n, id] of shards.entries()) {
    const names = { binding: `DB_${n + 1}`, database_name: `${main?.database_name}-${n + 1}` };
    own.d1_databases?.push({ ...main, ...names, ...(id && { database_id: id }) });
  }
  // In wrangler.toml, it would keep `wrangler dev` from reading any other setting of .dev.vars.
  return { ...own, secrets: { required: ["AUTH_SECRET"] }, ...settings, name, vars: { ...own.vars, ...vars } };
}

const NAMES: ReadonlySet<string> = new Set(["name", "database_name", "queue", "dead_letter_queue", "bucket_name"]);

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Writes the configuration for `wrangler --config`. */
export const writeConfig = (deployment: string, config: Config): void =>
  writeFileSync(path.join(ROOT, getConfigFile(deployment)), toText(config));

/** Returns where people reach a deployment, or "" if it is not set. */
export const getBaseUrl = ({ vars: { BASE_URL } = {} }: Config): string =>
  typeof BASE_URL === "string" ? BASE_URL : "";

export type Deployed = { readonly config: string; readonly baseUrl: string };

/** Returns a deployment that exists: its configuration's file, and where people reach it. Throws a `Failure`. */
export function openDeployment(deployment: string): Deployed {
  const settings = readSettings(deployment);
  if (settings.account_id === undefined || settings.database_id === undefined)
    throw new Failure(`${getSettingsFile(deployment)} names no database: \`npm run deploy\` makes it.`);
  const config = makeConfig(deployment, settings);
  writeConfig(deployment, config);
  return { config: path.join(ROOT, getConfigFile(deployment)), baseUrl: getBaseUrl(config) };
}
