import type { Statement } from "./place-bindings.ts";

type Entry = { readonly id: string; readonly organizationId: string; readonly action: string };

/** Returns the statement that notes in the audit log of an organization, if it exists, what the operator did to it. */
export const makeAuditEntry = ({ id, organizationId, action }: Entry): Statement => ({
  sql: `INSERT INTO audit (id, organization_id, actor_kind, actor_id, action, resource_id, request_id, creation_time)
    SELECT ?1, id, 'service', id, ?3, id, ?1, ?4 FROM organizations WHERE id = ?2`,
  values: [id, organizationId, action, new Date().toISOString()],
});
