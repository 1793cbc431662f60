/** The most tokens of models that the people of an organization allow it in a day (contract 8.11). */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { DAY_MS, getNextDay, toDay } from "../../lib/time.ts";
import { organizations } from "../../schema/core.ts";
import { queryFirstRow } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";

type Of = Pick<Writer, "organizationId" | "now">;

/** A generation can be resumed for 7 days. All that it has used counts for the day on which it ran last. */
const COUNTED_DAYS = 8;

const selectCeiling = ({ organizationId }: Of): SQL<number | null> =>
  sql`(select ${organizations.modelTokensPerDay} from ${organizations} where ${organizations.id} = ${organizationId})`;

/**
 * Selects the tokens of the generations that ran today (UTC), but for the one with the id `but`. One that runs counts with
 * what it was estimated to take, so that those that begin at the same time do not all find room.
 */
export function sumTokensToday({ organizationId, now }: Of, but: SQLiteColumn | string = ""): SQL<number> {
  const time = now();
  const since = new Date(time.getTime() - COUNTED_DAYS * DAY_MS).toISOString();
  return sql`(select coalesce(sum(max(o.input_tokens + o.output_tokens, iif(o.state = 'running', o.estimated_tokens, 0))), 0)
    from generations o where o.organization_id = ${organizationId} and o.creation_time > ${since}
    and (o.finish_time is null or o.finish_time >= ${toDay(time.toISOString())}) and o.id <> ${but})`;
}

type Wanted = { readonly id: SQLiteColumn | string; readonly tokens: SQLiteColumn | SQL | number };

/** The condition that there is room for the tokens of a generation. Without a ceiling, nothing is read. */
export const hasRoom = (of: Of, { id, tokens }: Wanted): SQL =>
  sql`iif(${selectCeiling(of)} is null, 1, ${sumTokensToday(of, id)} + ${tokens} <= ${selectCeiling(of)})`;

/** Selects what stands in the way of a generation: no row if there is room for it. */
export const selectFull = (of: Of, { id, tokens }: Wanted): SQL<Full> =>
  sql`select ${selectCeiling(of)} as "ceiling", ${sumTokensToday(of, id)} as "used", ${tokens} as "wanted" where not ${hasRoom(of, { id, tokens })}`;

export type Full = { readonly ceiling: number; readonly used: number; readonly wanted: number };

/** Returns `generation_limit`, with the seconds until the next day. */
export function makeCeilingError({ now }: Of, { ceiling, used, wanted }: Full): DomainError {
  const [most, planned, needed] = [ceiling, used, wanted].map((tokens) => tokens.toLocaleString("en"));
  const detail = `It would take about ${needed} tokens. Of the ${most} that the organization allows in a day, ${planned} are used or planned.`;
  const time = now();
  const retryAfterSeconds = Math.ceil((getNextDay(time).getTime() - time.getTime()) / 1000);
  return new DomainError("generation_limit", detail, { retryAfterSeconds });
}

/** `limit` is null without a ceiling; `resetTime` is when the next day begins. */
export async function readTokensToday(
  writer: Writer,
): Promise<{ used: number; limit: number | null; resetTime: string }> {
  const found = await queryFirstRow<{ used: number; limit: number | null }>(
    writer.db,
    sql`select ${sumTokensToday(writer)} as "used", ${selectCeiling(writer)} as "limit"`,
  );
  return { used: 0, limit: null, ...found, resetTime: getNextDay(writer.now()).toISOString() };
}

/** Returns how many tokens a generation may use today in all, with what it has used; Infinity without a ceiling. */
export async function readRoom(writer: Writer, id: string): Promise<number> {
  const found = await queryFirstRow<{ room: number | null }>(
    writer.db,
    sql`select iif(${selectCeiling(writer)} is null, null, ${selectCeiling(writer)} - ${sumTokensToday(writer, id)}) as "room"`,
  );
  return found?.room ?? Infinity;
}
