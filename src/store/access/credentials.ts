/** An organization's API keys and operator access tokens. Their secrets are never stored. */
import { sql } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Scope } from "../../domain/principal.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { credentials } from "./schema.ts";
import { all, insertInto, rows } from "../core/sql.ts";
import { ownBlog } from "../core/reach.ts";

export type CredentialRecord = {
  _id: string;
  name: string;
  hint: string;
  scopes: Scope[];
  blogId: string | null;
  expirationTime: string | null;
  lastUsedTime: string | null;
  creationTime: string;
};

type CredentialRow = Omit<CredentialRecord, "scopes"> & { scopes: string };

export type NewCredential = {
  readonly kind: "key" | "token";
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly blogId: string | null;
  readonly expirationTime: string | null;
  readonly hash: string;
  readonly hint: string;
  /** The stored form of the answer, which carries the secret: already sealed. */
  readonly answer: (record: CredentialRecord) => Promise<string>;
};

/** All credentials of a kind, newest first. */
export async function listCredentials(writer: Writer, kind: "key" | "token"): Promise<CredentialRecord[]> {
  const found = await rows<CredentialRow>(
    writer.db,
    sql`select id as "_id", name, hint, scopes, blog_id as "blogId", expiration_time as "expirationTime",
        last_used_time as "lastUsedTime", creation_time as "creationTime"
      from ${credentials} where organization_id = ${writer.organizationId} and kind = ${kind}
      order by creation_time desc, id desc`,
  );
  return found.map(({ scopes, ...row }) => Object.assign(row, { scopes: JSON.parse(scopes) as Scope[] }));
}

/**
 * Stores a new credential, if the organization has room for one more: expired ones give way. `blog_forbidden` where it
 * is to be pinned to a blog that is not one's own.
 */
export async function createCredential(writer: Writer, credential: NewCredential): Promise<CredentialRecord> {
  const licence = newLicence(writer);
  const { kind, name, hash, hint, blogId, expirationTime } = credential;
  const record: CredentialRecord = {
    _id: newId(),
    name,
    hint,
    scopes: [...credential.scopes],
    blogId,
    expirationTime,
    lastUsedTime: null,
    creationTime: licence.time,
  };
  const { into, values } = insertInto(credentials, {
    id: record._id,
    organizationId: writer.organizationId,
    kind,
    name,
    hash,
    hint,
    scopes: JSON.stringify(record.scopes),
    blogId,
    expirationTime,
    creationTime: licence.time,
  });
  const answer = writer.idempotency === undefined ? "" : await credential.answer(record);
  const reachable = blogId === null ? sql`true` : ownBlog(writer, blogId);
  const owned = sql`${credentials} where organization_id = ${writer.organizationId}`;
  const expired = sql`expiration_time <= ${licence.time}`;
  const outcome = await commit(writer, licence, {
    action: kind === "key" ? "apikeys.create" : "accesstokens.create",
    resourceId: record._id,
    blogId,
    where: sql`where ${all(
      reachable,
      sql`(select count(*) from ${owned} and (${expired}) is not true) < ${LIMITS.credentials}`,
    )}`,
    change: ({ held }) => [
      // They are listed for as long as nothing needs their place.
      sql`delete from ${owned} and ${expired} and ${held} and (select count(*) from ${owned}) >= ${LIMITS.credentials}`,
      sql`${into} select ${values} where ${held}`,
    ],
    answer: sql`${answer}`,
    diagnose: sql`select 1 where ${reachable}`,
  });
  if (!outcome.refused) return record;
  throw new DomainError(outcome.diagnosis.length > 0 ? "credential_limit" : "blog_forbidden");
}

/** Revokes a credential at once; `not_found` where there is none. */
export async function revokeCredential(writer: Writer, kind: "key" | "token", id: string): Promise<void> {
  const target = all(
    sql`${credentials.id} = ${id}`,
    sql`${credentials.organizationId} = ${writer.organizationId}`,
    sql`${credentials.kind} = ${kind}`,
  );
  const outcome = await commit(writer, newLicence(writer), {
    action: kind === "key" ? "apikeys.revoke" : "accesstokens.revoke",
    resourceId: id,
    blogId: sql`${credentials.blogId}`,
    where: sql`from ${credentials} where ${target}`,
    change: ({ held }) => [sql`delete from ${credentials} where ${all(sql`id = ${id}`, held)}`],
    answer: sql`json_object('value', json_object('_id', ${id}))`,
  });
  if (outcome.refused) throw new DomainError("not_found");
}
