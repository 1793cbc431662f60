/** Generations of all organizations, for the queue that does those for which nobody waits. */
import { and, eq, lt, sql } from "drizzle-orm";
import type { BackgroundActor } from "../../domain/background-actor.ts";
import type { ErrorCode } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { newId } from "../../lib/ids.ts";
import { generationAnswers, generations } from "../../schema/generation.ts";
import { isShown } from "../blogs/names.ts";
import { isActive } from "../core/suspension.ts";
import { orm, queryFirstRow, type Database } from "../core/sql.ts";
import { computeLease, ORDER } from "./keeping.ts";

/**
 * Sets running generations to failed if somebody waited for them and nobody works on them any more: their invocation ended
 * before it could record the outcome. What they have kept stays for a resumption. Those of earlier versions have no lease.
 */
export async function abandonGenerations(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LIMITS.generationTimeoutMs - 60_000).toISOString();
  await orm(db)
    .update(generations)
    .set({ state: "failed", code: "internal", finishTime: now.toISOString() })
    .where(
      and(
        eq(generations.state, "running"),
        eq(generations.queued, 0),
        sql`iif(${generations.leaseTime} = '', ${generations.creationTime} < ${before}, ${generations.leaseTime} < ${now.toISOString()})`,
      ),
    );
}

/** How many generations of an organization the queue does at a time, so that one does not hold all its consumers. */
const AT_ONCE = 3;

export type TakenGeneration = {
  readonly id: string;
  readonly turn: string;
  readonly organizationId: string;
  readonly tries: number;
  readonly actor: BackgroundActor;
};

const IS_WAITING = (now: Date) =>
  and(
    sql`${generations.state} = 'running'`,
    eq(generations.queued, 1),
    lt(generations.leaseTime, now.toISOString()),
    isShown(generations.blogId),
    isActive(generations.organizationId),
  );

/** Gives a generation to this invocation. Returns null if another one has it, or its organization has enough of them. */
export async function takeGeneration(db: Database, id: string, now: Date): Promise<TakenGeneration | null> {
  const others = sql`(select count(*) from generations o indexed by generations_running where o.state = 'running'
    and o.queued = 1 and o.organization_id = ${generations.organizationId} and o.lease_time >= ${now.toISOString()})`;
  const [taken] = await orm(db)
    .update(generations)
    .set({ turn: newId(), leaseTime: computeLease(now), tries: sql`${generations.tries} + 1` })
    .where(and(eq(generations.id, id), IS_WAITING(now), sql`${others} < ${AT_ONCE}`))
    .returning({
      id: generations.id,
      turn: generations.turn,
      organizationId: generations.organizationId,
      tries: generations.tries,
    });
  if (taken === undefined) return null;
  const found = await queryFirstRow<{ actor: string | null }>(
    db,
    sql`select ${generationAnswers.value} -> '$.actor' as "actor" from ${generationAnswers}
      where ${generationAnswers.generationId} = ${id} and ${generationAnswers.key} = ${ORDER}`,
  );
  if (found?.actor) return { ...taken, actor: JSON.parse(found.actor) as BackgroundActor };
  // Its order is not kept any more.
  await endTurn(db, taken, "internal", now);
  return null;
}

/** Sets a generation to failed, unless its run has recorded how it ended. */
export async function endTurn(
  db: Database,
  { id, turn }: Pick<TakenGeneration, "id" | "turn">,
  code: ErrorCode,
  now: Date,
): Promise<void> {
  await orm(db)
    .update(generations)
    .set({ state: "failed", code, finishTime: now.toISOString() })
    .where(and(eq(generations.id, id), eq(generations.turn, turn), eq(generations.state, "running")));
}

/** Returns generations that wait for the queue, oldest first: at most `most`. */
export const findWaitingGenerations = (
  db: Database,
  now: Date,
  most: number,
): Promise<{ generationId: string; organizationId: string }[]> =>
  orm(db)
    .select({ generationId: generations.id, organizationId: generations.organizationId })
    .from(generations)
    .where(IS_WAITING(now))
    .orderBy(generations.creationTime)
    .limit(most);
