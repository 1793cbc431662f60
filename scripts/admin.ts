/**
 * `npm run admin`: creates organizations and operator tokens, copies everything or one organization, restores it, and lists,
 * suspends, limits and removes organizations. It works outside of the service, because nobody can call the API before an organization has its first credential.
 */
import { cpSync, existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { newId } from "../src/lib/ids.ts";
import { newLinkSecret, newSecret } from "../src/domain/secrets.ts";
import { isWebUrl } from "../src/lib/web-url.ts";
import {
  listOrganizations,
  resumeOrganization,
  setQuotas,
  suspendOrganization,
  type ChangeOptions,
} from "./lib/administration.ts";
import { FIRST_ADDRESS, USAGE } from "./lib/admin-usage.ts";
import { archive, findName, findWriteSince } from "./lib/archive.ts";
import { backUpAll, readManifest, type Manifest } from "./lib/backup.ts";
import { openDeployment, PRODUCTION, type Deployed } from "./lib/deployment.ts";
import { Failure, runScript } from "./lib/failure.ts";
import { chooseHome, openHome, relist, tellDirectory } from "./lib/homes.ts";
import {
  checkEmail,
  checkName,
  listOrganizationSql,
  makeTokenSql,
  prepareDatabase,
  storeOrganization,
  storeToken,
  type Place,
} from "./lib/organization.ts";
import { moveOrganization, type MoveOptions } from "./lib/move-organization.ts";
import { hasShards, openBindings, type Bindings } from "./lib/place-bindings.ts";
import { removeOrganization } from "./lib/remove-organization.ts";
import { restoreOrganization } from "./lib/restore-organization.ts";
import { parseQuotaOptions, QUOTA_OPTIONS } from "./lib/quotas.ts";
import { restore, type Restored } from "./lib/restore.ts";
import { rejectOnStop } from "./lib/signals.ts";
import { openState, getStateFolder, type State } from "./lib/state.ts";
import { stopPrograms } from "./lib/wrangler.ts";

const WITHOUT_SECRETS = `Left out: API keys and operator tokens, signing secrets of webhooks, passwords, invitations, preview links, subscriptions
of readers that wait for their confirmation, and responses kept for Idempotency-Keys.`;

type Command = {
  readonly run: (place: Place, name: string, options: Options) => Promise<void>;
  /** The options that it takes, besides --remote and --env. */
  readonly options: readonly string[];
  /** Whether its last argument is a folder after the first. */
  readonly hasFolder?: true;
  readonly takesNothing?: true;
  /** Whether it changes nothing, so that a local database is not migrated before. */
  readonly reads?: true;
};

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["create-organization", { run: createOrganization, options: ["owner", "console", "token-name", "shard"] }],
  ["create-token", { run: createToken, options: ["token-name"] }],
  ["backup", { run: writeBackup, options: [], reads: true }],
  ["archive", { run: writeArchive, options: ["without-secrets"], hasFolder: true, reads: true }],
  ["restore", { run: readBackup, options: ["shard"] }],
  ["remove", { run: remove, options: ["confirm", "archive"] }],
  ["organizations", { run: print("read", listOrganizations), options: ["json"], takesNothing: true, reads: true }],
  ["suspend", { run: print("write", suspendOrganization), options: ["reason"] }],
  ["resume", { run: print("write", resumeOrganization), options: [] }],
  ["relist", { run: print("write", relist), options: [], takesNothing: true }],
  ["move-organization", { run: print("write", moveOrganization), options: ["to", "cancel"] }],
  ["quotas", { run: print("write", setQuotas), options: ["reset", ...QUOTA_OPTIONS] }],
]);

const NUMBERS = Object.fromEntries(QUOTA_OPTIONS.map((name) => [name, { type: "string" } as const]));

await runScript(() => Promise.race([main(), rejectOnStop()]), stopPrograms);

