/** Connections: what people allow apps to do. The OAuth library refers to them by id (system-oauth-records.ts). */
import { and, desc, eq, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Scope } from "../../domain/principal.ts";
import { log } from "../../lib/log.ts";
import { TOUCH_MS } from "../../lib/time.ts";
import { members } from "../../schema/people.ts";
import { connectedApps, oauthRecords } from "../../schema/access.ts";
import { commit, isStored, makeLicense } from "../core/commit.ts";
import { selectSuspension } from "../core/suspension.ts";
import { ownsBlog } from "../core/reach.ts";
import type { Writer } from "../core/writer.ts";
import { selectRests } from "./system-credentials.ts";
import { endConnections } from "../people/disconnection.ts";
import { blogs } from "../../schema/blogs.ts";
import { audit, organizations } from "../../schema/core.ts";
import { groupByShard } from "../core/directory.ts";
import { askEach, getDirectory, openDatabasesOfMember, openNamed, type Bindings } from "../database.ts";
import { builder, insertWhere, isAmong, orm, queryRows, runTransaction, type Database } from "../core/sql.ts";
import { startsWith } from "./system-oauth-records.ts";

const CONNECTION = {
  id: connectedApps.id,
  organizationId: connectedApps.organizationId,
  scopes: connectedApps.scopes,
  resource: connectedApps.resource,
  blogId: connectedApps.blogId,
  /** 1 if the blog to which it is pinned is hidden or gone. */
  rests: selectRests(connectedApps.blogId),
  role: members.role,
  lastUsedTime: connectedApps.lastUsedTime,
  secretHash: connectedApps.secretHash,
  expirationTime: connectedApps.expirationTime,
  suspension: selectSuspension(connectedApps.organizationId),
};

/** Returns whether a machine connection has come to its end. */
export const hasExpired = ({ expirationTime }: Pick<Connection, "expirationTime">, now: Date): boolean =>
  expirationTime !== null && expirationTime <= now.toISOString();

export type Connection = SelectResultFields<typeof CONNECTION>;

/** Returns a connection with the role of its person. Null if it has ended, the person is no longer a member, or `more` fails. */
export async function findConnection(db: Database, id: string, more?: SQL): Promise<Connection | null> {
  const { organizationId, userId } = connectedApps;
  const [connection] = await orm(db)
    .select(CONNECTION)
    .from(connectedApps)
    .innerJoin(members, and(eq(members.organizationId, organizationId), eq(members.userId, userId)))
    .where(and(eq(connectedApps.id, id), isNull(connectedApps.disconnectTime), more));
  return connection ?? null;
}

/** Stores the grant of a connection that has none. Returns null if the connection has another one, or does not hold. */
export async function recordGrant(db: Database, id: string, grantId: string): Promise<Connection | null> {
  await orm(db)
    .update(connectedApps)
    .set({ grantId })
    .where(and(eq(connectedApps.id, id), isNull(connectedApps.grantId), isNull(connectedApps.disconnectTime)));
  return findConnection(db, id, eq(connectedApps.grantId, grantId));
}

/** Sets when the connection was last used, unless another request set it in the last hour ({@link TOUCH_MS}). */
export async function touchConnection(db: Database, id: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - TOUCH_MS).toISOString();
  const { lastUsedTime } = connectedApps;
  await orm(db)
    .update(connectedApps)
    .set({ lastUsedTime: now.toISOString() })
    .where(and(eq(connectedApps.id, id), or(isNull(lastUsedTime), lte(lastUsedTime, before))));
}

export type NewConnection = {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly scopes: readonly Scope[];
  readonly resource: string;
  /** The only blog that the app may touch; null for all. */
  readonly blogId: string | null;
  /** Of a machine connection, which waits for no grant. */
  readonly secretHash?: string;
  readonly hint?: string;
  readonly expirationTime?: string | null;
};

/** Prefix of records that wait for a connection's grant. {@link removeExpiredRecords} ends those that wait too long. */
const AWAITED = "awaited:";

