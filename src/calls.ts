/** What every surface (REST, MCP, the console) needs to pass a caller's call to an operation. */
import type { Models } from "./ai/model.ts";
import type { Authenticated } from "./auth/authenticate.ts";
import type { Settings } from "./env.ts";
import { DomainError } from "./errors.ts";
import type { Step } from "./generation/brief.ts";
import { sha256 } from "./lib/hash.ts";
import { LIMITS } from "./lib/limits.ts";
import { log } from "./lib/log.ts";
import type { Member, Principal } from "./lib/principal.ts";
import type { Mail } from "./mail/mail.ts";
import { mailerOf } from "./mail/mailer.ts";
import type { Services } from "./operations/define.ts";
import type { Call } from "./operations/invoke.ts";
import type { Actor, IdempotencyClaim, Writer } from "./store/core/commit.ts";
import { organizationIdempotency } from "./store/core/idempotency.ts";
import { openOrganizationStore, type OrganizationStore } from "./store/organization.ts";
import type { IfMatch } from "./store/core/preconditions.ts";
import { openPublishedStore } from "./store/articles/published.ts";
import { readerOf, replicaReader } from "./store/core/sql.ts";

/** A request, as far as operations depend on it. */
export type Arrival = {
  readonly env: Env;
  readonly settings: Settings;
  readonly requestId: string;
  /** Scheme, host and port of the request. */
  readonly origin: string;
  readonly waitUntil: (work: Promise<unknown>) => void;
  /** Says whose request it is, for the log. */
  readonly identify: (organizationId: string) => void;
};

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

/** The period of all limits, in seconds: what `Retry-After` says, as the binding does not tell. */
const PERIOD = 60;

