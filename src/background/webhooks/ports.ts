/** Types: what fan-out, delivery and the sweep are given (`Relay`), and the messages of the queues. */
import type { PurgeMessage } from "../edge/purge.ts";
import type { post } from "../../outbound/post.ts";
import type { TargetRules } from "../../outbound/target.ts";
import type { Quota } from "../../store/core/writer.ts";
import type { Database } from "../../store/core/sql.ts";
import type { KeptDays } from "../../store/retention.ts";
import type { Lane } from "../../store/webhooks/system-deliveries.ts";

/** The message of the events and delivery queues: this organization has events to fan out, or deliveries to send. */
export type OrganizationMessage = { readonly organizationId: string };

/** What fan-out, delivery and sweep need. queues.ts provides it. */
export type Relay = {
  readonly db: Database;
  readonly events: Queue<OrganizationMessage>;
  /** Slow receivers have their own queue, so that quick receivers do not wait for them. */
  readonly deliveries: Readonly<Record<Lane, Queue<OrganizationMessage>>>;
  readonly targetRules: TargetRules;
  readonly kept: KeptDays;
  readonly quota: Pick<Quota, "deliveriesPerDay" | "eventsPerDay">;
  readonly post: typeof post;
  readonly now: () => Date;
  /** Keeps the invocation alive until `work` has ended, also after the batch of messages has ended. */
  readonly waitUntil: (work: Promise<void>) => void;
  /** The queue whose consumer purges the edge's cache. */
  readonly purges: Queue<PurgeMessage>;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};
