/** What a portion of an import works with, and how it calls operations for the person who started the import. */
import type { Arrival } from "../../surfaces/request/arrival.ts";
import { openCall } from "../../surfaces/request/call.ts";
import { DomainError } from "../../domain/errors.ts";
import type { IfMatch } from "../../domain/preconditions.ts";
import { toPrincipal } from "../../domain/background-actor.ts";
import type { Operation, Result } from "../../operations/define.ts";
import { invoke } from "../../operations/invoke.ts";
import type { Database } from "../../store/core/sql.ts";
import { isResting, type Import } from "../../store/imports/system-imports.ts";
import type { z } from "zod";

export type Work = {
  readonly db: Database;
  readonly bucket: R2Bucket;
  readonly arrival: Arrival;
  readonly of: Import;
  readonly now: () => Date;
  readonly budget: Budget;
};

/** How a portion ended: the phase is over, or the next message continues it, if necessary after a delay. */
export type Ended = { readonly kind: "over" } | { readonly kind: "more"; readonly delaySeconds?: number };

/** Thrown if another invocation has taken the import, or if it was deleted. */
export class Lost extends Error {}

/** Thrown to end an import, with a message for people. */
export class Stopped extends Error {}

/** Thrown to end a portion within an article. The next portion knows what was done. */
export class Pause extends Error {}

/** Why an article of the file is not created. */
export const TAKEN = "another article of the blog has its slug and locale";

/** Milliseconds and queries of a portion. An invocation may make 1,000 queries (D1, Limits). */
const PORTION_MS = 10_000;
const QUERIES = 600;

/** Counts the time and the queries of a portion. Time is limited because a local run has only one thread. */
export class Budget {
  readonly #until = Date.now() + PORTION_MS;
  #queries = 0;

  spend(queries: number): void {
    this.#queries += queries;
  }

  get isSpent(): boolean {
    return this.#queries >= QUERIES || Date.now() >= this.#until;
  }
}

type Manner = { readonly idempotencyKey?: string; readonly ifMatch?: IfMatch };

/**
 * Runs an operation for the person who started the import, by all rules of the API. Throws the refusal, {@link Stopped}
 * if it concerns the whole import, or {@link Pause} if the blog was deleted meanwhile: then a refusal says nothing.
 */
export async function runOperation<O extends Operation>(
  { arrival, db, of }: Work,
  operation: O,
  input: Readonly<Record<string, unknown>>,
  manner: Manner = {},
): Promise<Result<z.infer<O["output"]>>> {
  const call = openCall(arrival, { principal: toPrincipal(of.actor, of.organizationId), secret: of.id, ...manner });
  try {
    return (await invoke(operation, call, async () => input)) as Result<z.infer<O["output"]>>;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (await isResting(db, of)) throw new Pause("The blog is deleted.", { cause: error });
    if (LOST_RIGHT.has(error.code)) throw new Stopped(NO_RIGHT, { cause: error });
    if (STOPPING.has(error.code)) throw new Stopped(error.message, { cause: error });
    throw error;
  }
}

const NO_RIGHT = "Whoever started this import may not do that any more. Somebody else can continue it.";
const LOST_RIGHT = new Set(["role_forbidden", "credentials_invalid", "blog_forbidden"]);
/** Refusals that every other article would get, too. */
const STOPPING = new Set(["event_limit"]);

/** Refusals that pass: the portion ends, and the next one tries again. */
const PASSING = new Set([
  "rate_limited",
  "not_ready",
  "idempotency_in_progress",
  "organization_suspended",
  "usage_limit",
]);

/** Returns the seconds after which a refused operation may succeed; null if it will not. */
const getRetrySeconds = (error: unknown): number | null =>
  error instanceof Pause
    ? 0
    : error instanceof DomainError && PASSING.has(error.code)
      ? Math.min(error.details.retryAfterSeconds ?? 5, 60)
      : null;

/** Returns a refusal that concerns one article or picture alone. Rethrows all other errors, and those that pass. */
export function requireRefusal(error: unknown): DomainError {
  if (!(error instanceof DomainError) || getRetrySeconds(error) !== null) throw error;
  return error;
}

/** Lets the next portion try again after an error that passes. Rethrows all other errors. */
export function pauseAfter(error: unknown): Ended {
  const delaySeconds = getRetrySeconds(error);
  if (delaySeconds === null) throw error;
  return { kind: "more", delaySeconds };
}
