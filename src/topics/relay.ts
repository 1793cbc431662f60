import type { Models } from "../ai/model.ts";
import { chunks } from "../lib/chunks.ts";
import type { ForumBaseUrls } from "../domain/topic-source.ts";
import type { TargetRules } from "../outbound/target.ts";
import type { Database } from "../store/core/sql.ts";
import type { SourceName } from "../store/topics/system-sources.ts";

/** A source to read: D1 has the rest. */
export type TopicMessage = SourceName;

/** What refreshes work with; the Worker wires it. */
export type TopicRelay = {
  readonly db: Database;
  readonly topics: Queue<TopicMessage>;
  readonly targetRules: TargetRules;
  readonly baseUrls: ForumBaseUrls;
  readonly models: () => Promise<Models>;
  readonly now: () => Date;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};

/** Messages that one `sendBatch` takes (platform limit). */
const PER_BATCH = 100;

/** Hands sources to the queue, each in a message of its own: what one costs is nobody else's. */
export async function enqueueSources(queue: Queue<TopicMessage>, names: readonly SourceName[]): Promise<void> {
  for (const batch of chunks(names, PER_BATCH)) await queue.sendBatch(batch.map((body) => ({ body })));
}
