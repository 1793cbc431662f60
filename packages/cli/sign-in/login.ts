/** Signs in through the browser: an authorization code with PKCE, redirected to a loopback address (RFC 8252). */
import * as oauth from "oauth4webapi";
import { toCliError } from "../failure.ts";
import { withRetries, type Waiting } from "../retries.ts";
import type { SignIn } from "./credentials.ts";
import { openLanding, type Arrived } from "./loopback.ts";
import {
  CLIENT,
  discover,
  requireAvailable,
  buildRequestOptions,
  runOAuthRequest,
  buildResource,
  toSignIn,
} from "./oauth.ts";

type Options = Pick<Waiting, "signal" | "onWait"> & {
  readonly server: string;
  readonly scopes: readonly string[];
  readonly now: () => Date;
  readonly show: (url: string) => Promise<void>;
  /** Stores the sign-in, before the browser shows success. */
  readonly keep: (signIn: SignIn) => Promise<void>;
};

/**
 * Shows the sign-in address, and returns the sign-in once `keep` has stored it. Throws `CliError`: `sign_in_failed`,
 * `timeout` after five minutes, `interrupted`, `unreachable`, or the server's code.
 */
export async function logIn(options: Options): Promise<SignIn> {
  const { server, scopes, signal, show } = options;
  const metadata = await withRetries(() => discover(server, signal), options);
  const landing = await openLanding();
  try {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(metadata.authorization_endpoint ?? `${server}/`);
    const parameters = {
      response_type: "code",
      client_id: CLIENT.client_id,
      redirect_uri: landing.redirectUri,
      scope: scopes.join(" "),
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      resource: buildResource(server),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const arriving = landing.waitForRedirect(state, signal);
    // Ctrl-C may reject this during `show`, before the `await` below throws the error.
    arriving.catch(() => undefined);
    await show(url.href);
    const arrived = await arriving;
    try {
      const signIn = await exchange(options, { metadata, state, verifier, landing, arrived });
      await arrived.finish(null);
      return signIn;
    } catch (error) {
      await arrived.finish(toCliError(error).message);
      throw error;
    }
  } finally {
    landing.close();
  }
}

type Exchange = {
  readonly metadata: oauth.AuthorizationServer;
  readonly state: string;
  readonly verifier: string;
  readonly landing: { readonly redirectUri: string };
  readonly arrived: Arrived;
};

async function exchange(options: Options, all: Exchange): Promise<SignIn> {
  const { server, scopes, signal, now, keep } = options;
  const { metadata, state, verifier, landing, arrived } = all;
  const work = async () => {
    // Checks the state and the issuer (RFC 9207): another server's response is refused.
    const parameters = oauth.validateAuthResponse(metadata, CLIENT, arrived.parameters, state);
    const request = oauth.authorizationCodeGrantRequest(
      metadata,
      CLIENT,
      oauth.None(),
      parameters,
      landing.redirectUri,
      verifier,
      { ...buildRequestOptions(server, signal), additionalParameters: { resource: buildResource(server) } },
    );
    return oauth.processAuthorizationCodeResponse(metadata, CLIENT, await requireAvailable(server, request));
  };
  const answer = await withRetries(() => runOAuthRequest(server, work, signal), options);
  const signIn = toSignIn(answer, scopes, now());
  await keep(signIn);
  return signIn;
}
