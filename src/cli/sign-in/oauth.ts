/** The authorization server of a service (RFC 8414), for the client `edgepress-cli` that it knows by itself. */
import * as oauth from "oauth4webapi";
import { CliError, EXIT, interrupted } from "../failure.ts";
import { refusalOf, unreachable } from "../refusal.ts";
import { isLoopback } from "../server.ts";
import type { SignIn } from "./credentials.ts";

/** A public client: it has no secret, PKCE stands in for one (RFC 8252, 8.1). */
export const CLIENT: oauth.Client = { client_id: "edgepress-cli", token_endpoint_auth_method: "none" };

/** A renewal makes two requests under a lock: together well within what others wait for it, and believe it (lock.ts). */
const TIMEOUT_MS = 15_000;

/** What requests need: plain http is for this machine only, and every request has a timeout. */
export const optionsFor = (server: string, signal?: AbortSignal) => ({
  [oauth.allowInsecureRequests]: isLoopback(server),
  signal: () => AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]),
});

/** Reads the server's metadata. Throws `CliError` where it has none that can be trusted. */
export async function discover(server: string, signal?: AbortSignal): Promise<oauth.AuthorizationServer> {
  const work = async () => {
    const issuer = new URL(server);
    const request = oauth.discoveryRequest(issuer, { ...optionsFor(server, signal), algorithm: "oauth2" });
    const response = await judging(server, request);
    if (response.status === 404) throw failed(`${server} does not support sign-in for programs.`);
    const metadata = await oauth.processDiscoveryResponse(issuer, response);
    const { authorization_endpoint, token_endpoint, revocation_endpoint } = metadata;
    for (const endpoint of [authorization_endpoint, token_endpoint, revocation_endpoint]) {
      // Else a server of plain http could name another machine, and the code would go there.
      if (endpoint !== undefined && new URL(endpoint).origin !== server) {
        throw failed(`${server} names an endpoint on another origin: ${new URL(endpoint).origin}.`);
      }
    }
    return metadata;
  };
  return reaching(server, work, signal);
}

/**
 * An answer that says something about the sign-in. Throws where the server is too busy for one, or broken: whoever is
 * signed in still is.
 */
export async function judging(server: string, answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  const { status } = response;
  if (status !== 429 && status < 500) return response;
  const refusal = await refusalOf(response, null).catch((error) => Promise.reject(unreachable(server, error)));
  // RFC 6749 has one word for both, `temporarily_unavailable`.
  if (status !== 429 && status !== 503) throw refusal;
  throw new CliError("rate_limited", refusal.message, EXIT.limit, refusal.details);
}

/** Runs requests to the authorization server; whatever goes wrong is said in a sentence. */
export async function reaching<T>(server: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Before all else: an answer that was broken off looks like a wrong one.
    if (signal?.aborted === true) throw interrupted();
    if (error instanceof CliError) throw error;
    if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
      throw failed(sentenceOf(error.error, error.error_description), error.error === "access_denied" ? {} : { error });
    }
    if (error instanceof oauth.OperationProcessingError) {
      throw failed(`${server} does not answer as an authorization server does: ${error.message}.`, { error });
    }
    // What fetch throws where there is no answer: a TypeError with a cause, or the timeout's reason.
    const unanswered = error instanceof Error && (error.name === "TimeoutError" || error.message === "fetch failed");
    throw unanswered ? unreachable(server, error) : error;
  }
}

function sentenceOf(code: string, description: string | null | undefined): string {
  if (code === "access_denied") return "Access was denied in the browser.";
  return `The server refused it: ${code}${description ? ` (${description})` : ""}.`;
}

const failed = (message: string, { error }: { error?: unknown } = {}): CliError =>
  new CliError("sign_in_failed", message, EXIT.signIn, { cause: error });

/** What is kept of a token response. `before` is what it renews. */
export function signInOf(
  answer: oauth.TokenEndpointResponse,
  asked: readonly string[],
  now: Date,
  before?: SignIn,
): SignIn {
  const { access_token, refresh_token, expires_in, scope } = answer;
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? before?.refreshToken ?? null,
    expires: expires_in === undefined ? null : new Date(now.getTime() + expires_in * 1000).toISOString(),
    // RFC 6749, 5.1: without it, what was asked for.
    scopes: scope === undefined ? [...asked] : scope.split(" ").filter(Boolean),
    since: before?.since ?? now.toISOString(),
  };
}

/** Exchanges a refresh token for new tokens; null if the server no longer accepts it. */
export async function refresh(server: string, before: SignIn, now: Date): Promise<SignIn | null> {
  const { refreshToken } = before;
  if (refreshToken === null) return null;
  const metadata = await discover(server);
  return reaching(server, async () => {
    const options = { ...optionsFor(server), additionalParameters: { resource: resourceOf(server) } };
    const request = oauth.refreshTokenGrantRequest(metadata, CLIENT, oauth.None(), refreshToken, options);
    const response = await judging(server, request);
    try {
      return signInOf(await oauth.processRefreshTokenResponse(metadata, CLIENT, response), before.scopes, now, before);
    } catch (error) {
      if (error instanceof oauth.ResponseBodyError && error.error === "invalid_grant") return null;
      throw error;
    }
  });
}

/** Tells the server that a sign-in is over (RFC 7009). */
export async function revoke(server: string, { refreshToken, accessToken }: SignIn): Promise<void> {
  const metadata = await discover(server);
  await reaching(server, async () => {
    // Revoking the refresh token revokes the whole grant (RFC 7009, 2.1).
    const token = refreshToken ?? accessToken;
    const request = oauth.revocationRequest(metadata, CLIENT, oauth.None(), token, optionsFor(server));
    await oauth.processRevocationResponse(await judging(server, request));
  });
}

/** What tokens are for (RFC 8707): the REST API. */
export const resourceOf = (server: string): string => `${server}/api`;
