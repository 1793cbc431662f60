/** Runs every minute: begins the refreshes that are due, and sends again what the queue lost. */
import { runParts } from "../../lib/run-parts.ts";
import { sendEach } from "../../lib/send-each.ts";
import {
  abandonSources,
  beginDueRefresh,
  findDueBlogs,
  takeStrandedSources,
} from "../../store/topics/system-sources.ts";
import type { TopicRelay } from "./relay.ts";

/** How long a message may stay unhandled before its source is sent again. */
const PATIENCE_MS = 2 * 60_000;
/** More than reading, wording and storing a source can take. After that, a claim is abandoned. */
const LONGEST_READING_MS = 6 * 60_000;
/** How many blogs or sources one run handles. The next run continues. */
const MOST = 100;

/** Performs one run. Logs the errors of its parts. */
export async function sweepTopics(relay: TopicRelay): Promise<void> {
  const now = relay.now();
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const failed = (part: string, error: unknown) =>
    relay.log({ level: "error", message: "sweep of topics failed", part, error });
  const parts = {
    async due() {
      const due = await findDueBlogs(relay.db, now, MOST);
      const begin = due.map((blog) => [
        `refresh of blog ${blog.id}`,
        async () => sendEach(relay.topics, await beginDueRefresh(relay.db, blog, now)),
      ]);
      await runParts(Object.fromEntries(begin), failed);
    },
    // Before the stranded ones: an abandoned claim makes room for a source of its organization.
    async claims() {
      const names = await abandonSources(relay.db, ago(LONGEST_READING_MS), now);
      for (const name of names) relay.log({ level: "warn", message: "topic source interrupted", ...name });
    },
    async stranded() {
      const names = await takeStrandedSources(relay.db, ago(PATIENCE_MS), now, MOST);
      await sendEach(relay.topics, names);
      if (names.length > 0) relay.log({ level: "info", message: "topic sources sent again", count: names.length });
    },
  };
  await runParts(parts, failed);
}
