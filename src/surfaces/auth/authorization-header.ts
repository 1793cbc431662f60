/** Returns the scheme, in lower case, and the credentials. Null if the header is malformed. */
export function parseAuthorization(header: string): { readonly scheme: string; readonly value: string } | null {
  const [, scheme, value] = /^([A-Za-z]+) +([^\s]+)$/.exec(header.trim()) ?? [];
  return scheme === undefined || value === undefined ? null : { scheme: scheme.toLowerCase(), value };
}

/** Returns an application's access token (RFC 6750, 2.1). Null for any other header. */
export function parseBearerToken(header: string): string | null {
  const parsed = parseAuthorization(header);
  return parsed?.scheme === "bearer" ? parsed.value : null;
}

/** Returns whether the caller is an application, even if the rest of the header is malformed. */
export const isBearer = (header: string): boolean => /^\s*Bearer\b/i.test(header);
