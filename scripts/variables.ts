/** `npm run variables`: prints local.json as shell assignments for `eval`, and the variables of the command-line client. */
import { Failure, runScript } from "./lib/failure.ts";
import { openState, getStateFolder } from "./lib/state.ts";

await runScript(main);

async function main(): Promise<number> {
  const folder = getStateFolder();
  const local = openState(folder).local();
  if (local === null) {
    throw new Failure(
      `No local run has been completed in ${folder}. Wait until npm start shows its addresses; if it was given an EDGEPRESS_STATE, set it here, too.`,
    );
  }
  for (const [name, value] of Object.entries(local)) console.log(`${name}=${quoteForShell(value)}`);
  const { baseUrl, apiKey, operatorToken } = local;
  const exported = { EDGEPRESS_URL: baseUrl, EDGEPRESS_API_KEY: apiKey, EDGEPRESS_OPERATOR_TOKEN: operatorToken };
  for (const [name, value] of Object.entries(exported)) console.log(`export ${name}=${quoteForShell(value)}`);
  return 0;
}

/** Quotes a text as one word of a POSIX shell, whatever it contains. */
function quoteForShell(value: string): string {
  return `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
