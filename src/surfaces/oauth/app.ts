/** The protocol endpoints of the authorization server. Its pages are in the console. */
import { Hono, type Context } from "hono";
import { cors } from "hono/cors";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import {
  REGISTER_PATH,
  RESOURCE_METADATA_PATH,
  RESOURCES,
  buildResourceMetadata,
  TOKEN_PATH,
  type Resource,
} from "./server/resources.ts";
import { CLIENT_CREDENTIALS, issueMachineToken } from "./server/machines.ts";
import { endIfReused, recordRefresh } from "./server/reuse.ts";
import type { Arrival } from "../request/arrival.ts";
import { replaceOrigin, openAuthServer } from "../request/authorization-server.ts";
import { getBaseUrl } from "../request/base-url.ts";
import { enforceLimit } from "../request/limits.ts";
import { DomainError, ERRORS, refusalHeaders } from "../../domain/errors.ts";
import { readBytes } from "../../lib/body.ts";
import { LIMITS } from "../../domain/limits.ts";
import { getClientAddress, enforceFailureLimit, enforceAnonymousLimits } from "../request/strangers.ts";
import { openTokens } from "../request/tokens.ts";
import { admitTokenRequest, parseBasic } from "./admission.ts";
import { parseJson } from "../../lib/json.ts";

type OAuthHono = { Bindings: { readonly arrival: Arrival } };

const app = new Hono<OAuthHono>();

const SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server";

// Clients may run in browsers at any origin, and nothing here uses cookies. The library sets CORS for its own
// endpoints.
app.use(`${RESOURCE_METADATA_PATH}/*`, cors({ origin: "*", allowMethods: ["GET", "HEAD"], maxAge: 86_400 }));

for (const resource of RESOURCES) {
  app.get(`${RESOURCE_METADATA_PATH}${resource}`, (c) => serveMetadata(c, resource));
}
// MCP clients that do not know the path of the resource ask here.
app.get(RESOURCE_METADATA_PATH, (c) => serveMetadata(c, "/mcp"));

function serveMetadata(c: Context<OAuthHono>, resource: Resource): Response {
  const { arrival } = c.env;
  // Local runs name the requested host, which is not in the edge's cache key. In production, BASE_URL is the only host.
  const caching = arrival.settings.production ? "public, max-age=300" : "no-store";
  return c.json(buildResourceMetadata(getBaseUrl(arrival), resource), 200, { "Cache-Control": caching });
}

app.post(REGISTER_PATH, async (c) => {
  const { arrival } = c.env;
  await enforceAnonymousLimits(arrival, c.req.raw, "registrations", { subject: "registration" });
  const request = await withGrantTypes(await rewriteRequest(arrival, c.req.raw));
  return withSecretExpiry(await openAuthServer(arrival).fetch(request));
});

app.post(TOKEN_PATH, async (c) => {
  const { arrival } = c.env;
  await enforceLimit(arrival, "tokens", getClientAddress(c.req.raw));
  const server = openAuthServer(arrival);
  const request = await rewriteRequest(arrival, c.req.raw);
  const form = await readFormParameters(request.clone());
  const authorization = request.headers.get("Authorization");
  if (form.get("grant_type") === CLIENT_CREDENTIALS) return issueToMachine(arrival, request, form);
  const isAdmitted = await admitTokenRequest(server, form, authorization);
  const response = isAdmitted ? await server.fetch(request) : makeInvalidClientResponse(authorization);
  const used = form.get("refresh_token") ?? "";
  if (!response.ok) {
    await endIfReused(server.storage, used, new Date());
    await enforceFailureLimit(arrival, c.req.raw);
  } else if (form.get("grant_type") === "refresh_token") {
    const { refresh_token: issued } = await response.clone().json<{ readonly refresh_token: string }>();
    await recordRefresh(server.storage, used, issued, new Date());
  }
  return response;
});

app.get(SERVER_METADATA_PATH, async (c) => {
  const response = await openAuthServer(c.env.arrival).fetch(await rewriteRequest(c.env.arrival, c.req.raw));
  const metadata = await response.json<{ readonly grant_types_supported: readonly string[] }>();
  const grants = [...metadata.grant_types_supported, CLIENT_CREDENTIALS];
  return new Response(JSON.stringify({ ...metadata, grant_types_supported: grants }), response);
});

