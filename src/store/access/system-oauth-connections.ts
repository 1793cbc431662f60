/** Connections: what people let applications do for their organizations. The library's records only name them. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Role, Scope } from "../../domain/principal.ts";
import { TOUCH_MS } from "../../lib/time.ts";
import { members, users } from "../people/schema.ts";
import { connectedApps, oauthRecords } from "./schema.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { disconnecting } from "./disconnection.ts";
import { audit, organizations } from "../core/schema.ts";
import { firstRow, prepare, rows, transaction, type Database } from "../core/sql.ts";
import { startsWith } from "./system-oauth-records.ts";

/** A connection that is in force, as a call of its application needs it. */
export type Connection = {
  readonly id: string;
  readonly organizationId: string;
  readonly scopes: readonly Scope[];
  readonly resource: string;
  /** The role that its person has at this moment. */
  readonly role: Role;
  readonly lastUsedTime: string | null;
};

/** The connection with the role of its person; null where it has ended, or the person is no longer a member. */
export async function findConnection(db: Database, id: string): Promise<Connection | null> {
  const row = await firstRow<Stored<Connection>>(db, found(id));
  return row && parsed(row);
}

/** A row as it is stored: the scopes as JSON. */
type Stored<T> = Omit<T, "scopes"> & { readonly scopes: string };

const parsed = <T extends { readonly scopes: string }>(row: T) => ({
  ...row,
  scopes: JSON.parse(row.scopes) as readonly Scope[],
});

const found = (id: string): SQL => sql`select a.id, a.organization_id as "organizationId", a.scopes, a.resource, m.role,
    a.last_used_time as "lastUsedTime"
  from ${connectedApps} a
  join ${members} m on m.organization_id = a.organization_id and m.user_id = a.user_id
  where a.id = ${id} and a.disconnect_time is null`;

/** Notes the grant of a connection; returns the connection, or null where it has ended or has another grant. */
export async function noteGrant(db: Database, id: string, grantId: string): Promise<Connection | null> {
  await prepare(
    db,
    sql`update ${connectedApps} set grant_id = ${grantId}
      where id = ${id} and grant_id is null and disconnect_time is null`,
  ).run();
  const row = await firstRow<Stored<Connection>>(db, sql`${found(id)} and a.grant_id = ${grantId}`);
  return row && parsed(row);
}

/** Notes that an application called, unless another call did so in the last minute. */
export async function touchConnection(db: Database, id: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - TOUCH_MS).toISOString();
  await prepare(
    db,
    sql`update ${connectedApps} set last_used_time = ${now.toISOString()}
      where id = ${id} and (last_used_time is null or last_used_time <= ${before})`,
  ).run();
}

export type NewConnection = {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly scopes: readonly Scope[];
  readonly resource: string;
};

/** Records of connections without a grant yet: when one expires, its connection has come to nothing. */
const AWAITED = "awaited:";

/** A minute more than a code lives. */
const AWAITED_SECONDS = 11 * 60;

/**
 * Stores what a person has agreed to. Throws `role_forbidden` if they are no longer a member with that role, and
 * `app_limit` if they have too many connections.
 */
export async function connect(writer: Writer, connection: NewConnection): Promise<void> {
  const { id, userId, clientId, clientName, scopes, resource } = connection;
  const licence = newLicence(writer);
  const exists = sql`from ${organizations} where ${organizations.id} = ${writer.organizationId}`;
  const outcome = await commit(writer, licence, {
    action: "apps.connect",
    resourceId: id,
    blogId: null,
    where: sql`${exists} and (select count(*) from ${connectedApps} where user_id = ${userId}
      and disconnect_time is null) < ${LIMITS.connectedApps}`,
    change: ({ id: version, held, time }) => [
      sql`insert into ${connectedApps}
        (id, organization_id, user_id, client_id, client_name, scopes, resource, creation_time)
        select ${id}, ${writer.organizationId}, ${userId}, ${clientId}, ${clientName}, ${JSON.stringify(scopes)},
          ${resource}, ${time} where ${held}`,
      sql`insert into ${oauthRecords} (key, value, version, expiration_time)
        select ${AWAITED + id}, '', ${version}, ${Math.floor(Date.parse(time) / 1000) + AWAITED_SECONDS} where ${held}`,
    ],
    answer: sql`json_object('value', null)`,
    diagnose: sql`select 1 ${exists}`,
  });
  if (!outcome.refused) return;
  if (outcome.diagnosis.length > 0) throw new DomainError("app_limit");
  throw new DomainError("not_found", "There is no such organization.");
}

