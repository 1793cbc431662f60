/** The ledger of generations: rows that the limits count, with the cost of each generation in tokens. */
import { and, eq, inArray, or, sql, type SQL } from "drizzle-orm";
import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { sha256 } from "../../lib/hash.ts";
import { DAY_MS } from "../../lib/time.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";
import { storeReliably } from "../core/lost-answers.ts";
import { generations } from "../../schema/generation.ts";
import { findUnauthorizedError, isAuthorized } from "../core/standing.ts";
import { builder, insertWhere, orm, runTransaction } from "../core/sql.ts";
import { computeLease, hasOrder, insertOrder, isIdle, listKept, type Kept } from "./keeping.ts";
import { hasRoom, hasRoomToGoOn, makeCeilingError, selectFormer, selectFull, selectFullToGoOn } from "./ceiling.ts";
import { openLimits, type GenerationQuota } from "./limits.ts";

/** What an article is generated from. A repetition with the same Idempotency-Key asks for the same. */
export type NewOrder = { readonly asked: object };

export type NewGeneration = {
  readonly blogId: string;
  readonly provider: string;
  readonly model: string;
  /** What it will take, as far as that can be told. */
  readonly estimatedTokens: number;
  /** Undefined for help with a text: nothing of it is kept. */
  readonly order?: NewOrder | undefined;
  /** Whether a queue does it: nobody has it yet. */
  readonly isQueued?: boolean;
};

/** A generation that runs, as the invocation that works on it has it. */
export type Turn = { readonly id: string; readonly turn: string };

export type Begun = Turn & {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly uncountedTokens: number;
  /** What an earlier run has kept; null if there was none. */
  readonly kept: Kept | null;
  /** The Idempotency-Key with which a repetition goes on. */
  readonly idempotencyKey: string | null;
};

/**
 * Records that a generation begins, or that one with the same Idempotency-Key and request goes on with what it has kept.
 * For the queue, the latter is returned as it is. Throws `generation_limit` if the organization has begun too many in the
 * last minute or day, or if its tokens would exceed what the organization allows in a day; one that goes on does not count
 * again as a generation. Throws `idempotency_in_progress` if the one with the same key
 * is under way, and `generation_state` if it is done: that call was lost before it could store its response.
 */
export async function beginGeneration(writer: Writer, given: NewGeneration, quota: GenerationQuota): Promise<Begun> {
  const limits = openLimits(writer, quota);
  const generation = await makeGeneration(writer, given);
  const { id, turn } = generation;
  const repeated = isRepeated(writer, generation);
  // If the row exists, an earlier attempt was stored and its response lost: it counts once.
  const { estimatedTokens } = generation;
  const mayBegin = sql`where (${limits.isFree} and ${hasRoom(writer, id, estimatedTokens)} and not exists (select 1 from ${generations} where ${repeated}))
    or exists (select 1 from ${generations} known where known.id = ${id})`;
  const statements = {
    resumed: resumeRepeated(writer, generation),
    inserted: insertWhere(generations, generation, mayBegin)
      .onConflictDoUpdate({ target: generations.id, set: { state: "running" } })
      .returning({ id: generations.id }),
    order: given.order === undefined ? [] : insertOrder(writer, id, given.order),
    known: builder.select({ id: generations.id, state: generations.state }).from(generations).where(repeated),
    ...limits.blocking,
    full: selectFull(writer, id, estimatedTokens),
    fullToGoOn: selectFullToGoOn(writer, and(repeated, eq(generations.state, "failed"))),
  };
  const stored = await storeReliably(() => runTransaction(writer.db, statements));
  const [former] = stored.resumed;
  const idempotencyKey = writer.idempotency?.key ?? null;
  if (former !== undefined) {
    return { ...former, turn, idempotencyKey, kept: await listKept(writer, former.id) };
  }
  const [known] = stored.known;
  const begun = { id, turn, inputTokens: 0, outputTokens: 0, uncountedTokens: 0, idempotencyKey, kept: null };
  if (stored.inserted.length > 0) return begun;
  const [full] = known === undefined ? stored.full : stored.fullToGoOn;
  if (full !== undefined) throw makeCeilingError(writer, full);
  if (known === undefined) throw limits.makeError(stored);
  if (given.isQueued) return { ...begun, id: known.id };
  if (known.state === "stored") throw new DomainError("generation_state");
  throw new DomainError("idempotency_in_progress", undefined, { retryAfterSeconds: 1, passes: true });
}

