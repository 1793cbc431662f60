/**
 * The queue of generations for which nobody waits. A message is only a hint: the generation's row says which invocation may
 * work on it. So a repeated message does nothing twice, and the sweep sends lost messages again.
 */
import { DomainError } from "../../domain/errors.ts";
import { toPrincipal } from "../../domain/background-actor.ts";
import type { Settings } from "../../env.ts";
import { newId } from "../../lib/ids.ts";
import { openFor, type Meter } from "../../meter.ts";
import { runGeneration } from "../../operations/generation/running.ts";
import { invoke } from "../../operations/invoke.ts";
import type { Database } from "../../store/core/sql.ts";
import {
  abandonGenerations,
  endTurn,
  findWaitingGenerations,
  takeGeneration,
  type TakenGeneration,
} from "../../store/generation/system-generations.ts";
import { openCall } from "../../surfaces/request/call.ts";

export type GenerationMessage = { readonly generationId: string; readonly organizationId: string };

export type Generator = {
  readonly env: Env;
  readonly settings: Settings;
  readonly db: Database;
  readonly meter: Meter;
  readonly queue: Queue<GenerationMessage>;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly now: () => Date;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};

/** How many runs in a row may end without an answer or an outcome. */
const MOST_TRIES = 5;

/** Runs the generation of each message. Logs errors. */
export async function consumeGenerations(generator: Generator, batch: MessageBatch<GenerationMessage>): Promise<void> {
  for (const { body } of batch.messages) {
    const { db } = openFor(generator, body.organizationId);
    const taken = await takeGeneration(db, body.generationId, generator.now());
    if (taken !== null) await run({ ...generator, db }, taken);
  }
}

/** Runs a generation in the name of whoever wanted it, by all rules of the API. */
async function run(generator: Generator, taken: TakenGeneration): Promise<void> {
  const { db, env, settings, waitUntil, now } = generator;
  const { id, turn, organizationId, actor } = taken;
  if (taken.tries > MOST_TRIES) return endTurn(db, taken, "internal", now());
  const { origin } = actor;
  const arrival = { env, settings, requestId: newId(), origin, waitUntil, identify: () => undefined };
  const call = openCall(arrival, { principal: toPrincipal(actor, organizationId), secret: id });
  try {
    await invoke(runGeneration, call, async () => ({ generationId: id, turn }));
  } catch (error) {
    const code = error instanceof DomainError ? error.code : "internal";
    if (code === "internal") generator.log({ level: "error", message: "generation failed", generation: id, error });
    await endTurn(db, taken, code, now());
  }
}

/** How many messages one sweep sends. */
const MOST = 100;

/** Ends generations that were lost while somebody waited, and sends messages again for those that wait for the queue. */
export async function sweepGenerations({ db, queue, now }: Generator): Promise<void> {
  await abandonGenerations(db, now());
  const waiting = await findWaitingGenerations(db, now(), MOST);
  if (waiting.length > 0) await queue.sendBatch(waiting.map((body) => ({ body })));
}
