/** Attempts to reach what others have, and what is expected of each. */
import type { ErrorCode } from "../../src/domain/errors.ts";
import type { Input, OperationName, World } from "./operations.ts";

export type Victim = World & {
  readonly vanityId: string;
  /** A draft in the first blog, with `MARK` in every text. */
  readonly marked: { readonly _id: string; readonly slug: string };
  /** A key with every scope that is pinned to the second blog. */
  readonly pinnedKey: string;
};

/** Part of every private text of a victim. No response to another caller may contain it. */
export const MARK = "victim-secret";

/**
 * The expected result: an error code, an empty list, published articles, a public page, only the caller's own, or a list
 * that says of each that it was not found.
 */
export type Outcome = ErrorCode | "empty" | "published" | "public" | "own" | "each_not_found";

export type Attempt = readonly [input: Input, outcome: Outcome];
export type Attempts = {
  readonly foreign: readonly Attempt[];
  readonly pinned: readonly Attempt[];
  readonly anonymous: readonly Attempt[];
};

/** Returns the same attempts with another expected result. */
export const all = (attempts: readonly Attempt[], outcome: Outcome): Attempt[] =>
  attempts.map(([input]) => [input, outcome]);

/** For operations that need a scope. `pinned` are the attempts of a pinned key. */
export const member = (foreign: readonly Attempt[], pinned: readonly Attempt[]): Attempts => ({
  foreign,
  pinned,
  anonymous: all(foreign, "credentials_missing"),
});

/** For operations that only operators may run. */
export const operator = (foreign: readonly Attempt[]): Attempts => ({
  foreign,
  pinned: all(foreign, "operator_required"),
  anonymous: all(foreign, "credentials_missing"),
});

export type Cases = Record<OperationName, (victim: Victim, attacker: World) => Attempts>;
