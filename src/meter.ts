/**
 * Counts what each organization uses of what costs money. An isolate counts in memory, and stores its sums some seconds after the first
 * (store/ledger.ts), so that no request pays for it. What an isolate that dies has not stored is lost: the ledger is an estimate, and no invoice.
 */
import { waitUntil } from "cloudflare:workers";
import { parseQuotas } from "./domain/quotas.ts";
import { log } from "./lib/log.ts";
import { meterDatabase } from "./store/core/metered.ts";
import type { Database } from "./store/core/sql.ts";
import { findDatabase, listShards, openDatabase, type Bindings } from "./store/database.ts";
import { addUses, NOTHING, storeUses, type Use } from "./store/ledger.ts";

/** Counts what organizations use. */
export type Meter = {
  /** Returns a database of an organization, which counts the rows that are written through it. */
  readonly open: (db: Database, organizationId: string) => D1Database;
  readonly count: (organizationId: string, use: Partial<Use>) => void;
};

/** What an organization has used; its database is found by `env`. */
type Counted = { readonly env: Bindings; readonly organizationId: string; readonly use: Use };

/** The sums of this isolate that are not stored yet, by organization. */
const pending = new Map<string, Counted>();

/** How long an isolate counts before it stores: waitUntil allows 30 seconds after a response. */
const FLUSH_MS = 10_000;

/** Until when a flush is awaited, which the platform may have cut off. Tests, which store by themselves, always await one. */
export const flushing = { until: 0 };

/** Returns the meter of an environment. */
export function makeMeter(env: Bindings): Meter {
  const count: Meter["count"] = (organizationId, use) => {
    add({ env, organizationId, use: { ...NOTHING, ...use } });
    flushSoon();
  };
  return { count, open: (db, id) => meterDatabase(db, (rowsWritten) => count(id, { rowsWritten })) };
}

function flushSoon(): void {
  if (Date.now() < flushing.until) return;
  flushing.until = Date.now() + 2 * FLUSH_MS;
  waitUntil(
    scheduler.wait(FLUSH_MS).then(() => {
      flushing.until = 0;
      return flushLedger();
    }),
  );
}

const add = (counted: Counted): unknown =>
  pending.set(counted.organizationId, {
    ...counted,
    use: addUses(pending.get(counted.organizationId)?.use ?? NOTHING, counted.use),
  });

/** Returns the database of an organization, which counts the rows that are written through it. */
export const openMetered = (env: Bindings, organizationId: string): D1Database =>
  makeMeter(env).open(openDatabase(env, organizationId), organizationId);

/** Returns what a consumer works with, for one organization: it counts the rows that it writes. */
export const openFor = <R extends { readonly db: Database; readonly meter: Meter }>(
  relay: R,
  id: string | undefined,
): R => (id === undefined ? relay : { ...relay, db: relay.meter.open(relay.db, id) });

/** Stores what this isolate has counted, in one transaction for each database. What cannot be stored is logged, and tried again. */
export async function flushLedger(): Promise<void> {
  const all = [...pending.values()];
  pending.clear();
  await keepAtFailure(all, async () => {
    const found = await Promise.all(all.map(async (counted) => ({ counted, db: await findPlain(counted) })));
    const groups = Map.groupBy(found, ({ db }) => db);
    const stores = Array.from(groups, ([db, some]) => {
      const those = some.map(({ counted }) => counted);
      return keepAtFailure(those, () => storeAll(db, those));
    });
    await Promise.all(stores);
  });
}

async function storeAll(db: Database, those: readonly Counted[]): Promise<void> {
  const settings = those[0]?.env as Parameters<typeof parseQuotas>[0];
  for (const { organizationId, ceiling } of await storeUses(db, those, parseQuotas(settings), new Date()))
    log({ level: "warn", message: "organization stopped at its ceiling", organization: organizationId, ceiling });
}

async function keepAtFailure(those: readonly Counted[], work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    for (const counted of those) add(counted);
    log({ level: "warn", message: "ledger not stored yet", organizations: those.length, error });
    flushSoon();
  }
}

/** Returns the database of an organization as it is bound: the ledger needs no entry of the directory. */
async function findPlain({ env, organizationId }: Counted): Promise<D1Database> {
  const shards = listShards(env);
  const name = shards.length === 0 ? "DB" : await findDatabase(env, organizationId);
  return shards.find((shard) => shard.name === name)?.db ?? env.DB;
}
