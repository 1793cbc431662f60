import type { TargetRules } from "../outbound/target.ts";
import type { Database } from "../store/core/sql.ts";

/** An event to fan out: D1 has the rest. */
export type EventMessage = { readonly eventId: string };

/** A few deliveries of an organization to attempt: D1 has the rest. */
export type DeliveryMessage = { readonly organizationId: string; readonly deliveryIds: readonly string[] };

/** What the relay works with; the Worker wires it. */
export type Relay = {
  readonly db: Database;
  readonly events: Queue<EventMessage>;
  readonly deliveries: Queue<DeliveryMessage>;
  /** For receivers that have shown to be slow, so that the others do not wait behind them. */
  readonly slowDeliveries: Queue<DeliveryMessage>;
  readonly targetRules: TargetRules;
  readonly now: () => Date;
  /** Drops what the edge holds under these tags; resolves to false where it could not. */
  readonly purge: (tags: readonly string[]) => Promise<boolean>;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};
