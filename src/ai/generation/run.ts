/** One run of a generation. All calls of models go through it: it counts repairs and ends all work together. */
import type * as z from "zod";
import { limitConcurrency } from "../../lib/concurrency.ts";
import type { Generated, Step, Tools } from "./brief.ts";
import type { Prompt } from "./prompts.ts";

export type Question<T> = Prompt & {
  /** Some providers require a name. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** Takes the text that the model has written so far (ai/model.ts). */
  readonly wrote?: (content: string) => void;
};

export type Run = {
  /** Reports that a step begins. Throws the signal's reason if the run has ended. */
  readonly begin: (step: Step) => void;
  /** Asks the text model. Throws its errors, and the reason if the run ends. */
  readonly ask: <T>(question: Question<T>) => Promise<T>;
  /** Runs `work` with a signal that is aborted when the run ends. Throws the reason then, without waiting for `work`. */
  readonly whileWanted: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Calls `work` for a few items at a time. Returns the results in order. The first failure ends the whole run. */
  readonly each: <A, B>(items: readonly A[], work: (item: A, index: number) => Promise<B>) => Promise<B[]>;
  readonly degrade: (sentence: string) => void;
  readonly totals: () => Pick<Generated, "repairs" | "degradations">;
};

/** Concurrent calls of one run. The platform allows six connections, and other code needs some. */
const AT_ONCE = 3;

/** Starts a run. It ends when `signal` is aborted, or when an item of `each` fails. */
export function openRun({ text, tell, signal: wanted }: Pick<Tools, "text" | "tell" | "signal">): Run {
  const degradations: string[] = [];
  const failure = new AbortController();
  const signal = AbortSignal.any([wanted, failure.signal]);
  let repairs = 0;
  return {
    begin(step) {
      signal.throwIfAborted();
      tell(step);
      // `tell` may abort the signal when it finds that nobody listens.
      signal.throwIfAborted();
    },
    async ask(question) {
      const answer = await unlessAborted(signal, async () => text.object({ ...question, signal }));
      repairs += answer.repairs;
      return answer.value;
    },
    whileWanted: async (work) => unlessAborted(signal, work),
    each: async (items, work) => {
      const limited = limitConcurrency(AT_ONCE);
      const results = items.map(async (item, index) =>
        limited(async () => {
          try {
            return await work(item, index);
          } catch (error) {
            // First, so that no other item begins.
            failure.abort(error);
            throw error;
          }
        }),
      );
      return Promise.all(results);
    },
    degrade: (sentence) => void degradations.push(sentence),
    totals: () => ({ repairs, degradations }),
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