app.all("*", async (c) => {
  const response = await openAuthServer(c.env.arrival).fetch(await rewriteRequest(c.env.arrival, c.req.raw));
  if (response.status === 404) throw new DomainError("route_not_found");
  return response;
});

// Errors have the format of the token and registration endpoints (RFC 6749, 5.2; RFC 7591, 3.2.2), and our `code`.
app.onError((error, c) => {
  if (!(error instanceof DomainError) || error.code === "route_not_found") throw error;
  const { status } = ERRORS[error.code];
  const kind = status === 429 || status >= 500 ? "temporarily_unavailable" : "invalid_request";
  const headers = { "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store", ...refusalHeaders(error) };
  const body = { error: kind, error_description: error.message, code: error.code };
  return c.json(body, status as ContentfulStatusCode, headers);
});

export const handle = (request: Request, arrival: Arrival): Response | Promise<Response> =>
  app.fetch(request, { arrival });

/** Returns the request at the base URL, with its whole body. Throws `body_too_large`. */
async function rewriteRequest(arrival: Arrival, request: Request): Promise<Request> {
  const { method, headers } = request;
  const body = method === "POST" ? await readBytes(request, LIMITS.appRegistrationBytes) : undefined;
  if (body === null) {
    throw new DomainError("body_too_large", `The body is larger than ${LIMITS.appRegistrationBytes / 1024} KiB.`);
  }
  return new Request(replaceOrigin(arrival, request.url), { method, headers, body: body ?? null });
}

async function issueToMachine(arrival: Arrival, request: Request, form: URLSearchParams): Promise<Response> {
  const authorization = request.headers.get("Authorization");
  const basic = parseBasic(authorization);
  const issued = await issueMachineToken({ ...openTokens(arrival), now: new Date() }, form, basic);
  const headers = { "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*" };
  if (!("error" in issued)) return Response.json(issued, { headers });
  await enforceFailureLimit(arrival, request);
  if (issued.error === "invalid_client") return makeInvalidClientResponse(authorization);
  return Response.json(issued, { status: 400, headers });
}

/** Returns no parameters if the body is not a form: the library then refuses the request. */
async function readFormParameters(request: Request): Promise<URLSearchParams> {
  try {
    const pairs = [...(await request.formData())];
    return new URLSearchParams(pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"));
  } catch {
    return new URLSearchParams();
  }
}

/** Returns the library's response for an invalid client, with a challenge if it sent `Authorization` (RFC 6749, 5.2). */
const makeInvalidClientResponse = (authorization: string | null): Response =>
  Response.json(
    { error: "invalid_client", error_description: "The client has no such code or token, or is refused" },
    {
      status: 401,
      headers: {
        "Cache-Control": "no-store",
        "Access-Control-Allow-Origin": "*",
        ...(authorization !== null && { "WWW-Authenticate": 'Basic realm="OAuth"' }),
      },
    },
  );

/**
 * Adds "refresh_token" to the grant types of a registration with "authorization_code", because clients always get a
 * refresh token with an access token. The response shows the change (RFC 7591, 3.2.1). Returns an invalid request
 * unchanged.
 */
async function withGrantTypes(request: Request): Promise<Request> {
  const metadata = parseJson(await request.clone().text());
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return request;
  // The default if a client names no grant types (RFC 7591, 2).
  const { grant_types: asked = ["authorization_code"] } = metadata as { readonly grant_types?: unknown };
  if (!Array.isArray(asked) || !asked.includes("authorization_code") || asked.includes("refresh_token")) return request;
  const headers = new Headers(request.headers);
  headers.delete("Content-Length");
  const body = JSON.stringify({ ...metadata, grant_types: [...(asked as unknown[]), "refresh_token"] });
  return new Request(request.url, { method: request.method, headers, body });
}

/**
 * Sets the expiry of a registered secret to 0, which means never (RFC 7591, 3.2.1). The registration ends if it is not
 * used, but each use renews it, so no other time would be true.
 */
async function withSecretExpiry(response: Response): Promise<Response> {
  if (response.status !== 201) return response;
  const registered = (await response.json()) as Readonly<Record<string, unknown>>;
  const told = "client_secret" in registered ? { ...registered, client_secret_expires_at: 0 } : registered;
  return new Response(JSON.stringify(told), response);
}
