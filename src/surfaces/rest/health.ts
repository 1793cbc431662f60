/** `/healthz`: whether the service is ready, and what waits for its sweep. */
import { getDirectory, listShards, type Shard } from "../../store/database.ts";
import type { Context } from "hono";
import journal from "../../../migrations/meta/_journal.json";
import { listMissingSettings } from "../../env.ts";
import { DomainError } from "../../domain/errors.ts";
import { VERSION } from "../../lib/version.ts";
import { withTimeout } from "../../lib/within.ts";
import { findAppliedSchema } from "../../store/core/system-migrations.ts";
import { enforceHealthCheckLimit } from "../request/strangers.ts";
import { findLastHealth, type Health } from "../../store/edge/system-health.ts";
import { toTransientError } from "../request/unexpected.ts";
import type { AppEnv } from "./app-env.ts";
import { makeArrival } from "./caller.ts";
import { toJsonReply, type Reply } from "./reply.ts";

/** The migration that this code was written for. */
const EXPECTED = journal.entries.at(-1)?.tag ?? "";

/**
 * Handles `GET /healthz`. Throws `rate_limited`, and `not_ready` if D1 cannot be reached or its schema is too old. Missing
 * settings are part of a 200: the service still answers readers and API keys, so a load balancer must not remove it.
 */
export async function serveHealth(c: Context<AppEnv>): Promise<Reply> {
  await enforceHealthCheckLimit(makeArrival(c), c.req.raw);
  const shards = Promise.all(listShards(c.env).map((shard) => checkShard(shard)));
  const schema = await findAppliedSchema(getDirectory(c.env)).catch((error: unknown) => {
    const refusal = toTransientError(error);
    if (refusal !== null) throw refusal;
    return null;
  });
  if (schema === null)
    throw new DomainError("not_ready", "D1 cannot be reached, or has no schema: run `npm run migrate`.");
  requireSchema("", schema.version);
  const missing = listMissingSettings(c.get("settings"));
  const health = await findLastHealth(getDirectory(c.env));
  return toJsonReply(200, {
    status: "ok",
    version: VERSION,
    schema: schema.version,
    ...(missing.length > 0 && { missing }),
    late: [...listLateParts(health, schema.time, Date.now()), ...(await shards).flat()],
    ...(health !== null && { lastSweep: health.time, ...health.backlog }),
  });
}

/** Throws `not_ready` if a schema is too old. */
function requireSchema(place: string, version: string): void {
  if (version >= EXPECTED) return;
  throw new DomainError(
    "not_ready",
    `The schema${place} is ${version}, the code needs ${EXPECTED}: run \`npm run migrate\`.`,
  );
}

/** Milliseconds within which a shard has to answer. */
const SHARD_MS = 1500;

/**
 * Returns what is late in a shard, such as "DB_1 sweep", or only its name if it does not answer: the others go on. Throws `not_ready` if its
 * schema is too old.
 */
async function checkShard({ name, db }: Shard): Promise<string[]> {
  const asked = Promise.all([findAppliedSchema(db), findLastHealth(db)]).catch(() => null);
  const found = await withTimeout(SHARD_MS, asked);
  const [schema, health] = found ?? [null, null];
  if (schema === null) return [name];
  requireSchema(` of ${name}`, schema.version);
  return listLateParts(health, schema.time, Date.now()).map((part) => `${name} ${part}`);
}

/** Milliseconds after which work counts as late. The sweep runs every minute and sends lost work again. */
const LATE_MS = {
  sweep: 3 * 60_000,
  schedules: 5 * 60_000,
  deletions: 5 * 60_000,
  events: 2 * 60_000,
  deliveries: 10 * 60_000,
  purges: 90_000,
};

const NONE = { count: 0, oldest: null };

/**
 * Returns the parts of the service that are late, for the alarms of operators. If no sweep has ever run, it is late three
 * minutes after the last migration: a new deployment has this time, and a missing cron trigger is noticed.
 */
function listLateParts(health: Health | null, migrated: string, now: number): string[] {
  if (health === null) return now - Date.parse(migrated) > LATE_MS.sweep ? ["sweep"] : [];
  const seen = Date.parse(health.time);
  const { events, deliveries, purges, dead, schedules = NONE, deletions = NONE } = health.backlog;
  const waits = { schedules, deletions, events, deliveries, purges };
  const late = Object.entries(waits).flatMap(([part, { oldest }]) =>
    oldest !== null && seen - Date.parse(oldest) > LATE_MS[part as keyof typeof waits] ? [part] : [],
  );
  if (dead !== undefined && dead.count > 0) late.push("dead");
  return now - seen > LATE_MS.sweep ? ["sweep", ...late] : late;
}
