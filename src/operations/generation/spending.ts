/** Costs and failures of calls of models, for the ledger of generations. */
import type { ImageModel, TextModel, Usage } from "../../ai/model.ts";
import { DomainError } from "../../domain/errors.ts";
import { log } from "../../lib/log.ts";
import { pick } from "../../lib/pick.ts";
import type { Step } from "../../ai/generation/brief.ts";
import type { GenerationProgress } from "../../schema/generation.ts";
import type { Begun, NewOrder, Spent } from "../../store/generation/generations.ts";
import type { Kept, NewAnswer } from "../../store/generation/keeping.ts";
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
  readonly turn: string;
  /** Counts the tokens that it uses. */
  readonly model: TextModel;
  /** Of all runs. */
  readonly tokens: Readonly<Tokens>;
  readonly cost: () => Spent;
  /** Tells the caller of a step, and notes how much is done. */
  readonly tell: (step: Step) => void;
  /** What an earlier run has kept; null if there was none. */
  readonly kept: Kept | null;
  /** Keeps an answer. Throws `generation_state` if another run has gone on with the generation. */
  readonly keep: (answer: NewAnswer) => Promise<void>;
};

/** Throws `ai_not_configured` if there is no text model. */
export async function requireModels({ models }: Services): Promise<{ text: TextModel; image: ImageModel | null }> {
  const { text, image } = await models();
  if (text === null) throw new DomainError("ai_not_configured");
  return { text, image };
}

type Tracked = {
  readonly blogId: string;
  readonly model: TextModel;
  /** Not needed for one that was taken. */
  readonly estimate?: Usage;
  readonly order?: NewOrder;
  /** A generation that the queue has given to this invocation. */
  readonly taken?: Begun;
};

/** Shorter than the lease of a generation (store/generation/keeping.ts). */
const RENEWAL_MS = 10_000;

/**
 * Records a generation in the ledger and runs `work`, which records a success; this records a failure and throws it
 * again. Throws `generation_limit` before anything is paid for, or when the tokens of the day are used up.
 */
export async function trackGeneration<Value>(
  { store, principal, progress }: OrganizationContext,
  { quota, ...services }: Services,
  { blogId, model, estimate, order, taken }: Tracked,
  work: (entry: Entry) => Promise<Value>,
): Promise<Value> {
  const { provider, model: name } = model;
  const estimatedTokens = estimate === undefined ? 0 : sumTokens(estimate);
  const begun =
    taken ?? (await store.beginGeneration({ blogId, provider, model: name, estimatedTokens, order }, quota));
  const entry = openEntry({ store, tell: progress.tell }, begun, model, {
    asMicrodollars: services.asMicrodollars,
    count: (modelTokens) => services.count(principal.organizationId, { modelTokens }),
  });
  // The next renewal may succeed. If another run has gone on with the generation, nothing is stored.
  const timer = setInterval(() => void entry.renew().catch(() => undefined), RENEWAL_MS);
  try {
    const { idempotencyKey } = begun;
    if (order !== undefined) progress.tell({ step: "started", generationId: begun.id, idempotencyKey });
    return await work(entry);
  } catch (error) {
    const failure = toFailure(error, progress.signal);
    await entry.settle();
    // If D1 fails as well, the caller still learns why the generation failed. The background ends the entry within a
    // minute.
    await store
      .failGeneration(begun, { code: failure.code, ...entry.cost() })
      .catch((late: unknown) => log({ level: "error", message: "generation not ended", error: late }));
    throw failure.code === "internal" ? error : failure;
  } finally {
    clearInterval(timer);
  }
}

type Counters = Pick<Services, "asMicrodollars"> & { readonly count: (tokens: number) => void };

function openEntry(
  { store, tell }: Pick<OrganizationContext, "store"> & { readonly tell: (step: Step) => void },
  begun: Begun,
  model: TextModel,
  { asMicrodollars, count }: Counters,
): Entry & { readonly renew: () => Promise<void>; readonly settle: () => Promise<void> } {
  const tokens = pick(begun, ["inputTokens", "outputTokens"]) as Tokens;
  const calls = new Set<Promise<unknown>>();
  let { uncountedTokens } = begun;
  const cost = () => ({ ...tokens, uncountedTokens, microdollars: asMicrodollars(model.model, tokens) });
  let progress: GenerationProgress | null = null;
  const keep = (answer?: NewAnswer) => store.keepGeneration(begun, { spent: cost(), progress, answer });
  // Also the tokens of answers that cannot be used.
  const spent = ({ inputTokens, outputTokens, uncountedTokens: more = 0 }: Usage) => {
    uncountedTokens += more;
    tokens.inputTokens += inputTokens;
    tokens.outputTokens += outputTokens;
    count(inputTokens + outputTokens);
  };
  return {
    ...pick(begun, ["id", "turn", "kept"]),
    model: {
      ...model,
      async object(request) {
        // It may take more than estimated, as others may that run, and the ceiling may have changed.
        const room = await store.readRoom(begun.id);
        if (sumTokens(tokens) + uncountedTokens >= room.tokens) throw makeSpentError(room);
        const asked = model.object({ ...request, spent });
        calls.add(asked);
        return asked.finally(() => calls.delete(asked));
      },
    },
    tokens,
    cost,
    tell(step) {
      if ("total" in step) progress = pick(step, ["step", "done", "total"]);
      tell(step);
    },
    keep,
    // A call that was given up reports what it has cost, within a moment (ai/deadline.ts).
    settle: async () => void (await Promise.race([Promise.allSettled(calls), scheduler.wait(SETTLING_MS)])),
    renew: () => keep(),
  };
}

const SETTLING_MS = 500;

function makeSpentError({ resetSeconds }: { readonly resetSeconds: number }): DomainError {
  const detail = "What the organization allows in a day is used up. What this generation has paid for is kept.";
  return new DomainError("generation_limit", detail, { retryAfterSeconds: resetSeconds });
}

/** Returns how many tokens count in the ceiling of a day. */
export const sumTokens = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

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
