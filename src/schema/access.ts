/** The tables of callers that are not people: API keys, operator tokens and connected apps (OAuth). */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Scope } from "../domain/principal.ts";
import { organizations } from "./core.ts";
import { users } from "./people.ts";

/** API keys (kind "key") and operator access tokens (kind "token"). Only a hash of the secret is stored. */
export const credentials = sqliteTable(
  "credentials",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    kind: text("kind", { enum: ["key", "token"] }).notNull(),
    name: text("name").notNull(),
    hash: text("hash").notNull(),
    /** So that people can tell keys apart: the last four characters of the secret. */
    hint: text("hint").notNull(),
    /** Empty for an operator token: it has all scopes. */
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
    /** The blog to which the credential is pinned; null if it may touch all blogs of the organization. */
    blogId: text("blog_id"),
    expirationTime: text("expiration_time"),
    lastUsedTime: text("last_used_time"),
    creationTime: text("creation_time").notNull(),
  },
  (t) => [
    uniqueIndex("credentials_hash").on(t.hash),
    index("credentials_list").on(t.organizationId, t.kind, t.creationTime, t.id),
  ],
);

/** Revoked credentials, for display only; the newest stay (revoked.ts). The id is that of the audit entry. */
export const revokedCredentials = sqliteTable(
  "revoked_credentials",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").notNull(),
    credentialId: text("credential_id").notNull(),
    kind: text("kind", { enum: ["key", "token"] }).notNull(),
    name: text("name").notNull(),
    hint: text("hint").notNull(),
    creationTime: text("creation_time").notNull(),
    lastUsedTime: text("last_used_time"),
    revokeTime: text("revoke_time").notNull(),
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id").notNull(),
  },
  (t) => [index("revoked_credentials_list").on(t.organizationId, t.id)],
);

/**
 * Connections: what a person allowed an app to do in one of their organizations. The tokens of the authorization server
 * refer to a connection. They are worthless once its row is gone or has ended.
 */
export const connectedApps = sqliteTable(
  "connected_apps",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    clientId: text("client_id").notNull(),
    /** The name that the app gave itself when it was connected. The audit log shows it. */
    clientName: text("client_name").notNull(),
    scopes: text("scopes", { mode: "json" }).$type<readonly Scope[]>().notNull(),
    /** The protected resource (RFC 8707) that the tokens are for. */
    resource: text("resource").notNull(),
    /** The id of the authorization server's grant; null until the app has exchanged its code. */
    grantId: text("grant_id"),
    creationTime: text("creation_time").notNull(),
    lastUsedTime: text("last_used_time"),
    /** Null while the connection is in force. */
    disconnectTime: text("disconnect_time"),
    /** The only blog that the app may touch; null for all blogs of the organization. */
    blogId: text("blog_id"),
    /** Of a machine connection, which an owner made for a program: the hash and the end of its secret. Null for apps that a person let in by a browser. */
    secretHash: text("secret_hash"),
    hint: text("hint"),
    /** When a machine connection ends; null if it has no end. */
    expirationTime: text("expiration_time"),
  },
  (t) => [
    index("connected_apps_by_user").on(t.userId, t.creationTime, t.id),
    index("connected_apps_list").on(t.organizationId, t.creationTime, t.id),
    uniqueIndex("connected_apps_grant")
      .on(t.grantId)
      .where(sql`grant_id IS NOT NULL`),
  ],
);

/** Records of the authorization server: clients, grants, codes, tokens (oauth/server/storage.ts); secrets hashed. */
export const oauthRecords = sqliteTable(
  "oauth_records",
  {
    key: text("key").primaryKey(),
    value: text("value").notNull(),
    metadata: text("metadata"),
    /** A new id with every write, so that a writer notices if the record changed after it was read. */
    version: text("version").notNull(),
    /** Unix time in seconds; null for a record that does not expire. */
    expirationTime: integer("expiration_time"),
  },
  (t) => [
    index("oauth_records_expired")
      .on(t.expirationTime)
      .where(sql`expiration_time IS NOT NULL`),
  ],
);
