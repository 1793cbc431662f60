/** The names of applications for the audit log. */
import { sharedDatabase } from "../../store/database.ts";
import { connectionNames } from "../../store/access/system-oauth-connections.ts";
import type { ConsoleContext } from "../env.ts";
import { principalOf } from "../session.ts";

/**
 * Returns the ids and names of those connections among `ids` that belong to the member's organization. This function
 * does not authorize: call it only after an operation has refused members who may not read the audit log.
 */
export async function appNames(
  c: ConsoleContext,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  if (ids.length === 0) return [];
  return connectionNames(sharedDatabase(c.env.arrival.env), principalOf(c).organizationId, ids);
}
