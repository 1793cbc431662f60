/** The Authorization header of requests: from an API key, an operator token, or a sign-in. */
import type { Authorizer } from "../client.ts";
import { CliError, EXIT, usageError } from "../failure.ts";
import type { Credentials, SignIn } from "./credentials.ts";
import { refresh } from "./oauth.ts";

/** Milliseconds. An access token that expires sooner is renewed before it is used. */
const MARGIN_MS = 60_000;

export const makeAuthorizer = (header: string): Authorizer => ({
  header: async () => header,
  renew: async () => null,
});

/** HTTP Basic, with the key as the user name. Throws a usage error for characters that no API key contains. */
export function makeKeyAuthorizer(key: string): Authorizer {
  if (!/^[\x21-\x7e]+$/.test(key) || key.includes(":")) throw usageError("EDGEPRESS_API_KEY is not an API key.");
  return makeAuthorizer(`Basic ${Buffer.from(`${key}:`).toString("base64")}`);
}

/** Throws a usage error for characters that no token contains. */
export function makeOperatorAuthorizer(token: string): Authorizer {
  if (!/^[\x21-\x7e]+$/.test(token)) throw usageError("EDGEPRESS_OPERATOR_TOKEN is not a token.");
  return makeAuthorizer(`Token ${token}`);
}

/**
 * Authorizes with the stored sign-in at `server`; the header is null if there is none. `header` and `renew` throw
 * `CliError` `sign_in_expired`.
 */
export function makeSignInAuthorizer(credentials: Credentials, server: string, now: () => Date): Authorizer {
  const renew = (refused: string): Promise<SignIn> => renewSignIn(credentials, server, { refused, now });
  return {
    async header() {
      const stored = await credentials.find(server);
      if (stored === null) return null;
      return formatBearer(endsSoon(stored, now()) ? await renew(stored.accessToken) : stored);
    },
    renew: async (refused) => formatBearer(await renew(refused.replace(/^Bearer /, ""))),
  };
}

const formatBearer = ({ accessToken }: SignIn): string => `Bearer ${accessToken}`;

const endsSoon = ({ expires }: SignIn, now: Date): boolean =>
  expires !== null && Date.parse(expires) - now.getTime() < MARGIN_MS;

/** Renews the sign-in whose access token is `refused`, unless another process has renewed it meanwhile. */
async function renewSignIn(
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
