/** What fan-out, delivery and the sweep need, and the messages of their queues. queues.ts provides it. */
import type { Mailer } from "../mail/mail.ts";
import type { PurgeMessage } from "../edge/purge.ts";
import type { post } from "../../outbound/post.ts";
import type { TargetRules } from "../../outbound/target.ts";
import type { Meter } from "../../meter.ts";
import type { Quota } from "../../domain/quotas.ts";
import type { Database } from "../../store/core/sql.ts";
import type { KeptDays } from "../../store/retention.ts";
import type { Lane } from "../../store/webhooks/system-deliveries.ts";

/** Says that the organization has events to fan out, or deliveries to send. */
export type OrganizationMessage = { readonly organizationId: string };

export type Relay = {
  readonly db: Database;
  readonly meter: Meter;
  readonly events: Queue<OrganizationMessage>;
  /** Slow receivers have their own queue, so that quick receivers do not wait for them. */
  readonly deliveries: Readonly<Record<Lane, Queue<OrganizationMessage>>>;
  readonly targetRules: TargetRules;
  /** The public origin, for links in mails; "" if it is not configured. */
  readonly baseUrl: string;
  /** Null if the deployment cannot send mails. */
  readonly mailer: Mailer | null;
  readonly kept: KeptDays;
  readonly quota: Quota;
  readonly post: typeof post;
  readonly now: () => Date;
  /** Keeps the invocation alive until `work` has ended. */
  readonly waitUntil: (work: Promise<void>) => void;
  readonly purges: Queue<PurgeMessage>;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};
