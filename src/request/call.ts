/** What every surface (REST, MCP, the console) needs to pass a caller's call to an operation. */
import type { Authenticated } from "../auth/authenticate.ts";
import type { Step } from "../generation/brief.ts";
import { LIMITS } from "../domain/limits.ts";
import type { OrganizationPrincipal, Principal } from "../domain/principal.ts";
import { databaseOf, sharedDatabase } from "../store/database.ts";
import { logFailure, type Arrival } from "./arrival.ts";
import { baseUrlOf } from "./base-url.ts";
import { withinLimit } from "./limits.ts";
import { sendMailWithinLimit } from "./mail.ts";
import { openModelsOf } from "./models.ts";
import type { Services } from "../operations/define.ts";
import type { Call } from "../operations/invoke.ts";
import type { Actor, IdempotencyClaim, Writer } from "../store/core/commit.ts";
import { organizationIdempotency } from "../store/core/idempotency.ts";
import { openOrganizationStore, type OrganizationStore } from "../store/organization.ts";
import type { IfMatch } from "../store/core/preconditions.ts";
import { openPublishedStore } from "../store/articles/published.ts";
import { replicaReader } from "../store/core/replica.ts";
import { readerOf } from "../store/core/sql.ts";

export type Caller = {
  readonly principal: Principal;
  /** What only the caller knows: answers that show a secret are stored under it. */
  readonly secret: string;
  readonly ifMatch?: IfMatch | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Follows the steps of a lengthy operation. */
  readonly tell?: ((step: Step) => void) | undefined;
  /** Aborted when the caller has left. */
  readonly signal?: AbortSignal | undefined;
};

const clock = () => new Date();

/** Opens what a caller's operation may need. */
export function openCall(arrival: Arrival, caller: Caller): Call {
  const { env, settings } = arrival;
  const { principal, secret, ifMatch, idempotencyKey, tell, signal } = caller;
  const db = sharedDatabase(env);
  return {
    principal,
    shared: {
      published: openPublishedStore(replicaReader(db), readerOf(db)),
      targetRules: settings.targetRules,
      now: new Date(),
      baseUrl: () => baseUrlOf(arrival),
      sendMail: (mail) => arrival.waitUntil(sendMailWithinLimit(arrival, mail)),
      sendSources: (refreshId, count) => arrival.waitUntil(sendSources(arrival, refreshId, count)),
      limitSearches: (organizationId) =>
        withinLimit(arrival, env.SEARCH_LIMIT, organizationId, {
          code: "rate_limited",
          quota: LIMITS.searchesPerMinute,
        }),
      limitComparisons: (organizationId) =>
        withinLimit(arrival, env.COMPARISON_LIMIT, organizationId, {
          code: "rate_limited",
          quota: LIMITS.comparisonsPerMinute,
        }),
      tell: tell ?? ignore,
      signal,
      ifMatch,
    },
    services: () => servicesOf(arrival),
    openStore: (principal, idempotency) => storeOf(arrival, principal, idempotency),
    idempotency: (principal) => organizationIdempotency(principalWriter(arrival, principal)),
    idempotencyKey,
    callerSecret: secret,
  };
}

const ignore = (): void => undefined;

/** What few operations need, each part loaded on its first use: readers of articles pay for none of it. */
function servicesOf(arrival: Arrival): Services {
  const { env, settings } = arrival;
  return {
    models: () => openModelsOf(env, settings),
    quota: settings.generationQuota,
    putFile: async (name, image) => (await import("../media.ts")).putFile(env.MEDIA, name, image),
    readSource: async (source) => {
      const { targetRules: rules, forumBaseUrls: baseUrls } = settings;
      return (await import("../topics/read.ts")).readSource(source, { rules, baseUrls, now: clock() });
    },
    limitResearch: (callerId) =>
      withinLimit(arrival, env.RESEARCH_LIMIT, callerId, {
        code: "rate_limited",
        quota: LIMITS.topicResearchesPerMinute,
      }),
    limitInvitations: (organizationId) =>
      withinLimit(arrival, env.MAIL_REQUEST_LIMIT, organizationId, {
        code: "rate_limited",
        quota: LIMITS.mailRequestsPerMinute,
      }),
    research: async (sources, board) => {
      const { targetRules: rules, forumBaseUrls: baseUrls } = settings;
      return (await import("../topics/research.ts")).research(sources, board, { rules, baseUrls, now: clock() });
    },
  };
}

/** Best effort: messages that the queue does not accept now are sent by the sweep later. */
async function sendSources(arrival: Arrival, refreshId: string, count: number): Promise<void> {
  try {
    const { enqueueSources } = await import("../topics/relay.ts");
    const names = Array.from({ length: count }, (_, position) => ({ refreshId, position }));
    await enqueueSources(arrival.env.TOPICS, names);
  } catch (error) {
    logFailure(arrival, "topic sources", error);
  }
}

/** A writer for an organization. */
export function writerOf(arrival: Arrival, organizationId: string, actor: Actor): Writer {
  return {
    db: databaseOf(arrival.env, organizationId),
    organizationId,
    pinnedBlogId: null,
    actor,
    requestId: arrival.requestId,
    now: clock,
    quota: arrival.settings.storageQuota,
    announce: () => announce(arrival, organizationId),
  };
}

function principalWriter(
  arrival: Arrival,
  { organizationId, kind, id, role, pinnedBlogId }: OrganizationPrincipal,
): Writer {
  return { ...writerOf(arrival, organizationId, { kind, id, role }), pinnedBlogId };
}

/** The store of a principal's organization. */
export const storeOf = (
  arrival: Arrival,
  principal: OrganizationPrincipal,
  idempotency?: IdempotencyClaim,
): OrganizationStore =>
  openOrganizationStore({ ...principalWriter(arrival, principal), ...(idempotency && { idempotency }) });

/** Notes the use of credentials after the answer, where that is due. Best effort. */
export function noteUse(arrival: Arrival, { touch }: Authenticated): void {
  if (touch) arrival.waitUntil(touch().catch((error: unknown) => logFailure(arrival, "touch", error)));
}

/** Best effort: messages that the queue does not accept now are sent by the sweep within a minute or two. */
function announce(arrival: Arrival, organizationId: string): void {
  // Async, so that a queue that throws at once does not turn a stored write into a failure.
  const send = async () => arrival.env.EVENTS.send({ organizationId });
  arrival.waitUntil(send().catch((error: unknown) => logFailure(arrival, "announce", error)));
}
