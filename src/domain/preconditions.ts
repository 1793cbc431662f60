/** Preconditions of writes: the version, and read-only fields that were sent back unchanged. */
import { DomainError } from "./errors.ts";

/** The versions of an `If-Match` header. `*` matches every existing row. */
export type IfMatch = readonly string[] | "*";

/** Returns whether a caller expects another version than this one. */
export const isStale = (ifMatch: IfMatch | undefined, version: string): boolean =>
  ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(version);

export const DIFFERS = "is read-only, and differs from the stored value";

/** Returns the error about read-only fields whose values differ from the stored ones. */
export const immutableFields = (names: readonly string[]): DomainError =>
  new DomainError("immutable_field", `${names.join(", ")} cannot be changed.`, {
    errors: names.map((path) => ({ path, message: DIFFERS })),
  });
