/** The commands `topics list|refresh`. */
import { setTimeout as sleep } from "node:timers/promises";
import { Option, type Command } from "commander";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Topic, TopicRefresh } from "../api.ts";
import { path } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT, interrupted } from "../failure.ts";
import { BLOG, counted, firstOf, moreThan, wholeNumber } from "./shared.ts";

export function addTopicCommands(program: Command, context: Context): void {
  const topics = program.command("topics").description("ideas for articles, from a blog's sources");
  topics
    .command("list")
    .description("list the ideas, best first")
    .option(...BLOG)
    .addOption(new Option("--status <status>", "only ideas with this status").choices(["new", "used", "dismissed"]))
    .option("--limit <n>", "the most to list", wholeNumber(1, 100_000), 20)
    .addHelpText("after", "\nExample:\n  $ edgepress topics list --blog field-notes --status new --limit 5")
    .action((options: ListOptions) => list(context, options));
  topics
    .command("refresh")
    .description("refresh the ideas from the blog's sources, and wait for the result")
    .option(...BLOG)
    .option("--no-wait", "start the refresh and do not wait")
    .addHelpText("after", "\nExample:\n  $ edgepress topics refresh --blog field-notes")
    .action((options: { blog?: string; wait: boolean }) => refresh(context, options));
}

type ListOptions = { readonly blog?: string; readonly status?: Topic["status"]; readonly limit: number };

async function list(context: Context, { blog, status, limit }: ListOptions): Promise<void> {
  const { output } = context;
  const query = { blogId: await context.blog(blog), status, limit: Math.min(limit, LIMITS.page) };
  const service = await context.client();
  const { found, more } = await firstOf(service.items<Topic>("/api/topics", query), limit);
  output.result(found, () =>
    found.length === 0
      ? "No ideas."
      : output.table(
          [
            { head: "ID", cell: ({ _id }) => _id },
            { head: "STATUS", cell: ({ status }) => status },
            { head: "SOURCE", cell: ({ source }) => source.name, shrinks: true },
            { head: "TITLE", cell: ({ title }) => title, shrinks: true },
          ],
          found,
        ),
  );
  if (more) output.note(`${moreThan(limit, "idea")}: see --limit.`);
}

/** Milliseconds between polls of a refresh; the last pause repeats. Most sources are read in the first seconds. */
const PAUSES_MS = [300, 500, 700, 1000, 1500, 2000];
/**
 * Milliseconds to wait for a refresh. Each source takes up to eight seconds and first waits in a queue. If the queue
 * loses its message, the sweep sends it again.
 */
const PATIENCE_MS = 10 * 60_000;

async function refresh(context: Context, { blog, wait }: { blog?: string; wait: boolean }): Promise<void> {
  const { output } = context;
  const blogId = await context.blog(blog);
  const service = await context.client();
  const request = { method: "POST", path: "/api/topics/refresh", body: { blogId } } as const;
  const { value: begun } = await service.request<TopicRefresh>(request);
  if (!wait) return output.result(begun, () => `Started refresh ${begun._id} of ${sources(begun)}.`);
  const ended = await follow(context, begun);
  const failed = ended.sources.filter(({ state }) => state === "failed");
  const created = ended.sources.reduce((sum, each) => sum + each.created, 0);
  output.result(ended, () => `${report(context, ended)}\n\n${counted(created, "new idea")} from ${sources(ended)}.`);
  if (failed.length > 0 && failed.length === ended.sources.length) {
    throw new CliError("refresh_failed", "None of the sources could be read.", EXIT.failed);
  }
}

const sources = ({ sources: all }: TopicRefresh): string => counted(all.length, "source");

const isDone = ({ state }: TopicRefresh["sources"][number]): boolean => state !== "waiting" && state !== "reading";

/** Polls a refresh until it is done, and returns it. Throws `CliError` `timeout` after `PATIENCE_MS`. */
async function follow({ client, output, signal }: Context, begun: TopicRefresh): Promise<TopicRefresh> {
  const service = await client();
  const progress = output.progress("Reading sources", begun.sources.length);
  try {
    let seen = 0;
    const limit = Date.now() + PATIENCE_MS;
    for (let current = begun, at = 0; ; at++) {
      const done = current.sources.filter(isDone).length;
      progress.advance(done - seen);
      seen = done;
      progress.say(current.sources.find(({ state }) => state === "reading")?.source.name ?? "");
      if (current.state === "done") return current;
      if (Date.now() > limit) throw new CliError("timeout", "The refresh is still running.", EXIT.failed);
      const pause = PAUSES_MS[Math.min(at, PAUSES_MS.length - 1)];
      await sleep(pause, undefined, { signal }).catch(() => Promise.reject(interrupted()));
      current = (await service.get<TopicRefresh>(path`/api/topics/refreshes/${begun._id}`)).value;
    }
  } catch (error) {
    if (signal.aborted) output.note("The refresh continues on the server.");
    throw error;
  } finally {
    progress.end();
  }
}

const report = ({ output }: Context, { sources }: TopicRefresh): string =>
  output.table(
    [
      { head: "SOURCE", cell: ({ source }) => source.name, shrinks: true },
      { head: "STATE", cell: ({ state }) => state },
      { head: "FOUND", cell: ({ found }) => String(found) },
      { head: "NEW", cell: ({ created }) => String(created) },
      { head: "MERGED", cell: ({ merged }) => String(merged) },
      { head: "REFUSED", cell: ({ refused }) => String(refused.reduce((sum, { count }) => sum + count, 0)) },
      { head: "DETAIL", cell: ({ detail, refused }) => detail ?? refused.map(tally).join(", "), shrinks: true },
    ],
    sources,
  );

/** Returns "5 are older than a year". The service's reason is in the singular: "is older than a year". */
const tally = ({ reason, count }: TopicRefresh["sources"][number]["refused"][number]): string =>
  `${count} ${count === 1 ? reason : reason.replace(/^is /, "are ").replace(/^has /, "have ")}`;
