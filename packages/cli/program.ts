/** The program: its global options and its commands. */
import { Command } from "commander";
import { addAccountCommands } from "./commands/account.ts";
import { addArticleCommands } from "./commands/articles.ts";
import { addBlogCommands } from "./commands/blogs.ts";
import { addCompletion } from "./commands/completion.ts";
import { addContactCommands } from "./commands/contacts.ts";
import { addGenerationsCommand } from "./commands/generations.ts";
import { addHelp } from "./commands/help.ts";
import { addMediaCommands } from "./commands/media.ts";
import { addRedirectCommands } from "./commands/redirects.ts";
import { addSchedulesCommand } from "./commands/schedules.ts";
import { addTermCommands } from "./commands/terms.ts";
import { addTopicCommands } from "./commands/topics.ts";
import { addUsageCommand } from "./commands/usage.ts";
import { addWebhookCommands } from "./commands/webhooks.ts";
import type { Context } from "./context.ts";
import { addTransferCommands } from "./transfer/commands.ts";

/** The options of every command, given before or after its name. */
export type GlobalOptions = {
  readonly server?: string;
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
  EDGEPRESS_API_KEY         an API key, for scripts; takes precedence over a sign-in
  EDGEPRESS_OPERATOR_TOKEN  an operator token, for webhooks
  EDGEPRESS_WEBHOOK_SECRET  a signing secret, for webhooks listen
  NO_COLOR                  no colors

Exit codes: 0 done, 1 failed, 2 usage, 4 sign in, 5 not found, 6 conflict, 7 limit, 130 interrupted.`;

/** Returns the program with its global options, but without commands (see `addCommands`). */
export function createProgram(version: string): Command {
  return new Command("edgepress")
    .description("Publish with Edgepress from the command line.")
    .version(version, "-V, --version", "show the version")
    .option("--server <url>", "the server (default: EDGEPRESS_URL, or where you last signed in)")
    .option("--json", "print JSON, including errors")
    .option("-q, --quiet", "print no notes and no progress")
    .helpOption("-h, --help", "show help")
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addHelpText("after", EXAMPLES);
}

/** Adds all commands to the program. */
export function addCommands(program: Command, context: Context): void {
  addAccountCommands(program, context);
  addBlogCommands(program, context);
  addArticleCommands(program, context);
  addSchedulesCommand(program, context);
  addTermCommands(program, context);
  addRedirectCommands(program, context);
  addContactCommands(program, context);
  addMediaCommands(program, context);
  addTopicCommands(program, context);
  addWebhookCommands(program, context);
  addGenerationsCommand(program, context);
  addUsageCommand(program, context);
  addTransferCommands(program, context);
  addHelp(program);
  addCompletion(program);
}
