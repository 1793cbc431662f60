/** What a caller may expect of what a write changes: its version, and read-only fields that were sent back unchanged. */
import { DomainError } from "./errors.ts";

/** The versions of an `If-Match` header, of which the row must have one. `*` matches every row that exists. */
export type IfMatch = readonly string[] | "*";

/** Returns true if a caller expects another version than this one. */
export const isStale = (ifMatch: IfMatch | undefined, version: string): boolean =>
  ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(version);

/** The text of a read-only field whose value is not the stored one. */
export const DIFFERS = "is read-only, and differs from the stored value";

/** Returns the error about read-only fields that were sent with other values than those that are stored. */
export const immutableFields = (names: readonly string[]): DomainError =>
  new DomainError("immutable_field", `${names.join(", ")} cannot be changed.`, {
    errors: names.map((path) => ({ path, message: DIFFERS })),
  });
