/** The ledger: what each organization uses of what costs money, by day (UTC). */
import { sql } from "drizzle-orm";
import { LIMITS } from "../domain/limits.ts";
import { DAY_MS, toDay } from "../lib/time.ts";
import { ledger, organizations } from "../schema/core.ts";
import { runTransaction, toColumnName, type Database } from "./core/sql.ts";

/** What costs money and is counted. */
const USES = ["rowsWritten", "deliveries", "modelTokens", "pictureOperations"] as const;

export type Use = Readonly<Record<(typeof USES)[number], number>>;

export const NOTHING: Use = { rowsWritten: 0, deliveries: 0, modelTokens: 0, pictureOperations: 0 };

export const addUses = (one: Use, other: Use): Use =>
  Object.fromEntries(USES.map((name) => [name, one[name] + other[name]])) as Use;

type Used = { readonly organizationId: string; readonly use: Use };

const COLUMNS = USES.map((name) => toColumnName(ledger[name]));
const COMMA = sql`, `;

/** Adds what organizations have used to their rows of the day, in one transaction, and removes rows that are too old. Leaves out organizations that are gone. */
export async function storeUses(db: Database, used: readonly Used[], now: Date): Promise<void> {
  const daysAgo = (days: number) => toDay(new Date(now.getTime() - days * DAY_MS).toISOString());
  // The row that this writes costs, too.
  const sums = used.map(({ organizationId, use }) => [
    organizationId,
    ...Object.values(addUses(use, { ...NOTHING, rowsWritten: 1 })),
  ]);
  const given = sql`json_each(${JSON.stringify(sums)})`;
  const values = COLUMNS.map((_, n) => sql.raw(`value ->> ${n + 1}`));
  await runTransaction(db, {
    added: sql`insert into ${ledger} (${toColumnName(ledger.organizationId)}, ${toColumnName(ledger.day)}, ${sql.join(COLUMNS, COMMA)})
      select value ->> 0, ${daysAgo(0)}, ${sql.join(values, COMMA)} from ${given}
      where exists (select 1 from ${organizations} where ${organizations.id} = value ->> 0)
      on conflict do update set ${sql.join(
        COLUMNS.map((column) => sql`${column} = ${column} + excluded.${column}`),
        COMMA,
      )}`,
    removed: sql`delete from ${ledger} where ${ledger.organizationId} in (select value ->> 0 from ${given})
      and ${ledger.day} < ${daysAgo(LIMITS.keptDays.ledger)}`,
  });
}
