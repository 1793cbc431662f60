/** Creates people for tests. */
import { env } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";
import type { Role } from "../../src/domain/principal.ts";

export type TestMember = { readonly memberId: string; readonly userId: string; readonly email: string };

/** Creates a person who cannot sign in. With `organizationId` they are a member in this role. */
export async function newMember(organizationId: string | null, role: Role): Promise<TestMember> {
  const [memberId, userId] = [newId(), newId()];
  const email = `${userId}@example.com`;
  const time = new Date().toISOString();
  await env.DB.batch([
    env.DB.prepare(
      `insert into users (id, name, email, email_verified, creation_time, last_edit_time) values (?, ?, ?, 1, ?, ?)`,
    ).bind(userId, "A member", email, time, time),
    ...(organizationId === null
      ? []
      : [
          env.DB.prepare(
            `insert into members (id, organization_id, user_id, role, creation_time) values (?, ?, ?, ?, ?)`,
          ).bind(memberId, organizationId, userId, role, time),
        ]),
  ]);
  return { memberId, userId, email };
}
