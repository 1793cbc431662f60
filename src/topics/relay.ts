/** The queue of the sources from which topic ideas come: its messages, and what their consumer needs. */
import type { Models } from "../ai/model.ts";
import { chunks } from "../lib/chunks.ts";
import type { ForumBaseUrls } from "../domain/topic-source.ts";
import type { TargetRules } from "../outbound/target.ts";
import type { Database } from "../store/core/sql.ts";
import type { Quota } from "../store/core/quota.ts";
import type { SourceName } from "../store/topics/system-sources.ts";

/** The message for one source to read. It only names the source; the rest is in D1. */
export type TopicMessage = SourceName;

/** What refreshes need from the platform. The Worker provides it. */
export type TopicRelay = {
  readonly db: Database;
  readonly topics: Queue<TopicMessage>;
  readonly targetRules: TargetRules;
  readonly quota: Pick<Quota, "ideasPerDay">;
  readonly baseUrls: ForumBaseUrls;
  readonly models: () => Promise<Models>;
  readonly now: () => Date;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};

/** The most messages that one `sendBatch` accepts (platform limit). */
const PER_BATCH = 100;

/** Sends each source to the queue in its own message, so that a slow source does not delay another one. */
export async function enqueueSources(queue: Queue<TopicMessage>, names: readonly SourceName[]): Promise<void> {
  for (const batch of chunks(names, PER_BATCH)) await queue.sendBatch(batch.map((body) => ({ body })));
}
