/** Prepares registrations of applications (RFC 7591) for the library, and its responses to them. */
import { jsonOrNull } from "../../lib/json.ts";

/**
 * Returns the registration request with "refresh_token" added to its grant types if it has "authorization_code",
 * because clients always get a refresh token with an access token. The server may change what a client requests, and
 * the response shows it (RFC 7591, 3.2.1). Returns an invalid request unchanged.
 */
export async function withGrantTypes(request: Request): Promise<Request> {
  const metadata = jsonOrNull(await request.clone().text());
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
 * Returns the response to a registration with 0 as the expiry of its secret, if it has one: the secret does not expire
 * (RFC 7591, 3.2.1). Its registration ends if it is not used, and each use renews it, so no time that the response could
 * name would be true.
 */
export async function withSecretExpiry(response: Response): Promise<Response> {
  if (response.status !== 201) return response;
  const registered = (await response.json()) as Readonly<Record<string, unknown>>;
  const told = "client_secret" in registered ? { ...registered, client_secret_expires_at: 0 } : registered;
  return new Response(JSON.stringify(told), response);
}
