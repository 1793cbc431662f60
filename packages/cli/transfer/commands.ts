import { InvalidArgumentError, Option, type Command } from "commander";
import { RATES } from "../../../src/domain/rates.ts";
import { canonicalizeLocale } from "../../../src/domain/locale.ts";
import { isWebUrl } from "../../../src/lib/web-url.ts";
import { getGroup } from "../commands/declare.ts";
import { BLOG, DRAFTS, PUBLISHED, wholeNumber } from "../commands/shared.ts";
import type { Context } from "../context.ts";
import { usageError } from "../failure.ts";
import { exportBlog, type ExportOptions } from "./export-command.ts";
import { exportOrganization } from "./organization-export.ts";
import { importInto, type ImportOptions } from "./import-command.ts";
import { FORMATS } from "../../import/source.ts";

const IMPORT_HELP = `
Articles that the source does not call published or drafts become drafts; --publish publishes them.
What is not understood to be public stays a draft, and is named with the reason.
To resume an import that was interrupted, run the same command again.

Examples:
  $ edgepress import content/posts --blog field-notes --dry-run
  $ edgepress import ghost-export.json --blog field-notes --site-url https://old.example.com
  $ edgepress import wordpress.xml --blog field-notes --drafts --media`;

const EXPORT_HELP = `
Each article is a Markdown file with front matter, slug.locale.md; blog.yaml contains the blog's settings.

Examples:
  $ edgepress export backup --blog field-notes
  $ edgepress export german --blog field-notes --locale de --published`;

const ORGANIZATION_HELP = `
It needs an operator token (EDGEPRESS_OPERATOR_TOKEN). The folder is an archive, which an operator of an installation of the same
version restores. Without keys, tokens, passwords, signing secrets and invitations. To resume an export that was interrupted, run the
same command again.

Example:
  $ edgepress organization export acme`;

export function addTransferCommands(program: Command, context: Context): void {
  program
    .command("import")
    .summary("import articles from files into a blog")
    .description("Import a folder of Markdown files, an export of Ghost (JSON) or of WordPress (WXR) into a blog.")
    .argument("<path>", "the folder or file")
    .option(...BLOG)
    .addOption(new Option("--format <format>", "its format, if the content does not show it").choices(FORMATS))
    .option("--publish", "publish everything that the source does not mark as a draft")
    .addOption(new Option("--drafts", "make everything a draft").conflicts("publish"))
    .option("--locale <tag>", "the locale of articles that name none (default: the blog's default)", parseLocale)
    .option("--pages", "import pages as well as posts (Ghost, WordPress)")
    .option("--rename-duplicates", "give articles whose slug another one has a number behind it")
    .option("--site-url <url>", "where the old site was (Ghost, WordPress)", parseSiteUrl)
    .option("--media", "bring the pictures along, into the library: the service fetches them from their addresses")
    .option("--update-existing", "overwrite articles that are different on the service")
    .option("--settings", "apply the settings in blog.yaml to the blog (always applied to an empty blog)")
    .option("--no-settings", "leave the blog's settings as they are")
    .option("--dry-run", "read and check everything, and send nothing")
    .option("--concurrency <number>", "requests at once", wholeNumber(1, 16), 4)
    .option("--rate <number>", "requests a minute that the service accepts", wholeNumber(1, 1_000_000), RATES.calls)
    .addHelpText("after", IMPORT_HELP)
    .action((given: string, options: ImportOptions) => importInto(context, given, options));

  program
    .command("export")
    .summary("write a blog's articles into a folder")
    .description("Write a blog's articles into a folder, as Markdown files with front matter.")
    .argument("<folder>", "the folder; it is created if it does not exist")
    .option(...BLOG)
    .option("--locale <tag>", "only this locale", parseLocale)
    .addOption(PUBLISHED)
    .addOption(DRAFTS)
    .option("--full", "also write what an import cannot set: identifiers, times, the vanityId")
    .option("--force", "overwrite files that are different")
    .addHelpText("after", EXPORT_HELP)
    .action((folder: string, options: ExportOptions) => exportBlog(context, folder, options));

  getGroup(program, "organization")
    .command("export")
    .summary("write everything of the organization into a folder")
    .description(
      "Write all rows and files of the organization into a folder: articles with their history, images, contacts, the audit log.",
    )
    .argument("<folder>", "the folder; it is created if it does not exist")
    .addHelpText("after", ORGANIZATION_HELP)
    .action((folder: string) => exportOrganization(context, folder));
}

function parseLocale(tag: string): string {
  const canonical = canonicalizeLocale(tag);
  if (canonical === null) throw new InvalidArgumentError("It is not a BCP 47 language tag, such as en or pt-BR.");
  return canonical;
}

function parseSiteUrl(url: string): string {
  if (!isWebUrl(url)) {
    throw usageError(`${url} is not a web address.`, "For example: --site-url https://old.example.com");
  }
  return url.replace(/\/+$/, "");
}
