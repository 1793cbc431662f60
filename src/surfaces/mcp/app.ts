/** The Model Context Protocol at /mcp (contract 15.1): stateless, over streamable HTTP. */
import { createMcpHandler, JSONRPC_VERSION, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { authenticateApp } from "../oauth/server/authenticate.ts";
import { buildBearerChallenge } from "../oauth/server/resources.ts";
import type { Authenticated } from "../auth/authenticate.ts";
import { parseBearerToken } from "../auth/authorization-header.ts";
import { logFailure, type Arrival } from "../request/arrival.ts";
import { recordUse } from "../request/call.ts";
import { authenticateOrCountFailure } from "../request/strangers.ts";
import { openPrincipalStore } from "../request/writer.ts";
import { HEARTBEAT_MS } from "../request/events.ts";
import { readWholeBody } from "../request/body.ts";
import { enforceCallLimits } from "../request/limits.ts";
import { DomainError, ERRORS, problemBody } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { OrganizationPrincipal } from "../../domain/principal.ts";
import { parseSecretKind } from "../../domain/secrets.ts";
import { openTokens } from "../request/tokens.ts";
import { findDocument } from "./card.ts";
import { openConnection, type Connection } from "./connection.ts";
import { requireScopes } from "./step-up.ts";
import { buildServer } from "./server.ts";
import { hasMoreValues, parseJson } from "../../lib/json.ts";
import { getBaseUrl } from "../request/base-url.ts";
import { isLoopbackHost } from "../../lib/network.ts";

/** Answers a request to /mcp. Without a valid token, the response is a 401 with a challenge. Throws all other errors. */
export async function handle(request: Request, arrival: Arrival): Promise<Response> {
  const document = findDocument(request, arrival);
  if (document !== null) return document;
  if (new URL(request.url).pathname !== "/mcp") throw new DomainError("route_not_found");
  refuseOtherSites(request, arrival);
  try {
    const { principal, secret } = await authenticateCaller(request, arrival);
    await enforceCallLimits(arrival, principal);
    const connection = openConnection(arrival, principal, secret);
    if (request.method !== "POST") return await answer(request, connection);
    const body = await readWholeBody(request, LIMITS.bodyBytes);
    // A sender can delay the body, and the application may have been disconnected in the meantime.
    await (await openPrincipalStore(arrival, principal, { effect: "read" })).requireAuthorized();
    const refused = refuseMessages(body, principal);
    return refused ?? (await answer(new Request(request, { method: "POST", body }), connection));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const isChallenge = ERRORS[error.code].status === 401 || error.details.scopes !== undefined;
    if (isChallenge) return makeChallengeResponse(error, arrival);
    throw error;
  }
}

/** Only connected applications may call. Throws `credentials_missing`, `credentials_invalid`, or `too_many_failed_attempts`. */
async function authenticateCaller(
  request: Request,
  arrival: Arrival,
): Promise<{ principal: OrganizationPrincipal; secret: string }> {
  const authenticated = await authenticateOrCountFailure(arrival, request, () => authenticate(request, arrival));
  const { principal, secret } = authenticated;
  if (principal.kind === "anonymous") throw new DomainError("credentials_missing", NOT_CONNECTED);
  arrival.identify(principal.organizationId);
  recordUse(arrival, authenticated);
  return { principal, secret };
}

const NOT_CONNECTED =
  "Connect with OAuth: `WWW-Authenticate` says where. API keys and operator tokens work only with REST.";

async function authenticate(request: Request, arrival: Arrival): Promise<Authenticated> {
  const header = request.headers.get("Authorization");
  if (header === null) throw new DomainError("credentials_missing", NOT_CONNECTED);
  const token = parseBearerToken(header);
  if (token === null || parseSecretKind(token) !== null) throw new DomainError("credentials_invalid", NOT_CONNECTED);
  return authenticateApp(openTokens(arrival), "/mcp", token, new Date());
}

/** Returns the response to a request whose token is not valid, or lacks scopes. The challenge names the authorization server. */
function makeChallengeResponse(error: DomainError, arrival: Arrival): Response {
  const baseUrl = getBaseUrl(arrival);
  const { scopes } = error.details;
  const invalid = error.code === "credentials_invalid" ? ({ code: "invalid_token" } as const) : undefined;
  const why = scopes === undefined ? invalid : ({ code: "insufficient_scope", scopes } as const);
  return Response.json(problemBody(error, arrival.requestId, baseUrl), {
    status: ERRORS[error.code].status,
    headers: {
      "Content-Type": "application/problem+json",
      "WWW-Authenticate": buildBearerChallenge(baseUrl, "/mcp", why),
    },
  });
}

/** Each request has its own server, so nothing is kept between requests. */
function answer(request: Request, connection: Connection): Promise<Response> {
  const handler = createMcpHandler(() => buildServer(connection), {
    keepAliveMs: HEARTBEAT_MS,
    onerror: (error) => logFailure(connection.arrival, "mcp", error),
  });
  return handler.fetch(request);
}

/**
 * Returns an error response for too many values or messages, otherwise null. Throws `scope_missing` for a call of a tool for
 * which the client can ask its person: in a batch, the tool itself refuses.
 */
function refuseMessages(body: Uint8Array, principal: OrganizationPrincipal): Response | null {
  if (hasMoreValues(body, LIMITS.jsonValues))
    return makeInvalidRequestResponse(`It must not have more than ${LIMITS.jsonValues} values`);
  const messages = parseJson(new TextDecoder().decode(body));
  if (!Array.isArray(messages)) requireScopes(messages, principal);
  else if (messages.length > LIMITS.mcpBatch)
    return makeInvalidRequestResponse(`Batch must not exceed ${LIMITS.mcpBatch} messages`);
  return null;
}

function makeInvalidRequestResponse(reason: string): Response {
  const error = { code: ProtocolErrorCode.InvalidRequest, message: `Invalid Request: ${reason}` };
  return Response.json({ jsonrpc: JSONRPC_VERSION, error, id: null }, { status: 400 });
}

/**
 * Throws `origin_forbidden` if a request is for another host, or comes from a page of another origin. Throws `not_ready` in
 * production if BASE_URL is missing. In local runs, all loopback hosts and origins are allowed.
 */
function refuseOtherSites(request: Request, arrival: Arrival): void {
  const { production, baseUrl } = arrival.settings;
  const service = new URL(getBaseUrl(arrival));
  // In local runs without BASE_URL, only loopback hosts are allowed: the sender chooses the host of the request.
  const ownHost = baseUrl === "" ? null : new URL(baseUrl).host;
  const isOwnHost = (host: string): boolean => host === ownHost || (!production && isLoopback(`http://${host}`));
  const hosts = [new URL(request.url).host, request.headers.get("Host") ?? ""].filter((host) => host !== "");
  if (!hosts.every((host) => isOwnHost(host.toLowerCase()))) throw new DomainError("origin_forbidden");

  const origin = request.headers.get("Origin");
  if (origin === null || origin === service.origin) return;
  if (production || !isLoopback(origin)) throw new DomainError("origin_forbidden");
}

const isLoopback = (url: string): boolean => URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
