/** An organization's API keys and operator access tokens. The database holds only hashes of their secrets. */
import { and, eq, lte, sql, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Scope } from "../../domain/principal.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { paginate, toPage, type Paged, type PageQuery } from "../core/paging.ts";
import { credentials, connectedApps } from "../../schema/access.ts";
import { joinAnd, builder, insertWhere, jsonObject, orm, type Statement } from "../core/sql.ts";
import { makeCountError, readQuota, selectOwnQuota } from "../core/quota.ts";
import { cancelInvitationsBy } from "../people/invitations.ts";
import { ownsBlog } from "../core/reach.ts";
import { keepRevoked } from "./revoked.ts";
import { previews } from "../../schema/articles.ts";
import { users } from "../../schema/people.ts";
import { deletions, schedules } from "../../schema/schedules.ts";
import { organizations } from "../../schema/core.ts";

/** Credentials have no version: `If-Match` does not apply to them. */
const CREDENTIAL = {
  _id: credentials.id,
  name: credentials.name,
  hint: credentials.hint,
  scopes: credentials.scopes,
  blogId: credentials.blogId,
  expirationTime: credentials.expirationTime,
  lastUsedTime: credentials.lastUsedTime,
  creationTime: credentials.creationTime,
};

export type CredentialRecord = SelectResultFields<typeof CREDENTIAL>;

export type NewCredential = {
  readonly kind: "key" | "token";
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly blogId: string | null;
  readonly expirationTime: string | null;
  readonly hash: string;
  readonly hint: string;
  /** The key that it replaces, as it was read, and when that one expires. */
  readonly replaces?: { readonly key: CredentialRecord; readonly endTime: string };
  /** Returns the response to store for a repeated call. It contains the secret, so it must already be sealed. */
  readonly answer: (record: CredentialRecord) => Promise<string>;
};

/** Returns a page of the credentials of a kind, expired ones too, newest first. Throws `invalid_cursor`. */
export async function listCredentials(
  writer: Writer,
  kind: "key" | "token",
  query: PageQuery,
): Promise<Paged<CredentialRecord>> {
  const page = paginate(query, credentials.creationTime, credentials.id);
  const found = await orm(writer.db)
    .select(CREDENTIAL)
    .from(credentials)
    .where(and(eq(credentials.organizationId, writer.organizationId), eq(credentials.kind, kind), page.from))
    .orderBy(...page.order)
    .limit(page.limit)
    .offset(page.offset);
  return toPage(query, found, (record) => record);
}

/** Returns an API key of the organization. Throws `not_found`. */
export async function getApiKey(writer: Writer, id: string): Promise<CredentialRecord> {
  const [found] = await orm(writer.db)
    .select(CREDENTIAL)
    .from(credentials)
    .where(isOwn(writer, "key", id));
  if (found === undefined) throw new DomainError("not_found");
  return found;
}

const isOwn = (writer: Writer, kind: "key" | "token", id: string) =>
  and(eq(credentials.id, id), eq(credentials.organizationId, writer.organizationId), eq(credentials.kind, kind));

/** Changes the name and the scopes of an API key. A request with it that is under way keeps no scope that it loses. Throws `not_found`. */
export async function updateApiKey(
  writer: Writer,
  id: string,
  fields: { readonly name?: string | undefined; readonly scopes?: Scope[] | undefined },
): Promise<CredentialRecord> {
  const target = isOwn(writer, "key", id);
  const set = { name: fields.name ?? sql`${credentials.name}`, scopes: fields.scopes ?? sql`${credentials.scopes}` };
  const outcome = await commit(writer, makeLicense(writer), {
    action: "apikeys.update",
    resourceId: id,
    blogId: sql`${credentials.blogId}`,
    where: sql`from ${credentials} where ${target}`,
    change: ({ held }) => ({
      before: [builder.update(credentials).set(set).where(and(target, held))],
      returning: orm(writer.db).select(CREDENTIAL).from(credentials).where(and(target, held)),
      again: () => orm(writer.db).select(CREDENTIAL).from(credentials).where(target),
    }),
    answer: sql`(select ${jsonObject({ value: jsonObject({ ...CREDENTIAL, scopes: sql`json(${credentials.scopes})` }) })}
      from ${credentials} where ${target})`,
  });
  if (outcome.refused) throw new DomainError("not_found");
  return outcome.row;
}

type Replaced = NonNullable<NewCredential["replaces"]>;

/** Returns the condition that a key is as it was read, and has not expired at this time. */
function isUnchanged(writer: Writer, { _id, name, scopes }: CredentialRecord, time: string): SQL {
  const target = and(isOwn(writer, "key", _id), eq(credentials.name, name), eq(credentials.scopes, scopes));
  return sql`exists (select 1 from ${credentials} where ${target}
    and (${credentials.expirationTime} is null or ${credentials.expirationTime} > ${time}))`;
}

/** Ends a key at this time, unless it expires sooner. */
const endAt = ({ key, endTime }: Replaced, held: SQL): Statement =>
  builder
    .update(credentials)
    .set({ expirationTime: endTime })
    .where(
      and(
        eq(credentials.id, key._id),
        sql`(${credentials.expirationTime} is null or ${credentials.expirationTime} > ${endTime})`,
        held,
      ),
    );

