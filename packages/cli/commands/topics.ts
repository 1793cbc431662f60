import type { Command } from "commander";
import type { TopicRefresh } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError, EXIT } from "../failure.ts";
import { pause } from "../retries.ts";
import { addRows, declare, getGroup, makeChoice, defineRow } from "./declare.ts";
import { TITLE_COLUMN } from "./find.ts";
import { BLOG, formatCount, limit } from "./shared.ts";

type Options = { readonly blog?: string; readonly wait: boolean };

export function addTopicCommands(program: Command, context: Context): void {
  addRows(program, context, [
    defineRow("GET /api/topics", "topics list", "list the ideas, best first", {
      anyBlog: false,
      members: {
        status: makeChoice("--status <status>", "only ideas with this status", ["new", "used", "dismissed"]),
        limit: limit(20),
      },
      example: "topics list --blog field-notes --status new --limit 5",
      none: "No ideas.",
      one: "idea",
      columns: [
        { head: "ID", cell: ({ _id }) => _id },
        { head: "STATUS", cell: ({ status }) => status },
        { head: "SOURCE", cell: ({ source }) => source.name, shrinks: true },
        TITLE_COLUMN,
      ],
    }),
  ]);
  declare(
    getGroup(program, "topics"),
    "refresh",
    "refresh the ideas from the blog's sources, and wait for the result",
    {
      takes: [BLOG, ["--no-wait", "start the refresh and do not wait"]],
      example: "topics refresh --blog field-notes",
      run: (options: Options) => refresh(context, options),
    },
  );
}

/** Milliseconds between polls. Most sources are read in the first seconds. */
const PAUSES_MS = [300, 500, 700, 1000, 1500];
const LAST_PAUSE_MS = 2000;
/** Each source takes up to eight seconds, and first waits in a queue, which may lose its message. */
const PATIENCE_MS = 10 * 60_000;

async function refresh(context: Context, { blog, wait }: Options): Promise<void> {
  const { output } = context;
  const body = { blogId: await context.blog(blog) };
  const { value: begun } = await (await context.client()).request("POST /api/topics/refresh", { body });
  if (!wait) return output.result(begun, () => `Started refresh ${begun._id} of ${countSources(begun)}.`);
  const ended = await follow(context, begun);
  const failed = ended.sources.filter(({ state }) => state === "failed");
  const created = ended.sources.reduce((sum, each) => sum + each.created, 0);
  output.result(
    ended,
    () => `${formatReport(context, ended)}\n\n${formatCount(created, "new idea")} from ${countSources(ended)}.`,
  );
  if (failed.length > 0 && failed.length === ended.sources.length) {
    throw new CliError("refresh_failed", "None of the sources could be read.", EXIT.failed);
  }
}

const countSources = ({ sources: all }: TopicRefresh): string => formatCount(all.length, "source");

const isDone = ({ state }: TopicRefresh["sources"][number]): boolean => state !== "waiting" && state !== "reading";

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
      await pause(PAUSES_MS[at] ?? LAST_PAUSE_MS, signal);
      const params = { refreshId: begun._id };
      current = (await service.request("GET /api/topics/refreshes/{refreshId}", { params })).value;
    }
  } catch (error) {
    if (signal.aborted) output.note("The refresh continues on the server.");
    throw error;
  } finally {
    progress.end();
  }
}

const formatReport = ({ output }: Context, { sources }: TopicRefresh): string =>
  output.table(
    [
      { head: "SOURCE", cell: ({ source }) => source.name, shrinks: true },
      { head: "STATE", cell: ({ state }) => state },
      { head: "FOUND", cell: ({ found }) => String(found) },
      { head: "NEW", cell: ({ created }) => String(created) },
      { head: "MERGED", cell: ({ merged }) => String(merged) },
      { head: "REFUSED", cell: ({ refused }) => String(refused.reduce((sum, { count }) => sum + count, 0)) },
      { head: "DETAIL", cell: ({ detail, refused }) => detail ?? refused.map(formatRefusal).join(", "), shrinks: true },
    ],
    sources,
  );

/** "5 are older than a year". The service's reason is in the singular: "is older than a year". */
const formatRefusal = ({ reason, count }: TopicRefresh["sources"][number]["refused"][number]): string =>
  `${count} ${count === 1 ? reason : reason.replace(/^is /, "are ").replace(/^has /, "have ")}`;
