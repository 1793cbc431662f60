import type { OrganizationPrincipal } from "../../domain/principal.ts";
import type { Actor, Writer } from "../../store/core/writer.ts";
import { claimName } from "../../store/database.ts";
import { openMetered } from "../../meter.ts";
import type { OrganizationStore } from "../../store/organization.ts";
import { logFailure, type Arrival } from "./arrival.ts";

/** Returns a writer for all blogs of an organization. */
export function makeWriter(arrival: Arrival, organizationId: string, actor: Actor): Writer {
  const { EVENTS, DELIVERIES, DELIVERIES_SLOW } = arrival.env;
  const queues = (what?: "deliveries") => (what === undefined ? [EVENTS] : [DELIVERIES, DELIVERIES_SLOW]);
  return {
    db: openMetered(arrival.env, organizationId),
    organizationId,
    pinnedBlogId: null,
    actor,
    claim: (kind, keys) => claimName(arrival.env, organizationId, kind, keys),
    requestId: arrival.requestId,
    now: () => new Date(),
    quota: arrival.settings.quota,
    announce: (what) =>
      runAfterResponse(arrival, "announce", () =>
        Promise.all(queues(what).map((queue) => queue.send({ organizationId }))),
      ),
    afterwards: (name, work) => runAfterResponse(arrival, name, work),
  };
}

/** Opens the store of a principal's organization. Its modules are loaded on first use: anonymous readers do not need them. */
export async function openPrincipalStore(
  arrival: Arrival,
  principal: OrganizationPrincipal,
  more: More,
): Promise<OrganizationStore> {
  const { openOrganizationStore } = await import("../../store/organization.ts");
  return openOrganizationStore(makePrincipalWriter(arrival, principal, more));
}

/** What a writer does, with the claim on its Idempotency-Key; and its database, if not the ordinary one. */
type More = Required<Pick<Writer, "effect">> & Partial<Pick<Writer, "idempotency" | "db">>;

/** Runs work after the response. Never throws: failures are only logged, under this name. */
export function runAfterResponse(arrival: Arrival, name: string, work: () => Promise<unknown>): void {
  // `async` turns a synchronous exception into a rejection: the call must not fail after its write is stored.
  const begin = async () => work();
  arrival.waitUntil(begin().catch((error: unknown) => logFailure(arrival, name, error)));
}

/** Returns a writer for a caller, pinned to the blog of the credential, if any. */
export function makePrincipalWriter(
  arrival: Arrival,
  { organizationId, kind, id, role, grants, pinnedBlogId }: OrganizationPrincipal,
  more: More,
): Writer {
  const actor: Actor = kind === "key" ? { kind, id, scopes: [...grants] } : { kind, id, role };
  const draftsOnly = !grants.has("articles:write");
  return { ...makeWriter(arrival, organizationId, actor), pinnedBlogId, draftsOnly, ...more };
}
