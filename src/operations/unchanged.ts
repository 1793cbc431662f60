/** Read-only fields that callers send back (contract 2.4). The update of an article compares those of its own row. */
import { immutableFields, isStale, type IfMatch } from "../domain/preconditions.ts";
import { DomainError } from "../domain/errors.ts";

/** A resource as callers see it, and its version if it has one. */
type Stored = { readonly value: object; readonly version?: string | undefined };

/**
 * Compares read-only fields with those of the resource that `find` reads, if any were sent. Throws `immutable_field` if
 * one differs, and `precondition_failed` if the version does not match: then somebody else has changed them. What
 * changes between this and the write is not noticed: against that, callers send `If-Match` (contract 13.2).
 */
export async function requireSentBack(
  sent: Readonly<Record<string, unknown>>,
  ifMatch: IfMatch | undefined,
  find: () => Promise<Stored | null>,
): Promise<void> {
  const names = Object.keys(sent).filter((name) => sent[name] !== undefined);
  if (names.length === 0) return;
  const stored = await find();
  // The write throws the error about what does not exist.
  if (stored === null) return;
  if (stored.version !== undefined && isStale(ifMatch, stored.version)) throw new DomainError("precondition_failed");
  const now = stored.value as Readonly<Record<string, unknown>>;
  const differing = names.filter((name) => !isSame(sent[name], now[name]));
  if (differing.length > 0) throw immutableFields(differing);
}

/** Compares JSON values. The order of members does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length || Array.isArray(one) !== Array.isArray(other)) return false;
  return names.every((name) => isSame(one[name as keyof typeof one], other[name as keyof typeof other]));
}
