/** The commands `articles preview create|list|revoke`. */
import type { Command } from "commander";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { NewPreview, Preview } from "../api.ts";
import { path } from "../client.ts";
import type { Context } from "../context.ts";
import { printableLine } from "../terminal.ts";
import { findOne, type Which } from "./articles-read.ts";
import { BLOG, wholeNumber, when } from "./shared.ts";

const NAMED = ["<id-or-slug>", "the article"] as const;
const LOCALE = ["--locale <tag>", "the locale of the article, if it is named by its slug"] as const;

export function addPreviewCommands(articles: Command, context: Context): void {
  const preview = articles.command("preview").description("links that show an article to people without an account");
  preview
    .command("create")
    .description("create a link; it is shown once")
    .argument(...NAMED)
    .option(...BLOG)
    .option(...LOCALE)
    .option(
      "--expires-in <seconds>",
      "how long it works, 30 days at most",
      wholeNumber(LIMITS.previewSecondsLeast, LIMITS.previewSecondsMost),
      LIMITS.previewSeconds,
    )
    .addHelpText("after", "\nExample:\n  $ edgepress articles preview create slow-mornings --expires-in 86400")
    .action((named: string, options: Which & { expiresIn: number }) => create(context, named, options));
  preview
    .command("list")
    .description("list the links that have not expired, without their tokens")
    .argument(...NAMED)
    .option(...BLOG)
    .option(...LOCALE)
    .addHelpText("after", "\nExample:\n  $ edgepress articles preview list slow-mornings --json")
    .action((named: string, options: Which) => list(context, named, options));
  preview
    .command("revoke")
    .description("revoke a link at once")
    .argument(...NAMED)
    .argument("<preview-id>", "the id of the link, as `list` shows it")
    .option(...BLOG)
    .option(...LOCALE)
    .addHelpText(
      "after",
      "\nExample:\n  $ edgepress articles preview revoke slow-mornings 019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d",
    )
    .action((named: string, previewId: string, options: Which) => revoke(context, named, { ...options, previewId }));
}

async function create(
  context: Context,
  named: string,
  { expiresIn: expiresInSeconds, ...which }: Which & { expiresIn: number },
): Promise<void> {
  const { value: article } = await findOne(context, named, which);
  const service = await context.client();
  const request = {
    method: "POST",
    path: path`/api/articles/${article._id}/previews`,
    body: { expiresInSeconds },
  } as const;
  const { value: made } = await service.request<NewPreview>(request);
  context.output.result(made, () => made.url);
  context.output.note(`It works until ${when(made.expirationTime)} (UTC).`);
}

async function list({ output, ...context }: Context, named: string, which: Which): Promise<void> {
  const { value: article } = await findOne({ output, ...context }, named, which);
  const service = await context.client();
  const { value: found } = await service.get<Preview[]>(path`/api/articles/${article._id}/previews`);
  output.result(found, () =>
    found.length === 0
      ? "No preview links."
      : output.table(
          [
            { head: "ID", cell: ({ _id }) => _id },
            { head: "EXPIRES (UTC)", cell: ({ expirationTime }) => when(expirationTime) },
            { head: "CREATED (UTC)", cell: ({ creationTime }) => when(creationTime), drops: true },
            { head: "CREATED BY", cell: ({ actor }) => actor.kind },
          ],
          found,
        ),
  );
}

async function revoke(
  context: Context,
  named: string,
  { previewId, ...which }: Which & { previewId: string },
): Promise<void> {
  const { value: article } = await findOne(context, named, which);
  const service = await context.client();
  const request = { method: "DELETE", path: path`/api/articles/${article._id}/previews/${previewId}` } as const;
  const { value } = await service.request<{ _id: string }>(request);
  context.output.result(value, () => `Revoked the link ${printableLine(previewId)}.`);
}
