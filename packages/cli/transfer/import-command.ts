import type { Client } from "../client.ts";
import { formatCount } from "../commands/shared.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, interruptedError, usageError } from "../failure.ts";
import { toPrintableLine } from "../terminal.ts";
import { Unusable } from "../../import/article.ts";
import { addChoice, type Choice } from "../../import/choices.ts";
import { applyBlogFile, readBlogFile, findUnapplied } from "./blog-file.ts";
import { importArticle, type Destination } from "./import-article.ts";
import { detect } from "./detect.ts";
import { makeDryRunService } from "./dry-run.ts";
import {
  countDone,
  makeIncompleteError,
  makeAccount,
  runImport,
  countStored,
  type Account,
  type Run,
} from "./import.ts";
import { openJournal, readJournal } from "./journal.ts";
import { followRenames, recover } from "./recovery.ts";
import { openPace, type Pace } from "./pace.ts";
import { openPictures, type PicturesOutcome } from "./pictures.ts";
import { Redirects, type RedirectsOutcome } from "./redirects.ts";
import { Remarks } from "../../import/remarks.ts";
import { openService } from "./service.ts";
import type { BlogFile } from "./settings.ts";
import type { Format, Source, Wishes } from "../../import/source.ts";

export type ImportOptions = {
  readonly blog?: string;
  readonly format?: Format;
  readonly publish?: boolean;
  readonly drafts?: boolean;
  readonly locale?: string;
  readonly pages?: boolean;
  readonly renameDuplicates?: boolean;
  readonly siteUrl?: string;
  readonly updateExisting?: boolean;
  /** True for `--settings`, false for `--no-settings`, undefined without either. */
  readonly settings?: boolean;
  readonly media?: boolean;
  readonly dryRun?: boolean;
  readonly concurrency: number;
  readonly rate: number;
};

export async function importInto(context: Context, given: string, options: ImportOptions): Promise<void> {
  if (given === "") throw usageError("Name the folder or file to import.");
  const found = await detect(given, options.format);
  const pace = openPace(options.rate, context.signal);
  const server = await context.server();
  const client = await context.client({ finishes: true });
  const blogId = await context.blog(options.blog);
  const isDry = options.dryRun === true;
  const scopes = isDry ? await requireGrant(client) : null;
  const remarks = new Remarks();
  const { wishes, locales } = await loadWishes(client, blogId, options);
  const source = await openSource(given, found.open(found.path, wishes, remarks));
  const blogFile = await readBlogFile(found.isFolder ? found.path : null, options);
  if (source.keys.size === 0 && blogFile === null) throw usageError(`${given} contains nothing to import.`);
  const service = openService(client, blogId, pace);
  const of = { server, blogId, source: found.path };
  const journal = isDry ? await readJournal(of, context.env) : await openJournal(of, context.env);
  const account = makeAccount();
  const progress = context.output.progress(isDry ? "Checking" : "Importing", source.keys.size);
  try {
    if (blogFile !== null) {
      await applyBlogFile({ context, client, blogId, service, pace, options }, blogFile, account);
    }
    const into: Destination = {
      of,
      service: isDry ? await makeDryRunService(service, locales) : service,
      journal,
      keys: source.keys,
      overwrite: options.updateExisting === true,
    };
    await recover(into.service, journal, context.signal);
    if (source.format === "markdown") {
      await followRenames(await found.open(found.path, wishes, new Remarks()), journal, context.signal);
    }
    const around = { context, options, client, server, blogId, pace, scopes, source, remarks, progress };
    await importAll(into, account, around);
  } catch (error) {
    throw isDry ? error : addResumeHint(error, account);
  } finally {
    progress.end();
    await journal.close();
  }
  reportOutcome({ context, source, blogFile, account, remarks, options });
}

type Around = Pick<Run, "source" | "remarks" | "progress"> & {
  readonly context: Context;
  readonly options: ImportOptions;
  readonly client: Client;
  readonly pace: Pace;
  readonly server: string;
  readonly blogId: string;
  readonly scopes: readonly string[] | null;
};

/** Imports the articles with their pictures, and then their old addresses. */
async function importAll(into: Destination, account: Account, around: Around): Promise<void> {
  const { context, options, client, server, blogId, pace, scopes, source, remarks, progress } = around;
  const { journal } = into;
  const { output, signal } = context;
  const { media, dryRun, concurrency } = options;
  const manner = media !== true ? "known" : dryRun === true ? "dry" : "fetch";
  const pictures = openPictures({ client, server, journal, pace, manner });
  if (media === true) account.media = pictures.outcome;
  const redirects = new Redirects({ client, blogId, pace, signal, scopes });
  const run: Run = {
    source,
    concurrency,
    signal,
    progress,
    remarks,
    async importArticle(key, article, remarks) {
      const outcome = await importArticle(into, key, await pictures.withPictures(article, remarks));
      const { id } = journal.get(key) ?? {};
      if (id !== undefined) redirects.add(key, id, article, remarks);
      return outcome;
    },
    onFailed: ({ name, reason }) => output.warn(`${toPrintableLine(name)}: ${toPrintableLine(reason)}`),
  };
  await runImport(run, account);
  progress.say("old addresses");
  account.redirects = await redirects.send(source.keys);
}

