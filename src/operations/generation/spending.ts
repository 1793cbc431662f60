/** Costs and failures of calls of models, for the ledger of generations. */
import type { ImageModel, TextModel, Usage } from "../../ai/model.ts";
import { DomainError } from "../../domain/errors.ts";
import { log } from "../../lib/log.ts";
import type { Spent } from "../../store/generation/generations.ts";
import type { OrganizationContext, Services } from "../define.ts";

export type Tokens = { inputTokens: number; outputTokens: number };

/** Returns US dollars; null if the service has no price for the model. */
export const toDollars = ({ microdollars }: Pick<Spent, "microdollars">): number | null =>
  microdollars === null ? null : microdollars / 1_000_000;

/** Returns a signal that is aborted when the caller disconnects, or after the timeout. */
export function makeSignal(caller: AbortSignal | undefined, timeoutMs: number): AbortSignal {
  const limit = AbortSignal.timeout(timeoutMs);
  return caller === undefined ? limit : AbortSignal.any([caller, limit]);
}

/**
 * Returns the error to record and throw: a DomainError as it is, `canceled` if the caller has disconnected,
 * `ai_timeout` after a timeout, otherwise `internal`.
 */
function toFailure(error: unknown, caller: AbortSignal | undefined): DomainError {
  if (error instanceof DomainError) return error;
  if (caller?.aborted) return new DomainError("canceled");
  const late = error instanceof DOMException && error.name === "TimeoutError";
  return new DomainError(late ? "ai_timeout" : "internal");
}

export type Entry = {
  readonly id: string;
  /** Counts the tokens that it uses. */
  readonly model: TextModel;
  readonly tokens: Readonly<Tokens>;
  readonly cost: () => Spent;
};

/** Throws `ai_not_configured` if there is no text model. */
export async function requireModels({ models }: Services): Promise<{ text: TextModel; image: ImageModel | null }> {
  const { text, image } = await models();
  if (text === null) throw new DomainError("ai_not_configured");
  return { text, image };
}

/**
 * Records a generation in the ledger and runs `work`, which records a success; this records a failure and throws it
 * again. Throws `generation_limit` before anything is paid for.
 */
export async function trackGeneration<Value>(
  { store, principal, progress: { signal } }: OrganizationContext,
  { quota, asMicrodollars, count }: Services,
  { blogId, model }: { readonly blogId: string; readonly model: TextModel },
  work: (entry: Entry) => Promise<Value>,
): Promise<Value> {
  const tokens: Tokens = { inputTokens: 0, outputTokens: 0 };
  const cost = () => ({ ...tokens, microdollars: asMicrodollars(model.model, tokens) });
  // Also the tokens of answers that cannot be used.
  const spent = ({ inputTokens, outputTokens }: Usage) => {
    tokens.inputTokens += inputTokens;
    tokens.outputTokens += outputTokens;
    count(principal.organizationId, { modelTokens: inputTokens + outputTokens });
  };
  const counting: TextModel = { ...model, object: (request) => model.object({ ...request, spent }) };
  const id = await store.beginGeneration({ blogId, provider: model.provider, model: model.model }, quota);
  try {
    return await work({ id, model: counting, tokens, cost });
  } catch (error) {
    const failure = toFailure(error, signal);
    // If D1 fails as well, the caller still learns why the generation failed. The background ends the entry within a
    // minute.
    await store
      .failGeneration(id, { code: failure.code, ...cost() })
      .catch((late: unknown) => log({ level: "error", message: "generation not ended", error: late }));
    throw failure.code === "internal" ? error : failure;
  }
}

export const MODEL_ERRORS = [
  "ai_refused",
  "generation_limit",
  "ai_unavailable",
  "ai_cut_off",
  "ai_invalid_answer",
  "ai_not_configured",
  "ai_rate_limited",
  "ai_timeout",
] as const;
