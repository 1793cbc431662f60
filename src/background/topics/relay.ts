/** What refreshes of topic ideas need. queues.ts provides it. */
import type { Models } from "../../ai/model.ts";
import type { ForumBaseUrls } from "../../domain/topic-source.ts";
import type { TargetRules } from "../../outbound/target.ts";
import type { Database } from "../../store/core/sql.ts";
import type { Meter } from "../../meter.ts";
import type { Quota } from "../../domain/quotas.ts";
import type { SourceName } from "../../store/topics/system-sources.ts";

/** Names the source to read. The rest is in D1. */
export type TopicMessage = SourceName;

export type TopicRelay = {
  readonly db: Database;
  readonly meter: Meter;
  readonly topics: Queue<TopicMessage>;
  readonly targetRules: TargetRules;
  readonly quota: Pick<Quota, "ideasPerDay">;
  readonly baseUrls: ForumBaseUrls;
  readonly models: () => Promise<Models>;
  readonly now: () => Date;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};
