/** The routes for signing in with an OpenID Connect provider. */
import { Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { APIError } from "better-auth/api";
import { needsTls, OIDC_FAILED_PATH, OIDC_PROVIDER } from "../../auth/accounts.ts";
import type { OidcSettings } from "../../../env.ts";
import { DomainError } from "../../../domain/errors.ts";
import { getBaseUrl } from "../../request/base-url.ts";
import { enforceReadLimit } from "../../request/strangers.ts";
import { sha256 } from "../../../lib/hash.ts";
import { email as emailAddress } from "../../../operations/fields.ts";
import { findInvitation } from "../../../store/people/system-memberships.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { makeAccounts } from "../session.ts";
import { toLocalPath } from "./local-path.ts";

export const oidc = new Hono<ConsoleEnv>();

/** A GET route that a link opens: after a form, browsers would block a redirect to another host (form-action). */
oidc.get("/sign-in/oidc", async (c) => {
  const next = toLocalPath(c, c.req.query("next"));
  const provider = requireProvider(c);
  const own = findOwnAddress(c, next);
  if (own !== null) return c.redirect(own, 303);
  await enforceReadLimit(c.env.arrival, c.req.raw);
  const accounts = makeAccounts(c, { oidc: provider });
  rememberInvitation(c, next);
  const body = {
    provider: OIDC_PROVIDER,
    callbackURL: next,
    newUserCallbackURL: next,
    errorCallbackURL: OIDC_FAILED_PATH,
    disableRedirect: true,
  };
  try {
    const { url } = await withTimeout(provider, accounts.api.signInSocial({ body, headers: c.req.raw.headers }));
    if (url !== undefined) {
      keepForTrip(c, TRIP + new URL(url).searchParams.get("state"), "1");
      return c.redirect(url, 303);
    }
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
  }
  throw makeUnreachableError(provider);
});

/**
 * Returns this page's URL at the service's own address if the request came to another host, otherwise null. The
 * provider leads back to the service's own address, which does not get the cookies of another host. A request with
 * `moved` stays, because a proxy may hide the host that the browser asked for.
 */
function findOwnAddress(c: ConsoleContext, next: string): string | null {
  const base = getBaseUrl(c.env.arrival);
  const isMoved = c.req.query("moved") !== undefined;
  if (isMoved || new URL(c.req.url).host === new URL(base).host) return null;
  return `${base}/console/sign-in/oidc?moved=1&next=${encodeURIComponent(next)}`;
}

oidc.get("/sign-in/oidc/failed", (c) => {
  const error = c.req.query("error") ?? "";
  const isClosed = error === "signup_disabled" && c.env.arrival.settings.signUp === "closed";
  const reason = isClosed ? CLOSED : (REASONS.get(error) ?? "The provider did not confirm who you are. Try again.");
  throw new DomainError("credentials_invalid", reason);
});

/** The provider redirects to this path. It is the only endpoint of better-auth that is reachable from outside. */
oidc.get("/auth/callback/:provider", async (c) => {
  const provider = requireProvider(c);
  const hasBegun = getCookie(c, TRIP + (c.req.query("state") ?? "")) !== undefined;
  if (!hasBegun) return c.redirect(`${OIDC_FAILED_PATH}?error=state_mismatch`, 303);
  await enforceReadLimit(c.env.arrival, c.req.raw);
  const accounts = makeAccounts(c, { oidc: provider, admit: (email, proven) => admit(c, email, proven) });
  const response = await withTimeout(provider, accounts.handler(c.req.raw));
  // If the connection to the provider breaks, better-auth answers with an empty page.
  if (response.status >= 500) throw makeUnreachableError(provider);
  return response;
});

const CLOSED = "There is no account with this email address, and new accounts are closed.";

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    signup_disabled:
      "There is no account with this email address. Accounts are by invitation only. Open your invitation link first.",
    email_not_verified: "The provider has not verified your email address.",
    email_not_found: "The provider did not share an email address that can receive emails.",
    account_not_linked:
      "An account with this email address already exists, and has a password. Sign in with it. If you do not know it, set a new one by email. After that, you can sign in with the provider, too.",
  }),
);

/** How many milliseconds all requests to the provider may take together, in each of the two routes. */
const PATIENCE_MS = 8000;

/** Throws `not_ready` after PATIENCE_MS. better-auth has no timeout for its requests to the provider. */
async function withTimeout<T>(provider: OidcSettings, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(makeUnreachableError(provider)), PATIENCE_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const makeUnreachableError = ({ name }: OidcSettings): DomainError =>
  new DomainError("not_ready", `${name} cannot be reached, or is not set up correctly (OIDC_ISSUER).`);

function requireProvider(c: ConsoleContext): OidcSettings {
  const { oidc: provider } = c.env.arrival.settings;
  if (provider === null) throw new DomainError("not_found", "This page does not exist.");
  return provider;
}

/** Whether the address is valid in forms, too, and would be stored unchanged. */
const isAddress = (address: string): boolean => emailAddress.safeParse(address).data === address.toLowerCase();

/**
 * Throws better-auth's `APIError` unless the provider's user may create an account. As with a password, that needs a
 * proven address, and either open sign-up or an invitation for this address.
 */
async function admit(c: ConsoleContext, email: string, proven: boolean): Promise<void> {
  if (!proven) throw new APIError("FORBIDDEN", { code: "email_not_verified" });
  if (!isAddress(email)) throw new APIError("FORBIDDEN", { code: "email_not_found" });
  const { signUp } = c.env.arrival.settings;
  if (signUp === "open") return;
  const secret = signUp === "invitation" ? getCookie(c, INVITATION) : undefined;
  const found = secret === undefined ? null : await findInvitation(c.env.arrival.env, await sha256(secret), new Date());
  if (found?.email !== email.toLowerCase()) throw new APIError("FORBIDDEN", { code: "signup_disabled" });
}

/** How many seconds a person has to sign in at the provider and come back: as long as better-auth keeps the state. */
const LONGEST_TRIP = 600;

/**
 * The prefix of cookies that prove that this browser began the sign-in with the state in the name. Without them, a link
 * could sign people in as somebody else. Each sign-in has a cookie of its own, so that people can begin in several
 * tabs: better-auth's own cookie, which is turned off, knows only the last one.
 */
const TRIP = "edgepress.trip.";

const INVITATION = "edgepress.invitation";

/** Keeps the secret of an invitation in a cookie, which lets the person create an account later. */
function rememberInvitation(c: ConsoleContext, next: string): void {
  const [, secret] = /^\/console\/invitations\/(\w+)$/.exec(next) ?? [];
  if (secret !== undefined) keepForTrip(c, INVITATION, secret);
}

/** Sets a cookie that only the callback gets, and only for as long as the way to the provider and back may take. */
function keepForTrip(c: ConsoleContext, name: string, value: string): void {
  setCookie(c, name, value, {
    httpOnly: true,
    sameSite: "Lax",
    secure: needsTls(getBaseUrl(c.env.arrival)),
    path: "/console/auth",
    maxAge: LONGEST_TRIP,
  });
}
