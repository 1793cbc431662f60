/** Connections of applications: what is asked for, and what became of it. */
import { env } from "cloudflare:workers";
import type { Connecting } from "../helpers/connected.ts";
import { newMember } from "../helpers/people.ts";
import { newTenant } from "../helpers/tenant.ts";

/** What an application asks of a new member of a new organization. */
export async function asked(more: Partial<Connecting> = {}): Promise<Connecting> {
  const { organizationId } = await newTenant();
  const { userId } = await newMember(organizationId, more.role ?? "owner");
  return { organizationId, userId, scopes: ["articles:read", "articles:write"], resource: "/api", ...more };
}

/** The row of a connection. */
export const connectionOf = (id: string) =>
  env.DB.prepare("select * from connected_apps where id = ?").bind(id).first();

/** Who ended a connection, as the audit log has it. */
export const endingsOf = async (connectionId: string) =>
  (
    await env.DB.prepare("select actor_kind, actor_id from audit where action = 'apps.disconnect' and resource_id = ?")
      .bind(connectionId)
      .all()
  ).results;
