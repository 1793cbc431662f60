/** The tables of connected applications (OAuth) and of the full text index. Times and versions as in schema.ts. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./accounts-schema.ts";
import { organizations } from "./schema.ts";

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
    /** JSON array: the scopes that were ticked. */
    scopes: text("scopes").notNull(),
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

/** What the authorization server keeps: clients, grants, codes, tokens (auth/oauth, its store). Secrets are hashed. */
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

/** Which row of the full text index (`article_text`, migrations) is which article, and of which version. */
export const articleSearch = sqliteTable(
  "article_search",
  {
    id: integer("id").primaryKey(),
    articleId: text("article_id").notNull(),
    organizationId: text("organization_id").notNull(),
    version: text("version").notNull(),
  },
  (t) => [uniqueIndex("article_search_article").on(t.articleId)],
);
