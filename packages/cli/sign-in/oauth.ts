/** Requests to the authorization server (RFC 8414), as the client `edgepress-cli`, which every service knows. */
import * as oauth from "oauth4webapi";
import { CliError, EXIT, interruptedError } from "../failure.ts";
import { readError } from "../../client/src/errors.ts";
import { explainError, unreachableError } from "../refusal.ts";
import { isLoopback } from "../server.ts";
import type { SignIn } from "./credentials.ts";

/** A public client, with PKCE in place of a secret (RFC 8252, 8.1). */
export const CLIENT: oauth.Client = { client_id: "edgepress-cli", token_endpoint_auth_method: "none" };

/** Milliseconds. A renewal sends two requests while it holds the lock: less than its `PATIENCE_MS` and `STALE_MS`. */
const TIMEOUT_MS = 15_000;

export const buildRequestOptions = (server: string, signal?: AbortSignal) => ({
  [oauth.allowInsecureRequests]: isLoopback(server),
  signal: () => AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]),
});

/** Fetches the server's metadata. Throws `sign_in_failed` if there is none, or an endpoint is on another origin. */
export async function discover(server: string, signal?: AbortSignal): Promise<oauth.AuthorizationServer> {
  const work = async () => {
    const issuer = new URL(server);
    const request = oauth.discoveryRequest(issuer, { ...buildRequestOptions(server, signal), algorithm: "oauth2" });
    const response = await requireAvailable(server, request);
    if (response.status === 404) throw signInError(`${server} does not support sign-in for programs.`);
    const metadata = await oauth.processDiscoveryResponse(issuer, response);
    const { authorization_endpoint, token_endpoint, revocation_endpoint } = metadata;
    for (const endpoint of [authorization_endpoint, token_endpoint, revocation_endpoint]) {
      // Otherwise, a server with http could send the authorization code to another machine.
      if (endpoint !== undefined && new URL(endpoint).origin !== server) {
        throw signInError(`${server} names an endpoint on another origin: ${new URL(endpoint).origin}.`);
      }
    }
    return metadata;
  };
  return runOAuthRequest(server, work, signal);
}

/**
 * Throws `CliError` for a response of 429 or 5xx, which says nothing about the sign-in: the person stays signed in. 429
 * and 503 become `rate_limited`, which may be retried.
 */
export async function requireAvailable(server: string, answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  const { status } = response;
  if (status !== 429 && status < 500) return response;
  const problem = await readError(response).catch((error) => Promise.reject(unreachableError(server, error)));
  const refusal = explainError(problem, { server });
  // RFC 6749 has one error code for 429 and 503, `temporarily_unavailable`.
  if (status !== 429 && status !== 503) throw refusal;
  throw new CliError("rate_limited", refusal.message, EXIT.limit, refusal.details);
}

/** Runs requests and turns their known errors into `CliError`: `interrupted`, `sign_in_failed` or `unreachable`. */
export async function runOAuthRequest<T>(server: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // First, because an aborted response looks like an invalid one.
    if (signal?.aborted === true) throw interruptedError();
    if (error instanceof CliError) throw error;
    if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) {
      throw signInError(
        describeRefusal(error.error, error.error_description),
        error.error === "access_denied" ? {} : { error },
      );
    }
    if (error instanceof oauth.OperationProcessingError) {
      throw signInError(`${server} does not answer as an authorization server does: ${error.message}.`, { error });
    }
    // Without a response, fetch throws a TypeError, or the reason of the timeout.
    const unanswered = error instanceof Error && (error.name === "TimeoutError" || error.message === "fetch failed");
    throw unanswered ? unreachableError(server, error) : error;
  }
}

function describeRefusal(code: string, description: string | null | undefined): string {
  if (code === "access_denied") return "Access was denied in the browser.";
  return `The server refused it: ${code}${description ? ` (${description})` : ""}.`;
}

const signInError = (message: string, { error }: { error?: unknown } = {}): CliError =>
  new CliError("sign_in_failed", message, EXIT.signIn, { cause: error });

export function toSignIn(
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
    // RFC 6749, 5.1: without `scope`, what was asked for is granted.
    scopes: scope === undefined ? [...asked] : scope.split(" ").filter(Boolean),
    since: before?.since ?? now.toISOString(),
  };
}

/** Gets new tokens. Returns null if the person must sign in again: no refresh token, or `invalid_grant`. */
export async function refresh(server: string, before: SignIn, now: Date): Promise<SignIn | null> {
  const { refreshToken } = before;
  if (refreshToken === null) return null;
  const metadata = await discover(server);
  return runOAuthRequest(server, async () => {
    const options = { ...buildRequestOptions(server), additionalParameters: { resource: buildResource(server) } };
    const request = oauth.refreshTokenGrantRequest(metadata, CLIENT, oauth.None(), refreshToken, options);
    const response = await requireAvailable(server, request);
    try {
      return toSignIn(await oauth.processRefreshTokenResponse(metadata, CLIENT, response), before.scopes, now, before);
    } catch (error) {
      if (error instanceof oauth.ResponseBodyError && error.error === "invalid_grant") return null;
      throw error;
    }
  });
}

export async function revoke(server: string, { refreshToken, accessToken }: SignIn): Promise<void> {
  const metadata = await discover(server);
  await runOAuthRequest(server, async () => {
    // Revoking the refresh token revokes the whole grant (RFC 7009, 2.1).
    const token = refreshToken ?? accessToken;
    const request = oauth.revocationRequest(metadata, CLIENT, oauth.None(), token, buildRequestOptions(server));
    await oauth.processRevocationResponse(await requireAvailable(server, request));
  });
}

export const buildResource = (server: string): string => `${server}/api`;