/** Gives what a key has scheduled, deletes, or shows by a preview link to the key that replaces it: it would end with the old one. */
const handOver = ({ organizationId }: Writer, from: string, to: string, held: SQL): Statement[] =>
  [schedules, deletions, previews].map((table) =>
    builder
      .update(table)
      .set({ actorId: to })
      .where(and(eq(table.organizationId, organizationId), eq(table.actorKind, "key"), eq(table.actorId, from), held)),
  );

/**
 * Stores a credential. Throws `credential_limit` at the quota of unexpired ones, `blog_forbidden`, and `not_found` if the
 * key that it replaces has expired, is gone, or was changed since it was read.
 */
export async function createCredential(writer: Writer, credential: NewCredential): Promise<CredentialRecord> {
  const license = makeLicense(writer);
  const { kind, name, hash, hint, blogId, expirationTime, replaces } = credential;
  const record: CredentialRecord = {
    _id: newId(),
    name,
    hint,
    scopes: [...credential.scopes],
    blogId,
    expirationTime,
    lastUsedTime: null,
    creationTime: license.time,
  };
  const { _id: id, ...shown } = record;
  const row = { ...shown, id, organizationId: writer.organizationId, kind, hash };
  const answer = writer.idempotency === undefined ? "" : await credential.answer(record);
  const isReplaced = replaces === undefined ? sql`true` : isUnchanged(writer, replaces.key, license.time);
  const reachable = blogId === null ? sql`true` : ownsBlog(writer, blogId);
  const owned = eq(credentials.organizationId, writer.organizationId);
  const expired = lte(credentials.expirationTime, license.time);
  const most = selectOwnQuota(writer, "credentials");
  const count = sql`select count(*) from ${credentials} where ${owned}`;
  // A key that ends at once leaves its place to the one that replaces it.
  const left = replaces !== undefined && replaces.endTime <= license.time ? replaces.key._id : "";
  const outcome = await commit(writer, license, {
    action: kind === "token" ? "accesstokens.create" : replaces ? "apikeys.rotate" : "apikeys.create",
    resourceId: id,
    blogId,
    where: sql`where ${joinAnd(reachable, isReplaced, sql`(${count} and (${expired}) is not true and ${credentials.id} <> ${left}) < ${most}`)}`,
    change: ({ held }) => [
      // Expired credentials stay in the list until a new one needs their place.
      builder.delete(credentials).where(and(owned, expired, held, sql`(${count}) >= ${most}`)),
      insertWhere(credentials, row, sql`where ${held}`),
      ...(replaces === undefined ? [] : [endAt(replaces, held), ...handOver(writer, replaces.key._id, id, held)]),
    ],
    answer: sql`${answer}`,
    diagnose: sql<{
      reachable: number;
      replaced: number;
    }>`select ${reachable} as "reachable", ${isReplaced} as "replaced"`,
  });
  if (!outcome.refused) return record;
  const [found] = outcome.diagnosis;
  if (found?.reachable !== 1) throw new DomainError("blog_forbidden");
  if (found.replaced !== 1) throw new DomainError("not_found");
  throw makeCountError(
    "credential_limit",
    await readQuota(writer, "credentials"),
    "API keys and access tokens that have not expired. Revoke",
  );
}

/**
 * Revokes a credential: deletes its row, so the next request with it fails, and keeps what can be shown of it. Cancels
 * the pending invitations that were made with it. Otherwise, whoever stole a token could return by an invitation.
 * Throws `not_found` if there is none.
 */
export async function revokeCredential(writer: Writer, kind: "key" | "token", id: string): Promise<void> {
  const target = isOwn(writer, kind, id);
  const outcome = await commit(writer, makeLicense(writer), {
    action: kind === "key" ? "apikeys.revoke" : "accesstokens.revoke",
    resourceId: id,
    blogId: sql`${credentials.blogId}`,
    where: sql`from ${credentials} where ${target}`,
    change: (license) => [
      ...keepRevoked(writer, target, license),
      cancelInvitationsBy(writer, sql`${id}`, license.held),
      builder.delete(credentials).where(and(eq(credentials.id, id), license.held)),
    ],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
  });
  if (outcome.refused) throw new DomainError("not_found");
}

/** Returns the names of the caller and of the organization, or null if the organization does not exist. */
export async function findCaller({ db, organizationId, actor }: Writer) {
  const [caller] = await orm(db)
    .select({
      /** Null if the credential, the app or the person was deleted meanwhile. */
      name: sql<string | null>`coalesce(${credentials.name}, ${connectedApps.clientName}, ${users.name})`,
      organizationName: organizations.name,
      /** Null for a caller that does not expire. */
      expirationTime: credentials.expirationTime,
    })
    .from(organizations)
    .leftJoin(credentials, and(eq(credentials.id, actor.id), eq(credentials.organizationId, organizations.id)))
    .leftJoin(connectedApps, and(eq(connectedApps.id, actor.id), eq(connectedApps.organizationId, organizations.id)))
    .leftJoin(users, eq(users.id, actor.id))
    .where(eq(organizations.id, organizationId));
  return caller ?? null;
}