async function main(): Promise<number> {
  const { values, positionals } = parse();
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [command, ...rest] = positionals;
  if (command === undefined) throw usageError("A command is missing.");
  const { run, options = [], hasFolder, takesNothing, reads } = COMMANDS.get(command) ?? {};
  if (run === undefined) throw usageError(`There is no command "${command}".`);
  const [name, ...others] = takesNothing ? ["", ...rest] : rest;
  const [folder = "", ...more] = hasFolder ? others : ["", ...others];
  if (name === undefined || (hasFolder && folder === "")) throw usageError(`${command} needs an argument more.`);
  if (command === "move-organization" && values.to === undefined && !values.cancel)
    throw usageError("move-organization needs --to and a shard, such as --to DB_2, or --cancel.");
  if (more.length > 0) throw usageError(`Unexpected "${more.join(" ")}": put a name with spaces in quotes.`);
  const unused = Object.keys(values).find((option) => !["remote", "env", ...options].includes(option));
  if (unused !== undefined) throw usageError(`${command} takes no --${unused}.`);
  if (command === "suspend") checkName("--reason", values.reason ?? "");
  if (values.console !== undefined && values.owner === undefined) throw usageError("--console needs --owner.");
  const tokenName = values["token-name"] ?? "Operator token";
  checkName("The name of the token", tokenName);
  if (values.env !== undefined && values.remote !== true) throw usageError("--env needs --remote.");
  const place = values.remote === true ? openDeployment(values.env ?? PRODUCTION) : openState(getStateFolder());
  const { owner, ...given } = values;
  const invited = owner !== undefined && { owner: { email: owner, consoleUrl: getConsoleUrl(place, values.console) } };
  // A deployed database is never migrated as a side effect, only by `npm run deploy`.
  if (!("config" in place) && !reads) await prepareDatabase(place);
  await run(place, name, {
    ...given,
    tokenName,
    ...invited,
    folder,
    hasSecrets: values["without-secrets"] !== true,
    quotas: { given: parseQuotaOptions(values), isReset: values.reset === true },
    reason: values.reason ?? "",
    asJson: values.json === true,
  });
  return 0;
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        remote: { type: "boolean" },
        env: { type: "string" },
        "token-name": { type: "string" },
        owner: { type: "string" },
        console: { type: "string" },
        shard: { type: "string" },
        "without-secrets": { type: "boolean" },
        confirm: { type: "string" },
        archive: { type: "string" },
        to: { type: "string" },
        cancel: { type: "boolean" },
        reset: { type: "boolean" },
        json: { type: "boolean" },
        reason: { type: "string" },
        ...NUMBERS,
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw usageError((error as Error).message);
  }
}

/**
 * Returns the base URL for the link of an invitation. Throws a `Failure` for an invalid or unknown one. Call it before
 * anything is stored: the link is printed only once.
 */
function getConsoleUrl(place: State | Deployed, given: string | undefined): string {
  const url = given ?? ("config" in place ? place.baseUrl : (place.local()?.baseUrl ?? FIRST_ADDRESS));
  if (!isWebUrl(url)) throw usageError(`--console is "${url}"; it has to be an http or https URL.`);
  return url;
}

type Options = ChangeOptions &
  MoveOptions & {
    readonly tokenName: string;
    readonly owner?: { readonly email: string; readonly consoleUrl: string };
    readonly folder: string;
    readonly hasSecrets: boolean;
    readonly confirm?: string | undefined;
    readonly archive?: string | undefined;
    readonly shard?: string | undefined;
  };

async function createOrganization(place: Place, name: string, { tokenName, owner, shard }: Options): Promise<void> {
  checkName("The name of the organization", name);
  const id = newId();
  const { secret } = await newSecret("token");
  const link = await newLinkSecret();
  const invited = owner && { email: checkEmail(owner.email), hash: link.hash };
  const credentials = [{ name: tokenName, secret, scopes: [] }];
  const organization = { id, name, credentials, ...(invited && { invited }) };
  if (shard === undefined && !hasShards(place)) await storeOrganization(place, organization);
  else
    await withBindings(place, "write", async (all) => {
      const home = await chooseHome(all, id, shard);
      const statements = await listOrganizationSql(organization, new Date());
      await home.execute(statements.map((sql) => ({ sql, values: [] })));
      await tellDirectory(home);
    });
  console.log(`Organization    ${name}`);
  if (owner) console.log(`Invitation      ${new URL(`/console/invitations/${link.secret}`, owner.consoleUrl).href}`);
  show(id, secret);
}

async function createToken(place: Place, organizationId: string, { tokenName }: Options): Promise<void> {
  const { secret } = await newSecret("token");
  const token = { name: tokenName, secret, scopes: [] };
  const stored = hasShards(place)
    ? await atHome(place, "write", organizationId, async ({ query }) => {
        const rows = await query(await makeTokenSql(organizationId, token));
        return rows.length > 0;
      })
    : await storeToken(place, organizationId, token);
  if (!stored) throw new Failure(`There is no organization ${organizationId}.`);
  show(organizationId, secret);
}

async function withBindings<T>(place: Place, access: "read" | "write", work: (bindings: Bindings) => Promise<T>) {
  const bindings = await openBindings(place, access);
  try {
    return await work(bindings);
  } finally {
    await bindings.close();
  }
}

/** Calls `work` with the database of an organization, and then lets the directory know what has changed. */
function atHome<T>(
  place: Place,
  access: "read" | "write",
  organizationId: string,
  work: (home: Bindings) => Promise<T>,
) {
  return withBindings(place, access, async (all) => {
    const home = await openHome(all, organizationId);
    const result = await work(home);
    if (access === "write") await tellDirectory(home);
    return result;
  });
}

async function writeBackup(place: Place, folder: string): Promise<void> {
  const manifest = await withBindings(place, "read", (source) => backUpAll(source, path.resolve(folder), console.log));
  if ("folder" in place) copySecrets(place.folder, path.resolve(folder));
  showCopy("Backed up       ", manifest, folder);
}

