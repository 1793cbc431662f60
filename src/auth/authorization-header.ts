/** The `Authorization` header (RFC 9110, 11.6.2), as every surface reads it. */

/** Its scheme, in lower case, and what follows; null where it is malformed. */
export function parseAuthorization(header: string): { readonly scheme: string; readonly value: string } | null {
  const [, scheme, value] = /^([A-Za-z]+) +([^\s]+)$/.exec(header.trim()) ?? [];
  return scheme === undefined || value === undefined ? null : { scheme: scheme.toLowerCase(), value };
}

/** The access token of an application (RFC 6750, 2.1); null for any other header. */
export function bearerToken(header: string): string | null {
  const parsed = parseAuthorization(header);
  return parsed?.scheme === "bearer" ? parsed.value : null;
}

/** Whether it is an application that asks, also with a header that is malformed. */
export const namesBearer = (header: string): boolean => /^\s*Bearer\b/i.test(header);
