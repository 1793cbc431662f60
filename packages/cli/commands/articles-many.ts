/** The commands `schedules`, `articles schedule`, `unschedule` and `bulk`. */
import { Option, type Command } from "commander";
import { LIMITS } from "../../../src/domain/limits.ts";
import { toChunks } from "../../../src/lib/chunks.ts";
import { isId } from "../../../src/lib/ids.ts";
import type { BulkInput, BulkOutcome, Schedule } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, hasCode, usageError } from "../failure.ts";
import type { Column } from "../table.ts";
import { toPrintableLine } from "../terminal.ts";
import { addRows, declare, getGroup, makeChoice, defineRow, YES, type Taken } from "./declare.ts";
import { findOneArticle, LOCALE, LOCALE_COLUMN, NAMED, formatName, TITLE_COLUMN, type Which } from "./find.ts";
import { BLOG, formatCount, omitUndefined, limit, parseList, parseTime, formatTime } from "./shared.ts";

type Times = { readonly publish?: string; readonly unpublish?: string; readonly zone?: string };

const TIMES: readonly Taken[] = [
  ["--publish <time>", 'when to publish it, such as "2026-12-01 09:00" or 2026-12-01T08:00:00Z', parseTime],
  ["--unpublish <time>", "when to unpublish it", parseTime],
  ["--zone <name>", "the time zone of local times (default: this computer's)"],
];

export function addScheduling(program: Command, context: Context): void {
  addRows(program, context, [
    defineRow("GET /api/schedules", "schedules", "list schedules, next first", {
      anyBlog: true,
      members: {
        state: makeChoice("--state <state>", "only schedules in this state", ["waiting", "failed"]),
        limit: limit(20),
      },
      example: "schedules --state failed",
      none: "Nothing is scheduled.",
      one: "schedule",
      columns: [
        { head: "ARTICLE", cell: ({ articleId }) => articleId },
        { head: "NEXT (UTC)", cell: ({ dueTime }) => formatTime(dueTime) },
        { head: "ACTION", cell: ({ publishTime }) => (publishTime === null ? "unpublish" : "publish") },
        { head: "UNPUBLISH (UTC)", cell: ({ unpublishTime }) => formatTime(unpublishTime) },
        { head: "STATE", cell: (each) => each.failure?.code ?? each.state },
        LOCALE_COLUMN,
        TITLE_COLUMN,
      ],
    }),
  ]);
  const articles = getGroup(program, "articles");
  declare(articles, "schedule", "publish or unpublish an article later", {
    takes: [...TIMES, NAMED, BLOG, LOCALE],
    example: "articles schedule slow-mornings --publish 2026-12-01T09:00 --zone Europe/Lisbon",
    run: (named: string, options: Which & Times) => schedule(context, named, options),
  });
  declare(articles, "unschedule", "delete the schedule of an article, which stays as it is", {
    takes: [NAMED, BLOG, LOCALE],
    example: "articles unschedule slow-mornings --blog field-notes",
    run: (named: string, options: Which) => unschedule(context, named, options),
  });
}

/** Throws a usage error if the options name no time. */
function buildSchedule({ publish, unpublish, zone }: Times) {
  if (publish === undefined && unpublish === undefined)
    throw usageError("Pass a time: --publish, --unpublish or both.");
  const timeZone = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return omitUndefined({ publishTime: publish, unpublishTime: unpublish, timeZone });
}

async function schedule(context: Context, named: string, options: Which & Times): Promise<void> {
  const body = buildSchedule(options);
  const { value: target } = await findOneArticle(context, named, options);
  const input = { params: { articleId: target._id }, body };
  const { value } = await (await context.client()).request("PUT /api/articles/{articleId}/schedule", input);
  context.output.result(value, () => toPrintableLine(`“${value.title}” will be ${formatSchedule(value)}.`));
}

const formatSchedule = ({ publishTime, unpublishTime }: Schedule): string =>
  [
    ...(publishTime === null ? [] : [`published at ${formatTime(publishTime)} UTC`]),
    ...(unpublishTime === null ? [] : [`unpublished at ${formatTime(unpublishTime)} UTC`]),
  ].join(" and ");

