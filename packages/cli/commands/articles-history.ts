/** The commands `articles revisions`, `diff`, `restore` and `draft`. */
import { Argument, type Command } from "commander";
import type { Article, Revision, RevisionComparison, WorkingCopy, WorkingCopyInput } from "../api.ts";
import { path, type Answer } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, usage } from "../failure.ts";
import { printable } from "../terminal.ts";
import { findOne, stateOf, textRows, type Which } from "./articles-read.ts";
import { membersOf, nameOf, storedSeo, type WriteOptions } from "./articles-write.ts";
import { withWholeSeo } from "./seo.ts";
import { BLOG, given, wholeNumber, when } from "./shared.ts";

const NAMED = ["<id-or-slug>", "the article"] as const;
const LOCALE = ["--locale <tag>", "the locale of the article, if it is named by its slug"] as const;
const number = () => new Argument("<number>", "a version, by its number").argParser(wholeNumber(1, 999_999_999));

export function addHistoryCommands(articles: Command, context: Context): void {
  const named = (name: string, description: string) =>
    articles
      .command(name)
      .description(description)
      .argument(...NAMED)
      .option(...BLOG)
      .option(...LOCALE);
  named("revisions", "list the earlier versions of an article, newest first")
    .alias("history")
    .addHelpText("after", "\nExample:\n  $ edgepress articles revisions slow-mornings --blog field-notes")
    .action((article: string, options: Which) => revisions(context, article, options));
  named("diff", "show how an earlier version differs from the article, or from another version")
    .addArgument(number())
    .option("--with <number>", "the other version", wholeNumber(1, 999_999_999))
    .addHelpText("after", "\nExample:\n  $ edgepress articles diff slow-mornings 2 --blog field-notes")
    .action((article: string, of: number, options: Which & { with?: number }) => diff(context, article, of, options));
  named("restore", "restore the texts of an earlier version; the article stays published, or a draft")
    .addArgument(number())
    .addHelpText("after", "\nExample:\n  $ edgepress articles restore slow-mornings 2 --blog field-notes")
    .action((article: string, of: number, options: Which) => restore(context, article, of, options));
}

async function revisions(context: Context, named: string, which: Which): Promise<void> {
  const { output } = context;
  const { value: target } = await findOne(context, named, which);
  const service = await context.client();
  const { value: found } = await service.get<Revision[]>(path`/api/articles/${target._id}/revisions`);
  output.result(found, () =>
    found.length === 0
      ? "No earlier versions."
      : output.table(
          [
            { head: "VERSION", cell: (state) => String(state.number) },
            { head: "SAVED", cell: ({ lastEditTime }) => when(lastEditTime) },
            { head: "BY", cell: ({ by }) => (by === null ? "" : `${by.kind} ${by.id}`), drops: true },
            {
              head: "STATUS",
              cell: ({ published, workingCopy }) => (workingCopy ? "working copy" : stateOf(published)),
            },
            { head: "TITLE", cell: ({ title }) => title, shrinks: true },
          ],
          found,
        ),
  );
}

async function diff(
  context: Context,
  named: string,
  of: number,
  { with: other, ...which }: Which & { readonly with?: number },
): Promise<void> {
  const { output } = context;
  const { value: target } = await findOne(context, named, which);
  const service = await context.client();
  const place = path`/api/articles/${target._id}/revisions/${String(of)}/diff`;
  const { value } = await service.get<RevisionComparison>(place, given({ with: other }));
  output.result(value, () => {
    const fields = value.fields.map(({ name, before, after }) => `${name}\n-${before}\n+${after}\n`);
    const lines = value.content === null ? "content\nToo many lines differ.\n" : value.content.unified;
    const shown = [...fields, lines].filter((part) => part !== "").join("\n");
    return shown === "" ? "No differences." : printable(shown.trimEnd());
  });
}

async function restore(context: Context, named: string, of: number, which: Which): Promise<void> {
  const { value: target, etag } = await findOne(context, named, which);
  const service = await context.client();
  const place = path`/api/articles/${target._id}/revisions/${String(of)}/restore`;
  const { value } = await service.request<Article>({ method: "POST", path: place, ifMatch: etag });
  context.output.result(
    value,
    () => `${nameOf(value)} now has the texts of version ${of}: ${stateOf(value.published)}.`,
  );
}

