/** An organization's API keys and operator access tokens. The database holds only hashes of their secrets. */
import { and, eq, lte, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import type { Scope } from "../../domain/principal.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { paginate, toPage, type Paged, type PageQuery } from "../core/paging.ts";
import { credentials, connectedApps } from "../../schema/access.ts";
import { joinAnd, builder, insertWhere, orm } from "../core/sql.ts";
import { makeCountError } from "../core/quota.ts";
import { cancelInvitationsBy } from "../people/invitations.ts";
import { ownsBlog } from "../core/reach.ts";
import { keepRevoked } from "./revoked.ts";
import { users } from "../../schema/people.ts";
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

/** Stores a credential. Throws `credential_limit` at the quota of unexpired ones, and `blog_forbidden`. */
export async function createCredential(writer: Writer, credential: NewCredential): Promise<CredentialRecord> {
  const license = makeLicense(writer);
  const { kind, name, hash, hint, blogId, expirationTime } = credential;
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
  const reachable = blogId === null ? sql`true` : ownsBlog(writer, blogId);
  const owned = eq(credentials.organizationId, writer.organizationId);
  const expired = lte(credentials.expirationTime, license.time);
  const most = writer.quota.credentials;
  const count = sql`select count(*) from ${credentials} where ${owned}`;
  const outcome = await commit(writer, license, {
    action: kind === "key" ? "apikeys.create" : "accesstokens.create",
    resourceId: id,
    blogId,
    where: sql`where ${joinAnd(reachable, sql`(${count} and (${expired}) is not true) < ${most}`)}`,
    change: ({ held }) => [
      // Expired credentials stay in the list until a new one needs their place.
      builder.delete(credentials).where(and(owned, expired, held, sql`(${count}) >= ${most}`)),
      insertWhere(credentials, row, sql`where ${held}`),
    ],
    answer: sql`${answer}`,
    diagnose: sql`select 1 where ${reachable}`,
  });
  if (!outcome.refused) return record;
  if (outcome.diagnosis.length === 0) throw new DomainError("blog_forbidden");
  throw makeCountError("credential_limit", most, "API keys and access tokens that have not expired. Revoke");
}

/**
 * Revokes a credential: deletes its row, so the next request with it fails, and keeps what can be shown of it. Cancels
 * the pending invitations that were made with it. Otherwise, whoever stole a token could return by an invitation.
 * Throws `not_found` if there is none.
 */
export async function revokeCredential(writer: Writer, kind: "key" | "token", id: string): Promise<void> {
  const target = and(
    eq(credentials.id, id),
    eq(credentials.organizationId, writer.organizationId),
    eq(credentials.kind, kind),
  );
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
