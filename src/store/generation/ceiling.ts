/** The most tokens of models that the people of an organization allow it in a day (contract 8.11). */
import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { DAY_MS, getNextDay, toDay } from "../../lib/time.ts";
import { generations } from "../../schema/generation.ts";
import { organizations } from "../../schema/core.ts";
import { isShown } from "../blogs/names.ts";
import { queryFirstRow } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";

type Of = Pick<Writer, "organizationId" | "now">;

/** A generation can be resumed for 7 days, and counts for the day on which it ran last. */
const COUNTED_DAYS = 8;

const selectCeiling = ({ organizationId }: Of): SQL<number | null> =>
  sql`(select ${organizations.modelTokensPerDay} from ${organizations} where ${organizations.id} = ${organizationId})`;

const getToday = ({ now }: Of): string => toDay(now().toISOString());

/**
 * Selects the tokens of the generations that ran today (UTC), but for the one with the id `but`, and without what they had
 * used on earlier days. One that runs, or has waited for less than a day, counts with what it was estimated to take, so
 * that those that begin at the same time do not all find room.
 */
export function sumTokensToday(of: Of, but: SQLiteColumn | string = ""): SQL<number> {
  const ago = (days: number): string => new Date(of.now().getTime() - days * DAY_MS).toISOString();
  const isPlanned = sql`(o.state = 'running' and o.creation_time > ${ago(1)} and ${isShown(sql`o.blog_id`)})`;
  const counted = sql`max(o.input_tokens + o.output_tokens + o.uncounted_tokens, iif(${isPlanned}, o.estimated_tokens, 0))`;
  return sql`(select coalesce(sum(max(${counted} - o.former_tokens, 0)), 0)
    from generations o where o.organization_id = ${of.organizationId} and o.creation_time > ${ago(COUNTED_DAYS)}
    and (o.finish_time is null or o.finish_time >= ${getToday(of)}) and o.id <> ${but})`;
}

const USED = sql`(${generations.inputTokens} + ${generations.outputTokens} + ${generations.uncountedTokens})`;

/** What a generation that goes on has used before today, and what it may still take today, with what it has used today. */
export const selectFormer = (of: Of): SQL<number> =>
  sql`iif(${generations.finishTime} < ${getToday(of)}, ${USED}, ${generations.formerTokens})`;
const selectOwn = (of: Of): SQL<number> => sql`(max(${USED}, ${generations.estimatedTokens}) - ${selectFormer(of)})`;

/** The condition that there is room for so many tokens beside those of the generations but the one with this id. */
const fits = (of: Of, id: SQLiteColumn | string, tokens: SQL | number): SQL =>
  // Without a ceiling, nothing is read.
  sql`iif(${selectCeiling(of)} is null, 1, ${sumTokensToday(of, id)} + ${tokens} <= ${selectCeiling(of)})`;

/** The condition that there is room for a generation that begins. */
export const hasRoom = (of: Of, id: string, tokens: number): SQL => fits(of, id, tokens);

/** The condition, on a row of `generations`, that there is room for it to go on. */
export const hasRoomToGoOn = (of: Of): SQL => fits(of, generations.id, selectOwn(of));

/** Selects what stands in the way of a generation that begins: no row if there is room for it. */
export const selectFull = (of: Of, id: string, tokens: number): SQL<Full> =>
  sql`select ${selectCeiling(of)} as "ceiling", ${sumTokensToday(of, id)} as "used", ${tokens} as "wanted"
    where not ${hasRoom(of, id, tokens)}`;

/** Selects what stands in the way of a generation, which is found by `where`, to go on. */
export const selectFullToGoOn = (of: Of, where: SQL | undefined): SQL<Full> =>
  sql`select ${selectCeiling(of)} as "ceiling", ${sumTokensToday(of, generations.id)} as "used", ${selectOwn(of)} as "wanted"
    from ${generations} where ${where} and not ${hasRoomToGoOn(of)}`;

export type Full = { readonly ceiling: number; readonly used: number; readonly wanted: number };

const countSecondsLeft = (now: Date): number => Math.ceil((getNextDay(now).getTime() - now.getTime()) / 1000);

/** Returns `generation_limit`, with the seconds until the next day. A credential pinned to one blog gets no numbers. */
export function makeCeilingError({ now, pinnedBlogId }: Writer, full: Full): DomainError {
  const { ceiling, used, wanted } = full;
  const [most, planned, needed] = [ceiling, used, wanted].map((tokens) => tokens.toLocaleString("en"));
  const left =
    wanted > ceiling
      ? `That is more than the ${most} that the organization allows in a whole day.`
      : `Of the ${most} that the organization allows in a day, ${planned} are used or planned.`;
  const told = pinnedBlogId === null ? left : "The organization does not allow so many more today.";
  const retryAfterSeconds = countSecondsLeft(now());
  return new DomainError("generation_limit", `It would take about ${needed} tokens. ${told}`, { retryAfterSeconds });
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

/** Returns how many tokens a generation may have used in all by the end of the day; Infinity without a ceiling. */
export async function readRoom(writer: Writer, id: string): Promise<{ tokens: number; resetSeconds: number }> {
  const ceiling = selectCeiling(writer);
  const found = await queryFirstRow<{ room: number | null }>(
    writer.db,
    sql`select iif(${ceiling} is null, null, ${ceiling} + ${generations.formerTokens} - ${sumTokensToday(writer, id)}) as "room"
      from ${generations} where ${generations.id} = ${id}`,
  );
  return { tokens: found?.room ?? Infinity, resetSeconds: countSecondsLeft(writer.now()) };
}
