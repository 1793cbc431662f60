/** What only owners of an organization may do, and operator tokens. */
import { DomainError } from "../domain/errors.ts";
import type { OrganizationPrincipal } from "../domain/principal.ts";

/** Throws `role_forbidden` unless the caller is an owner or an operator token. */
export function requireOwner({ kind, role }: OrganizationPrincipal): void {
  if (kind !== "operator" && role !== "owner") throw new DomainError("role_forbidden");
}
