/** What `edgepress import` does. */
import * as z from "zod";
import { path as route, type Client } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, interrupted } from "../failure.ts";
import { printableLine } from "../terminal.ts";
import { Unusable } from "./article.ts";
import { detect } from "./detect.ts";
import { dryDelivery } from "./dry-run.ts";
import { doneIn, incomplete, runImport, storedIn, toService, type Account } from "./import.ts";
import { openJournal, readJournal } from "./journal.ts";
import { openPace } from "./pace.ts";
import { Remarks } from "./remarks.ts";
import { openService, readAs, type Service } from "./service.ts";
import { applySettings, readSettings } from "./settings.ts";
import type { Format, Source, Wishes } from "./source.ts";

export type ImportOptions = {
  readonly blog?: string;
  readonly format?: Format;
  readonly publish?: boolean;
  readonly drafts?: boolean;
  readonly locale?: string;
  readonly pages?: boolean;
  readonly siteUrl?: string;
  readonly updateExisting?: boolean;
  /** Undefined where nothing was said. */
  readonly settings?: boolean;
  readonly dryRun?: boolean;
  readonly concurrency: number;
  readonly rate: number;
};

export async function importInto(context: Context, given: string, options: ImportOptions): Promise<void> {
  const found = await detect(given, options.format);
  const client = await context.client();
  const blogId = await context.blog(options.blog);
  const remarks = new Remarks();
  const source = await opened(given, found.open(found.path, await wishesOf(client, blogId, options), remarks));
  const pace = openPace(options.rate, context.signal);
  const service = openService(client, blogId, pace);
  const of = { server: client.server, blogId, source: found.path };
  const isDry = options.dryRun === true;
  const journal = isDry ? null : await openJournal(of, context.env);
  const account: Account = { counts: { created: 0, updated: 0, unchanged: 0, present: 0 }, failed: [] };
  const progress = context.output.progress(isDry ? "Checking" : "Importing", source.total);
  try {
    if (source.format === "markdown" && !isDry)
      await settle(context, client, service, { folder: found.path, blogId, options });
    const overwrite = options.updateExisting === true;
    const deliver =
      journal === null
        ? await dryDelivery(service, await readJournal(of, context.env), overwrite)
        : toService({ of, service, journal, overwrite });
    const { concurrency } = options;
    const onFailed = ({ name, reason }: { name: string; reason: string }) =>
      context.output.warn(`${printableLine(name)}: ${printableLine(reason)}`);
    await runImport({ source, deliver, concurrency, signal: context.signal, progress, pace, onFailed }, account);
  } catch (error) {
    throw isDry ? error : withRemedy(error, account);
  } finally {
    progress.end();
    await journal?.close();
  }
  tell(context, source, account, remarks, isDry);
}

/** Reads through the whole source; what makes it useless as a whole is said before anything is sent. */
async function opened(given: string, opening: Promise<Source>): Promise<Source> {
  const source = await opening.catch((error: unknown) => {
    if (!(error instanceof Unusable)) throw error;
    throw new CliError("file_error", `${given} ${error.message}.`, EXIT.failed, { cause: error });
  });
  if (source.total > 0) return source;
  throw new CliError("usage", `${given} contains nothing to import.`, EXIT.usage);
}

const blog = z.object({ locales: z.array(z.string()) });

async function wishesOf(client: Client, blogId: string, options: ImportOptions): Promise<Wishes> {
  // The public details: they need no scope that the credential may lack.
  const { value } = await client.get(route`/blogs/${blogId}`);
  const publication = options.drafts === true ? "drafts" : options.publish === true ? "publish" : "source";
  const locale = options.locale ?? readAs(blog, value).locales[0] ?? "en";
  return { locale, publication, pages: options.pages === true, siteUrl: options.siteUrl ?? "" };
}

type Settling = { readonly folder: string; readonly blogId: string; readonly options: ImportOptions };

/** Settings beside the articles go to a blog without articles, or where it was asked for: before any article. */
async function settle(
  { output }: Context,
  client: Client,
  service: Service,
  { folder, blogId, options }: Settling,
): Promise<void> {
  if (options.settings === false) return;
  const settings = await readSettings(folder).catch((error: unknown) => {
    if (!(error instanceof Unusable)) throw error;
    output.warn(`blog.yaml: ${error.message}`);
    return null;
  });
  if (settings === null || !(options.settings === true || (await service.isEmpty()))) return;
  const refused = await applySettings(client, blogId, settings);
  if (refused === null) output.note("The blog now has the settings in blog.yaml.");
  else output.warn(`blog.yaml: the blog's settings stay as they were. ${refused}`);
}

/** What stops an import leaves what is done: the same command goes on. */
function withRemedy(error: unknown, account: Account): unknown {
  if (!(error instanceof CliError)) return error;
  const hint = [error.details.hint, `${storedIn(account)} are done. Run the same command again to continue.`]
    .filter(Boolean)
    .join(" ");
  return new CliError(error.code, error.message, error.exit, { ...error.details, hint });
}

function tell({ output, signal }: Context, source: Source, account: Account, remarks: Remarks, isDry: boolean): void {
  const { counts, failed } = account;
  const done = doneIn(account);
  const result = {
    format: source.format,
    total: source.total,
    ...counts,
    failed,
    remarks: remarks.list(),
    dryRun: isDry,
  };
  output.result(result, () => {
    const verb = isDry ? "would be " : "";
    const parts = [`${counts.created} ${verb}created`, `${counts.updated} ${verb}updated`];
    parts.push(`${counts.unchanged + counts.present} unchanged`, `${failed.length} failed`);
    const left = done < source.total ? [`${source.total - done} not started`] : [];
    const noted = remarks.list().map(({ what, times }) => `  ${times} ${printableLine(what)}`);
    return [`${source.total} in all: ${[...parts, ...left].join(", ")}.`, ...noted].join("\n");
  });
  if (signal.aborted) {
    if (!isDry) output.note("Run the same command again to continue.");
    throw interrupted();
  }
  const error = incomplete(account, source.total, isDry);
  if (error !== null) throw error;
}
