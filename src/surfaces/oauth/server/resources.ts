/** The endpoints, the resources (RFC 9728) and the Bearer challenge. Does not import the OAuth library, which is large. */
import { MCP_SCOPES, SCOPES, type Scope } from "../../../domain/principal.ts";

/** Paths below the base URL, which is the issuer. */
export const AUTHORIZE_PATH = "/console/authorize";
export const TOKEN_PATH = "/oauth/token";
export const REGISTER_PATH = "/oauth/register";

/** A surface that tokens give access to. A token is valid for only one of them (RFC 8707). */
export type Resource = "/mcp" | "/api";

export const RESOURCE_SCOPES: Readonly<Record<Resource, readonly Scope[]>> = { "/mcp": MCP_SCOPES, "/api": SCOPES };

export const toResourceUrl = (baseUrl: string, resource: Resource): string => `${baseUrl}${resource}`;

export function findResource(baseUrl: string, identifier: string): Resource | undefined {
  return RESOURCES.find((resource) => toResourceUrl(baseUrl, resource) === identifier);
}

export const RESOURCES: readonly Resource[] = ["/mcp", "/api"];

export type ChallengeError = {
  readonly code: "invalid_token" | "insufficient_scope";
  /** The scopes that the call requires. By default, all scopes of the resource. */
  readonly scopes?: readonly Scope[];
};

/**
 * Returns the Bearer challenge for `WWW-Authenticate` of a 401 or 403 (RFC 6750, 3; RFC 9728, 5.1): the scopes to request,
 * and the URL of the metadata that names the authorization server. Leave out `error` if the request had no token.
 */
export function buildBearerChallenge(baseUrl: string, resource: Resource, error?: ChallengeError): string {
  const scopes = error?.scopes ?? RESOURCE_SCOPES[resource];
  const parts = [
    `realm="edgepress"`,
    ...(error ? [`error="${error.code}"`] : []),
    `resource_metadata="${baseUrl}${RESOURCE_METADATA_PATH}${resource}"`,
    `scope="${scopes.join(" ")}"`,
  ];
  return `Bearer ${parts.join(", ")}`;
}

/** The resource's own path follows this path (RFC 9728, 3.1). */
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

/** Returns the metadata document of a resource (RFC 9728, 2). */
export const buildResourceMetadata = (baseUrl: string, resource: Resource) => ({
  resource: toResourceUrl(baseUrl, resource),
  authorization_servers: [baseUrl],
  scopes_supported: RESOURCE_SCOPES[resource],
  bearer_methods_supported: ["header"],
  resource_name: resource === "/mcp" ? "Edgepress, for models (MCP)" : "Edgepress REST API",
  resource_documentation: `${baseUrl}/docs`,
});
