/** Imports `blog.yaml`: the settings, the tags and the authors of the blog. */
import type { Client } from "../client.ts";
import type { Context } from "../context.ts";
import { formatCount } from "../commands/shared.ts";
import { CliError, EXIT } from "../failure.ts";
import { toPrintableLine } from "../terminal.ts";
import { Unusable } from "../../import/article.ts";
import type { ImportOptions } from "./import-command.ts";
import type { Account, SettingsOutcome } from "./import.ts";
import type { Pace } from "./pace.ts";
import type { Service } from "./service.ts";
import { applySettings, readSettings, type BlogFile, type Settings } from "./settings.ts";
import { applyTerms, type TermsOutcome } from "./terms.ts";

type Options = Pick<ImportOptions, "settings" | "updateExisting" | "dryRun">;

/** Returns what blog.yaml says, `Unusable` if it cannot be used, or null if there is none to apply. */
export async function readBlogFile(folder: string | null, options: Options): Promise<BlogFile | Unusable | null> {
  if (folder === null || options.settings === false) return null;
  return readSettings(folder).catch((error: unknown) => {
    if (error instanceof Unusable) return error;
    throw error;
  });
}

export type Into = {
  readonly context: Context;
  readonly client: Client;
  readonly blogId: string;
  readonly service: Service;
  readonly pace: Pace;
  readonly options: Options;
};

/**
 * Applies blog.yaml to the blog, or only says so in a dry run. Settings are applied to a blog without articles, or with
 * `--settings`. Missing tags and authors are always created. Those that differ are updated if the settings are applied,
 * or with `--update-existing`.
 */
export async function applyBlogFile(into: Into, file: BlogFile | Unusable, account: Account): Promise<void> {
  const { context, client, blogId, service, pace, options } = into;
  const isDry = options.dryRun === true;
  if (file instanceof Unusable) {
    context.output.warn(`blog.yaml: nothing of it is applied. ${toPrintableLine(file.message)}`);
    account.settings = { applied: false, problem: file.message };
    return;
  }
  const applies = options.settings === true || (await service.isEmpty());
  if (applies && Object.keys(file.settings).length > 0)
    account.settings = await applyOrTell(into, file.settings, isDry);
  const overwrite = applies || options.updateExisting === true;
  account.terms = await applyTerms({ client, blogId, pace, signal: context.signal, overwrite, isDry }, file.terms);
  reportTerms(context, account.terms, isDry);
}

async function applyOrTell(
  { context: { output }, client, blogId }: Into,
  settings: Settings,
  isDry: boolean,
): Promise<SettingsOutcome> {
  if (isDry) {
    output.note("The blog would get the settings in blog.yaml.");
    return { applied: false, problem: null };
  }
  const outcome = await applySettings(client, blogId, settings);
  const { applied, problem } = outcome;
  if (problem === null) output.note("The blog now has the settings in blog.yaml.");
  else output.warn(`blog.yaml: the blog's ${applied ? "topic sources" : "settings"} stay as they were. ${problem}`);
  return outcome;
}

function reportTerms({ output }: Context, terms: TermsOutcome, isDry: boolean): void {
  const { created, updated, unchanged, different, failed } = terms;
  if (created + updated + unchanged + different.length + failed.length === 0) return;
  const verb = isDry ? "would be " : "";
  const counts = `${created} ${verb}created, ${updated} ${verb}updated, ${unchanged} unchanged`;
  output.note(`Tags and authors in blog.yaml: ${counts}.`);
  for (const { name, reason } of failed) output.warn(`blog.yaml: ${name}: ${toPrintableLine(reason)}`);
  if (different.length === 0) return;
  const named = different.slice(0, 10).map(toPrintableLine).join(", ") + (different.length > 10 ? " …" : "");
  output.warn(`blog.yaml: these differ on the service and stay as they are (--settings overwrites them): ${named}`);
}

/**
 * Returns the error for what could not be applied: a file that cannot be used, tags and authors, or settings with
 * `--settings`.
 */
export function findUnapplied(
  { settings, terms }: Account,
  file: BlogFile | Unusable | null,
  options: Options,
): CliError | null {
  if (file instanceof Unusable) {
    const hint = "--no-settings leaves the file alone.";
    return new CliError("import_incomplete", `blog.yaml cannot be used: ${file.message}`, EXIT.failed, { hint });
  }
  const failed = terms?.failed.length ?? 0;
  if (failed > 0) {
    const message = `${formatCount(failed, "tag or author", "tags or authors")} in blog.yaml could not be imported.`;
    return new CliError("import_incomplete", message);
  }
  if (options.settings !== true || settings === null || settings.problem === null) return null;
  return new CliError("import_incomplete", `Not all settings in blog.yaml could be applied. ${settings.problem}`);
}
