/** What the audit log calls applications. */
import { sharedDatabase } from "../../store/database.ts";
import { connectionNames } from "../../store/access/system-oauth-connections.ts";
import type { ConsoleContext } from "../env.ts";
import { principalOf } from "../session.ts";

/**
 * The names of connections of the member's organization, by their ids. Anybody in the organization could ask for them
 * here: only for pages whose operations have already refused those who may not see the audit log.
 */
export async function appNames(
  c: ConsoleContext,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  if (ids.length === 0) return [];
  return connectionNames(sharedDatabase(c.env.arrival.env), principalOf(c).organizationId, ids);
}
