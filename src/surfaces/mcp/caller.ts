/** Authenticates requests to /mcp, which only connected applications may send. */
import { kindOfSecret } from "../../domain/secrets.ts";
import { sharedDatabase } from "../../store/database.ts";
import { authenticateApp } from "../oauth/server/authenticate.ts";
import type { Authenticated } from "../auth/authenticate.ts";
import { bearerToken } from "../auth/authorization-header.ts";
import { challengeOf } from "../oauth/server/resources.ts";
import type { Arrival } from "../request/arrival.ts";
import { baseUrlOf } from "../request/base-url.ts";
import { noteUse } from "../request/call.ts";
import { DomainError, ERRORS, problemBody } from "../../domain/errors.ts";
import type { OrganizationPrincipal } from "../../domain/principal.ts";
import { withinFailureLimit } from "../request/strangers.ts";

/** Throws `credentials_missing`, `credentials_invalid`, or `too_many_failed_attempts`. */
export async function callerOf(
  request: Request,
  arrival: Arrival,
): Promise<{ principal: OrganizationPrincipal; secret: string }> {
  const authenticated = await withinFailureLimit(arrival, request, () => authenticate(request, arrival));
  const { principal, secret } = authenticated;
  if (principal.kind === "anonymous") throw new DomainError("credentials_missing", NOT_CONNECTED);
  arrival.identify(principal.organizationId);
  noteUse(arrival, authenticated);
  return { principal, secret };
}

const NOT_CONNECTED =
  "Connect with OAuth: `WWW-Authenticate` says where. API keys and operator tokens work only with REST.";

async function authenticate(request: Request, arrival: Arrival): Promise<Authenticated> {
  const header = request.headers.get("Authorization");
  if (header === null) throw new DomainError("credentials_missing", NOT_CONNECTED);
  const token = bearerToken(header);
  if (token === null || kindOfSecret(token) !== null) throw new DomainError("credentials_invalid", NOT_CONNECTED);
  return authenticateApp({ db: sharedDatabase(arrival.env), baseUrl: baseUrlOf(arrival) }, "/mcp", token, new Date());
}

/** Returns the response to a request without a valid token. The challenge names the authorization server. */
export function challenge(error: DomainError, arrival: Arrival): Response {
  const baseUrl = baseUrlOf(arrival);
  const invalid = error.code === "credentials_invalid" ? ({ code: "invalid_token" } as const) : undefined;
  return Response.json(problemBody(error, arrival.requestId, baseUrl), {
    status: ERRORS[error.code].status,
    headers: {
      "Content-Type": "application/problem+json",
      "WWW-Authenticate": challengeOf(baseUrl, "/mcp", invalid),
    },
  });
}
