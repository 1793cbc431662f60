/** The command `generations`. */
import { Option, type Command } from "commander";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Generation } from "../api.ts";
import type { Context } from "../context.ts";
import { firstOf, moreThan, wholeNumber, when } from "./shared.ts";

/** What the API lets the list be narrowed to. */
const STATES: readonly Generation["state"][] = ["running", "stored", "answered", "failed"];

export function addGenerationsCommand(program: Command, context: Context): void {
  program
    .command("generations")
    .description("list what models have written, and what it cost")
    .addOption(new Option("--state <state>", "only generations in this state").choices(STATES))
    .option("--limit <n>", "the most to list", wholeNumber(1, 100_000), 20)
    .addHelpText("after", "\nExample:\n  $ edgepress generations --json | jq 'map(.cost) | add'")
    .action((options: ListOptions) => list(context, options));
}

type ListOptions = { readonly state?: Generation["state"]; readonly limit: number };

async function list({ output, client }: Context, { state, limit }: ListOptions): Promise<void> {
  const query = { state, limit: Math.min(limit, LIMITS.page) };
  const { found, more } = await firstOf((await client()).items<Generation>("/api/generations", query), limit);
  output.result(found, () =>
    found.length === 0
      ? "No generations."
      : output.table(
          [
            { head: "STARTED (UTC)", cell: ({ creationTime }) => when(creationTime) },
            { head: "OUTCOME", cell: ({ state: outcome, code }) => code ?? outcome },
            { head: "MODEL", cell: ({ model }) => model, shrinks: true },
            {
              head: "TOKENS",
              cell: ({ inputTokens, outputTokens }) => (inputTokens + outputTokens).toLocaleString("en"),
            },
            { head: "US$", cell: ({ cost }) => (cost === null ? "" : cost.toFixed(4)) },
            { head: "ARTICLE", cell: ({ articleId }) => articleId ?? "", drops: true },
          ],
          found,
        ),
  );
  if (more) output.note(`${moreThan(limit, "generation")}: see --limit.`);
}
