/**
 * `npm run admin`: creates organizations and operator tokens, backs everything up, and restores it. It works outside of the service,
 * because nobody can call the API before an organization has its first credential.
 */
import { cpSync, existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { newId } from "../src/lib/ids.ts";
import { newLinkSecret, newSecret } from "../src/domain/secrets.ts";
import { isWebUrl } from "../src/lib/web-url.ts";
import { backUp } from "./lib/backup.ts";
import { Failure, runScript } from "./lib/failure.ts";
import {
  checkEmail,
  checkName,
  prepareDatabase,
  storeOrganization,
  storeToken,
  type Place,
} from "./lib/organization.ts";
import { openBindings } from "./lib/place-bindings.ts";
import { parsePort } from "./lib/port.ts";
import { restore } from "./lib/restore.ts";
import { rejectOnStop } from "./lib/signals.ts";
import { openState, getStateFolder, type State } from "./lib/state.ts";
import { stopPrograms } from "./lib/wrangler.ts";

const FIRST_ADDRESS = `http://127.0.0.1:${parsePort(undefined)}`;

const USAGE = `Usage: npm run admin -- create-organization "NAME" [--remote] [--token-name "NAME"] [--owner EMAIL --console URL]
       npm run admin -- create-token ORGANIZATION_ID [--remote] [--token-name "NAME"]
       npm run admin -- backup FOLDER [--remote]
       npm run admin -- restore FOLDER [--remote]

  create-organization creates an organization with its first operator token,
  create-token a new token for an organization that has lost all of its tokens.
  The token is printed once.
  backup copies the database and all files into a folder; the service may go on. Started again after an
  interruption, it goes on. restore makes a new, empty installation as the backup has it.

  --remote              in the deployed database; without it, in the local one
                        (.edgepress, or the folder that EDGEPRESS_STATE names)
  --owner EMAIL         with create-organization: also an invitation for its first owner,
                        whose link is printed; --console says where people reach the service
  --console URL         needed by --owner with --remote; without --remote, the address of the
                        last local start ("${FIRST_ADDRESS}" if there was none)
  --token-name "NAME"   what the token is called in lists ("Operator token")
  --help                show this help`;

type Command = {
  readonly run: (place: Place, name: string, options: Options) => Promise<void>;
  /** The options that it takes, besides --remote. */
  readonly options: readonly string[];
};

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["create-organization", { run: createOrganization, options: ["owner", "console", "token-name"] }],
  ["create-token", { run: createToken, options: ["token-name"] }],
  ["backup", { run: writeBackup, options: [] }],
  ["restore", { run: readBackup, options: [] }],
]);

await runScript(() => Promise.race([main(), rejectOnStop()]), stopPrograms);

async function main(): Promise<number> {
  const { values, positionals } = parse();
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [command, name, ...more] = positionals;
  if (command === undefined) throw usageError("A command is missing.");
  const { run, options } = COMMANDS.get(command) ?? {};
  if (run === undefined) throw usageError(`There is no command "${command}".`);
  if (name === undefined) throw usageError(`${command} needs an argument.`);
  if (more.length > 0) throw usageError(`Unexpected "${more.join(" ")}": put the name in quotes.`);
  const unused = Object.keys(values).find((option) => option !== "remote" && !options?.includes(option));
  if (unused !== undefined) throw usageError(`${command} takes no --${unused}.`);
  if (values.console !== undefined && values.owner === undefined) throw usageError("--console needs --owner.");
  const tokenName = values["token-name"] ?? "Operator token";
  checkName("The name of the token", tokenName);
  const place = values.remote === true ? "remote" : openState(getStateFolder());
  const { owner } = values;
  const invited = owner !== undefined && { owner: { email: owner, consoleUrl: getConsoleUrl(place, values.console) } };
  // A deployed database is never migrated as a side effect, only by `npm run migrate`, and a backup changes nothing.
  if (place !== "remote" && run !== writeBackup) await prepareDatabase(place);
  await run(place, name, { tokenName, ...invited });
  return 0;
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        remote: { type: "boolean" },
        "token-name": { type: "string" },
        owner: { type: "string" },
        console: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw usageError((error as Error).message);
  }
}

