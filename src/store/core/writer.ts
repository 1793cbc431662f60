import type { SQL } from "drizzle-orm";
import type { Quota } from "../../domain/quotas.ts";
import type { Role } from "../../domain/principal.ts";
import type { claimName } from "../database.ts";
import type { Database } from "./sql.ts";

/** The context of writes and of most reads, to which the store is bound. */
export type Writer = {
  readonly db: Database;
  readonly organizationId: string;
  /** The only blog that a pinned credential may touch; null for all blogs of the organization. */
  readonly pinnedBlogId: string | null;
  readonly actor: Actor;
  /** Whether it must not change what readers see, now or at a set time (contract 10.18). Not set: it may. */
  readonly draftsOnly?: boolean;
  /** What is done, as an operation says it. Without it, a write. */
  readonly effect?: "read" | "write" | "delete";
  readonly requestId: string;
  readonly now: () => Date;
  /** The quotas of the deployment. The organization may have its own: see `selectQuota` (quota.ts). */
  readonly quota: Quota;
  /**
   * Tells the queue that there is an event to fan out, or the queues of both lanes that there are deliveries to send.
   * Best effort: the sweep sends what the queues lost.
   */
  readonly announce: (what?: "deliveries") => void;
  /** Runs work after the response. Best effort: a failure is only logged, and the sweep does the work. */
  readonly afterwards: (name: string, work: () => Promise<unknown>) => void;
  /**
   * Claims a name that only one organization may have; see `claimName` (store/database.ts). Undefined where nobody can
   * write to another database.
   */
  readonly claim?: (kind: "host" | "vanity", keys: readonly string[]) => ReturnType<typeof claimName>;
  /** What every write of it stands under: without `holds`, nothing is written. `answer` and `action` replace those of the write. */
  readonly within?: { readonly holds: SQL; readonly answer?: object; readonly action?: string };
  /** Undefined if the request has no Idempotency-Key. */
  readonly idempotency?: IdempotencyClaim;
};

/**
 * Who writes:
 * - "key" and "operator": an API key and an operator token.
 * - "user" and "app": a member, and an app that a member connected. `role` is the member's role.
 * - "person": a signed-in person who creates an organization, accepts an invitation to it or leaves it, and so needs no
 *   role. The preconditions of the write must check that the person may do it.
 * - "reader": somebody who has proved their email address by a secret from an email. `id` is that of the blog.
 * - "schedule": the service, on behalf of the person or key that set the schedule (`id`). The preconditions must check
 *   that they may still do it.
 */
export type Actor =
  | { readonly kind: "operator" | "person" | "reader" | "schedule"; readonly id: string }
  | { readonly kind: "key"; readonly id: string; readonly scopes: readonly string[] }
  | { readonly kind: "user" | "app"; readonly id: string; readonly role: Role | null };

/** Returns the kind under which the audit log stores an actor. It stores a "person" as "user". */
export const getAuditKind = ({ kind }: Actor): string => (kind === "person" ? "user" : kind);

/** A call's claim on an Idempotency-Key. The token is unique to the call: only its holder may commit under the key. */
export type IdempotencyClaim = { readonly key: string; readonly token: string };
