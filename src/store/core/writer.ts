/** Who calls, for whom, and by what: what each function of the store is bound to. */
import type { Role } from "../../domain/principal.ts";
import type { Database } from "./sql.ts";

/** The context of writes and of most reads: who calls, for which organization, in which database. The store is bound to it. */
export type Writer = {
  readonly db: Database;
  readonly organizationId: string;
  /** The only blog that a pinned credential may touch; null if the writer may touch all blogs of the organization. */
  readonly pinnedBlogId: string | null;
  readonly actor: Actor;
  readonly requestId: string;
  readonly now: () => Date;
  readonly quota: Quota;
  /**
   * Tells the events queue that the organization has an event to fan out. Best effort: the sweep sends what the queue
   * lost.
   */
  readonly announce: () => void;
  /**
   * Runs work after the response. Best effort: a failure is only logged, under this name, and the sweep does the work
   * later.
   */
  readonly afterwards: (name: string, work: () => Promise<unknown>) => void;
  /** The claim on the Idempotency-Key of this call; undefined if the request has no key. */
  readonly idempotency?: IdempotencyClaim;
};

/**
 * Who writes:
 * - "key" and "operator": an API key and an operator token.
 * - "user" and "app": a member, and an application that a member connected. `role` is the member's role.
 * - "person": a signed-in person who needs no role, because they found an organization, accept an invitation to it or
 *   leave it. The preconditions of such a write must check that the person is allowed to do it.
 * - "reader": somebody who has proved an address to be theirs, by a secret from a mail. `id` is that of the blog.
 * - "schedule": the service, on behalf of the person or key that set the schedule (`id`). The preconditions must check that
 *   they may still do it.
 */
export type Actor =
  | { readonly kind: "key" | "operator" | "person" | "reader" | "schedule"; readonly id: string }
  | { readonly kind: "user" | "app"; readonly id: string; readonly role: Role | null };

/** Returns the kind under which the audit log stores an actor. The log stores a "person" as "user". */
export const auditKind = ({ kind }: Actor): string => (kind === "person" ? "user" : kind);

/** A call's claim on an Idempotency-Key. The token is unique to the call: only the holder may commit under the key. */
export type IdempotencyClaim = { readonly key: string; readonly token: string };

/** The most that an organization may have. */
export type Quota = {
  readonly articles: number;
  /**
   * UTF-8 bytes of the texts of all articles and their working copies, and of tags and authors. The same number limits,
   * separately, the UTF-8 bytes of the responses of idempotent calls and of contents stored with them.
   */
  readonly articleBytes: number;
  readonly contacts: number;
  /** Bytes of files in R2. */
  readonly mediaBytes: number;
  /** Bytes of the former states of articles. Above it, the oldest are deleted; no write is refused. */
  readonly revisionBytes: number;
  /** API keys and operator tokens together, without those that have expired. */
  readonly credentials: number;
  readonly subscriptions: number;
  /** A day is one of UTC. */
  readonly eventsPerDay: number;
  readonly deliveriesPerDay: number;
  readonly ideasPerDay: number;
};
