/** Accounts, sessions and passwords, which better-auth manages. Loaded on first use. */
import { betterAuth } from "better-auth/minimal";
import { genericOAuth, organization } from "better-auth/plugins";
import { decodeJwt } from "jose";
import { newId } from "../../lib/ids.ts";
import { LIMITS } from "../../domain/limits.ts";
import { ACCOUNT_FIELDS, makeAccountsAdapter } from "../../store/people/system-accounts.ts";
import { forgetLinks, findSessionOrganization, proveAddress } from "../../store/people/system-people.ts";

// In seconds.
const HOUR = 3600;
const DAY = 86_400;

export type AccountsSetting = {
  readonly db: D1Database;
  readonly baseUrl: string;
  readonly secret: string;
  /** Set it only for requests that sign in with the OpenID Connect provider: its discovery document is fetched. */
  readonly oidc?: OidcClient | null;
  /** Throws if nobody may create an account with this address. `proven`: the address is known to be the person's own. */
  readonly admit?: (email: string, proven: boolean) => Promise<void>;
  readonly emailProven?: boolean;
  readonly sendPasswordReset?: (email: string, token: string) => void;
};

export type OidcClient = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string };

export type Accounts = ReturnType<typeof openAccounts>;

export const OIDC_PROVIDER = "oidc";

/** The page that says why signing in with the provider failed. */
export const OIDC_FAILED_PATH = "/console/sign-in/oidc/failed";

/** The base path of better-auth's own endpoints. Only the provider's callback is routed. */
export const ACCOUNTS_PATH = "/console/auth";

/** Opens better-auth for one request. The result must not be used by another request. */
export function openAccounts(setting: AccountsSetting) {
  return betterAuth({
    appName: "Edgepress",
    baseURL: setting.baseUrl,
    basePath: ACCOUNTS_PATH,
    secret: setting.secret,
    database: makeAccountsAdapter(setting.db),
    onAPIError: { errorURL: `${setting.baseUrl}${OIDC_FAILED_PATH}` },
    telemetry: { enabled: false },
    logger: { disabled: true },
    // better-auth counts requests in the memory of one isolate. The surfaces use the platform's rate limits.
    rateLimit: { enabled: false },
    user: { fields: ACCOUNT_FIELDS.user },
    session: SESSION,
    account: {
      fields: ACCOUNT_FIELDS.account,
      // The console checks the browser itself: sign-in/oidc.ts has a cookie for each sign-in that was begun.
      skipStateCookieCheck: true,
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
      async onPasswordReset({ user }) {
        await forgetLinks(setting.db, user.id);
        // Only somebody who reads mails to the address has the link.
        await proveAddress(setting.db, user.id);
      },
      sendResetPassword: async ({ user, token }) => setting.sendPasswordReset?.(user.email, token),
    },
    advanced: buildAdvancedOptions(setting),
    databaseHooks: buildHooks(setting),
    plugins: [
      organization({
        schema: {
          organization: { fields: ACCOUNT_FIELDS.organization },
          member: { fields: ACCOUNT_FIELDS.member },
          invitation: { fields: ACCOUNT_FIELDS.invitation },
        },
      }),
      ...(setting.oidc ? [buildProvider(setting.oidc)] : []),
    ],
  });
}

const SESSION = {
  fields: ACCOUNT_FIELDS.session,
  expiresIn: 14 * DAY,
  updateAge: DAY,
  // By default, a session older than a day may not list and end the account's sessions, as the account page does.
  freshAge: 0,
  // With a cookie cache, a revoked session would stay valid for some time.
  cookieCache: { enabled: false },
};

/**
 * Returns whether browsers may send cookies only over https. The URL of a request does not tell: behind a proxy that ends
 * TLS, requests arrive over http.
 */
export const needsTls = (baseUrl: string): boolean => baseUrl.startsWith("https:");

function buildAdvancedOptions({ baseUrl }: AccountsSetting) {
  const secure = needsTls(baseUrl);
  return {
    // The validation requires columns of organizations and invitations that only better-auth's own endpoints use. These
    // are never called: store/people/organizations.ts writes both tables.
    database: { generateId: newId, validateSchema: false },
    useSecureCookies: secure,
    cookiePrefix: "edgepress",
    defaultCookieAttributes: { httpOnly: true, sameSite: "lax" as const, secure, path: "/" },
    ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
  };
}

type NewUser = { email: string; emailVerified: boolean };
type NewSession = { userId: string };

function buildHooks(setting: AccountsSetting) {
  return {
    user: {
      create: {
        async before<U extends NewUser>(user: U) {
          await setting.admit?.(user.email, user.emailVerified);
          // A picture from a provider is never shown, and can be larger than a row.
          return { data: { ...user, image: null, emailVerified: setting.emailProven || user.emailVerified } };
        },
      },
    },
    session: {
      create: {
        async before<S extends NewSession>(session: S) {
          const activeOrganizationId = await findSessionOrganization(setting.db, session.userId);
          return { data: { ...session, activeOrganizationId } };
        },
      },
    },
  };
}

function buildProvider({ issuer, clientId, clientSecret }: OidcClient) {
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
        accountSubject: ({ tokens, profile }) => getSubject(tokens.idToken, profile),
        mapProfileToUser: toUserProfile,
      },
    ],
  });
}

/**
 * Returns the subject of the ID token, which better-auth has verified. Throws if there is no ID token, because better-auth
 * would then trust the profile alone, or if the profile has another subject (OpenID Connect Core, 5.3.2).
 */
function getSubject(idToken: string | undefined, profile: Readonly<Record<string, unknown>>): string {
  const { sub } = decodeJwt<{ readonly sub?: unknown }>(idToken ?? "");
  // Some providers send a number. Unsafe integers are rounded when they are parsed, so two people could become one.
  const isOne = typeof sub === "string" || Number.isSafeInteger(sub);
  if (isOne && String(profile["sub"]) === String(sub)) return String(sub);
  throw new Error("the ID token and the profile do not name one subject");
}

/**
 * Maps a provider's profile to a user. Some providers send `email_verified` as the string "false", which is truthy. Some
 * send no name; the email address then takes its place.
 */
function toUserProfile({ email, email_verified, name }: Readonly<Record<string, unknown>>) {
  const shown = typeof name === "string" && name.trim() !== "" ? name.trim() : String(email);
  return {
    name: shown.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ").slice(0, LIMITS.name),
    emailVerified: email_verified === true || email_verified === "true",
  };
}