async function unschedule(context: Context, named: string, which: Which): Promise<void> {
  const { value: target } = await findOneArticle(context, named, which);
  const client = await context.client();
  const params = { articleId: target._id };
  const { value } = await client
    .request("DELETE /api/articles/{articleId}/schedule", { params })
    .catch((error: unknown) => {
      // The article was found just before, so what is missing is its schedule.
      if (!hasCode(error, "not_found")) throw error;
      const details = { ...error.details, hint: "To see all schedules: edgepress schedules" };
      throw new CliError(error.code, `${formatName(target)} is not scheduled.`, error.exit, details);
    });
  context.output.result(value, () => toPrintableLine(`“${target.title}” is no longer scheduled.`));
}

export function addMany(program: Command, context: Context): void {
  const many = getGroup(program, "articles", "bulk");
  const takes: readonly Taken[] = [["<ids-or-slugs...>", "the articles"], BLOG, LOCALE];
  const tags = new Option("--tags <tags>", "the tags, by slug or name, separated by commas").argParser(parseList);
  declare(many, "tag", "add tags to articles", {
    takes: [...takes, tags.makeOptionMandatory()],
    example: "articles bulk tag first-light slow-mornings --tags winter",
    run: (named: string[], options: Which & { tags: string[] }) => changeMany(context, "tag", { named, ...options }),
  });
  declare(many, "schedule", "publish or unpublish articles later, all at the same time", {
    takes: [...TIMES, ...takes],
    example: 'articles bulk schedule first-light slow-mornings --publish "2026-12-01 09:00"',
    run: (named: string[], { blog, locale, ...times }: Which & Times) =>
      changeMany(context, "schedule", { named, blog, locale, schedule: buildSchedule(times) }),
  });
  const examples = { publish: "--drafts", unpublish: "--published", delete: "--drafts" };
  for (const action of ["publish", "unpublish", "delete"] as const) {
    const isDeletion = action === "delete";
    const help = `\nExample:\n  $ edgepress articles list ${examples[action]} --json | jq -r '.[]._id' |\n      xargs edgepress articles bulk ${action}${isDeletion ? " --yes" : ""}`;
    declare(many, action, `${action} articles, each on its own`, {
      takes: isDeletion ? [...takes, YES] : takes,
      help,
      run: (named: string[], options: Which & { yes?: boolean }) => changeMany(context, action, { named, ...options }),
    });
  }
}

type Many = Which & { readonly named: readonly string[]; readonly yes?: boolean } & Pick<
    BulkInput,
    "tags" | "schedule"
  >;

/** Changes articles, 100 in a request. Throws `some_refused` at the end if one was refused. */
async function changeMany(
  context: Context,
  action: BulkInput["action"],
  { named, blog, locale, yes, ...details }: Many,
): Promise<void> {
  const { output } = context;
  const articleIds = await findIds(context, named, { blog, locale });
  if (action === "delete") await context.confirm(`Delete ${formatCount(articleIds.length, "article")}?`, yes);
  const client = await context.client();
  const outcomes: BulkOutcome[] = [];
  try {
    for (const ids of toChunks(articleIds, LIMITS.bulkArticles)) {
      const body = { action, articleIds: ids, ...details };
      outcomes.push(...(await client.request("POST /api/articles/bulk", { body })).value);
    }
  } finally {
    // If a later request fails, these have still been changed.
    if (outcomes.length > 0) output.list(outcomes, OUTCOME_COLUMNS, "");
  }
  const refused = outcomes.filter(({ outcome }) => outcome === "refused").length;
  if (refused > 0) throw new CliError("some_refused", `${formatCount(refused, "article")} refused.`, EXIT.failed);
}

const OUTCOME_COLUMNS: readonly Column<BulkOutcome>[] = [
  { head: "ID", cell: ({ _id }) => _id },
  { head: "OUTCOME", cell: ({ outcome, code }) => code ?? outcome },
  { head: "REASON", cell: ({ detail }) => detail ?? "", shrinks: true },
];

/** Returns the id of each article once. An error names the article that is missing, because there may be hundreds. */
async function findIds(context: Context, named: readonly string[], which: Which): Promise<string[]> {
  const ids = new Set<string>();
  for (const each of named) {
    if (isId(each.toLowerCase())) ids.add(each.toLowerCase());
    else {
      const found = await findOneArticle(context, each, which).catch((error: unknown) => {
        if (!hasCode(error, "not_found")) throw error;
        throw new CliError(error.code, `${each}: ${error.message}`, error.exit, error.details);
      });
      ids.add(found.value._id);
    }
  }
  return [...ids];
}