/** Returns the caller's scopes. Throws `scope_missing` without articles:write: a dry run sends no write to find out. */
async function requireGrant(client: Client): Promise<string[]> {
  const { scopes } = (await client.request("GET /api/me")).value;
  if (scopes.includes("articles:write")) return scopes;
  throw new CliError("scope_missing", "This needs the scope articles:write.", EXIT.signIn);
}

function openSource(given: string, opening: Promise<Source>): Promise<Source> {
  return opening.catch((error: unknown) => {
    if (!(error instanceof Unusable)) throw error;
    throw new CliError("file_error", `${given} ${error.message}.`, EXIT.failed, { cause: error });
  });
}

async function loadWishes(client: Client, blogId: string, options: ImportOptions) {
  // This path needs no scope. The credential may lack blogs:read.
  const { locales } = await client.blogs.get(blogId);
  const publication = options.drafts === true ? "drafts" : options.publish === true ? "publish" : "source";
  const locale = options.locale ?? locales[0] ?? "en";
  const wishes: Wishes = {
    locale,
    publication,
    pages: options.pages === true,
    renameDuplicates: options.renameDuplicates === true,
    siteUrl: options.siteUrl ?? "",
    media: options.media === true,
  };
  return { wishes, locales };
}

function addResumeHint(error: unknown, account: Account): unknown {
  if (!(error instanceof CliError)) return error;
  const hint = [error.details.hint, `${countStored(account)} are done. Run the same command again to continue.`]
    .filter(Boolean)
    .join(" ");
  return new CliError(error.code, error.message, error.exit, { ...error.details, hint });
}

const formatPictures = ({ brought, known, failed }: PicturesOutcome, verb: string): string =>
  `Pictures: ${brought} ${verb}brought along, ${known} here already, ${failed.length} left where they are.`;

const formatRedirects = ({ created, unchanged, failed }: RedirectsOutcome, isDry: boolean): string =>
  isDry
    ? `Old addresses: ${created} would lead to the articles, ${failed} would not.`
    : `Old addresses: ${created} lead to the articles now, ${unchanged} did already, ${failed} do not.`;

const OPTIONS: Readonly<Record<Choice, string>> = {
  pages: "--pages",
  pictures: "--media",
  siteUrl: "--site-url",
  renameDuplicates: "--rename-duplicates",
  publication: "--publish",
};

const nameOptions = (said: string): string => addChoice(said, (choice) => OPTIONS[choice]);

type Telling = {
  readonly context: Context;
  readonly source: Source;
  readonly blogFile: BlogFile | Unusable | null;
  readonly account: Account;
  readonly remarks: Remarks;
  readonly options: ImportOptions;
};

function reportOutcome({ context: { output, signal }, source, blogFile, account, remarks, options }: Telling): void {
  const { counts, settings, terms, media, redirects } = account;
  // Concurrent requests end in any order, but the same import shows the same result.
  const failed = account.failed.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const isDry = options.dryRun === true;
  const total = source.keys.size;
  const done = countDone(account);
  const result = {
    format: source.format,
    total,
    ...counts,
    failed,
    remarks: remarks.list(),
    notes: remarks.listNotes(),
    settings,
    terms,
    media,
    redirects,
    dryRun: isDry,
  };
  for (const { name, reasons } of remarks.listByArticle()) {
    output.warn(`${toPrintableLine(name)}: ${toPrintableLine(reasons.map(nameOptions).join("; "))}`);
  }
  if (redirects !== null && redirects.problem !== null) {
    output.warn(`${formatCount(redirects.failed, "old address", "old addresses")} not kept. ${redirects.problem}`);
  }
  output.result(result, () => {
    const verb = isDry ? "would be " : "";
    const parts = [`${counts.created} ${verb}created`, `${counts.updated} ${verb}updated`];
    parts.push(`${counts.unchanged + counts.present} unchanged`, `${failed.length} failed`);
    const left = done < total ? [`${total - done} not started`] : [];
    const noted = remarks.list().map(({ what, times }) => `  ${toPrintableLine(nameOptions(what))}: ${times}`);
    const pictures = media === null ? [] : [formatPictures(media, verb)];
    const old = redirects === null ? [] : [formatRedirects(redirects, isDry)];
    return [`${total} in all: ${[...parts, ...left].join(", ")}.`, ...pictures, ...old, ...noted].join("\n");
  });
  if (signal.aborted) {
    if (!isDry) output.note("Run the same command again to continue.");
    throw interruptedError();
  }
  const error = makeIncompleteError(account, total, isDry) ?? findUnapplied(account, blogFile, options);
  if (error !== null) throw error;
}
