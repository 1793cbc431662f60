/** Accounts, sessions, memberships. better-auth uses them, too, with other names for fields (system-accounts.ts). */
import { customType, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ROLES } from "../domain/principal.ts";
import { organizations } from "./core.ts";

/** A column for better-auth's dates, stored like all other times: RFC 3339 text in UTC with milliseconds. */
const instant = customType<{ data: Date; driverData: string }>({
  dataType: () => "text",
  toDriver: (date) => date.toISOString(),
  fromDriver: (stored) => new Date(stored),
});

export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    /** In lower case. */
    email: text("email").notNull(),
    emailVerified: integer("email_verified", { mode: "boolean" }).notNull(),
    image: text("image"),
    creationTime: instant("creation_time").notNull(),
    lastEditTime: instant("last_edit_time").notNull(),
  },
  (t) => [uniqueIndex("users_email").on(t.email)],
);

const userId = () =>
  text("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    /** Useless to a reader of the database: the cookie also carries a signature under AUTH_SECRET. */
    token: text("token").notNull(),
    userId: userId(),
    activeOrganizationId: text("active_organization_id"),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    expirationTime: instant("expiration_time").notNull(),
    creationTime: instant("creation_time").notNull(),
    lastEditTime: instant("last_edit_time").notNull(),
  },
  (t) => [
    uniqueIndex("sessions_token").on(t.token),
    index("sessions_by_user").on(t.userId),
    index("sessions_by_expiration").on(t.expirationTime),
  ],
);

/** How a person signs in: a password (provider "credential") or an OpenID Connect provider. */
export const accounts = sqliteTable(
  "accounts",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    providerId: text("provider_id").notNull(),
    accountId: text("account_id").notNull(),
    /** A scrypt hash with its salt. */
    password: text("password"),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpirationTime: instant("access_token_expiration_time"),
    refreshTokenExpirationTime: instant("refresh_token_expiration_time"),
    scope: text("scope"),
    creationTime: instant("creation_time").notNull(),
    lastEditTime: instant("last_edit_time").notNull(),
  },
  (t) => [uniqueIndex("accounts_provider").on(t.providerId, t.accountId), index("accounts_by_user").on(t.userId)],
);

/** Pending verifications. `identifier` is a hash, so that a reader of the database cannot build a link. */
export const verifications = sqliteTable(
  "verifications",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expirationTime: instant("expiration_time").notNull(),
    creationTime: instant("creation_time").notNull(),
    lastEditTime: instant("last_edit_time").notNull(),
  },
  (t) => [
    index("verifications_identifier").on(t.identifier),
    index("verifications_by_expiration").on(t.expirationTime),
  ],
);

export const members = sqliteTable(
  "members",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    userId: userId(),
    role: text("role", { enum: ROLES }).notNull(),
    creationTime: instant("creation_time").notNull(),
  },
  (t) => [
    uniqueIndex("members_organization").on(t.organizationId, t.userId),
    index("members_by_user").on(t.userId),
    index("members_list").on(t.organizationId, t.creationTime, t.id),
  ],
);

/** Whoever has an invitation's link may join once, with an account of the invited email address. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id),
    email: text("email").notNull(),
    role: text("role", { enum: ROLES }).notNull(),
    status: text("status", { enum: ["pending", "accepted", "canceled"] }).notNull(),
    /** SHA-256 of the secret in the link that the inviter sees. */
    hash: text("hash").notNull(),
    /** SHA-256 of the secret in the emailed link, which proves access to the mailbox. */
    mailHash: text("mail_hash").notNull(),
    /** A user or an operator token. */
    inviterId: text("inviter_id").notNull(),
    expirationTime: instant("expiration_time").notNull(),
    creationTime: instant("creation_time").notNull(),
  },
  (t) => [
    uniqueIndex("invitations_hash").on(t.hash),
    uniqueIndex("invitations_mail_hash").on(t.mailHash),
    index("invitations_list").on(t.organizationId, t.status, t.creationTime, t.id),
  ],
);

/** Emails of local runs. They are not sent: the console shows them instead. */
export const localMails = sqliteTable(
  "local_mails",
  {
    id: text("id").primaryKey(),
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    body: text("body").notNull(),
    creationTime: text("creation_time").notNull(),
  },
  (t) => [index("local_mails_by_time").on(t.creationTime)],
);
