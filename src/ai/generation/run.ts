/** One run of a generation. All calls of models go through it: it counts repairs and ends all work together. */
import type * as z from "zod";
import { limitConcurrency } from "../../lib/concurrency.ts";
import type { Generated, Stage, Step, Tools } from "./brief.ts";
import type { Prompt } from "./prompts.ts";

export type Question<T> = Prompt & {
  /** Some providers require a name. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** Takes the text that the model has written so far (ai/model.ts). */
  readonly wrote?: (content: string) => void;
  /** The stage that the answer is, and about how many characters it will have: while it is written, progress moves. */
  readonly moves?: { readonly stage: Stage; readonly characters: number };
};

export type Run = {
  /** Sets how many calls of models this run makes in all, as far as that is known. Without it, no progress is counted. */
  readonly expect: (calls: number) => void;
  /** Reports that a stage begins. Throws the signal's reason if the run has ended. */
  readonly begin: (stage: Stage | { readonly step: "writing" }) => void;
  /** Asks the text model. Throws its errors, and the reason if the run ends. */
  readonly ask: <T>(question: Question<T>) => Promise<T>;
  /** Runs `work` with a signal that is aborted when the run ends. Throws the reason then, without waiting for `work`. */
  readonly whileWanted: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /**
   * Calls `work` for a few items at a time. Returns the results in order. After a failure no item begins, and those that
   * have begun are finished, because they are paid for: it is thrown then.
   */
  readonly each: <A, B>(items: readonly A[], work: (item: A, index: number) => Promise<B>) => Promise<B[]>;
  readonly degrade: (sentence: string) => void;
  /** Counts a call that `ask` does not make: an image. */
  readonly count: () => void;
  readonly totals: () => Pick<Generated, "repairs" | "degradations">;
};

/** Concurrent calls of one run. The platform allows six connections, and other code needs some. */
const AT_ONCE = 3;

/** Starts a run. It ends when `signal` is aborted, or when an item of `each` fails. */
export function openRun({ text, tell, signal }: Pick<Tools, "text" | "tell" | "signal">): Run {
  const degradations: string[] = [];
  const progress = openProgress(tell);
  let repairs = 0;
  return {
    expect: progress.expect,
    begin(stage) {
      signal.throwIfAborted();
      progress.report(stage);
      // `tell` may abort the signal when it finds that nobody listens.
      signal.throwIfAborted();
    },
    async ask(question) {
      const own = progress.follow(question.moves);
      const asked = { ...question, wrote: question.wrote ?? own.wrote, signal };
      const answer = await unlessAborted(signal, async () => text.object(asked));
      own.end();
      repairs += answer.repairs;
      return answer.value;
    },
    whileWanted: async (work) => unlessAborted(signal, work),
    each: (items, work) => runEach(items, work, signal),
    degrade: (sentence) => void degradations.push(sentence),
    count: () => progress.follow(undefined).end(),
    totals: () => ({ repairs, degradations }),
  };
}

async function runEach<A, B>(
  items: readonly A[],
  work: (item: A, index: number) => Promise<B>,
  signal: AbortSignal,
): Promise<B[]> {
  const limited = limitConcurrency(AT_ONCE);
  let failed: { readonly error: unknown } | null = null;
  const results = items.map((item, index) =>
    limited(async () => {
      signal.throwIfAborted();
      if (failed !== null) throw failed.error;
      try {
        return await work(item, index);
      } catch (error) {
        failed ??= { error };
        throw failed.error;
      }
    }),
  );
  await Promise.allSettled(results);
  return Promise.all(results);
}

/** The most that an unfinished answer counts, and the least by which it moves the progress, as parts of a call. */
const MOST_UNFINISHED = 0.9;
const LEAST_MOVE = 0.1;

/** Counts what is done, and adds it to what is reported. */
function openProgress(tell: (step: Step) => void) {
  const unfinished = new Map<object, number>();
  let finished = 0;
  let total: number | null = null;
  const report = (stage: Stage | { readonly step: "writing" }) => {
    const sum = [...unfinished.values()].reduce((most, part) => most + part, finished);
    const counted = total === null ? {} : { done: Math.round(sum * 100) / 100, total };
    tell({ ...stage, ...counted } as Step);
  };
  return {
    report,
    expect: (calls: number) => void (total = calls + 1),
    follow(moves: Question<unknown>["moves"]) {
      const key = {};
      const wrote = ({ length }: string) => {
        const part = Math.min(MOST_UNFINISHED, length / (moves?.characters ?? 1));
        if (moves === undefined || part < (unfinished.get(key) ?? 0) + LEAST_MOVE) return;
        unfinished.set(key, part);
        report(moves.stage);
      };
      const end = () => {
        unfinished.delete(key);
        finished += 1;
      };
      return { wrote: moves && wrote, end };
    },
  };
}

/** Returns the result of `work`. Throws the signal's reason as soon as it is aborted, even if `work` ignores it. */
async function unlessAborted<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const end = (): void => ended.reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([work(signal), ended.promise]);
  } catch (error) {
    // After an abort, `work` may fail in any way. Throw the reason of the abort instead.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
  }
}
