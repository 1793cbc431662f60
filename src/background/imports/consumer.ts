/**
 * The queue of imports. A message is only a hint: the import's row says what to do, and which invocation may do it. So a
 * repeated message does nothing twice, and the sweep sends lost messages again.
 */
import type { Settings } from "../../env.ts";
import { newId } from "../../lib/ids.ts";
import { removeImport } from "../media/import-files.ts";
import type { Arrival } from "../../surfaces/request/arrival.ts";
import { openFor, type Meter } from "../../meter.ts";
import type { Database } from "../../store/core/sql.ts";
import {
  adoptCreated,
  endImport,
  findOldImports,
  findWaitingImports,
  forgetImport,
  isForgotten,
  leaveImport,
  takeImport,
  type Import,
} from "../../store/imports/system-imports.ts";
import { checkFile } from "./check.ts";
import { createArticles } from "./run.ts";
import { undoPortion } from "./undo.ts";
import { pauseAfter, Budget, Lost, Stopped, type Ended, type Work } from "./work.ts";

/** Messages of earlier versions name no organization. */
export type ImportMessage = { readonly importId: string; readonly organizationId?: string };

export type Importer = {
  readonly env: Env;
  readonly settings: Settings;
  readonly db: Database;
  readonly meter: Meter;
  readonly bucket: R2Bucket;
  readonly queue: Queue<ImportMessage>;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly now: () => Date;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
};

/** How many portions in a row may make no progress. */
const MOST_TRIES = 5;

/** Runs a portion of an import for each message. Logs errors; the sweep sends the message again. */
export async function consumeImports(importer: Importer, batch: MessageBatch<ImportMessage>): Promise<void> {
  for (const { body } of batch.messages) {
    try {
      await runPortion(openFor(importer, body.organizationId), body.importId);
    } catch (error) {
      importer.log({ level: "error", message: "import failed", import: body.importId, error });
    }
  }
}

const PHASES: Readonly<Record<string, (work: Work) => Promise<Ended>>> = {
  checking: checkFile,
  running: createArticles,
  undoing: undoPortion,
};
const NEXT = { checking: "checked", running: "done", undoing: "undone" } as const;

async function runPortion(importer: Importer, id: string): Promise<void> {
  const { db, bucket, queue, now } = importer;
  const of = await takeImport(db, id, now());
  if (of === null) return;
  if (of.tries > MOST_TRIES) return failImport(importer, of, "An unexpected error has stopped it several times.");
  const arrival = makeArrival(importer, of);
  try {
    if (of.state !== "checking" && of.position === 0) await adoptCreated(db, of);
    const ended = await PHASES[of.state]?.({ db, bucket, arrival, of, now, budget: new Budget() }).catch(pauseAfter);
    if (ended?.kind === "more") {
      await leaveImport(db, of);
      const { delaySeconds = 0 } = ended;
      await queue.send({ importId: id, organizationId: of.organizationId }, { delaySeconds });
    } else await endPhase(importer, of);
  } catch (error) {
    if (error instanceof Stopped) return failImport(importer, of, error.message);
    if (!(error instanceof Lost)) throw error;
    // The import was deleted meanwhile. Remove what this portion has stored.
    if (await isForgotten(db, id)) await removeImport(bucket, of);
  }
}

async function endPhase({ db, bucket, now }: Importer, of: Import): Promise<void> {
  const state = NEXT[of.state as keyof typeof NEXT];
  const finishTime = state === "checked" ? null : now().toISOString();
  await endImport(db, of, { state, finishTime });
  if (state === "done") await removeImport(bucket, of);
}

const failImport = ({ db, now }: Importer, of: Import, problem: string): Promise<void> =>
  leaveImport(db, of, { state: "failed", problem, finishTime: now().toISOString() });

/** Stands in for the request that operations expect. There is none, and nobody waits for a response. */
const makeArrival = ({ env, settings, waitUntil }: Importer, { actor: { origin } }: Import): Arrival => ({
  env,
  settings,
  requestId: newId(),
  origin,
  waitUntil,
  identify: () => undefined,
});

/** How many messages one sweep sends, and how many old imports it removes. */
const MOST = 100;
const MOST_OLD = 20;

/** Sends messages again for imports that nobody works on, and removes old imports. */
export async function sweepImports({ db, bucket, queue, now }: Importer): Promise<void> {
  const waiting = await findWaitingImports(db, now(), MOST);
  if (waiting.length > 0) await queue.sendBatch(waiting.map((body) => ({ body })));
  for (const old of await findOldImports(db, now(), MOST_OLD)) {
    await removeImport(bucket, old);
    await forgetImport(db, old);
  }
}
