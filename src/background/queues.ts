/** Handles the messages of all queues, and what the cron does every minute. Loaded with the first message. */
import {
  bindTo,
  claimName,
  findDatabase,
  getBound,
  getDirectory,
  listDatabases,
  listEntries,
  listShards,
} from "../store/database.ts";
import { cache } from "cloudflare:workers";
import { openMailer } from "../surfaces/request/mail.ts";
import { inSpan } from "../surfaces/request/span.ts";
import { openDeploymentModels } from "../surfaces/request/models.ts";
import { countAgainstRate, parseSettings } from "../env.ts";
import type { PurgeMessage, PurgeRelay } from "./edge/purge.ts";
import type { PurgeMethod } from "../store/edge/system-purges.ts";
import { log } from "../lib/log.ts";
import { sendEach } from "../lib/send-each.ts";
import { withTimeout } from "../lib/within.ts";
import type { GenerationMessage, Generator } from "./generations/consumer.ts";
import type { Importer, ImportMessage } from "./imports/consumer.ts";
import type { HostSweep } from "./hosts/sweep.ts";
import { post } from "../outbound/post.ts";
import { endInShards, removeExpiredRecords } from "../store/access/system-oauth-connections.ts";
import { fireAutosaved } from "../store/articles/system-autosaved.ts";
import { indexDueArticles, removeDeletedWords } from "../store/articles/system-search-index.ts";
import { DELETIONS } from "../store/articles/system-deletions.ts";
import { fireDue, sendDue, type DueArticle, type DueRun } from "../store/articles/system-due.ts";
import { SCHEDULES } from "../store/articles/system-schedules.ts";
import { removeRevisions } from "../store/articles/system-revisions.ts";
import type { SizeMessage, SizeRelay } from "./media/size-queue.ts";
import type { TopicMessage, TopicRelay } from "./topics/relay.ts";
import { consumeDeliveries, consumeEvents } from "./webhooks/consumer.ts";
import type { OrganizationMessage, Relay } from "./webhooks/ports.ts";
import { makeMeter, openMetered } from "../meter.ts";
import { sendOrganizations, sweepWebhooks } from "./webhooks/sweep.ts";

export type QueueMessage =
  | OrganizationMessage
  | PurgeMessage
  | TopicMessage
  | SizeMessage
  | ImportMessage
  | GenerationMessage
  | CronMessage;

/** Consumes a batch in a span that says what it is for, if it has one message. */
export function consumeBatch(batch: MessageBatch, env: Env, context: ExecutionContext): Promise<void> {
  const [only, ...others] = batch.messages;
  const { organizationId, part } = (others.length === 0 && only?.body ? only.body : {}) as Partial<
    OrganizationMessage & CronMessage
  >;
  return inSpan(batch.queue, { organization: organizationId, part }, () => consume(batch, env, context));
}

/** Returns what follows the Worker's name in that of a queue: each deployment's queues begin with its own (docs/deploy.md). */
const getWork = (queue: string): string => /-(deliveries-slow|[a-z]+)$/.exec(queue)?.[1] ?? "";

/** Consumes the messages of each database by itself, side by side: one that hangs delays no other. */
async function consume(batch: MessageBatch, env: Env, context: ExecutionContext): Promise<void> {
  const work = getWork(batch.queue);
  if (listDatabases(env).length === 1 || work === "cron" || work === "purges") return consumeOf(batch, env, context);
  const named = await Promise.all(
    batch.messages.map(async (message) => {
      const { organizationId } = (message.body ?? {}) as Partial<OrganizationMessage>;
      return { message, name: organizationId === undefined ? "DB" : await findDatabase(env, organizationId) };
    }),
  );
  const groups = Map.groupBy(named, ({ name }) => name);
  await Promise.all(
    Array.from(groups, async ([name, some]) => {
      const messages = some.map(({ message }) => message);
      const ackAll = () => messages.forEach((message) => message.ack());
      // Messages are hints: the sweep sends them again once the shard answers.
      if (name !== "DB" && !(await isAnswering(env, name))) return ackAll();
      return consumeOf({ ...batch, queue: batch.queue, messages, ackAll }, bindTo(env, name), context);
    }),
  );
}

async function consumeOf(batch: MessageBatch, env: Env, context: ExecutionContext): Promise<void> {
  switch (getWork(batch.queue)) {
    case "deliveries":
      return consumeDeliveries(makeRelay(env, context), "quick", batch as MessageBatch<OrganizationMessage>);
    case "deliveries-slow":
      return consumeDeliveries(makeRelay(env, context), "slow", batch as MessageBatch<OrganizationMessage>);
    case "purges": {
      const { consumePurges } = await import("./edge/purge.ts");
      return consumePurges(makePurgeRelay(env), batch as MessageBatch<PurgeMessage>);
    }
    case "topics": {
      const { consumeTopics } = await import("./topics/consumer.ts");
      return consumeTopics(makeTopicRelay(env), batch as MessageBatch<TopicMessage>);
    }
    case "sizes": {
      const { consumeSizes } = await import("./media/size-queue.ts");
      return consumeSizes(makeSizeRelay(env), batch as MessageBatch<SizeMessage>);
    }
    case "imports": {
      const { consumeImports } = await import("./imports/consumer.ts");
      return consumeImports(makeImporter(env, context), batch as MessageBatch<ImportMessage>);
    }
    case "generations": {
      const { consumeGenerations } = await import("./generations/consumer.ts");
      return consumeGenerations(makeGenerator(env, context), batch as MessageBatch<GenerationMessage>);
    }
    case "cron":
      for (const message of batch.messages) await runCronMessage(message as Message<CronMessage>, env, context);
      return;
    case "events":
      return consumeEvents(makeRelay(env, context), batch as MessageBatch<OrganizationMessage>);
    default:
      // The messages then stay in the queue until a version of the Worker knows it.
      throw new Error(`There is no consumer of the queue ${batch.queue}.`);
  }
}