/** One that goes on, or with the key of which a call was lost. As the key itself, it counts for a day. */
const isRepeated = (
  { organizationId, now }: Writer,
  { turn, repeatHash }: Awaited<ReturnType<typeof makeGeneration>>,
): SQL =>
  sql`(${generations.organizationId} = ${organizationId} and ${generations.repeatHash} = ${repeatHash}
    and (${generations.turn} = ${turn} or ${generations.creationTime} > ${new Date(now().getTime() - DAY_MS).toISOString()}))`;

const makeGeneration = async (
  writer: Writer,
  { blogId, provider, model, estimatedTokens, order, isQueued = false }: NewGeneration,
) => ({
  id: newId(),
  organizationId: writer.organizationId,
  blogId,
  actorKind: getAuditKind(writer.actor),
  actorId: writer.actor.id,
  provider,
  model,
  estimatedTokens,
  state: "running" as const,
  creationTime: writer.now().toISOString(),
  turn: newId(),
  leaseTime: isQueued ? "" : computeLease(writer.now()),
  queued: Number(isQueued),
  repeatHash: order && writer.idempotency ? await sha256(JSON.stringify([writer.idempotency.key, order.asked])) : null,
});

/** Only what has failed, or whose invocation is gone, and has not expired. Nothing for the queue. */
const resumeRepeated = (
  of: Writer,
  { turn, leaseTime, queued, repeatHash }: Awaited<ReturnType<typeof makeGeneration>>,
) =>
  builder
    .update(generations)
    .set({
      state: "running",
      turn,
      leaseTime,
      queued,
      code: null,
      formerTokens: selectFormer(of),
      finishTime: null,
    })
    .where(
      and(
        sql`${queued} = 0`,
        eq(generations.organizationId, of.organizationId),
        sql`${generations.repeatHash} = ${repeatHash}`,
        or(eq(generations.turn, turn), isIdle(of.now())),
        hasOrder(generations.id),
        hasRoomToGoOn(of),
      ),
    )
    .returning({
      id: generations.id,
      inputTokens: generations.inputTokens,
      outputTokens: generations.outputTokens,
      uncountedTokens: generations.uncountedTokens,
    });

/** The cost of a generation: tokens, and millionths of a US dollar if the settings have a price for the model. */
export type Spent = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** About how many more its providers have not counted. They have no price. */
  readonly uncountedTokens: number;
  readonly microdollars: number | null;
};

/** Records that a running generation failed, with the error code and its cost. What it has kept stays for a resumption. */
export async function failGeneration(
  writer: Writer,
  { id, turn }: Turn,
  { code, ...spent }: Spent & { readonly code: ErrorCode },
): Promise<void> {
  await orm(writer.db)
    .update(generations)
    .set({ state: "failed", code, ...spent, finishTime: writer.now().toISOString() })
    .where(
      and(
        eq(generations.id, id),
        eq(generations.organizationId, writer.organizationId),
        eq(generations.turn, turn),
        eq(generations.state, "running"),
      ),
    );
}

/**
 * Records that a running generation was answered without storing anything, and its cost. Throws {@link
 * noLongerAuthorized}: then the generation stays running, and must not be answered.
 */
export async function answerGeneration(writer: Writer, id: string, spent: Spent): Promise<void> {
  const answering = orm(writer.db)
    .update(generations)
    .set({ state: "answered", ...spent, finishTime: writer.now().toISOString() })
    .where(
      and(
        eq(generations.id, id),
        eq(generations.organizationId, writer.organizationId),
        // "answered" already, if an earlier attempt was stored and its response lost.
        inArray(generations.state, ["running", "answered"]),
        isAuthorized(writer),
      ),
    )
    .returning({ id: generations.id });
  const { answered } = await storeReliably(() => runTransaction(writer.db, { answered: answering }));
  if (answered.length === 0) throw await findUnauthorizedError(writer);
}
