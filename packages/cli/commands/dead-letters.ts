/** The commands `webhooks dead|retry`: what the service could not send, and having it tried again. */
import type { Command } from "commander";
import type { DeadLetter } from "../api.ts";
import { createClient, path } from "../client.ts";
import type { Context } from "../context.ts";
import { unauthorized } from "../failure.ts";
import { operatorAuthorizer } from "../sign-in/authorizer.ts";
import { firstOf, moreThan, when, wholeNumber } from "./shared.ts";

export function addDeadLetterCommands(webhooks: Command, context: Context): void {
  webhooks
    .command("dead")
    .description("list events that the service could not send, newest first")
    .option("--limit <n>", "the most to list", wholeNumber(1, 100_000), 20)
    .addHelpText("after", "\nExample:\n  $ EDGEPRESS_OPERATOR_TOKEN=… edgepress webhooks dead")
    .action((options: { limit: number }) => list(context, options.limit));
  webhooks
    .command("retry")
    .argument("<id>", "the id that `webhooks dead` shows")
    .description("retry it")
    .addHelpText(
      "after",
      "\nExample:\n  $ EDGEPRESS_OPERATOR_TOKEN=… edgepress webhooks retry 019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e",
    )
    .action((id: string) => retry(context, id));
}

/** Returns a client with the operator token. Throws if there is none: members cannot see these. */
async function operatorClient(context: Context) {
  const { env, version, signal, onWait } = context;
  const token = env["EDGEPRESS_OPERATOR_TOKEN"];
  if (!token) throw unauthorized("This needs an operator token.", "Set EDGEPRESS_OPERATOR_TOKEN.");
  return createClient({
    server: await context.server(),
    authorizer: operatorAuthorizer(token),
    version,
    signal,
    onWait,
  });
}

async function list(context: Context, limit: number): Promise<void> {
  const { output } = context;
  const service = await operatorClient(context);
  const { found, more } = await firstOf(service.items<DeadLetter>("/api/deadletters", {}), limit);
  output.result(found, () =>
    found.length === 0
      ? "No dead letters."
      : output.table(
          [
            { head: "ID", cell: ({ _id }) => _id },
            { head: "EVENT", cell: ({ event }) => event },
            { head: "SUBSCRIPTION", cell: ({ webhookSubscriptionId: id }) => id ?? "all", shrinks: true },
            { head: "ATTEMPTS", cell: ({ tries }) => String(tries) },
            { head: "DEAD SINCE", cell: ({ deadTime }) => when(deadTime) },
          ],
          found,
        ),
  );
  if (more) output.note(`${moreThan(limit, "dead letter")}: see --limit.`);
}

async function retry(context: Context, id: string): Promise<void> {
  const service = await operatorClient(context);
  const { value } = await service.request<DeadLetter>({ method: "POST", path: path`/api/deadletters/${id}/retry` });
  context.output.result(value, () => `${value.event} will be retried within a minute.`);
}
