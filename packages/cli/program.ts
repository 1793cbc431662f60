import { Command } from "commander";
import { addAccountCommands } from "./commands/account.ts";
import { addApiCommand } from "./commands/api.ts";
import { addMany, addScheduling } from "./commands/articles-many.ts";
import { addReads } from "./commands/articles-read.ts";
import { addSourceCommands } from "./commands/articles-sources.ts";
import { addVersionCommands } from "./commands/articles-versions.ts";
import { addWrites } from "./commands/articles-write.ts";
import { addBlogCommands } from "./commands/blogs.ts";
import { addDeletedBlogCommands } from "./commands/deleted-blogs.ts";
import { addContactCommands } from "./commands/contacts.ts";
import { addEvents } from "./commands/events.ts";
import { addEstimate, addGenerate, addOutline, addStart } from "./commands/generate.ts";
import { addCompletion, addHelp } from "./commands/help.ts";
import { addOperatorCommands } from "./commands/operators.ts";
import { addMediaCommands } from "./commands/media.ts";
import { addRedirectCommands } from "./commands/redirects.ts";
import { addTermCommands } from "./commands/terms.ts";
import { addTopicCommands } from "./commands/topics.ts";
import { addUsageCommands } from "./commands/usage.ts";
import { addWebhookCommands } from "./commands/webhooks.ts";
import type { Context } from "./context.ts";
import { addTransferCommands } from "./transfer/commands.ts";

export type GlobalOptions = {
  readonly server?: string;
  readonly profile?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
};

const EXAMPLES = `
Examples:
  $ edgepress login --server https://press.example.com
  $ edgepress articles list --blog field-notes
  $ edgepress articles create --blog field-notes --title "First light" --content first-light.md --published
  $ edgepress articles list --blog field-notes --json | jq -r '.[].slug'

Environment:
  EDGEPRESS_URL             the server, unless --server is given
  EDGEPRESS_PROFILE         the profile, unless --profile is given
  EDGEPRESS_API_KEY         an API key, for scripts; takes precedence over a sign-in
  EDGEPRESS_OPERATOR_TOKEN  an operator token, for webhooks, events, keys, members and audit
  EDGEPRESS_WEBHOOK_SECRET  a signing secret, for webhooks listen
  NO_COLOR                  no colors

Exit codes: 0 done, 1 failed, 2 usage, 4 sign in, 5 not found, 6 conflict, 7 limit, 130 interrupted.`;

export function createProgram(version: string): Command {
  return new Command("edgepress")
    .description("Publish with Edgepress from the command line.")
    .version(version, "-V, --version", "show the version")
    .option("--server <url>", "the server (default: EDGEPRESS_URL, or where you last signed in)")
    .option("--profile <name>", "a server and a sign-in by name (see `edgepress profiles`)")
    .option("--json", "print JSON, including errors")
    .option("-q, --quiet", "print no notes and no progress")
    .helpOption("-h, --help", "show help")
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addHelpText("after", EXAMPLES);
}

export function addCommands(program: Command, context: Context): void {
  for (const add of ADDERS) add(program, context);
  addHelp(program);
  addCompletion(program);
}

/** In the order in which the help lists the commands. */
const ADDERS = [
  addAccountCommands,
  addBlogCommands,
  addDeletedBlogCommands,
  addVersionCommands,
  addSourceCommands,
  addReads,
  addWrites,
  addScheduling,
  addMany,
  addGenerate,
  addStart,
  addOutline,
  addEstimate,
  addTermCommands,
  addRedirectCommands,
  addMediaCommands,
  addTopicCommands,
  addWebhookCommands,
  addOperatorCommands,
  addEvents,
  addUsageCommands,
  addContactCommands,
  addTransferCommands,
  addApiCommand,
];