async function writeArchive(place: Place, organizationId: string, { folder, hasSecrets }: Options): Promise<void> {
  const options = { organizationId, hasSecrets };
  const manifest = await atHome(place, "read", organizationId, (source) =>
    archive(source, path.resolve(folder), options, console.log),
  );
  const { lastWrite } = manifest.organization ?? {};
  showCopy("Archived        ", manifest, folder);
  console.log(`Last write      ${lastWrite ? `${lastWrite.time} (${lastWrite.action})` : "none"}`);
  if (!hasSecrets) console.log(WITHOUT_SECRETS);
}

function showCopy(what: string, { tables, files, isOneMoment, began, changed }: Manifest, folder: string): void {
  console.log(`${what}${countRows(tables)} rows and ${files.count} files (${files.bytes} bytes) in ${folder}`);
  const isSharded = Object.keys(tables).some((table) => table.startsWith("DB_"));
  if (isOneMoment) console.log(isSharded ? "Each database is of a moment of its own." : `All rows are of ${began}.`);
  else if (changed.length === 0) console.log("No organization was written to meanwhile.");
  else
    console.log(
      `These organizations were written to meanwhile, so their rows may be of different moments: ${changed.join(", ")}`,
    );
}

function countRows(tables: Manifest["tables"]): number {
  return Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
}

/** Copies the secrets of a local installation, without which `npm start` cannot use its database. */
function copySecrets(from: string, to: string): void {
  for (const name of ["credentials.json", "webhook.json"]) {
    if (existsSync(path.join(from, name))) cpSync(path.join(from, name), path.join(to, name));
  }
}

async function readBackup(place: Place, given: string, { shard }: Options): Promise<void> {
  const folder = path.resolve(given);
  const { organization } = readManifest(folder) ?? {};
  if (organization === undefined) {
    if (shard !== undefined) throw usageError("--shard is for an archive: a backup has its own shards.");
    const restored = await withBindings(place, "write", (target) => restore(target, folder, console.log));
    if ("folder" in place) copySecrets(folder, place.folder);
    return showRestored(restored);
  }
  const restored = await withBindings(place, "write", async (all) => {
    const home = await chooseHome(all, organization.id, shard);
    const done = await restoreOrganization(home, folder, console.log);
    await tellDirectory(home);
    return done;
  });
  console.log(`Organization    ${organization.name}\nIdentifier      ${organization.id}`);
  const { known, added } = restored.people;
  console.log(`Accounts        ${added} new; ${known} were here already and keep their passwords`);
  showRestored(restored);
  if (!organization.hasSecrets)
    console.log(`It has no API keys and operator tokens: create-token makes one. Its webhook subscriptions are inactive, with signing secrets that nobody
knows: create them again. New accounts have no password until somebody asks for a link by "Forgot password". Quotas of its own were left out:
"quotas" sets them.`);
}

function showRestored({ leftOut, manifest }: Restored): void {
  console.log(
    `Restored        ${countRows(manifest.tables) - leftOut} rows and ${manifest.files.count} files, as of ${manifest.began}`,
  );
  if (leftOut > 0)
    console.log(
      `${leftOut} rows are not there: what they belong to was deleted while the copy was made, or they have expired.`,
    );
  console.log("Searches find all articles once the service has indexed them.");
}

async function remove(place: Place, organizationId: string, { confirm, archive }: Options): Promise<void> {
  await atHome(place, "write", organizationId, async (target) => {
    const name = await findName(target, organizationId);
    if (name === null) throw new Failure(`There is no organization ${organizationId}.`);
    if (confirm !== name)
      throw new Failure(
        `To remove this organization for good, add --confirm ${JSON.stringify(name)}. Nothing was removed.`,
        2,
      );
    const since = archive === undefined ? null : await findWriteSince(target, path.resolve(archive), organizationId);
    if (since !== null)
      throw new Failure(
        `It was written to since the archive was begun: ${since.action} at ${since.time}. Nothing was removed.`,
      );
    const { files, accounts } = await removeOrganization(target, organizationId);
    console.log(`Removed         all rows and ${files} files of ${name}`);
    if (accounts > 0)
      console.log(
        `${accounts} accounts of its people are in no organization now. They stay, as they are the people's own.`,
      );
    console.log("The service purges what caches have of it within minutes.");
  });
}

/** Returns a command that prints what `work` returns. */
function print(access: "read" | "write", work: (bindings: Bindings, id: string, options: Options) => Promise<string>) {
  return async (place: Place, id: string, options: Options) =>
    console.log(await atHome(place, access, id, (bindings) => work(bindings, id, options)));
}

function show(organizationId: string, secret: string): void {
  console.log(`Identifier      ${organizationId}
Operator token  ${secret}

The token is not shown again. Send it with requests as "Authorization: Token ${secret.slice(0, 4)}…".`);
}

function usageError(message: string): Failure {
  return new Failure(`${message}\n\n${USAGE}`, 2);
}
