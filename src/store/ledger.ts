/** The ledger: what each organization uses of what costs money, by day (UTC). */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../domain/limits.ts";
import type { Quota } from "../domain/quotas.ts";
import { DAY_MS, getMonth, toDay } from "../lib/time.ts";
import { ledger, organizations, suspensions } from "../schema/core.ts";
import { selectCeiling } from "./core/suspension.ts";
import { queryFirstRow, runTransaction, toColumnName, type Database } from "./core/sql.ts";

/** What costs money and is counted. */
const USES = ["rowsWritten", "deliveries", "modelTokens", "pictureOperations"] as const;

export type Use = Readonly<Record<(typeof USES)[number], number>>;

export const NOTHING: Use = { rowsWritten: 0, deliveries: 0, modelTokens: 0, pictureOperations: 0 };

export const addUses = (one: Use, other: Use): Use =>
  Object.fromEntries(USES.map((name) => [name, one[name] + other[name]])) as Use;

type Used = { readonly organizationId: string; readonly use: Use };

const COLUMNS = USES.map((name) => toColumnName(ledger[name]));
const COMMA = sql`, `;

/**
 * Adds what organizations have used to their rows of the day, in one transaction, stops those that reach a ceiling of the month, and removes rows that
 * are too old. Leaves out organizations that are gone. Returns those that it has stopped, with what they have used up.
 */
export async function storeUses(
  db: Database,
  used: readonly Used[],
  quota: Quota,
  now: Date,
): Promise<readonly { readonly organizationId: string; readonly ceiling: string }[]> {
  const daysAgo = (days: number) => toDay(new Date(now.getTime() - days * DAY_MS).toISOString());
  // The row that this writes costs, too.
  const sums = used.map(({ organizationId, use }) => [
    organizationId,
    ...Object.values(addUses(use, { ...NOTHING, rowsWritten: 1 })),
  ]);
  const given = sql`json_each(${JSON.stringify(sums)})`;
  const values = COLUMNS.map((_, n) => sql.raw(`value ->> ${n + 1}`));
  const { stopped } = await runTransaction(db, {
    added: sql`insert into ${ledger} (${toColumnName(ledger.organizationId)}, ${toColumnName(ledger.day)}, ${sql.join(COLUMNS, COMMA)})
      select value ->> 0, ${daysAgo(0)}, ${sql.join(values, COMMA)} from ${given}
      where exists (select 1 from ${organizations} where ${organizations.id} = value ->> 0)
      on conflict do update set ${sql.join(
        COLUMNS.map((column) => sql`${column} = ${column} + excluded.${column}`),
        COMMA,
      )}`,
    stopped: sql<{ organizationId: string; ceiling: string }>`insert into ${suspensions}
        (${sql.join([organizationId, kind, reason, creationTime].map(toColumnName), COMMA)})
      select id, 'ceiling', ceiling, ${now.toISOString()} from (select ${organizations.id} as id, ${selectReached(quota, now)} as ceiling
        from ${given} join ${organizations} on ${organizations.id} = value ->> 0)
      where ceiling is not null on conflict do update set ${toColumnName(reason)} = excluded.reason, ${toColumnName(creationTime)} = excluded.creation_time
        where ${kind} = 'ceiling' and ${creationTime} < ${getMonth(now).toISOString()}
      returning ${toColumnName(organizationId)} as "organizationId", ${toColumnName(reason)} as "ceiling"`,
    removed: sql`delete from ${ledger} where ${ledger.organizationId} in (select value ->> 0 from ${given})
      and ${ledger.day} < ${daysAgo(LIMITS.keptDays.ledger)}`,
  });
  return stopped;
}

const { organizationId, kind, reason, creationTime } = suspensions;

/** Returns whether an organization is at a ceiling. */
export async function isAtCeiling(db: Database, id: string): Promise<boolean> {
  const row = await queryFirstRow<{ ceiling: string | null }>(db, sql`select ${selectCeiling(id)} as "ceiling"`);
  return row !== null && row.ceiling !== null;
}

/** Lets organizations go on whose use is below their ceilings, because those are higher by now, or the month is over. */
export async function endCeilings(db: Database, quota: Quota, now: Date): Promise<void> {
  await runTransaction(db, {
    ended: sql`delete from ${suspensions} where ${kind} = 'ceiling'
      and (select ${selectReached(quota, now)} from ${organizations} where ${organizations.id} = ${organizationId}) is null`,
  });
}

/** The ceiling of each use, and its name. */
export const CEILINGS = {
  rowsWritten: { quota: "rowsWrittenPerMonth", words: "rows written" },
  deliveries: { quota: "deliveriesPerMonth", words: "webhook deliveries" },
  modelTokens: { quota: "modelTokensPerMonth", words: "tokens of models" },
  pictureOperations: { quota: "pictureOperationsPerMonth", words: "image operations" },
} as const satisfies Record<keyof Use, { readonly quota: keyof Quota; readonly words: string }>;

/** What an organization has used on a day, such as `2026-11-20`, or in a month, such as `2026-11`. */
export type UseOfDay = { readonly day: string } & Use;
export type UseOfMonth = { readonly month: string } & Use;

export type Ledger = { readonly days: UseOfDay[]; readonly months: UseOfMonth[] };

/** How many months are shown, this one included. */
const MONTHS = 13;

/** Returns SQL for what an organization has used, for {@link parseLedger}. */
export const selectLedger = (id: string): SQL<string> =>
  sql<string>`(select json_group_array(json_array(${ledger.day}, ${sql.join(
    USES.map((name) => ledger[name]),
    COMMA,
  )})) from ${ledger} where ${ledger.organizationId} = ${id})`;

/** Returns the days of this month and the last months, the newest first, and what this month has used. */
export function parseLedger(text: string, now: Date): Ledger & { readonly used: Use } {
  const rows = (JSON.parse(text) as [day: string, ...number[]][]).map(([day, ...numbers]): UseOfDay => {
    const use = Object.fromEntries(USES.map((name, n) => [name, numbers[n] ?? 0])) as Use;
    return Object.assign({ day }, use);
  });
  const all = rows.toSorted((one, other) => other.day.localeCompare(one.day));
  const byMonth = Map.groupBy(all, ({ day }) => day.slice(0, 7));
  const months = Array.from(byMonth, ([month, days]): UseOfMonth => ({ month, ...days.reduce(addUses, NOTHING) }));
  const days = byMonth.get(now.toISOString().slice(0, 7)) ?? [];
  return { days, months: months.slice(0, MONTHS), used: days.reduce(addUses, NOTHING) };
}

/** Returns SQL, on a row of `organizations`, for the words of the first ceiling that its month has reached; NULL if there is none. Reads the month only for a ceiling. */
function selectReached(quota: Quota, now: Date): SQL {
  const month = toDay(getMonth(now).toISOString());
  const cases = USES.map((name) => {
    const { quota: ceiling, words } = CEILINGS[name];
    const most = sql`coalesce(${organizations.quotas} ->> ${sql.raw(`'${ceiling}'`)}, ${Number.isFinite(quota[ceiling]) ? quota[ceiling] : null})`;
    const sum = sql`(select sum(${ledger[name]}) from ${ledger} where ${ledger.organizationId} = ${organizations.id} and ${ledger.day} >= ${month})`;
    return sql`when iif(${most} is null, 0, ${sum} >= ${most}) then ${sql.raw(`'${words}'`)}`;
  });
  return sql`case ${sql.join(cases, sql` `)} end`;
}
