/** What a call of a model costs, and why it failed: for the ledger of generations. */
import type { TextModel, Usage } from "../ai/model.ts";
import { DomainError } from "../errors.ts";

/** The tokens that were used so far. */
export type Tokens = { inputTokens: number; outputTokens: number };

/** Returns the text model, which adds the tokens of each answer to `spent`, also of unusable answers. */
export function counted(model: TextModel, spent: Tokens): TextModel {
  const add = ({ inputTokens, outputTokens }: Usage) => {
    spent.inputTokens += inputTokens;
    spent.outputTokens += outputTokens;
  };
  return { ...model, object: (request) => model.object({ ...request, spent: add }) };
}

/** Returns a signal that is aborted when the caller leaves, or after so many milliseconds. */
export function whileWanted(caller: AbortSignal | undefined, timeoutMs: number): AbortSignal {
  const limit = AbortSignal.timeout(timeoutMs);
  return caller === undefined ? limit : AbortSignal.any([caller, limit]);
}

/**
 * Returns the error to record and return: a DomainError as it is, `canceled` if the caller has left, `ai_timeout` after
 * a timeout, otherwise `internal`.
 */
export function failureOf(error: unknown, caller: AbortSignal | undefined): DomainError {
  if (error instanceof DomainError) return error;
  if (caller?.aborted) return new DomainError("canceled");
  const late = error instanceof DOMException && error.name === "TimeoutError";
  return new DomainError(late ? "ai_timeout" : "internal");
}
