import type { PurgeMessage } from "../edge/purge.ts";
import type { post } from "../outbound/post.ts";
import type { TargetRules } from "../outbound/target.ts";
import type { Quota } from "../store/core/quota.ts";
import type { Database } from "../store/core/sql.ts";
import type { KeptDays } from "../store/retention.ts";
import type { Lane } from "../store/webhooks/system-deliveries.ts";

/** A hint that an organization has events to fan out, or deliveries to send: D1 has the rest. */
export type OrganizationMessage = { readonly organizationId: string };

/** What the relay works with; the Worker wires it. */
export type Relay = {
  readonly db: Database;
  readonly events: Queue<OrganizationMessage>;
  /** Receivers that have shown to be slow have a queue of their own, so that the others do not wait behind them. */
  readonly deliveries: Readonly<Record<Lane, Queue<OrganizationMessage>>>;
  readonly targetRules: TargetRules;
  readonly kept: KeptDays;
  readonly quota: Pick<Quota, "deliveriesPerDay">;
  readonly post: typeof post;
  readonly now: () => Date;
  /** Lets work go on after the batch of messages has ended. */
  readonly waitUntil: (work: Promise<void>) => void;
  /** Those who purge the edge. */
  readonly purges: Queue<PurgeMessage>;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};