/** Queues the minute's work in each database. Each part runs in its own invocation, because one may make 1,000 queries (D1, Limits). */
export async function queueCron(env: Env): Promise<void> {
  const parts = Object.keys(CRON_PARTS) as (keyof typeof CRON_PARTS)[];
  const [, ...shards] = listDatabases(env);
  await sendEach<CronMessage>(env.CRON, [
    ...parts
      .filter((part) => part !== "directory" && (part !== "moves" || shards.length > 0))
      .map((part) => ({ part })),
    ...shards.flatMap((database) => parts.filter((part) => part !== "moves").map((part) => ({ part, database }))),
  ]);
}

/** Works in one database, which is the only one of `env`. `whole` has the Worker's own bindings, and the name of that database. */
type CronPart = (
  env: Env,
  context: ExecutionContext,
  whole: { readonly env: Env; readonly database: string; readonly lease: string | undefined },
) => Promise<unknown>;

const CRON_PARTS = {
  schedules: (env) =>
    sendDue(SCHEDULES, getBound(env), { now: new Date(), quota: parseSettings(env).quota }, (schedules) =>
      env.CRON.sendBatch(schedules.map((some) => ({ body: { part: "due", schedules: some } }))),
    ),
  deletions: (env) =>
    sendDue(DELETIONS, getBound(env), { now: new Date(), quota: parseSettings(env).quota }, (deletions) =>
      env.CRON.sendBatch(deletions.map((due) => ({ body: { part: "delete", due } }))),
    ),
  // Before `relay`, which sends the events that this fires.
  autosaved: (env) => fireAutosaved(getBound(env), makeDueRun(env)),
  relay: (env, context) => sweepWebhooks(makeRelay(env, context)),
  topics: async (env) => (await import("./topics/sweep.ts")).sweepTopics(makeTopicRelay(env)),
  hosts: async (env) => (await import("./hosts/sweep.ts")).sweepHosts(makeHostSweep(env)),
  sizes: async (env) => (await import("./media/size-queue.ts")).sweepSizes(makeSizeRelay(env)),
  imports: async (env, context) => (await import("./imports/consumer.ts")).sweepImports(makeImporter(env, context)),
  media: async (env) => (await import("./media/files.ts")).removeUnownedFiles(getBound(env), env.MEDIA, new Date()),
  blogs: async (env) => (await import("./blogs/erase.ts")).eraseDeleted(getBound(env), env.MEDIA, new Date()),
  generations: async (env, context) =>
    (await import("./generations/consumer.ts")).sweepGenerations(makeGenerator(env, context)),
  oauth(env, _context, { env: whole }) {
    const now = new Date();
    const endElsewhere = listShards(whole).length > 0 && getBound(env) === whole.DB;
    return removeExpiredRecords(getBound(env), now, endElsewhere ? (ids) => endInShards(whole, ids, now) : undefined);
  },
  revisions: (env) => removeRevisions(getBound(env), new Date(), parseSettings(env).quota),
  renderings: async (env) => (await import("../store/articles/system-renderings.ts")).renderDueArticles(getBound(env)),
  trash: async (env) =>
    (await import("../store/articles/system-trash.ts")).emptyTrash(getBound(env), new Date(), parseSettings(env).quota),
  moves: (_env, _context, { env, lease }) => moveOn(env, lease),
  directory: (_env, _context, { env, database }) => listEntries(env, database),
  async search(env) {
    await indexDueArticles(getBound(env));
    await removeDeletedWords(getBound(env));
  },
} as const satisfies Readonly<Record<string, CronPart>>;

/** Goes on with the organization that is moving, if any, and sends itself on. */
async function moveOn(env: Env, held: string | undefined): Promise<void> {
  const { runMoves } = await import("../store/moving/move.ts");
  const announce = async (organizationId: string) => {
    for (const queue of [env.EVENTS, env.DELIVERIES, env.DELIVERIES_SLOW])
      await sendOrganizations(queue, [organizationId]);
  };
  const { ran, lease } = await runMoves(env, { now: () => new Date(), announce, lease: held });
  if (lease !== undefined) await env.CRON.send({ part: "moves", lease }, { delaySeconds: ran === "waiting" ? 1 : 0 });
}

