/** What a connection lacks for a request, so that its client can ask the person for it (MCP, authorization: step-up). */
import { DomainError } from "../../domain/errors.ts";
import {
  includesGrant,
  MCP_SCOPES,
  ROLE_GRANTS,
  type OrganizationPrincipal,
  type Scope,
} from "../../domain/principal.ts";
import { listScopes } from "./tool.ts";
import { toolsByName } from "./tools.ts";

/** Returns whether the person of a connection could grant it all of these scopes; of a machine connection, whether it has them. */
export const areGrantable = ({ role, grants, isMachine }: OrganizationPrincipal, scopes: readonly Scope[]): boolean =>
  scopes.every((scope) => {
    if (isMachine) return includesGrant(grants, scope);
    return MCP_SCOPES.some((each) => each === scope) && role !== null && ROLE_GRANTS[role].includes(scope);
  });

/** Throws `scope_missing` for a call of a tool whose scopes the connection does not have all, if its person could grant them. */
export function requireScopes(message: unknown, principal: OrganizationPrincipal): void {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
  const tool = method === "tools/call" ? toolsByName.get(String(params?.name)) : undefined;
  if (tool === undefined) return;
  const scopes = listScopes(tool);
  if (scopes.every((scope) => includesGrant(principal.grants, scope)) || !areGrantable(principal, scopes)) return;
  // With those that it has: many clients ask for exactly what they are told, and would lose the rest.
  const all = MCP_SCOPES.filter((scope) => principal.grants.has(scope) || scopes.includes(scope));
  throw new DomainError("scope_missing", `This needs the scopes ${scopes.join(" ")}.`, { scopes: all });
}
