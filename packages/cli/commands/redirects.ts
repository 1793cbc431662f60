import type { Command } from "commander";
import { REDIRECT_LIMITS } from "../../../src/domain/redirects.ts";
import { parseRedirectRows, type RedirectRow } from "../../../src/domain/redirects-csv.ts";
import { toChunks } from "../../../src/lib/chunks.ts";
import type { ListedRedirect, RedirectOutcome } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import type { Column } from "../table.ts";
import { toPrintableLine } from "../terminal.ts";
import { addRows, declare, getGroup, defineRow, YES } from "./declare.ts";
import { formatState } from "./find.ts";
import { BLOG, formatCount, readCsv, fillPath, REDIRECTS_FORMAT } from "./shared.ts";

type Options = {
  readonly blog?: string;
  readonly query?: string;
  readonly format?: "redirects";
  readonly path?: string;
  readonly yes?: boolean;
};

const OVERRIDDEN = "The site has an article or a page at this path, which readers see instead.";

export function addRedirectCommands(program: Command, context: Context): void {
  addRows(program, context, [
    defineRow("POST /api/blogs/{blogId}/redirects", "redirects add", "add a redirect", {
      members: {
        from: ["<from>", "the old path, such as /2012/02/old-name"],
        to: ["[to]", "the new path, or an https URL; or name an article with --article"],
        articleId: ["--article <id>", "the article that it leads to, whatever its slug is"],
      },
      example: "redirects add /2012/02/old-name /en/new-name --blog field-notes",
      says: ({ from, to, articleId }) =>
        `${toPrintableLine(from)} leads to ${toPrintableLine(to ?? `the article ${articleId}`)}.`,
      after: ({ overridden }, output) => void (overridden && output.warn(OVERRIDDEN)),
    }),
  ]);
  const redirects = getGroup(program, "redirects");
  declare(redirects, "list", "list the redirects of a blog", {
    takes: [BLOG, ["--query <text>", "only redirects with this text in one of their paths"], ...REDIRECTS_FORMAT],
    example: "redirects list --blog field-notes",
    run: (options: Options) => list(context, options),
  });
  declare(redirects, "remove", "remove a redirect", {
    takes: [["<from>", "the path at which it begins"], BLOG, YES],
    example: "redirects remove /2012/02/old-name --blog field-notes --yes",
    run: (from: string, options: Options) => remove(context, from, options),
  });
  declare(redirects, "import", "add the redirects of a CSV file with the columns from and to; - is standard input", {
    takes: [["<file>", "the CSV file"], BLOG],
    example: "redirects import redirects.csv --blog field-notes",
    run: (file: string, options: Options) => importCsv(context, file, options),
  });
}

async function list(context: Context, { blog, query, format, path: place = "" }: Options): Promise<void> {
  const { output } = context;
  const blogId = await context.blog(blog);
  const client = await context.client();
  const input = { params: { blogId }, query: { query } };
  const found = await client.list("GET /api/blogs/{blogId}/redirects", input).all();
  if (format === "redirects" && !output.json) {
    return output.raw(found.map((each) => formatLine(each, place)).join(""));
  }
  const columns: readonly Column<ListedRedirect>[] = [
    { head: "FROM", cell: ({ from }) => from, shrinks: true },
    { head: "TO", cell: ({ to, article }) => to ?? article?.slug ?? "", shrinks: true },
    { head: "LOCALE", cell: ({ article }) => article?.locale ?? "" },
    { head: "STATUS", cell: ({ article }) => (article === null ? "" : formatState(article.published)) },
  ];
  output.list(found, columns, "No redirects.");
}

/** Returns a line of a `_redirects` file, which cannot begin at a query; "" for that and for drafts. */
function formatLine({ from, to, article }: ListedRedirect, place: string): string {
  if (from.includes("?") || article?.published === false) return "";
  return `${encodeURI(from)} ${to ?? (article === null ? "" : fillPath(place, article))} 301\n`;
}

async function remove(context: Context, from: string, { blog, yes }: Options): Promise<void> {
  const blogId = await context.blog(blog);
  const client = await context.client();
  const named = from.replace(/(.)\/+$/, "$1");
  const input = { params: { blogId }, query: { query: named } };
  for await (const each of client.list("GET /api/blogs/{blogId}/redirects", input)) {
    if (each.from !== named) continue;
    await context.confirm(`Remove the redirect from ${toPrintableLine(named)}?`, yes);
    const params = { blogId, redirectId: each._id };
    const { value } = await client.request("DELETE /api/blogs/{blogId}/redirects/{redirectId}", { params });
    return context.output.result(value, () => `Removed ${toPrintableLine(named)}.`);
  }
  throw new CliError("not_found", `The blog has no redirect from ${named}.`, EXIT.notFound);
}

async function importCsv(context: Context, file: string, { blog }: Options): Promise<void> {
  const { output } = context;
  const rows = await readCsv(file, context, parseRedirectRows);
  if (rows.length === 0) throw usageError(`${file} has no redirects.`);
  const blogId = await context.blog(blog);
  const client = await context.client();
  const outcomes: { row: RedirectRow; got: RedirectOutcome }[] = [];
  const progress = output.progress("Adding redirects", rows.length);
  try {
    for (const some of toChunks(rows, REDIRECT_LIMITS.rows)) {
      const input = { params: { blogId }, body: { redirects: some.map(({ from, to }) => ({ from, to })) } };
      const { value } = await client.request("POST /api/blogs/{blogId}/redirects/bulk", input);
      outcomes.push(...some.flatMap((row, nth) => (value[nth] === undefined ? [] : [{ row, got: value[nth] }])));
      progress.advance(some.length);
    }
  } finally {
    progress.end();
  }
  reportOutcomes(context, file, outcomes);
}

function reportOutcomes(
  { output }: Context,
  file: string,
  outcomes: readonly { row: RedirectRow; got: RedirectOutcome }[],
): void {
  const count = (kind: RedirectOutcome["outcome"]) => outcomes.filter(({ got }) => got.outcome === kind).length;
  const refused = outcomes.flatMap(({ row, got: { outcome, code, detail } }) =>
    outcome === "refused" ? [{ ...row, code, detail }] : [],
  );
  const overridden = outcomes.flatMap(({ row: { line, from }, got }) => (got.overridden ? [{ line, from }] : []));
  for (const { line, from, detail } of refused)
    output.warn(`${file}, line ${line}: ${toPrintableLine(from)}: ${detail}`);
  for (const { line, from } of overridden)
    output.warn(`${file}, line ${line}: ${toPrintableLine(from)}: ${OVERRIDDEN}`);
  const counts = { created: count("created"), unchanged: count("unchanged") };
  output.result(
    { ...counts, refused, overridden },
    () =>
      `${formatCount(outcomes.length, "redirect")}: ${counts.created} created, ${counts.unchanged} unchanged, ${refused.length} refused.`,
  );
  const left = formatCount(refused.length, "redirect was", "redirects were");
  if (refused.length > 0) throw new CliError("import_incomplete", `${left} refused.`, EXIT.failed);
}
