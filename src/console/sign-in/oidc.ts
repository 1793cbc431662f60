/** The routes for signing in with an OpenID Connect provider. */
import { sharedDatabase } from "../../store/database.ts";
import { Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { APIError } from "better-auth/api";
import { needsTls, OIDC_FAILED_PATH, OIDC_PROVIDER } from "../../auth/accounts.ts";
import type { OidcSettings } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import { baseUrlOf } from "../../request/base-url.ts";
import { sha256 } from "../../lib/hash.ts";
import { findInvitation } from "../../store/people/system-memberships.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { accountsWith, withCookies } from "../session.ts";
import { localPath } from "./local-path.ts";

export const oidc = new Hono<ConsoleEnv>();

/**
 * Redirects to the provider. It is a GET route, which a link opens: after a form, browsers would block a redirect to
 * another host (form-action).
 */
oidc.get("/sign-in/oidc", async (c) => {
  const next = localPath(c, c.req.query("next"));
  const provider = requireProvider(c);
  const accounts = accountsWith(c, { oidc: provider });
  rememberInvitation(c, next);
  const body = {
    provider: OIDC_PROVIDER,
    callbackURL: next,
    newUserCallbackURL: next,
    errorCallbackURL: OIDC_FAILED_PATH,
    disableRedirect: true,
  };
  try {
    const { headers } = c.req.raw;
    const begun = accounts.api.signInSocial({ body, headers, returnHeaders: true });
    const { url } = withCookies(c, await inTime(provider, begun));
    if (url !== undefined) return c.redirect(url, 303);
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
  }
  throw unreachable(provider);
});

oidc.get("/sign-in/oidc/failed", (c) => {
  const reason = REASONS.get(c.req.query("error") ?? "") ?? "The provider did not confirm who you are. Try again.";
  throw new DomainError("credentials_invalid", reason);
});

/** The provider redirects to this path. It is the only endpoint of better-auth that is reachable from outside. */
oidc.get("/auth/callback/:provider", async (c) => {
  const provider = requireProvider(c);
  const accounts = accountsWith(c, { oidc: provider, admit: (email, proven) => admit(c, email, proven) });
  return inTime(provider, accounts.handler(c.req.raw));
});

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    signup_disabled:
      "There is no account with this address. Accounts are by invitation only: open the link of your invitation first.",
    email_not_verified: "The provider does not confirm that the e-mail address is yours.",
    email_not_found: "The provider does not give your e-mail address.",
    account_not_linked: "There is an account with this address and a password. Sign in with that.",
  }),
);

/** How many milliseconds all requests to the provider may take together, in each of the two routes. */
const PATIENCE_MS = 8000;

/**
 * Awaits `work`, but throws `not_ready` after PATIENCE_MS. better-auth has no timeout for its requests to the provider.
 */
async function inTime<T>(provider: OidcSettings, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(unreachable(provider)), PATIENCE_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const unreachable = ({ name }: OidcSettings): DomainError =>
  new DomainError("not_ready", `${name} cannot be reached, or is not set up correctly (OIDC_ISSUER).`);

/** Returns the settings of the provider. Throws `not_found` if none is configured. */
function requireProvider(c: ConsoleContext): OidcSettings {
  const { oidc: provider } = c.env.arrival.settings;
  if (provider === null) throw new DomainError("not_found", "This page does not exist.");
  return provider;
}

/**
 * Throws better-auth's `APIError` unless the provider's user may create an account. As with a password, that needs a
 * proven address, and either open sign-up or an invitation for this address.
 */
async function admit(c: ConsoleContext, email: string, proven: boolean): Promise<void> {
  if (!proven) throw new APIError("FORBIDDEN", { code: "email_not_verified" });
  const { signUp } = c.env.arrival.settings;
  if (signUp === "open") return;
  const secret = signUp === "invitation" ? getCookie(c, INVITATION) : undefined;
  const found =
    secret === undefined
      ? null
      : await findInvitation(sharedDatabase(c.env.arrival.env), await sha256(secret), new Date());
  if (found?.email !== email.toLowerCase()) throw new APIError("FORBIDDEN", { code: "signup_disabled" });
}

const INVITATION = "edgepress.invitation";
/** The lifetime of the invitation's cookie in seconds: the time to sign in at the provider and come back. */
const LONGEST_TRIP = 600;

/**
 * If `next` is the path of an invitation, keeps its secret in a cookie, which lets the person create an account later.
 */
function rememberInvitation(c: ConsoleContext, next: string): void {
  const [, secret] = /^\/console\/invitations\/(\w+)$/.exec(next) ?? [];
  if (secret === undefined) return;
  setCookie(c, INVITATION, secret, {
    httpOnly: true,
    sameSite: "Lax",
    secure: needsTls(baseUrlOf(c.env.arrival)),
    path: "/console/auth",
    maxAge: LONGEST_TRIP,
  });
}
