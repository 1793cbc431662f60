/** What a generation keeps while it runs, so that another run goes on with it and pays for nothing twice. */
import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { DomainError } from "../../domain/errors.ts";
import { generationAnswers, generations, type GenerationProgress } from "../../schema/generation.ts";
import type { License } from "../core/commit.ts";
import { storeReliably } from "../core/lost-answers.ts";
import { builder, insertWhere, orm, runTransaction } from "../core/sql.ts";
import type { Writer } from "../core/writer.ts";
import type { Begun, Spent, Turn } from "./generations.ts";

/** How long an invocation has a generation to itself after its last sign of life. */
const LEASE_MS = 60_000;

export const computeLease = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString();

/** The keys of the order and of the report. Those of answers are hashes. */
export const ORDER = "order";
export const REPORT = "report";

/** The condition, on a row of `generations`, that nobody works on it, and that it is not done. */
export const isIdle = (now: Date): SQL =>
  sql`(${generations.state} = 'failed' or (${generations.state} = 'running' and ${generations.leaseTime} < ${now.toISOString()}))`;

/** The condition that an invocation still has the generation: no other one has gone on with it. */
export const isMine = ({ organizationId }: Pick<Writer, "organizationId">, { id, turn }: Turn): SQL =>
  sql`(${generations.id} = ${id} and ${generations.organizationId} = ${organizationId} and ${generations.turn} = ${turn}
    and ${generations.state} <> 'stored')`;

export const hasOrder = (id: SQLiteColumn | string): SQL =>
  sql`exists (select 1 from ${generationAnswers} where ${generationAnswers.generationId} = ${id} and ${generationAnswers.key} = ${ORDER})`;

const makeRow = (writer: Writer, generationId: string) => ({
  generationId,
  organizationId: writer.organizationId,
  creationTime: writer.now().toISOString(),
});

/** Keeps the order of a generation that has begun. */
export const insertOrder = (writer: Writer, id: string, value: object) =>
  insertWhere(
    generationAnswers,
    { ...makeRow(writer, id), key: ORDER, value },
    sql`where exists (select 1 from ${generations} where ${generations.id} = ${id})`,
  ).onConflictDoNothing();

/** An order, and the answers that models have given by the hashes of their questions. */
export type Kept = { readonly order: unknown; readonly answers: ReadonlyMap<string, unknown> };

export async function listKept({ db }: Writer, id: string): Promise<Kept> {
  const { key, value } = generationAnswers;
  const found = await orm(db)
    .select({ key, value })
    .from(generationAnswers)
    .where(eq(generationAnswers.generationId, id));
  const answers = new Map(found.map((row) => [row.key, row.value]));
  return { order: answers.get(ORDER), answers };
}

/** An answer under the hash of its question. `mediaId` is the file that it is about. */
export type NewAnswer = { readonly key: string; readonly value: unknown; readonly mediaId?: string };

export type Going = {
  readonly spent: Spent;
  readonly progress: GenerationProgress | null;
  readonly answer?: NewAnswer | undefined;
};

/**
 * Records how far a running generation is and what it has cost, keeps an answer if there is one, and renews the lease.
 * Throws `generation_state` if another invocation has gone on with it.
 */
export async function keepGeneration(writer: Writer, of: Turn, { spent, progress, answer }: Going): Promise<void> {
  const { inputTokens, outputTokens, uncountedTokens, microdollars } = spent;
  const mine = isMine(writer, of);
  const statements = {
    // Of answers at the same time, the one with fewer tokens may be stored last.
    kept: orm(writer.db)
      .update(generations)
      .set({
        inputTokens: sql`max(${generations.inputTokens}, ${inputTokens})`,
        outputTokens: sql`max(${generations.outputTokens}, ${outputTokens})`,
        uncountedTokens: sql`max(${generations.uncountedTokens}, ${uncountedTokens})`,
        microdollars: sql`max(coalesce(${generations.microdollars}, ${microdollars}), ${microdollars})`,
        progress,
        leaseTime: computeLease(writer.now()),
        ...(answer && { tries: 0 }),
      })
      .where(mine)
      .returning({ id: generations.id }),
    answer:
      answer === undefined
        ? []
        : insertWhere(
            generationAnswers,
            { mediaId: null, ...makeRow(writer, of.id), ...answer },
            sql`where exists (select 1 from ${generations} where ${mine})`,
          ).onConflictDoNothing(),
  };
  const { kept } = await storeReliably(() => runTransaction(writer.db, statements));
  if (kept.length === 0) throw new DomainError("generation_state");
}

/** Replaces what a generation has kept by the report of its article. */
export const keepReport = (writer: Writer, id: string, report: object, { held }: License) => [
  builder
    .delete(generationAnswers)
    .where(and(eq(generationAnswers.generationId, id), ne(generationAnswers.key, REPORT), held)),
  insertWhere(generationAnswers, { ...makeRow(writer, id), key: REPORT, value: report }, sql`where ${held}`),
];

/** Returns a generation that the queue has given to this invocation. Throws `generation_state` if another one has it. */
export async function findTurn(writer: Writer, of: Turn): Promise<Taken> {
  const { blogId, inputTokens, outputTokens, uncountedTokens } = generations;
  const [found] = await orm(writer.db)
    .select({ blogId, inputTokens, outputTokens, uncountedTokens })
    .from(generations)
    .where(isMine(writer, of));
  if (found === undefined) throw new DomainError("generation_state");
  return { ...found, ...of, idempotencyKey: null, kept: await listKept(writer, of.id) };
}

export type Taken = Begun & { readonly blogId: string; readonly kept: Kept };
