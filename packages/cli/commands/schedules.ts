/** The commands `articles schedule`, `articles unschedule` and `schedules`. */
import { Option, type Command } from "commander";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Schedule, ScheduleInput } from "../api.ts";
import { path } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, usage } from "../failure.ts";
import { printableLine } from "../terminal.ts";
import { findOne, type Which } from "./articles-read.ts";
import { nameOf } from "./articles-write.ts";
import { BLOG, firstOf, given, moreThan, timeGiven, when, wholeNumber } from "./shared.ts";

export type Times = { readonly publish?: string; readonly unpublish?: string; readonly zone?: string };

/** Adds the options that say when to publish and unpublish. */
export const withTimes = (command: Command): Command =>
  command
    .option("--publish <time>", 'when to publish it, such as "2026-12-01 09:00" or 2026-12-01T08:00:00Z', timeGiven)
    .option("--unpublish <time>", "when to unpublish it", timeGiven)
    .option("--zone <name>", "the time zone of local times (default: this computer's)");

export function addScheduling(articles: Command, context: Context): void {
  withTimes(articles.command("schedule"))
    .description("publish or unpublish an article later")
    .argument("<id-or-slug>", "the article")
    .option(...BLOG)
    .option("--locale <tag>", "the locale of the article, if it is named by its slug")
    .addHelpText(
      "after",
      "\nExample:\n  $ edgepress articles schedule slow-mornings --publish 2026-12-01T09:00 --zone Europe/Lisbon",
    )
    .action((named: string, options: Which & Times) => set(context, named, options));
  articles
    .command("unschedule")
    .description("delete the schedule of an article, which stays as it is")
    .argument("<id-or-slug>", "the article")
    .option(...BLOG)
    .option("--locale <tag>", "the locale of the article, if it is named by its slug")
    .addHelpText("after", "\nExample:\n  $ edgepress articles unschedule slow-mornings --blog field-notes")
    .action((named: string, options: Which) => end(context, named, options));
}

export function addSchedulesCommand(program: Command, context: Context): void {
  program
    .command("schedules")
    .description("list schedules, next first")
    .option(...BLOG)
    .addOption(new Option("--state <state>", "only schedules in this state").choices(["waiting", "failed"]))
    .option("--limit <n>", "the most to list", wholeNumber(1, 100_000), 20)
    .addHelpText("after", "\nExample:\n  $ edgepress schedules --state failed")
    .action((options: ListOptions) => list(context, options));
}

/** Returns the schedule that the options ask for. Throws a usage error if they name no time. */
export function scheduleOf({ publish, unpublish, zone }: Times) {
  if (publish === undefined && unpublish === undefined) throw usage("Pass a time: --publish, --unpublish or both.");
  const timeZone = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return given({ publishTime: publish, unpublishTime: unpublish, timeZone });
}

async function set(context: Context, named: string, { blog, locale, ...times }: Which & Times): Promise<void> {
  const body = scheduleOf(times) satisfies Partial<ScheduleInput>;
  const { value: target } = await findOne(context, named, given({ blog, locale }));
  const service = await context.client();
  const request = { method: "PUT", path: path`/api/articles/${target._id}/schedule`, body } as const;
  const { value } = await service.request<Schedule>(request);
  context.output.result(value, () => printableLine(`“${value.title}” ${sentenceOf(value)}.`));
}

/** Says what is going to happen, in UTC. */
function sentenceOf({ publishTime, unpublishTime }: Schedule): string {
  const parts = [
    ...(publishTime === null ? [] : [`published at ${when(publishTime)} UTC`]),
    ...(unpublishTime === null ? [] : [`unpublished at ${when(unpublishTime)} UTC`]),
  ];
  return `will be ${parts.join(" and ")}`;
}

async function end(context: Context, named: string, which: Which): Promise<void> {
  const { value: target } = await findOne(context, named, which);
  const service = await context.client();
  const request = { method: "DELETE", path: path`/api/articles/${target._id}/schedule` } as const;
  const { value } = await service.request<{ _id: string }>(request).catch((error: unknown) => {
    // The article was found just before, so what is missing is its schedule.
    if (!(error instanceof CliError) || error.code !== "not_found") throw error;
    const details = { ...error.details, hint: "To see all schedules: edgepress schedules" };
    throw new CliError(error.code, `${nameOf(target)} is not scheduled.`, error.exit, details);
  });
  context.output.result(value, () => printableLine(`“${target.title}” is no longer scheduled.`));
}

type ListOptions = { readonly blog?: string; readonly state?: Schedule["state"]; readonly limit: number };

async function list(context: Context, { blog, state, limit }: ListOptions): Promise<void> {
  const { output } = context;
  const blogId = blog === undefined ? undefined : await context.blog(blog);
  const service = await context.client();
  const query = { blogId, state, limit: Math.min(limit, LIMITS.page) };
  const { found, more } = await firstOf(service.items<Schedule>("/api/schedules", query), limit);
  output.result(found, () =>
    found.length === 0
      ? "Nothing is scheduled."
      : output.table(
          [
            { head: "ARTICLE", cell: ({ articleId }) => articleId },
            { head: "NEXT (UTC)", cell: ({ dueTime }) => when(dueTime) },
            { head: "ACTION", cell: ({ publishTime }) => (publishTime === null ? "unpublish" : "publish") },
            { head: "UNPUBLISH (UTC)", cell: ({ unpublishTime }) => when(unpublishTime) },
            { head: "STATE", cell: (each) => each.failure?.code ?? each.state },
            { head: "LOCALE", cell: ({ locale }) => locale },
            { head: "TITLE", cell: ({ title }) => title, shrinks: true },
          ],
          found,
        ),
  );
  if (more) output.note(`${moreThan(limit, "schedule")}: see --limit.`);
}