/** How long a connection may wait for its grant: one minute longer than an authorization code is valid. */
const AWAITED_SECONDS = 11 * 60;

/**
 * Stores a connection to which a person has consented. Throws `role_forbidden` if the person is no longer a member with
 * the writer's role, `app_limit` if they already have `LIMITS.connectedApps` connections, `blog_forbidden` if the blog is
 * not the organization's, and `not_found` if the organization does not exist.
 */
export async function connect(writer: Writer, connection: NewConnection): Promise<void> {
  const { id, userId, blogId, secretHash } = connection;
  const license = makeLicense(writer);
  const isOwn = blogId === null ? sql`true` : ownsBlog(writer, blogId);
  const exists = sql`from ${organizations} where ${organizations.id} = ${writer.organizationId}`;
  const outcome = await commit(writer, license, {
    action: "apps.connect",
    resourceId: id,
    blogId: null,
    where: sql`${exists} and (select count(*) from ${connectedApps} where ${connectedApps.userId} = ${userId}
      and ${connectedApps.disconnectTime} is null) < ${LIMITS.connectedApps} and ${isOwn}`,
    change: ({ id: version, held, time: creationTime }) => [
      insertWhere(
        connectedApps,
        { ...connection, organizationId: writer.organizationId, creationTime },
        sql`where ${held}`,
      ),
      insertWhere(
        oauthRecords,
        {
          key: AWAITED + id,
          value: "",
          version,
          expirationTime: Math.floor(Date.parse(creationTime) / 1000) + AWAITED_SECONDS,
        },
        sql`where ${held} and ${secretHash === undefined}`,
      ),
    ],
    answer: sql`json_object('value', null)`,
    diagnose: sql<{ isOwn: number }>`select ${isOwn} as "isOwn" ${exists}`,
  });
  if (!outcome.refused) return;
  const [found] = outcome.diagnosis;
  if (found !== undefined) throw new DomainError(found.isOwn === 0 ? "blog_forbidden" : "app_limit");
  throw new DomainError("not_found", "There is no such organization.");
}

/** Ends connections in shards. Those in a shard that does not answer stay, without tokens, until their person ends them. */
export async function endInShards(env: Bindings, ids: readonly string[], now: Date): Promise<void> {
  for (const [name, some] of await groupByShard(getDirectory(env), "connection", ids)) {
    const ending = endConnections({
      where: isAmong(connectedApps.id, some),
      requestId: newId(),
      time: now.toISOString(),
    });
    await runTransaction(openNamed(env, name), { ending }).catch((error: unknown) =>
      log({ level: "warn", message: "expired connections not ended", shard: name, error }),
    );
  }
}

/** The connection to end, and who ends it: its person ("user") or its app ("app"). */
export type Ending = {
  readonly db: Database;
  /** Where the tokens are. */
  readonly records: Database;
  readonly id: string;
  readonly actor: { readonly kind: "user" | "app"; readonly id: string };
  readonly requestId: string;
  readonly now: Date;
};

/**
 * Ends a connection and deletes all its grants and tokens: in one transaction, if they are in one database. Without its
 * connection, a token is worthless. Returns false, and changes nothing, if
 * the connection was not in force. A person can end only their own connections, even after leaving the organization.
 */
export async function disconnect({ db, records, id, actor, requestId, now }: Ending): Promise<boolean> {
  const time = now.toISOString();
  const live = and(
    eq(connectedApps.id, id),
    isNull(connectedApps.disconnectTime),
    actor.kind === "user" ? eq(connectedApps.userId, actor.id) : undefined,
  );
  const license = newId();
  const organizationId = sql`(select ${connectedApps.organizationId} from ${connectedApps} where ${connectedApps.id} = ${id})`;
  const held = isStored(organizationId, license);
  const { licensed } = await runTransaction(db, {
    licensed: insertWhere(
      audit,
      {
        id: license,
        organizationId: connectedApps.organizationId,
        actorKind: actor.kind,
        actorId: actor.id,
        action: "apps.disconnect",
        resourceId: connectedApps.id,
        requestId,
        creationTime: time,
      },
      sql`from ${connectedApps} where ${live}`,
    ).returning({ id: audit.id }),
    ended: builder
      .update(connectedApps)
      .set({ disconnectTime: time })
      .where(and(eq(connectedApps.id, id), held)),
    ...removeRecords(id, held),
  });
  if (licensed.length > 0 && records !== db) await runTransaction(records, removeRecords(id));
  return licensed.length > 0;
}

