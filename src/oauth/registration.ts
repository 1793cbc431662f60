/** Registrations of applications (RFC 7591). */
import { jsonOrNull } from "../lib/json.ts";

/**
 * The request, with grant types as they will hold: whoever redeems codes gets refresh tokens with them. The server
 * may replace what a client asks for, and the answer says so (RFC 7591, 3.2.1).
 */
export async function withGrantTypes(request: Request): Promise<Request> {
  const metadata = jsonOrNull(await request.clone().text());
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return request;
  // What a client has that names none (RFC 7591, 2).
  const { grant_types: asked = ["authorization_code"] } = metadata as { readonly grant_types?: unknown };
  if (!Array.isArray(asked) || !asked.includes("authorization_code") || asked.includes("refresh_token")) return request;
  const headers = new Headers(request.headers);
  headers.delete("Content-Length");
  const body = JSON.stringify({ ...metadata, grant_types: [...(asked as unknown[]), "refresh_token"] });
  return new Request(request.url, { method: request.method, headers, body });
}