/** Opens what a caller's operation may need. */
export function openCall(arrival: Arrival, caller: Caller): Call {
  const { env, settings } = arrival;
  const { principal, secret, ifMatch, idempotencyKey, tell, signal } = caller;
  return {
    principal,
    shared: {
      published: openPublishedStore(replicaReader(env.DB), readerOf(env.DB)),
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
    openStore: (member, idempotency) => storeOf(arrival, member, idempotency),
    idempotency: (member) => organizationIdempotency(memberWriter(arrival, member)),
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
    putFile: async (name, image) => (await import("./media/files.ts")).putFile(env.MEDIA, name, image),
    readSource: async (source) => {
      const { targetRules: rules, forumBaseUrls: baseUrls } = settings;
      return (await import("./topics/read.ts")).readSource(source, { rules, baseUrls, now: clock() });
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
      return (await import("./topics/research.ts")).research(sources, board, { rules, baseUrls, now: clock() });
    },
  };
}

/** The models of a deployment. */
export async function openModelsOf(env: Env & { readonly AI?: Ai }, { ai }: Pick<Settings, "ai">): Promise<Models> {
  return (await import("./ai/open.ts")).openModels(ai, env.AI);
}

/** Whether a deployment has a model that writes. Evaluates nothing of the SDK. */
export async function hasModelOf(env: Env & { readonly AI?: Ai }, { ai }: Pick<Settings, "ai">): Promise<boolean> {
  return (await import("./ai/open.ts")).hasTextModel(ai, env.AI);
}

/** Best effort: messages that the queue does not accept now are sent by the sweep later. */
async function sendSources(arrival: Arrival, refreshId: string, count: number): Promise<void> {
  try {
    const { enqueueSources } = await import("./topics/relay.ts");
    const names = Array.from({ length: count }, (_, position) => ({ refreshId, position }));
    await enqueueSources(arrival.env.TOPICS, names);
  } catch (error) {
    logFailure(arrival, "topic sources", error);
  }
}

/** A writer for an organization. */
export function writerOf(arrival: Arrival, organizationId: string, actor: Actor): Writer {
  return {
    db: arrival.env.DB,
    organizationId,
    pinnedBlogId: null,
    actor,
    requestId: arrival.requestId,
    now: clock,
    quota: arrival.settings.storageQuota,
    announce: (eventId) => announce(arrival, eventId),
  };
}

function memberWriter(arrival: Arrival, { organizationId, kind, id, role, pinnedBlogId }: Member): Writer {
  return { ...writerOf(arrival, organizationId, { kind, id, role }), pinnedBlogId };
}

/** The store of a member's organization. */
export const storeOf = (arrival: Arrival, member: Member, idempotency?: IdempotencyClaim): OrganizationStore =>
  openOrganizationStore({ ...memberWriter(arrival, member), ...(idempotency && { idempotency }) });

/**
 * Where people reach the service, without a slash at the end. Throws `not_ready` in production without BASE_URL: the
 * host of a request is whatever its sender says, and must not end up in mails, or be whom tokens are from.
 */
export function baseUrlOf(arrival: Pick<Arrival, "settings" | "origin">): string {
  const found = findBaseUrl(arrival);
  if (found === null) throw new DomainError("not_ready", NO_BASE_URL);
  return found;
}

const NO_BASE_URL =
  "The service does not know its own address, which links and sign-ins need: set `BASE_URL` in wrangler.toml to where people reach it, an origin such as `https://press.example.com`, and deploy again.";

/** As {@link baseUrlOf}, but null where that throws: for answers that can do without. */
export function findBaseUrl({ settings, origin }: Pick<Arrival, "settings" | "origin">): string | null {
  const { baseUrl, production } = settings;
  if (production) return baseUrl || null;
  // The other name of this computer: clients want to find what they asked for (RFC 8414, 3.3).
  return baseUrl.replace("//127.0.0.1:", "//localhost:") === origin ? origin : baseUrl || origin;
}

/** Whether mails reach their recipients: only then does a link prove that an address belongs to its holder. */
export const mailsLeave = ({ env, settings }: Arrival): boolean =>
  settings.production && openMailer({ env, settings }) !== null;

const openMailer = ({ env, settings }: Pick<Arrival, "env" | "settings">) =>
  mailerOf({ db: env.DB, email: bindingOf(env), local: !settings.production, settings: settings.mail });

/** Sends a mail after the response, so that the time it takes reveals nothing. Best effort. */
export function sendMail(arrival: Arrival, mail: Mail): void {
  const mailer = openMailer(arrival);
  if (mailer === null) return log({ level: "warn", requestId: arrival.requestId, message: "no way to send mails" });
  arrival.waitUntil(mailer(mail).catch((error: unknown) => logFailure(arrival, "mail", error)));
}

/** Sends a mail, unless its recipient has got too many in this minute. */
async function sendMailWithinLimit(arrival: Arrival, mail: Mail): Promise<void> {
  try {
    await limitMailsTo(arrival, mail.to);
    sendMail(arrival, mail);
  } catch (error) {
    logFailure(arrival, "mail", error);
  }
}

/** Counts a mail to an address, so that nobody can flood somebody else's mailbox. */
export const limitMailsTo = async (arrival: Arrival, address: string): Promise<void> =>
  withinLimit(arrival, arrival.env.MAIL_LIMIT, await sha256(address), {
    code: "rate_limited",
    quota: LIMITS.mailsPerMinute,
  });

export type LimitCode = "rate_limited" | "too_many_failed_attempts";

/** Counts a request against a limit; throws the refusal with its headers where it is one too many. */
export async function withinLimit(
  arrival: Arrival,
  limiter: RateLimit,
  key: string,
  { code, quota, detail }: { code: LimitCode; quota: number; detail?: string },
): Promise<void> {
  if (await isWithin(arrival, limiter, key)) return;
  const headers = { "Retry-After": String(PERIOD), "RateLimit-Policy": `"${code}";q=${quota};w=${PERIOD}` };
  throw new DomainError(code, detail, { headers });
}

/**
 * Counts a call of a credential or an application: as its own, then as one of its organization. People in the
 * console are counted by themselves only: they have to reach it to revoke a key that sends too much.
 */
export async function limitMemberCalls(
  arrival: Arrival,
  { id, organizationId }: Pick<Member, "id" | "organizationId">,
): Promise<void> {
  await limitCalls(arrival, id);
  await withinLimit(arrival, arrival.env.ORGANIZATION_LIMIT, organizationId, {
    code: "rate_limited",
    quota: LIMITS.organizationRequestsPerMinute,
    detail: "The organization as a whole sends too many requests. Repeat after the seconds in `Retry-After`.",
  });
}

/** Counts a call of a credential, an application or a person. */
export const limitCalls = (arrival: Arrival, callerId: string): Promise<void> =>
  withinLimit(arrival, arrival.env.KEY_LIMIT, callerId, { code: "rate_limited", quota: LIMITS.keyRequestsPerMinute });

/** Notes the use of credentials after the answer, where that is due. Best effort. */
export function noteUse(arrival: Arrival, { touch }: Authenticated): void {
  if (touch) arrival.waitUntil(touch().catch((error: unknown) => logFailure(arrival, "touch", error)));
}

/** Logs that something outside the request itself went wrong. */
export function logFailure(arrival: Pick<Arrival, "requestId">, part: string, error: unknown): void {
  log({ level: "warn", requestId: arrival.requestId, message: `${part} failed`, error: String(error) });
}

/** Asks a limiter. One that fails lets everybody through: an unavailable limiter should not take the service down. */
async function isWithin(arrival: Arrival, limiter: RateLimit, key: string): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    logFailure(arrival, "rate limit", error);
    return true;
  }
}

/** Best effort: messages that the queue does not accept now are sent by the sweep within a minute or two. */
function announce(arrival: Arrival, eventId: string): void {
  // Async, so that a queue that throws at once does not turn a stored write into a failure.
  const send = async () => arrival.env.EVENTS.send({ eventId });
  arrival.waitUntil(send().catch((error: unknown) => logFailure(arrival, "announce", error)));
}

/** The mail binding is commented out in wrangler.toml: not every account has it. */
const bindingOf = (env: Env & { readonly EMAIL?: SendEmail }): SendEmail | undefined => env.EMAIL;
