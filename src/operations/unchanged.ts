/** Read-only fields that callers send back (contract 2.4), where the store does not compare them. */
import { immutableFields, isStale, type IfMatch } from "../domain/preconditions.ts";
import { DomainError } from "../domain/errors.ts";
import type { Versioned } from "../store/core/paging.ts";

/**
 * Throws `immutable_field` if a sent field differs from the stored one. These fields are never written, so they may be
 * compared before the write.
 */
export function requireUnchanged(sent: Readonly<Record<string, unknown>>, stored: object | null): void {
  const now = (stored ?? {}) as Readonly<Record<string, unknown>>;
  const differing = Object.keys(sent).filter((name) => sent[name] !== undefined && !isSame(sent[name], now[name]));
  if (differing.length > 0) throw immutableFields(differing);
}

/**
 * The same for a resource that `find` reads, if any field was sent. Throws `precondition_failed` if its version does
 * not match: then somebody else has changed the fields.
 */
export async function requireSentBack(
  sent: Readonly<Record<string, unknown>>,
  ifMatch: IfMatch | undefined,
  find: () => Promise<Versioned<object> | null>,
): Promise<void> {
  if (!anySent(sent)) return;
  const stored = await find();
  // The write throws `not_found`.
  if (stored === null) return;
  if (isStale(ifMatch, stored.version)) throw new DomainError("precondition_failed");
  requireUnchanged(sent, stored.value);
}

export const anySent = (sent: object): boolean => Object.values(sent).some((value) => value !== undefined);

/** Compares JSON values. The order of members does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length || Array.isArray(one) !== Array.isArray(other)) return false;
  return names.every((name) => isSame(one[name as keyof typeof one], other[name as keyof typeof other]));
}
