/** The commands `redirects …`. */
import { Option, type Command } from "commander";
import { REDIRECT_LIMITS } from "../../../src/domain/redirects.ts";
import { redirectRowsOf, type RedirectRow } from "../../../src/domain/redirects-csv.ts";
import { chunks } from "../../../src/lib/chunks.ts";
import type { ListedRedirect, NewRedirect, RedirectOutcome } from "../api.ts";
import { path } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, usage } from "../failure.ts";
import { printableLine } from "../terminal.ts";
import { csvOfFile } from "./csv-file.ts";
import { articlePattern, BLOG, counted, given, pathOf } from "./shared.ts";

type Options = {
  readonly blog?: string;
  readonly query?: string;
  readonly format?: "redirects";
  readonly path?: string;
  readonly article?: string;
  readonly yes?: boolean;
};

export function addRedirectCommands(program: Command, context: Context): void {
  const redirects = program
    .command("redirects")
    .description("redirects of a blog's site: old paths, and where they lead");
  redirects
    .command("list")
    .description("list the redirects of a blog")
    .option(...BLOG)
    .option("--query <text>", "only redirects with this text in one of their paths")
    .addOption(new Option("--format <name>", "write lines of a _redirects file").choices(["redirects"]))
    .option("--path <pattern>", "the path of an article on your site, for --format", articlePattern, "/{locale}/{slug}")
    .addHelpText("after", "\nExample:\n  $ edgepress redirects list --blog field-notes")
    .action((options: Options) => list(context, options));
  redirects
    .command("add")
    .description("add a redirect")
    .argument("<from>", "the old path, such as /2012/02/old-name")
    .argument("[to]", "the new path, or an https URL; or name an article with --article")
    .option(...BLOG)
    .option("--article <id>", "the article that it leads to, whatever its slug is")
    .addHelpText("after", "\nExample:\n  $ edgepress redirects add /2012/02/old-name /en/new-name --blog field-notes")
    .action((from: string, to: string | undefined, options: Options) => add(context, { from, to }, options));
  redirects
    .command("remove")
    .description("remove a redirect")
    .argument("<from>", "the path at which it begins")
    .option(...BLOG)
    .option("-y, --yes", "do not ask for confirmation")
    .addHelpText("after", "\nExample:\n  $ edgepress redirects remove /2012/02/old-name --blog field-notes --yes")
    .action((from: string, options: Options) => remove(context, from, options));
  redirects
    .command("import")
    .description("add the redirects of a CSV file with the columns from and to; - is standard input")
    .argument("<file>", "the CSV file")
    .option(...BLOG)
    .addHelpText("after", "\nExample:\n  $ edgepress redirects import redirects.csv --blog field-notes")
    .action((file: string, options: Options) => importCsv(context, file, options));
}

async function list(context: Context, { blog, query, format, path: place = "" }: Options): Promise<void> {
  const { output } = context;
  const blogId = await context.blog(blog);
  const service = await context.client();
  const found: ListedRedirect[] = [];
  for await (const each of service.items<ListedRedirect>(path`/api/blogs/${blogId}/redirects`, given({ query })))
    found.push(each);
  if (format === "redirects" && !output.json) {
    return output.raw(found.map((each) => lineOf(each, place)).join(""));
  }
  output.result(found, () =>
    found.length === 0
      ? "No redirects."
      : output.table(
          [
            { head: "FROM", cell: ({ from }) => from, shrinks: true },
            { head: "TO", cell: ({ to, article }) => to ?? article?.slug ?? "", shrinks: true },
            { head: "LOCALE", cell: ({ article }) => article?.locale ?? "" },
            {
              head: "STATUS",
              cell: ({ article }) => (article === null ? "" : article.published ? "published" : "draft"),
            },
          ],
          found,
        ),
  );
}

/** Returns a redirect as a line of a `_redirects` file; "" for one that leads to a draft, or begins at a query. */
function lineOf({ from, to, article }: ListedRedirect, place: string): string {
  if (from.includes("?") || article?.published === false) return "";
  return `${encodeURI(from)} ${to ?? (article === null ? "" : pathOf(place, article))} 301\n`;
}