/** Who ends a connection: its person, or its application. */
export type Ending = {
  readonly db: Database;
  readonly id: string;
  readonly actor: { readonly kind: "user" | "app"; readonly id: string };
  readonly requestId: string;
  readonly now: Date;
};

/**
 * Ends a connection at once, with all grants and tokens of it; says whether it was in force. A person can end
 * only their own, even after they have left the organization.
 */
export async function disconnect({ db, id, actor, requestId, now }: Ending): Promise<boolean> {
  const time = now.toISOString();
  const live = sql`id = ${id} and disconnect_time is null ${actor.kind === "user" ? sql`and user_id = ${actor.id}` : sql``}`;
  const licence = newId();
  const held = sql`exists (select 1 from ${audit} where ${audit.id} = ${licence})`;
  const { licensed } = await transaction(db, {
    licensed: sql`insert into ${audit}
        (id, organization_id, actor_kind, actor_id, action, resource_id, blog_id, request_id, creation_time)
      select ${licence}, organization_id, ${actor.kind}, ${actor.id}, 'apps.disconnect', id, null, ${requestId}, ${time}
      from ${connectedApps} where ${live} returning 1`,
    ended: sql`update ${connectedApps} set disconnect_time = ${time} where id = ${id} and ${held}`,
    grants: sql`delete from ${oauthRecords} where ${startsWith(`grant:${id}:`)} and ${held}`,
    tokens: sql`delete from ${oauthRecords} where ${startsWith(`token:${id}:`)} and ${held}`,
    awaited: sql`delete from ${oauthRecords} where key = ${AWAITED + id} and ${held}`,
  });
  return licensed.length > 0;
}

/** A connection as its person sees it. */
export type ListedConnection = {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly organization: string;
  readonly scopes: readonly Scope[];
  readonly creationTime: string;
  readonly lastUsedTime: string | null;
};

/** The connections of a person that are in force, the newest first. */
export async function listConnections(db: Database, userId: string): Promise<ListedConnection[]> {
  const listed = await rows<Stored<ListedConnection>>(
    db,
    sql`select a.id, a.client_id as "clientId", a.client_name as "clientName", o.name as "organization", a.scopes,
        a.creation_time as "creationTime", a.last_used_time as "lastUsedTime"
      from ${connectedApps} a join ${organizations} o on o.id = a.organization_id
      where a.user_id = ${userId} and a.disconnect_time is null and a.grant_id is not null
      order by a.creation_time desc, a.id desc limit ${LIMITS.connectedApps}`,
  );
  return listed.map(parsed);
}

/** What the organization's audit log calls applications: the name, and whose it is. */
export function connectionNames(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return rows(
    db,
    sql`select a.id, a.client_name || ' (' || u.name || ')' as "name"
      from ${connectedApps} a join ${users} u on u.id = a.user_id
      where a.organization_id = ${organizationId} and a.id in (select value from json_each(${JSON.stringify(ids)}))`,
  );
}

/** Records that one statement removes, and how often a run repeats it. */
const MOST = 1000;
const ROUNDS = 20;

/** Removes records that have expired; a connection ends with its grant, or where it never got one. */
export async function removeExpiredRecords(db: Database, now: Date): Promise<void> {
  const expired = sql`from ${oauthRecords} where expiration_time <= ${Math.floor(now.getTime() / 1000)}
    order by expiration_time, key limit ${MOST}`;
  const namedBy = (prefix: string) =>
    sql`id in (select substr(key, ${prefix.length + 1}, 36) from (select key ${expired}) where ${startsWith(prefix)})`;
  const where = sql`(${namedBy("grant:")} or (grant_id is null and ${namedBy(AWAITED)}))`;
  for (let round = 0; round < ROUNDS; round++) {
    const { removed } = await transaction(db, {
      disconnecting: disconnecting({ where, requestId: newId(), time: now.toISOString() }),
      removed: sql`delete from ${oauthRecords} where rowid in (select rowid ${expired}) returning 1`,
    });
    if (removed.length < MOST) return;
  }
}
