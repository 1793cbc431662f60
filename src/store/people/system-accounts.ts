/** Maps the models of better-auth to tables and columns of the database. */
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { drizzle } from "drizzle-orm/d1";
import { accounts, invitations, members, sessions, users, verifications } from "../../schema/people.ts";
import { organizations } from "../../schema/core.ts";

const schema = {
  user: users,
  session: sessions,
  account: accounts,
  verification: verifications,
  organization: organizations,
  member: members,
  invitation: invitations,
};

/** Returns the database adapter for better-auth. It must be used with {@link ACCOUNT_FIELDS}. */
export const makeAccountsAdapter = (db: D1Database) =>
  drizzleAdapter(drizzle(db, { schema }), { provider: "sqlite", schema });

const TIMES = { createdAt: "creationTime", updatedAt: "lastEditTime" } as const;

/** For each model of better-auth, the fields that have a different name in the schema: better-auth's name to ours. */
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
