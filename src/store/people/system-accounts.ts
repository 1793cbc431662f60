/** The database as better-auth uses it: its models, and the tables and columns that they are here. */
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { drizzle } from "drizzle-orm/d1";
import { accounts, invitations, members, sessions, users, verifications } from "./schema.ts";
import { organizations } from "../core/schema.ts";

const schema = {
  user: users,
  session: sessions,
  account: accounts,
  verification: verifications,
  organization: organizations,
  member: members,
  invitation: invitations,
};

/** The adapter for better-auth. Its models' times have other names here: see {@link ACCOUNT_FIELDS}. */
export const accountsAdapter = (db: D1Database) =>
  drizzleAdapter(drizzle(db, { schema }), { provider: "sqlite", schema });

const TIMES = { createdAt: "creationTime", updatedAt: "lastEditTime" } as const;

/** better-auth's names of members, where they are others here. */
export const ACCOUNT_FIELDS = {
  user: TIMES,
  session: { ...TIMES, expiresAt: "expirationTime" },
  account: {
    ...TIMES,
    accessTokenExpiresAt: "accessTokenExpirationTime",
    refreshTokenExpiresAt: "refreshTokenExpirationTime",
  },
  verification: { ...TIMES, expiresAt: "expirationTime" },
  organization: { createdAt: "creationTime" },
  member: { createdAt: "creationTime" },
  invitation: { createdAt: "creationTime", expiresAt: "expirationTime" },
} as const;
