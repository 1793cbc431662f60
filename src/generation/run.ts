/** One run of the pipeline: every call of a model goes through here, so that costs add up and an end is an end. */
import type * as z from "zod";
import { limitConcurrency } from "../lib/concurrency.ts";
import type { Generated, Step, Tools } from "./brief.ts";
import type { Prompt } from "./prompts.ts";

export type Question<T> = Prompt & {
  /** What the answer is, for providers that want a name. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
};

export type Run = {
  /** Reports a step that begins. Throws the signal's reason once nobody waits any more. */
  readonly begin: (step: Step) => void;
  /** Asks the text model. Throws its errors, and that reason. */
  readonly ask: <T>(question: Question<T>) => Promise<T>;
  /** Work that gets a signal for the end of the run, and is left alone after it. */
  readonly whileWanted: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** The results in the order of the items, a few at once. The first failure ends the run for all of them. */
  readonly each: <A, B>(items: readonly A[], work: (item: A, index: number) => Promise<B>) => Promise<B[]>;
  /** Notes that the result is less than was asked for. */
  readonly degrade: (sentence: string) => void;
  /** What the run has come to. */
  readonly totals: () => Pick<Generated, "repairs" | "degradations">;
};

export function openRun({ text, tell, signal: wanted }: Tools): Run {
  const degradations: string[] = [];
  const failure = new AbortController();
  const signal = AbortSignal.any([wanted, failure.signal]);
  let repairs = 0;
  return {
    begin(step) {
      signal.throwIfAborted();
      tell(step);
      // Reporting may reveal that nobody is listening.
      signal.throwIfAborted();
    },
    async ask(question) {
      const answer = await unlessAborted(signal, async () => text.object({ ...question, signal }));
      repairs += answer.repairs;
      return answer.value;
    },
    whileWanted: async (work) => unlessAborted(signal, work),
    each: async (items, work) =>
      mapConcurrently(items, async (item, index) => {
        try {
          return await work(item, index);
        } catch (error) {
          // Before the next item can begin, so that it does not.
          failure.abort(error);
          throw error;
        }
      }),
    degrade: (sentence) => void degradations.push(sentence),
    totals: () => ({ repairs, degradations }),
  };
}

/** The result of the work, or the signal's reason as soon as it is aborted, even if the work ignores it. */
async function unlessAborted<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const end = (): void => ended.reject(signal.reason);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([work(signal), ended.promise]);
  } catch (error) {
    // Not what the end did to the work, but its reason.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** Calls of one run that wait at once. The platform allows six connections, and others want some. */
const AT_ONCE = 3;

async function mapConcurrently<A, B>(items: readonly A[], work: (item: A, index: number) => Promise<B>): Promise<B[]> {
  const limited = limitConcurrency(AT_ONCE);
  const results: B[] = [];
  const all = items.map(async (item, index) =>
    limited(async () => {
      results[index] = await work(item, index);
    }),
  );
  await Promise.all(all);
  return results;
}
