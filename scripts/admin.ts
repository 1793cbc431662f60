/** `npm run admin`: what has to be done from outside, as no credentials exist for it yet. */
import { parseArgs } from "node:util";
import { newId } from "../src/lib/ids.ts";
import { newSecret } from "../src/lib/secrets.ts";
import { Failure, runScript } from "./lib/failure.ts";
import { checkName, migrate, storeOrganization, type Place } from "./lib/organization.ts";
import { openState, stateFolder } from "./lib/state.ts";
import { stopWranglers } from "./lib/wrangler.ts";

const USAGE = `Usage: npm run admin -- create-organization "NAME" [--remote] [--token-name "NAME"]

  Creates an organization with its first operator token, and prints the token once.

  --remote              in the deployed database; without it, in the local one
                        (.edgepress, or the folder that EDGEPRESS_STATE names)
  --token-name "NAME"   what the token is called in lists ("First operator token")
  --help                shows this`;

await runScript(main, stopWranglers);

async function main(): Promise<number> {
  const { values, positionals } = parse();
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [command, name, ...more] = positionals;
  if (command === undefined) throw usageError("A command is missing.");
  if (command !== "create-organization") throw usageError(`There is no command "${command}".`);
  if (name === undefined) throw usageError("The name of the organization is missing.");
  if (more.length > 0) throw usageError(`"${more.join(" ")}" is too much: put the name in quotes.`);
  await createOrganization(name, values["token-name"] ?? "First operator token", values.remote ?? false);
  return 0;
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        remote: { type: "boolean" },
        "token-name": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw usageError((error as Error).message);
  }
}

async function createOrganization(name: string, tokenName: string, remote: boolean): Promise<void> {
  checkName("The name of the organization", name);
  checkName("The name of the token", tokenName);
  const place: Place = remote ? "remote" : openState(stateFolder());
  // A deployed database is migrated on purpose only (npm run migrate).
  if (place !== "remote") await migrate(place);
  const id = newId();
  const { secret } = await newSecret("token");
  await storeOrganization(place, { id, name, credentials: [{ name: tokenName, secret, scopes: [] }] });
  console.log(`Organization    ${name}
Identifier      ${id}
Operator token  ${secret}

The token is not shown again. It goes with requests as "Authorization: Token ${secret.slice(0, 4)}…".`);
}

function usageError(message: string): Failure {
  return new Failure(`${message}\n\n${USAGE}`, 2);
}