const removeRecords = (id: string, held?: SQL) => ({
  grants: builder.delete(oauthRecords).where(and(startsWith(`grant:${id}:`), held)),
  tokens: builder.delete(oauthRecords).where(and(startsWith(`token:${id}:`), held)),
  awaited: builder.delete(oauthRecords).where(and(eq(oauthRecords.key, AWAITED + id), held)),
});

const LISTED = {
  id: connectedApps.id,
  clientId: connectedApps.clientId,
  clientName: connectedApps.clientName,
  organization: organizations.name,
  /** The name of the only blog that it may touch; null for all. */
  blog: sql<string | null>`(select ${blogs.name} from ${blogs} where ${blogs.id} = ${connectedApps.blogId})`,
  scopes: connectedApps.scopes,
  creationTime: connectedApps.creationTime,
  lastUsedTime: connectedApps.lastUsedTime,
};

export type ListedConnection = SelectResultFields<typeof LISTED>;

/** Returns the connections of a person that are in force and have a grant or a secret, newest first. */
export async function listConnections(env: Bindings, userId: string): Promise<ListedConnection[]> {
  return askEach(await openDatabasesOfMember(env, userId), (db) => listConnectionsIn(db, userId));
}

async function listConnectionsIn(db: Database, userId: string): Promise<ListedConnection[]> {
  return orm(db)
    .select(LISTED)
    .from(connectedApps)
    .innerJoin(organizations, eq(organizations.id, connectedApps.organizationId))
    .where(
      and(
        eq(connectedApps.userId, userId),
        isNull(connectedApps.disconnectTime),
        or(isNotNull(connectedApps.grantId), isNotNull(connectedApps.secretHash)),
      ),
    )
    .orderBy(desc(connectedApps.creationTime), desc(connectedApps.id))
    .limit(LIMITS.connectedApps);
}

const MOST = 1000;
const ROUNDS = 20;

/**
 * Deletes expired records, and ends connections whose grant has expired or did not come in time ({@link AWAITED}). `endElsewhere`
 * is given the connections whose grants are about to be deleted: those in shards.
 */
export async function removeExpiredRecords(
  db: Database,
  now: Date,
  endElsewhere?: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const { key, expirationTime } = oauthRecords;
  const expired = sql`from ${oauthRecords} where ${expirationTime} <= ${Math.floor(now.getTime() / 1000)}
    order by ${expirationTime}, ${key} limit ${MOST}`;
  // The subquery's alias is the name of the table, because `startsWith` refers to a column of the table.
  const isNamedBy = (prefix: string) => sql`${connectedApps.id} in (select substr(${key}, ${prefix.length + 1}, 36)
    from (select ${key} ${expired}) ${oauthRecords} where ${startsWith(prefix)})`;
  const where = sql`(${isNamedBy("grant:")} or (${connectedApps.grantId} is null and ${isNamedBy(AWAITED)}))`;
  for (let round = 0; round < ROUNDS; round++) {
    if (endElsewhere !== undefined) {
      const ids = await queryRows<{ id: string }>(
        db,
        sql`select substr(${key}, 7, 36) as "id" from (select ${key} ${expired}) ${oauthRecords} where ${startsWith("grant:")}`,
      );
      await endElsewhere(ids.map(({ id }) => id));
    }
    const { removed } = await runTransaction(db, {
      disconnecting: endConnections({ where, requestId: newId(), time: now.toISOString() }),
      removed: sql`delete from ${oauthRecords} where rowid in (select rowid ${expired}) returning 1`,
    });
    if (removed.length < MOST) return;
  }
}
