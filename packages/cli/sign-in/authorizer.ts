/**
 * The Authorization header of requests: from an API key, from an operator token, or from a sign-in. The access token of
 * a sign-in is renewed before it expires.
 */
import type { Authorizer } from "../client.ts";
import { CliError, EXIT, usage } from "../failure.ts";
import type { Credentials, SignIn } from "./credentials.ts";
import { refresh } from "./oauth.ts";

/** Milliseconds. An access token that expires within this time is renewed before it is used. */
const MARGIN_MS = 60_000;

/**
 * Authorizes with an API key: HTTP Basic, with the key as the user name and an empty password. Throws a usage error if
 * `key` contains characters that no API key contains.
 */
export function keyAuthorizer(key: string): Authorizer {
  if (!/^[\x21-\x7e]+$/.test(key) || key.includes(":")) throw usage("EDGEPRESS_API_KEY is not an API key.");
  const header = `Basic ${Buffer.from(`${key}:`).toString("base64")}`;
  return { header: async () => header, renew: async () => null };
}

/** Authorizes with an operator token. Throws a usage error if `token` contains characters that no token contains. */
export function operatorAuthorizer(token: string): Authorizer {
  if (!/^[\x21-\x7e]+$/.test(token)) throw usage("EDGEPRESS_OPERATOR_TOKEN is not a token.");
  return { header: async () => `Token ${token}`, renew: async () => null };
}

/**
 * Authorizes with the stored sign-in at `server`. The header is null if nobody is signed in there. `header` and `renew`
 * throw `CliError` `sign_in_expired` if the sign-in has ended.
 */
export function signedIn(credentials: Credentials, server: string, now: () => Date): Authorizer {
  const renew = (refused: string): Promise<SignIn> => renewed(credentials, server, { refused, now });
  return {
    async header() {
      const stored = await credentials.of(server);
      if (stored === null) return null;
      return bearer(endsSoon(stored, now()) ? await renew(stored.accessToken) : stored);
    },
    renew: async (refused) => bearer(await renew(refused.replace(/^Bearer /, ""))),
  };
}

const bearer = ({ accessToken }: SignIn): string => `Bearer ${accessToken}`;

const endsSoon = ({ expires }: SignIn, now: Date): boolean =>
  expires !== null && Date.parse(expires) - now.getTime() < MARGIN_MS;

/**
 * Renews the sign-in whose access token is `refused`, and returns it. If the stored access token is a different one,
 * another process has renewed it meanwhile, and this function returns the stored sign-in. Throws `CliError`
 * `sign_in_expired` if the sign-in has ended.
 */
async function renewed(
  credentials: Credentials,
  server: string,
  { refused, now }: { refused: string; now: () => Date },
): Promise<SignIn> {
  const fresh = await credentials.change(server, async (stored) => {
    if (stored === null || stored.accessToken !== refused) return stored;
    return refresh(server, stored, now());
  });
  if (fresh !== null) return fresh;
  throw new CliError("sign_in_expired", `Your sign-in at ${server} has ended.`, EXIT.signIn, {
    hint: `Sign in again: edgepress login --server ${server}`,
  });
}
