/** The Worker's entry point: connects requests, queues and the cron trigger to the code that handles them. */
import { databaseOf, sharedDatabase } from "./store/database.ts";
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import { cache } from "cloudflare:workers";
import { openModelsOf } from "./request/models.ts";
import { settingsOf } from "./env.ts";
import type { PurgeMessage, PurgeRelay } from "./edge/purge.ts";
import { createApp } from "./http/app.ts";
import { described, log } from "./lib/log.ts";
import type { HostSweep } from "./hosts/sweep.ts";
import { post } from "./outbound/post.ts";
import { abandonGenerations } from "./store/generation/system-generations.ts";
import { removeExpiredRecords } from "./store/access/system-oauth-connections.ts";
import { indexDueArticles } from "./store/articles/system.ts";
import { dueDeletions, fireDeletion } from "./store/articles/system-deletions.ts";
import type { DueArticle } from "./store/articles/system-due.ts";
import { fireSchedules, sendDueSchedules, type ScheduleRun } from "./store/articles/system-schedules.ts";
import { removeRevisions } from "./store/articles/system-revisions.ts";
import type { SizeMessage, SizeRelay } from "./media/size-queue.ts";
import type { TopicMessage, TopicRelay } from "./topics/relay.ts";
import { consumeDeliveries, consumeEvents } from "./webhooks/consumer.ts";
import type { OrganizationMessage, Relay } from "./webhooks/ports.ts";
import { sendAll, sweep } from "./webhooks/sweep.ts";

// better-auth keeps a promise from node:async_hooks for all requests. Create it here: if a request created it, other
// requests would hang after that request has ended (architecture, "Reads on the nearest replica"). The function has to be
// called, because the package declares that it has no side effects, so a bundler would drop a plain import.
void getAsyncLocalStorage();

const subscribing = async () => (await import("./console/subscribing.tsx")).handle;
const oauth = async () => (await import("./oauth/app.ts")).handle;

const app = createApp([
  { path: "/console", load: async () => (await import("./console/app.tsx")).handle },
  { path: "/previews", load: async () => (await import("./console/previews.tsx")).handle },
  { path: "/blogs/:blogId/subscribe", load: subscribing },
  { path: "/blogs/:blogId/unsubscribe", load: subscribing },
  { path: "/mcp", load: async () => (await import("./mcp/app.ts")).handle },
  { path: "/oauth", load: oauth },
  { path: "/.well-known/oauth-authorization-server", load: oauth },
  { path: "/.well-known/oauth-protected-resource", load: oauth },
]);

/** The bindings, of which wrangler's types know the values in wrangler.toml only. */
type Settable = Omit<Env, "BASE_URL"> & { readonly BASE_URL: string };

export default {
  async fetch(request: Request, env: Settable, context: ExecutionContext): Promise<Response> {
    // The service's own address is compared first: only other hosts may be those of blogs.
    if (request.url.startsWith(`${env.BASE_URL}/`)) return app.fetch(request, env, context);
    const { mountOfHost, siteApp } = await import("./http/site/hosts.ts");
    const mount = await mountOfHost(request.url, env as Env);
    return (mount === null ? app : siteApp(mount)).fetch(request, env, context);
  },

  async queue(batch, env, context) {
    switch (batch.queue) {
      case "edgepress-deliveries":
        return consumeDeliveries(relayOf(env, context), "quick", batch as MessageBatch<OrganizationMessage>);
      case "edgepress-deliveries-slow":
        return consumeDeliveries(relayOf(env, context), "slow", batch as MessageBatch<OrganizationMessage>);
      case "edgepress-purges": {
        const { consumePurges } = await import("./edge/purge.ts");
        return consumePurges(purgeRelayOf(env), batch as MessageBatch<PurgeMessage>);
      }
      case "edgepress-topics": {
        const { consumeTopics } = await import("./topics/consumer.ts");
        return consumeTopics(topicRelayOf(env), batch as MessageBatch<TopicMessage>);
      }
      case "edgepress-sizes": {
        const { consumeSizes } = await import("./media/size-queue.ts");
        return consumeSizes(sizeRelayOf(env), batch as MessageBatch<SizeMessage>);
      }
      case "edgepress-cron":
        for (const message of batch.messages) await runCronMessage(message as Message<CronMessage>, env, context);
        return;
      default:
        return consumeEvents(relayOf(env, context), batch as MessageBatch<OrganizationMessage>);
    }
  },

  /**
   * An invocation may make 1,000 queries (D1, Limits). So each part of the minute's work runs as an invocation of its own,
   * and bounds itself to fewer.
   */
  async scheduled(_controller, env) {
    await env.CRON.sendBatch(Object.keys(CRON_PARTS).map((part) => ({ body: { part } })));
  },
} satisfies ExportedHandler<Env, OrganizationMessage | PurgeMessage | TopicMessage | SizeMessage | CronMessage>;

type CronPart = (env: Env, context: ExecutionContext) => Promise<unknown>;