/** A part of the minute's work, schedules that are due, or deletions that can no longer be undone. */
export type CronMessage =
  | { readonly part: keyof typeof CRON_PARTS; readonly database?: string; readonly lease?: string }
  | { readonly part: "due"; readonly schedules: readonly DueArticle[] }
  | { readonly part: "delete"; readonly due: readonly DueArticle[] };

/** Milliseconds after which a message is dropped: a later minute has sent the same work again. */
const CRON_PATIENCE_MS = 3 * 60_000;

/** Milliseconds within which a shard must answer, so that one that hangs holds no consumers. */
const ANSWER_MS = 2000;

async function isAnswering(env: Env, database: string): Promise<boolean> {
  const asked = getBound(bindTo(env, database)).prepare("select 1").all();
  const answer = await withTimeout(
    ANSWER_MS,
    asked.catch(() => null),
  );
  if (answer === null) log({ level: "error", message: "database does not answer", database });
  return answer !== null;
}

/** Runs one part. Logs its error and does not retry it, because the next minute sends it anyway. */
async function runCronMessage({ body, timestamp }: Message<CronMessage>, env: Env, context: ExecutionContext) {
  if (Date.now() - timestamp.getTime() > CRON_PATIENCE_MS) return;
  try {
    if (body.part === "due") await fireDue(SCHEDULES, body.schedules, makeDueRun(env));
    else if (body.part === "delete") await fireDue(DELETIONS, body.due, makeDueRun(env));
    else {
      const { database = "DB", lease } = body;
      if (database !== "DB" && !(await isAnswering(env, database))) return;
      await CRON_PARTS[body.part](bindTo(env, database), context, { env, database, lease });
    }
  } catch (error) {
    log({ level: "error", message: "cron failed", part: body.part, error });
  }
}

const makeSizeRelay = (env: Env): SizeRelay => ({
  db: getBound(env),
  meter: makeMeter(env),
  bucket: env.MEDIA,
  sizes: env.SIZES,
  share: (id) => countAgainstRate(env, "sizeQuarters", id),
  now: () => new Date(),
  log,
});

const makeImporter = (env: Env, context: ExecutionContext): Importer => ({
  env,
  settings: parseSettings(env),
  db: getBound(env),
  meter: makeMeter(env),
  bucket: env.MEDIA,
  queue: env.IMPORTS,
  waitUntil: (work) => context.waitUntil(work),
  now: () => new Date(),
  log,
});

const makeGenerator = (env: Env, context: ExecutionContext): Generator => ({
  env,
  settings: parseSettings(env),
  db: getBound(env),
  meter: makeMeter(env),
  queue: env.GENERATIONS,
  waitUntil: (work) => context.waitUntil(work),
  now: () => new Date(),
  log,
});

function makeHostSweep(env: Env): HostSweep {
  const { dnsResolverUrl: url, targetRules: rules, baseUrl } = parseSettings(env);
  const claim: HostSweep["claim"] = ({ organizationId, host }) => claimName(env, organizationId, "host", [host]);
  return { db: getBound(env), claim, resolver: { url, rules }, baseUrl, now: () => new Date(), log };
}

function makeTopicRelay(env: Env): TopicRelay {
  const settings = parseSettings(env);
  return {
    db: getBound(env),
    meter: makeMeter(env),
    topics: env.TOPICS,
    targetRules: settings.targetRules,
    quota: settings.quota,
    baseUrls: settings.forumBaseUrls,
    models: () => openDeploymentModels(env, settings),
    now: () => new Date(),
    log,
  };
}

function makeRelay(env: Env, context: ExecutionContext): Relay {
  const settings = parseSettings(env);
  const { targetRules, kept, quota, baseUrl } = settings;
  return {
    db: getBound(env),
    meter: makeMeter(env),
    baseUrl,
    mailer: openMailer({ env, settings }),
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

const makeDueRun = (env: Env): DueRun => ({
  getDatabase: (organizationId) => openMetered(env, organizationId),
  quota: parseSettings(env).quota,
  now: () => new Date(),
  announce: (organizationIds) => sendOrganizations(env.EVENTS, organizationIds),
  log,
});

function makePurgeRelay(env: Env): PurgeRelay {
  const shards = listShards(env).map(({ db }) => db);
  return {
    db: getDirectory(env),
    shards,
    replicas: [getDirectory(env), ...shards].map((db) => db.withSession("first-unconstrained")),
    purges: env.PURGES,
    now: () => new Date(),
    purge,
    log,
  };
}

/**
 * Purges tags from the Workers Cache, or marks them stale. A runtime that cannot mark them purges them, after which readers
 * see the same. Returns false if that failed. Does nothing in local runs, which have no cache.
 */
async function purge(tags: readonly string[], wanted: PurgeMethod): Promise<boolean> {
  if (typeof cache?.purge !== "function") return true;
  const method = typeof cache[wanted] === "function" ? wanted : "purge";
  try {
    const { success } = await cache[method]({ tags: [...tags] });
    return success;
  } catch (error) {
    log({ level: "warn", message: `cache.${method} failed`, error });
    return false;
  }
}