export function addDraftCommands(
  articles: Command,
  withMembers: (command: Command) => Command,
  context: Context,
): void {
  const draft = articles
    .command("draft")
    .description("the working copy of a published article, which readers do not see");
  const named = (name: string, description: string) =>
    draft
      .command(name)
      .description(description)
      .argument(...NAMED)
      .option(...BLOG)
      .option(...LOCALE);
  named("show", "show the article as it would be published")
    .addHelpText("after", "\nExample:\n  $ edgepress articles draft show slow-mornings --json | jq .changed")
    .action((article: string, which: Which) => show(context, article, which));
  withMembers(named("save", "change the working copy, or start one; options that are left out change nothing"))
    .option("--new-locale <tag>", "move it to this locale")
    .addHelpText("after", "\nExample:\n  $ edgepress articles draft save slow-mornings --content slow-mornings.md")
    .action((article: string, options: WriteOptions) => save(context, article, options));
  named("discard", "delete the working copy; the article stays as it is")
    .option("-y, --yes", "do not ask for confirmation")
    .addHelpText("after", "\nExample:\n  $ edgepress articles draft discard slow-mornings --yes")
    .action((article: string, options: Which & { yes?: boolean }) => discard(context, article, options));
  named("publish", "publish the working copy")
    .option("--overwrite", "even if the article has changed since the copy was started")
    .addHelpText("after", "\nExample:\n  $ edgepress articles draft publish slow-mornings --blog field-notes")
    .action((article: string, options: Which & { overwrite?: boolean }) => publish(context, article, options));
}

const draftOf = (id: string): string => path`/api/articles/${id}/draft`;

/** Returns the working copy of an article with its ETag; null if it has none. */
async function copyOf(context: Context, id: string): Promise<Answer<WorkingCopy> | null> {
  const service = await context.client();
  try {
    return await service.get<WorkingCopy>(draftOf(id));
  } catch (error) {
    if (error instanceof CliError && error.code === "not_found") return null;
    throw error;
  }
}

/** Returns the ETag of the working copy, for a write that is meant for this one. Throws `not_found` if there is none. */
async function versionOf(context: Context, id: string): Promise<string | undefined> {
  const service = await context.client();
  return (await service.get<WorkingCopy>(draftOf(id))).etag;
}

async function show(context: Context, named: string, which: Which): Promise<void> {
  const { output } = context;
  const { value: target } = await findOne(context, named, which);
  const service = await context.client();
  const { value: copy } = await service.get<WorkingCopy>(draftOf(target._id));
  output.result(copy, () => {
    const shown = output.members([
      ["id", copy.articleId],
      ...textRows(copy),
      ["changed", copy.changed.join(", ")],
      ["saved", when(copy.lastEditTime)],
      ["article has changed", copy.articleChanged ? "yes" : "no"],
    ]);
    return `${shown}\n\n${printable(copy.content)}`;
  });
}

async function save(context: Context, named: string, options: WriteOptions): Promise<void> {
  const { blog, locale, newLocale, ...rest } = options;
  const members = { ...(await membersOf(context, rest)), ...given({ locale: newLocale }) };
  if (Object.keys(members).length === 0) throw usage("Nothing to change. Pass at least one option.");
  const { value: target, etag } = await findOne(context, named, given({ blog, locale }));
  const service = await context.client();
  const copy = await copyOf(context, target._id);
  const seo = async () => copy?.value.seo ?? (await storedSeo(context, target._id));
  const body = (await withWholeSeo(members, seo)) satisfies WorkingCopyInput;
  const ifMatch = copy === null ? etag : copy.etag;
  const { value } = await service.request<WorkingCopy>({ method: "PUT", path: draftOf(target._id), body, ifMatch });
  context.output.result(value, () => `Saved the working copy of ${nameOf(target)}. Readers do not see it yet.`);
}

async function discard(context: Context, named: string, options: Which & { readonly yes?: boolean }): Promise<void> {
  const { value: target } = await findOne(context, named, options);
  const ifMatch = await versionOf(context, target._id);
  await context.confirm(`Discard the working copy of ${nameOf(target)}?`, options.yes);
  const service = await context.client();
  const { value } = await service.request<{ _id: string }>({ method: "DELETE", path: draftOf(target._id), ifMatch });
  context.output.result(value, () => `Discarded the working copy of ${nameOf(target)}.`);
}

async function publish(
  context: Context,
  named: string,
  { overwrite = false, ...which }: Which & { readonly overwrite?: boolean },
): Promise<void> {
  const { value: target } = await findOne(context, named, which);
  const service = await context.client();
  const ifMatch = await versionOf(context, target._id);
  const request = { method: "POST", path: `${draftOf(target._id)}/publish`, body: { overwrite }, ifMatch } as const;
  const { value } = await service.request<Article>(request);
  context.output.result(value, () => `${nameOf(value)} is published as in its working copy.`);
}