/** What runs every minute. */
const CRON_PARTS = {
  schedules: (env) =>
    sendDueSchedules(sharedDatabase(env), { now: new Date(), quota: settingsOf(env).quota }, (schedules) =>
      env.CRON.sendBatch(schedules.map((some) => ({ body: { part: "due", schedules: some } }))),
    ),
  deletions: (env) =>
    sendDueSchedules(
      sharedDatabase(env),
      { now: new Date(), quota: settingsOf(env).quota },
      (deletions) => env.CRON.sendBatch(deletions.map((due) => ({ body: { part: "delete", due } }))),
      dueDeletions,
    ),
  relay: (env, context) => sweep(relayOf(env, context)),
  topics: async (env) => (await import("./topics/sweep.ts")).sweepTopics(topicRelayOf(env)),
  hosts: async (env) => (await import("./hosts/sweep.ts")).sweepHosts(hostSweepOf(env)),
  sizes: async (env) => (await import("./media/size-queue.ts")).sweepSizes(sizeRelayOf(env)),
  media: async (env) => (await import("./media/files.ts")).removeUnowned(sharedDatabase(env), env.MEDIA, new Date()),
  generations: (env) => abandonGenerations(sharedDatabase(env), new Date()),
  oauth: (env) => removeExpiredRecords(sharedDatabase(env), new Date()),
  revisions: (env) => removeRevisions(sharedDatabase(env), new Date(), settingsOf(env).quota.revisionBytes),
  renderings: async (env) =>
    (await import("./store/articles/system-renderings.ts")).renderDueArticles(sharedDatabase(env)),
  search: (env) => indexDueArticles(sharedDatabase(env)),
} as const satisfies Readonly<Record<string, CronPart>>;

/** A part of what runs every minute, schedules that were due, or deletions that cannot be undone any more. */
export type CronMessage =
  | { readonly part: keyof typeof CRON_PARTS }
  | { readonly part: "due"; readonly schedules: readonly DueArticle[] }
  | { readonly part: "delete"; readonly due: readonly DueArticle[] };

/** After this time, a message of the cron is dropped: a later minute has sent the same work again. */
const CRON_PATIENCE_MS = 3 * 60_000;

/** Runs one part. One that fails is logged and not tried again, because the next minute sends it anyway. */
async function runCronMessage({ body, timestamp }: Message<CronMessage>, env: Env, context: ExecutionContext) {
  if (Date.now() - timestamp.getTime() > CRON_PATIENCE_MS) return;
  try {
    if (body.part === "due") await fireSchedules(body.schedules, scheduleRunOf(env));
    else if (body.part === "delete") await fireSchedules(body.due, scheduleRunOf(env), fireDeletion);
    else await CRON_PARTS[body.part](env, context);
  } catch (error) {
    log({ level: "error", message: "cron failed", part: body.part, error: String(error) });
  }
}

const sizeRelayOf = (env: Env): SizeRelay => ({
  db: sharedDatabase(env),
  bucket: env.MEDIA,
  sizes: env.SIZES,
  now: () => new Date(),
  log,
});

function hostSweepOf(env: Env): HostSweep {
  const { dnsResolverUrl: url, targetRules: rules } = settingsOf(env);
  return { db: sharedDatabase(env), resolver: { url, rules }, now: () => new Date(), log };
}

function topicRelayOf(env: Env): TopicRelay {
  const settings = settingsOf(env);
  return {
    db: sharedDatabase(env),
    topics: env.TOPICS,
    targetRules: settings.targetRules,
    baseUrls: settings.forumBaseUrls,
    models: () => openModelsOf(env, settings),
    now: () => new Date(),
    log,
  };
}

function relayOf(env: Env, context: ExecutionContext): Relay {
  const { targetRules, kept, quota } = settingsOf(env);
  return {
    db: sharedDatabase(env),
    events: env.EVENTS,
    deliveries: { quick: env.DELIVERIES, slow: env.DELIVERIES_SLOW },
    targetRules,
    kept,
    quota,
    post,
    now: () => new Date(),
    waitUntil: (work) => context.waitUntil(work),
    purges: env.PURGES,
    log,
  };
}

const scheduleRunOf = (env: Env): ScheduleRun => ({
  databaseOf: (organizationId) => databaseOf(env, organizationId),
  quota: settingsOf(env).quota,
  now: () => new Date(),
  announce: (organizationIds) => sendAll(env.EVENTS, organizationIds),
  log,
});

function purgeRelayOf(env: Env): PurgeRelay {
  return {
    db: sharedDatabase(env),
    replica: sharedDatabase(env).withSession("first-unconstrained"),
    purges: env.PURGES,
    now: () => new Date(),
    purge,
    log,
  };
}

/** Purges tags from the Workers Cache. Returns false if that failed. Does nothing in local runs, which have no cache. */
async function purge(tags: readonly string[]): Promise<boolean> {
  if (typeof cache?.purge !== "function") return true;
  try {
    const { success } = await cache.purge({ tags: [...tags] });
    return success;
  } catch (error) {
    log({ level: "warn", message: "cache.purge failed", error: described(error).message });
    return false;
  }
}
