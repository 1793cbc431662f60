/** Lists of an organization's blogs, credentials, subscriptions and members, with many rows. */
import { env } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";
import type { Credential } from "./requests.ts";
import type { Tenant } from "./tenant.ts";

export type List = {
  readonly path: string;
  /** The rows of one organization (`?1`), in the order of the list. */
  readonly rows: string;
  /** Statements that insert rows for the organization `?1` from the JSON array `?2` of `{id, time}`. */
  readonly inserts: readonly string[];
};

const credentialsOf = (kind: "key" | "token"): Pick<List, "rows" | "inserts"> => ({
  rows: `credentials where organization_id = ?1 and kind = '${kind}' order by creation_time desc, id desc`,
  inserts: [
    `insert into credentials (id, organization_id, kind, name, hash, hint, scopes, creation_time)
     select value ->> 'id', ?1, '${kind}', 'Key ' || key, value ->> 'id', 'hint', '[]', value ->> 'time' from json_each(?2)`,
  ],
});

export const LISTS = {
  blogs: {
    path: "/api/blogs",
    rows: "blogs where organization_id = ?1 order by creation_time, id",
    inserts: [
      `insert into blogs (id, organization_id, name, vanity_id, cover_url, locales, version, creation_time, last_edit_time)
       select value ->> 'id', ?1, 'Blog ' || key, value ->> 'id', '', '["en","x-' || key || '"]', value ->> 'id',
         value ->> 'time', value ->> 'time' from json_each(?2)`,
    ],
  },
  keys: { path: "/api/apikeys", ...credentialsOf("key") },
  tokens: { path: "/api/accesstokens", ...credentialsOf("token") },
  subscriptions: {
    path: "/api/webhooksubscriptions",
    rows: "webhook_subscriptions where organization_id = ?1 order by id",
    inserts: [
      `insert into webhook_subscriptions (id, organization_id, url, events, active, secret, failure_streak, epoch,
         since_seq, version, creation_time, last_edit_time)
       select value ->> 'id', ?1, 'https://hooks.example.com/' || key, '[]', 1, '', 0, 0, 0, value ->> 'id',
         value ->> 'time', value ->> 'time' from json_each(?2)`,
    ],
  },
  members: {
    path: "/api/members",
    rows: "members where organization_id = ?1 order by creation_time, id",
    inserts: [
      `insert into users (id, name, email, email_verified, creation_time, last_edit_time)
       select 'user-' || (value ->> 'id'), 'Member ' || key, (value ->> 'id') || ?1 || '@example.com', 1, value ->> 'time',
         value ->> 'time' from json_each(?2)`,
      `insert into members (id, organization_id, user_id, role, creation_time)
       select value ->> 'id', ?1, 'user-' || (value ->> 'id'), 'reader', value ->> 'time' from json_each(?2)`,
    ],
  },
} as const satisfies Record<string, List>;

/** Inserts so many rows; of three neighbours two have the same creationTime. */
export async function fillList({ inserts }: List, { organizationId }: Tenant, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    time: new Date(Date.UTC(2026, 0, 1) + Math.floor((index * 2) / 3) * 1000).toISOString(),
  }));
  await env.DB.batch(inserts.map((sql) => env.DB.prepare(sql).bind(organizationId, JSON.stringify(rows))));
}

/** Returns the places of all rows of an organization, in the order of the list. */
export async function placesOf({ rows }: List, { organizationId }: Tenant): Promise<{ id: string; time: string }[]> {
  const query = env.DB.prepare(`select id, creation_time as "time" from ${rows}`).bind(organizationId);
  return (await query.all<{ id: string; time: string }>()).results;
}

/** The credential that may read all of these lists. */
export const reading = ({ operatorToken }: Tenant): Credential => ({ operatorToken });