async function add(
  context: Context,
  { from, to }: { from: string; to: string | undefined },
  options: Options,
): Promise<void> {
  const blogId = await context.blog(options.blog);
  const service = await context.client();
  const { value: added } = await service.request<NewRedirect>({
    method: "POST",
    path: path`/api/blogs/${blogId}/redirects`,
    body: given({ from, to, articleId: options.article }),
  });
  const target = added.to ?? `the article ${added.articleId}`;
  context.output.result(added, () => `${printableLine(added.from)} leads to ${printableLine(target)}.`);
  if (added.overridden) context.output.warn(OVERRIDDEN);
}

const OVERRIDDEN = "The site has an article or a page at this path, which readers see instead.";

async function remove(context: Context, from: string, { blog, yes }: Options): Promise<void> {
  const blogId = await context.blog(blog);
  const service = await context.client();
  const place = path`/api/blogs/${blogId}/redirects`;
  const named = from.replace(/(.)\/+$/, "$1");
  for await (const each of service.items<ListedRedirect>(place, { query: named })) {
    if (each.from !== named) continue;
    await context.confirm(`Remove the redirect from ${printableLine(named)}?`, yes);
    const { value } = await service.request<{ _id: string }>({ method: "DELETE", path: `${place}/${each._id}` });
    return context.output.result(value, () => `Removed ${printableLine(named)}.`);
  }
  throw new CliError("not_found", `The blog has no redirect from ${named}.`, EXIT.notFound);
}

async function importCsv(context: Context, file: string, { blog }: Options): Promise<void> {
  const { output } = context;
  const rows = await csvOfFile(file, context, redirectRowsOf);
  if (rows.length === 0) throw usage(`${file} has no redirects.`);
  const blogId = await context.blog(blog);
  const service = await context.client();
  const outcomes: { row: RedirectRow; got: RedirectOutcome }[] = [];
  const progress = output.progress("Adding redirects", rows.length);
  try {
    for (const some of chunks(rows, REDIRECT_LIMITS.rows)) {
      const { value } = await service.request<RedirectOutcome[]>({
        method: "POST",
        path: path`/api/blogs/${blogId}/redirects/bulk`,
        body: { redirects: some.map(({ from, to }) => ({ from, to })) },
      });
      outcomes.push(...some.flatMap((row, nth) => (value[nth] === undefined ? [] : [{ row, got: value[nth] }])));
      progress.advance(some.length);
    }
  } finally {
    progress.end();
  }
  tell(context, file, outcomes);
}

function tell(
  { output }: Context,
  file: string,
  outcomes: readonly { row: RedirectRow; got: RedirectOutcome }[],
): void {
  const count = (kind: RedirectOutcome["outcome"]) => outcomes.filter(({ got }) => got.outcome === kind).length;
  const refused = outcomes.flatMap(({ row, got: { outcome, code, detail } }) =>
    outcome === "refused" ? [{ ...row, code, detail }] : [],
  );
  const overridden = outcomes.flatMap(({ row: { line, from }, got }) => (got.overridden ? [{ line, from }] : []));
  for (const { line, from, detail } of refused) output.warn(`${file}, line ${line}: ${printableLine(from)}: ${detail}`);
  for (const { line, from } of overridden) output.warn(`${file}, line ${line}: ${printableLine(from)}: ${OVERRIDDEN}`);
  const counts = { created: count("created"), unchanged: count("unchanged") };
  output.result(
    { ...counts, refused, overridden },
    () =>
      `${counted(outcomes.length, "redirect")}: ${counts.created} created, ${counts.unchanged} unchanged, ${refused.length} refused.`,
  );
  if (refused.length > 0)
    throw new CliError(
      "import_incomplete",
      `${counted(refused.length, "redirect was", "redirects were")} refused.`,
      EXIT.failed,
    );
}
