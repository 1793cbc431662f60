/** Parses the `Authorization` header (RFC 9110, 11.6.2) for all surfaces. */

/** Returns the scheme, in lower case, and the credentials after it. Returns null if the header is malformed. */
export function parseAuthorization(header: string): { readonly scheme: string; readonly value: string } | null {
  const [, scheme, value] = /^([A-Za-z]+) +([^\s]+)$/.exec(header.trim()) ?? [];
  return scheme === undefined || value === undefined ? null : { scheme: scheme.toLowerCase(), value };
}

/** Returns the Bearer token, which is an application's access token (RFC 6750, 2.1). Null for any other header. */
export function bearerToken(header: string): string | null {
  const parsed = parseAuthorization(header);
  return parsed?.scheme === "bearer" ? parsed.value : null;
}

/** Returns whether the scheme is Bearer, so that the caller is an application. True also if the rest is malformed. */
export const namesBearer = (header: string): boolean => /^\s*Bearer\b/i.test(header);