/**
 * Returns the base URL for the link of an invitation. Throws a `Failure` for a missing or invalid --console. Call it
 * before anything is stored: the link is printed only once.
 */
function getConsoleUrl(place: State | "remote", given: string | undefined): string {
  if (given !== undefined) {
    if (!isWebUrl(given)) throw usageError(`--console is "${given}"; it has to be an http or https URL.`);
    return given;
  }
  if (place === "remote") throw usageError("--owner with --remote needs --console: where people reach the service.");
  return place.local()?.baseUrl ?? FIRST_ADDRESS;
}

type Options = {
  readonly tokenName: string;
  readonly owner?: { readonly email: string; readonly consoleUrl: string };
};

async function createOrganization(place: Place, name: string, { tokenName, owner }: Options): Promise<void> {
  checkName("The name of the organization", name);
  const id = newId();
  const { secret } = await newSecret("token");
  const link = await newLinkSecret();
  const invited = owner && { email: checkEmail(owner.email), hash: link.hash };
  const credentials = [{ name: tokenName, secret, scopes: [] }];
  await storeOrganization(place, { id, name, credentials, ...(invited && { invited }) });
  console.log(`Organization    ${name}`);
  if (owner) console.log(`Invitation      ${new URL(`/console/invitations/${link.secret}`, owner.consoleUrl).href}`);
  show(id, secret);
}

async function createToken(place: Place, organizationId: string, { tokenName }: Options): Promise<void> {
  const { secret } = await newSecret("token");
  const stored = await storeToken(place, organizationId, { name: tokenName, secret, scopes: [] });
  if (!stored) throw new Failure(`There is no organization ${organizationId}.`);
  show(organizationId, secret);
}

async function writeBackup(place: Place, folder: string): Promise<void> {
  const source = await openBindings(place, "read");
  try {
    const { tables, files, isOneMoment, began, changed } = await backUp(source, path.resolve(folder), console.log);
    if (place !== "remote") copySecrets(place.folder, path.resolve(folder));
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    console.log(`Backed up       ${rows} rows and ${files.count} files (${files.bytes} bytes) in ${folder}`);
    if (isOneMoment) console.log(`All rows are of ${began}.`);
    else if (changed.length === 0) console.log("No organization was written to meanwhile.");
    else
      console.log(
        `These organizations were written to meanwhile, so their rows may be of different moments: ${changed.join(", ")}`,
      );
  } finally {
    await source.close();
  }
}

/** Copies the secrets of a local installation, without which `npm start` cannot use its database. */
function copySecrets(from: string, to: string): void {
  for (const name of ["credentials.json", "webhook.json"]) {
    if (existsSync(path.join(from, name))) cpSync(path.join(from, name), path.join(to, name));
  }
}

async function readBackup(place: Place, folder: string): Promise<void> {
  const target = await openBindings(place, "write");
  try {
    const { rows, leftOut, manifest } = await restore(target, path.resolve(folder), console.log);
    if (place !== "remote") copySecrets(path.resolve(folder), place.folder);
    console.log(`Restored        ${rows} rows and ${manifest.files.count} files, as of ${manifest.began}`);
    if (leftOut > 0)
      console.log(`${leftOut} rows were left out: what they belong to was deleted while the backup was made.`);
    console.log("Searches find all articles once the service has indexed them again.");
  } finally {
    await target.close();
  }
}

function show(organizationId: string, secret: string): void {
  console.log(`Identifier      ${organizationId}
Operator token  ${secret}

The token is not shown again. Send it with requests as "Authorization: Token ${secret.slice(0, 4)}…".`);
}

function usageError(message: string): Failure {
  return new Failure(`${message}\n\n${USAGE}`, 2);
}
