/** Connects the surfaces to operations: opens stores and services for a caller. */
import type { Authenticated } from "../auth/authenticate.ts";
import { toMicrodollars } from "../../ai/model.ts";
import type { Step } from "../../ai/generation/brief.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Principal } from "../../domain/principal.ts";
import type { IfMatch } from "../../domain/preconditions.ts";
import { openPlaces } from "../../store/database.ts";
import { logFailure, type Arrival } from "./arrival.ts";
import { getBaseUrl } from "./base-url.ts";
import { runAfterResponse, makePrincipalWriter, openPrincipalStore } from "./writer.ts";
import { enforceLimit } from "./limits.ts";
import { inSpan } from "./span.ts";
import type { Later, Services } from "../../operations/define.ts";
import type { Call } from "../../operations/invoke.ts";
import { makeMeter, openMetered } from "../../meter.ts";
import { openPublishedStore } from "../../store/articles/published.ts";
import type { TopicMessage } from "../../background/topics/relay.ts";
import { makeReplicaReader } from "../../store/core/replica.ts";
import { makeReader, type Database } from "../../store/core/sql.ts";

export type Caller = {
  readonly principal: Principal;
  /** Only the caller knows it. It encrypts stored responses that contain a secret. */
  readonly secret: string;
  readonly ifMatch?: IfMatch | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The database to use in place of the organization's ordinary one. */
  readonly db?: Database | undefined;
  readonly tell?: ((step: Step) => void) | undefined;
  /** Aborted when the caller closes the connection. */
  readonly signal?: AbortSignal | undefined;
};

/** Returns what an operation may need for one call. Makes no database query itself. */
export function openCall(arrival: Arrival, caller: Caller): Call {
  const { env, settings } = arrival;
  const { principal, secret, ifMatch, idempotencyKey, tell, signal } = caller;
  const atCaller = caller.db && { db: caller.db };
  // Callers with credentials must see what they have just written.
  const nearest = principal.kind === "anonymous" ? makeReplicaReader : makeReader;
  return {
    principal,
    shared: {
      published: openPublishedStore(openPlaces(env, nearest, caller.db)),
      service: {
        baseUrl: () => getBaseUrl(arrival),
        siteDomain: settings.siteDomain,
        keptEventDays: settings.kept.events,
        targetRules: settings.targetRules,
        getUnsubscribeUrl: async (contact) => (await import("./subscribing.ts")).findUnsubscribeUrl(arrival, contact),
      },
      limit: (name, id) => enforceLimit(arrival, name, id),
      later: (task, message) => runAfterResponse(arrival, task, () => LATER[task](arrival, message)),
      progress: { tell: tell ?? (() => undefined), signal },
      ifMatch,
    },
    services: () => openServices(arrival, signal),
    openStore: (principal, effect, idempotency) =>
      openPrincipalStore(arrival, principal, { effect, ...(idempotency && { idempotency }), ...atCaller }),
    idempotency: async (principal, effect) => {
      const { openIdempotency } = await import("../../store/core/idempotency.ts");
      return openIdempotency(makePrincipalWriter(arrival, principal, { effect, ...atCaller }));
    },
    idempotencyKey,
    follows: tell !== undefined,
    callerSecret: secret,
    trace: ({ organizationId }, name, work) =>
      inSpan(name, { operation: name, requestId: arrival.requestId, organization: organizationId }, work),
  };
}

const LATER: { readonly [Task in keyof Later]: (arrival: Arrival, message: Later[Task]) => Promise<unknown> } = {
  mail: async (arrival, mail) => (await import("./mail.ts")).sendMailWithinLimit(arrival, "invitation", mail),
  sources: async ({ env }, { refreshId, count, organizationId }) => {
    const { sendEach } = await import("../../lib/send-each.ts");
    const names = Array.from({ length: count }, (_, position) => ({ refreshId, position, organizationId }));
    await sendEach<TopicMessage>(env.TOPICS, names);
  },
  // One second late, so that the deletion is due by then.
  deletion: ({ env }, due) => env.CRON.send({ part: "delete", due: [due] }, { delaySeconds: LIMITS.undoSeconds + 1 }),
  sizes: ({ env }, message) => env.SIZES.send(message),
  import: ({ env }, message) => env.IMPORTS.send(message),
  generation: ({ env }, message) => env.GENERATIONS.send(message),
  purge: ({ env }) => env.PURGES.send({}),
};

/** Returns services that few operations need. Each module is loaded on first use, so that article reads stay fast. */
function openServices(arrival: Arrival, signal: AbortSignal | undefined): Services {
  const { env, settings } = arrival;
  const { targetRules: rules, forumBaseUrls: baseUrls } = settings;
  return {
    models: async () => (await import("./models.ts")).openDeploymentModels(env, settings),
    quota: settings.generationQuota,
    count: makeMeter(env).count,
    asMicrodollars: (model, usage) => toMicrodollars(settings.ai.prices, model, usage),
    putFile: async (name, image) => (await import("../../background/media/files.ts")).putFile(env.MEDIA, name, image),
    putImport: async (name, file) =>
      (await import("../../background/media/import-files.ts")).putImport(env.MEDIA, name, file),
    removeImport: async (name) =>
      (await import("../../background/media/import-files.ts")).removeImport(env.MEDIA, name),
    readPicture: async (file) => (await import("../../background/media/read.ts")).readUpload(file),
    fetchPicture: async (url) => (await import("./fetched.ts")).fetchPicture(arrival, url),
    fetchEmbed: async (embed) => (await import("./fetched.ts")).fetchEmbed(arrival, embed),
    readSource: async (source) =>
      (await import("../../background/topics/read.ts")).readSource(source, { rules, baseUrls, now: new Date() }),
    readSources: async (urls) =>
      (await import("../../background/sources/read.ts")).readSources(urls, rules, new Date()),
    listFiles: async (...asked) =>
      (await import("../../background/media/exported-files.ts")).listFiles(env.MEDIA, ...asked),
    readFile: async (...asked) =>
      (await import("../../background/media/exported-files.ts")).readFile(env.MEDIA, ...asked),
    readTxt: async (name) =>
      (await import("../../outbound/dns.ts")).readTxt(name, { url: settings.dnsResolverUrl, rules, signal }),
    research: async (sources, board) => {
      const { researchSources } = await import("../../background/topics/research.ts");
      return researchSources(sources, board, { rules, baseUrls, now: new Date() });
    },
  };
}

/** Stores after the response that a credential was used. Failures are only logged. */
export function recordUse(arrival: Arrival, { principal, touch }: Pick<Authenticated, "principal" | "touch">): void {
  if (touch === undefined || principal.kind === "anonymous") return;
  const touched = touch(openMetered(arrival.env, principal.organizationId));
  arrival.waitUntil(touched.catch((error: unknown) => logFailure(arrival, "touch", error)));
}
