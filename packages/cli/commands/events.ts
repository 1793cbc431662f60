/** The command `events`: the feed of what has changed. */
import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Client, FeedEvent } from "../client.ts";
import type { Context } from "../context.ts";
import { usageError } from "../failure.ts";
import { makeOperatorAuthorizer } from "../sign-in/authorizer.ts";
import { toPrintableLine } from "../terminal.ts";
import { declare } from "./declare.ts";
import { BLOG_OPTION, formatTime, omitUndefined, parseList } from "./shared.ts";
import { formatSubject } from "./webhooks.ts";

type Options = {
  readonly after?: string;
  readonly kinds?: string[];
  readonly blog?: string;
  readonly follow?: boolean;
  readonly state?: string;
};

export function addEvents(program: Command, context: Context): void {
  declare(program, "events", "show what has changed, oldest first, one line for each event", {
    takes: [
      ["--after <place>", "only events behind this one: its id, or `latest` (default: from the oldest)"],
      ["--kinds <list>", "only these kinds, such as article.updated,tag.deleted", parseList],
      [BLOG_OPTION, "only events of this blog"],
      ["-f, --follow", "wait for more, until Ctrl-C"],
      ["--state <file>", "go on where the last run stopped, and remember the place in this file"],
    ],
    help: EXAMPLES,
    run: (options: Options) => showEvents(context, options),
  });
}

const EXAMPLES = `
Examples:
  $ edgepress events --kinds article.updated,article.deleted --follow
  $ edgepress events --state cursor --follow --json | ./handle-each-line

The credential needs the scope events:read. EDGEPRESS_OPERATOR_TOKEN is used if there is no API key.
The place is written after each line. After a crash, the last event may be printed again, but none is left out.`;

async function showEvents(
  context: Context,
  { blog, kinds, follow = false, state, ...options }: Options,
): Promise<void> {
  const client = await openClient(context);
  const stored = state === undefined ? undefined : await readState(state);
  if (stored !== undefined && options.after !== undefined) {
    throw usageError("--after is for the first run: the file of --state has a place.");
  }
  const keep = async (place: string) => {
    if (state !== undefined) await writeState(state, place);
  };
  const narrowed = { kinds: kinds as FeedEvent["event"][] | undefined, blogId: blog && (await context.blog(blog)) };
  for (let after = stored ?? options.after; ;) {
    const wait = follow && after !== undefined ? LIMITS.eventWaitSeconds : undefined;
    const { value, next } = await client.request("GET /api/events", {
      query: omitUndefined({ ...narrowed, after, wait }),
    });
    for (const event of value) {
      context.output.line(event, () => formatEvent(context, event));
      // A reader that is gone is noticed only then.
      await new Promise(setImmediate);
      context.signal.throwIfAborted();
      await keep(event._id);
    }
    const isEnd = next === null || next === after;
    if (next !== null && !isEnd) await keep(next);
    if (isEnd && !follow) return;
    after = next ?? after;
  }
}

function openClient(context: Context): Promise<Client> {
  const { EDGEPRESS_API_KEY: key, EDGEPRESS_OPERATOR_TOKEN: token } = context.env;
  return context.client(key || !token ? {} : { authorizer: makeOperatorAuthorizer(token) });
}

function formatEvent({ output: { paint } }: Context, { _id, event, timestamp, data }: FeedEvent): string {
  const time = formatTime(new Date(timestamp * 1000).toISOString());
  const { changed } = data as { readonly changed?: readonly string[] };
  const what = changed === undefined ? "" : `changed: ${toPrintableLine(changed.join(", "))}`;
  return [paint("dim", time), toPrintableLine(event), formatSubject({ data }), what, paint("dim", toPrintableLine(_id))]
    .filter(Boolean)
    .join("  ");
}

/** Returns undefined if there is no file yet, or if it is empty. */
async function readState(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Replaces the file, so that a crash leaves the old place or the new one. */
async function writeState(file: string, place: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, `${place}\n`);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
