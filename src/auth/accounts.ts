/** People: their accounts, sessions and passwords, by better-auth. Loaded on first use. */
import { betterAuth } from "better-auth/minimal";
import { genericOAuth, organization } from "better-auth/plugins";
import { newId } from "../lib/ids.ts";
import { LIMITS } from "../domain/limits.ts";
import { ACCOUNT_FIELDS, accountsAdapter } from "../store/people/system-accounts.ts";
import { forgetLinks, organizationOfNewSession } from "../store/people/system-people.ts";

/** Seconds. */
const HOUR = 3600;
const DAY = 86_400;

export type AccountsSetting = {
  readonly db: D1Database;
  /** Scheme and host at which people reach the service. */
  readonly baseUrl: string;
  /** The key under which cookies are signed. */
  readonly secret: string;
  /** The provider to sign in with, where this request is about that: its discovery document is fetched. */
  readonly oidc?: OidcClient | null;
  /** Throws if nobody may create an account with this address; `proven` says whether it is known to be theirs. */
  readonly admit?: (email: string, proven: boolean) => Promise<void>;
  /** The address of an account that is created is known to be its owner's. */
  readonly emailProven?: boolean;
  readonly sendPasswordReset?: (email: string, token: string) => void;
};

export type OidcClient = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string };

export type Accounts = ReturnType<typeof openAccounts>;

/** The provider's name in paths and in the accounts table. */
export const OIDC_PROVIDER = "oidc";

/** Where people learn that signing in with the provider did not work, and why. */
export const OIDC_FAILED_PATH = "/console/sign-in/oidc/failed";

/** Where better-auth's own endpoints are: only the provider's callback is ever routed to it. */
export const ACCOUNTS_PATH = "/console/auth";

/** Opens the accounts for one request: nothing of it outlives the request. */
export function openAccounts(setting: AccountsSetting) {
  return betterAuth({
    appName: "Edgepress",
    baseURL: setting.baseUrl,
    basePath: ACCOUNTS_PATH,
    secret: setting.secret,
    database: accountsAdapter(setting.db),
    onAPIError: { errorURL: `${setting.baseUrl}${OIDC_FAILED_PATH}` },
    telemetry: { enabled: false },
    logger: { disabled: true },
    // The surfaces limit by the platform's bindings; this one would count in the memory of an isolate.
    rateLimit: { enabled: false },
    user: { fields: ACCOUNT_FIELDS.user },
    session: SESSION,
    account: {
      fields: ACCOUNT_FIELDS.account,
      encryptOAuthTokens: true,
      accountLinking: { enabled: true, requireLocalEmailVerified: true },
    },
    verification: { fields: ACCOUNT_FIELDS.verification, storeIdentifier: "hashed" },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: LIMITS.passwordLeast,
      maxPasswordLength: LIMITS.passwordMost,
      resetPasswordTokenExpiresIn: HOUR,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) => forgetLinks(setting.db, user.id),
      sendResetPassword: async ({ user, token }) => setting.sendPasswordReset?.(user.email, token),
    },
    advanced: advancedOf(setting),
    databaseHooks: hooksOf(setting),
    plugins: [
      organization({
        schema: {
          organization: { fields: ACCOUNT_FIELDS.organization },
          member: { fields: ACCOUNT_FIELDS.member },
          invitation: { fields: ACCOUNT_FIELDS.invitation },
        },
      }),
      ...(setting.oidc ? [providerOf(setting.oidc)] : []),
    ],
  });
}

const SESSION = {
  fields: ACCOUNT_FIELDS.session,
  expiresIn: 14 * DAY,
  updateAge: DAY,
  // A session that was revoked is over at once.
  cookieCache: { enabled: false },
};

function advancedOf({ baseUrl }: AccountsSetting) {
  const secure = baseUrl.startsWith("https:");
  return {
    // Its check asks for columns of organizations and invitations that only its own endpoints, which are
    // never called, would use: those two are written by our store (store/people/organizations.ts).
    database: { generateId: newId, validateSchema: false },
    useSecureCookies: secure,
    cookiePrefix: "edgepress",
    defaultCookieAttributes: { httpOnly: true, sameSite: "lax" as const, secure, path: "/" },
    ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
  };
}

type NewUser = { email: string; emailVerified: boolean };
type NewSession = { userId: string };

function hooksOf(setting: AccountsSetting) {
  return {
    user: {
      create: {
        async before<U extends NewUser>(user: U) {
          await setting.admit?.(user.email, user.emailVerified);
          return { data: setting.emailProven ? { ...user, emailVerified: true } : user };
        },
      },
    },
    session: {
      create: {
        async before<S extends NewSession>(session: S) {
          const activeOrganizationId = await organizationOfNewSession(setting.db, session.userId);
          return { data: { ...session, activeOrganizationId } };
        },
      },
    },
  };
}

function providerOf({ issuer, clientId, clientSecret }: OidcClient) {
  return genericOAuth({
    config: [
      {
        providerId: OIDC_PROVIDER,
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        clientId,
        ...(clientSecret !== "" && { clientSecret }),
        scopes: ["openid", "email", "profile"],
        pkce: true,
        requireIdTokenVerification: true,
        mapProfileToUser: profileOf,
      },
    ],
  });
}

/** Some providers send "false" as a string, which is truthy; some send no name. */
function profileOf({ email, email_verified, name }: Readonly<Record<string, unknown>>) {
  const shown = typeof name === "string" && name.trim() !== "" ? name.trim() : String(email);
  return {
    name: shown.replaceAll(/\p{Cc}/gu, " ").slice(0, LIMITS.name),
    emailVerified: email_verified === true || email_verified === "true",
  };
}
