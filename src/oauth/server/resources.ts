/** Where things are: endpoints, resources (RFC 9728), and the challenge that leads there. Knows nothing of the library. */
import { MCP_SCOPES, SCOPES, type Scope } from "../../domain/principal.ts";

/** Paths below the base URL, which is the issuer. */
export const AUTHORIZE_PATH = "/console/authorize";
export const TOKEN_PATH = "/oauth/token";
export const REGISTER_PATH = "/oauth/register";

/** Each is a surface; a token is for one of them (RFC 8707). */
export type Resource = "/mcp" | "/api";

/** What an application may ask for there. */
export const RESOURCE_SCOPES: Readonly<Record<Resource, readonly Scope[]>> = { "/mcp": MCP_SCOPES, "/api": SCOPES };

/** The canonical identifier of a resource. */
export const resourceOf = (baseUrl: string, resource: Resource): string => `${baseUrl}${resource}`;

/** The resource that an identifier names; it has to be one of this base URL. */
export function resourceNamed(baseUrl: string, identifier: string): Resource | undefined {
  return RESOURCES.find((resource) => resourceOf(baseUrl, resource) === identifier);
}

export const RESOURCES: readonly Resource[] = ["/mcp", "/api"];

export type ChallengeError = {
  readonly code: "invalid_token" | "insufficient_scope";
  /** The scopes that the call would have needed; without them, all that the resource knows. */
  readonly scopes?: readonly Scope[];
};

/**
 * The value of `WWW-Authenticate` for a 401 or 403 (RFC 6750, 3; RFC 9728, 5.1): where to learn which
 * authorization server to ask, and for which scopes. Without `error` for requests that carried no token.
 * MCP answers with it as it is; REST puts it behind its own challenges.
 */
export function challengeOf(baseUrl: string, resource: Resource, error?: ChallengeError): string {
  const scopes = error?.scopes ?? RESOURCE_SCOPES[resource];
  const parts = [
    `realm="edgepress"`,
    ...(error ? [`error="${error.code}"`] : []),
    `resource_metadata="${baseUrl}${RESOURCE_METADATA_PATH}${resource}"`,
    `scope="${scopes.join(" ")}"`,
  ];
  return `Bearer ${parts.join(", ")}`;
}

/** Before the resource's own path (RFC 9728, 3.1). */
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

/** The metadata of a resource (RFC 9728, 2). */
export const resourceMetadata = (baseUrl: string, resource: Resource) => ({
  resource: resourceOf(baseUrl, resource),
  authorization_servers: [baseUrl],
  scopes_supported: RESOURCE_SCOPES[resource],
  bearer_methods_supported: ["header"],
  resource_name: resource === "/mcp" ? "Edgepress, for models (MCP)" : "Edgepress REST API",
  resource_documentation: `${baseUrl}/docs`,
});
