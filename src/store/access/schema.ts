/** The tables of what is let in besides people: API keys, operator tokens, and connected applications (OAuth). */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Scope } from "../../domain/principal.ts";
import { organizations } from "../core/schema.ts";
import { users } from "../people/schema.ts";

/** API keys (kind "key") and operator access tokens (kind "token"). Only a hash of the secret is kept. */
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
    /** The last four characters of the secret, so that people can tell keys apart. */
    hint: text("hint").notNull(),
    /** An operator token's are empty, as it has them all. */
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
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

/**
 * What somebody let an application do for one of their organizations. The row is the truth of the
 * connection: the authorization server's tokens only name it, and are worth nothing without it.
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
    /** As the application called itself when it was connected: it stays readable in the audit log. */
    clientName: text("client_name").notNull(),
    /** Those that were ticked. */
    scopes: text("scopes", { mode: "json" }).$type<readonly Scope[]>().notNull(),
    /** The protected resource (RFC 8707) that its tokens are for. */
    resource: text("resource").notNull(),
    /** The authorization server's grant; null until the application has exchanged its code. */
    grantId: text("grant_id"),
    creationTime: text("creation_time").notNull(),
    lastUsedTime: text("last_used_time"),
    /** When it was disconnected, by its person or by the application itself. */
    disconnectTime: text("disconnect_time"),
  },
  (t) => [
    index("connected_apps_by_user").on(t.userId, t.creationTime, t.id),
    index("connected_apps_list").on(t.organizationId, t.creationTime, t.id),
    uniqueIndex("connected_apps_grant")
      .on(t.grantId)
      .where(sql`grant_id IS NOT NULL`),
  ],
);

/** What the authorization server keeps: clients, grants, codes, tokens (oauth/server/storage.ts). Secrets are hashed. */
export const oauthRecords = sqliteTable(
  "oauth_records",
  {
    key: text("key").primaryKey(),
    value: text("value").notNull(),
    metadata: text("metadata"),
    /** Changes with every write, so that a writer notices if the record has changed since it was read. */
    version: text("version").notNull(),
    /** Seconds since 1970; null for what stays. */
    expirationTime: integer("expiration_time"),
  },
  (t) => [
    index("oauth_records_expired")
      .on(t.expirationTime)
      .where(sql`expiration_time IS NOT NULL`),
  ],
);
