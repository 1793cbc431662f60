/** Resolves the Authorization header to a principal (contract 10.1). */
import { DomainError } from "../errors.ts";
import { sha256 } from "../lib/hash.ts";
import { SCOPES, type Grant, type OrganizationPrincipal, type Principal } from "../domain/principal.ts";
import { kindOfSecret, type CredentialKind } from "../domain/secrets.ts";
import { TOUCH_MS } from "../lib/time.ts";
import type { Database } from "../store/core/sql.ts";
import { findCredential, touchCredential } from "../store/access/system-credentials.ts";
import { parseAuthorization } from "./authorization-header.ts";

export type Authenticated = {
  readonly principal: Principal;
  /** The presented secret, or "" for anonymous callers. */
  readonly secret: string;
  /** Stores that the credential was used. Run it after the response. Undefined if nothing has to be stored yet. */
  readonly touch?: () => Promise<void>;
};

const ANONYMOUS: Authenticated = { principal: { kind: "anonymous" }, secret: "" };

/**
 * Returns the principal of an Authorization header, or the anonymous one if there is no header. Throws
 * `credentials_invalid` for any header that is not a valid credential: it never treats that as anonymous.
 */
export async function authenticate(db: Database, header: string | null, now: Date): Promise<Authenticated> {
  if (header === null) return ANONYMOUS;
  const { scheme, secret } = parse(header);
  // Check shape and checksum first, so that a mistyped secret costs no query.
  if (kindOfSecret(secret) !== scheme) throw invalid();
  const found = await findCredential(db, await sha256(secret));
  if (found === null || found.kind !== scheme) throw invalid();
  if (found.expirationTime !== null && found.expirationTime <= now.toISOString()) {
    throw invalid("The credentials have expired.");
  }
  const principal: OrganizationPrincipal = {
    kind: found.kind === "token" ? "operator" : "key",
    id: found.id,
    organizationId: found.organizationId,
    grants: new Set<Grant>(found.kind === "token" ? [...SCOPES, "operator"] : found.scopes),
    role: null,
    pinnedBlogId: found.blogId,
  };
  return {
    principal,
    secret,
    ...(isTouchDue(found.lastUsedTime, now) && { touch: () => touchCredential(db, found.id, now) }),
  };
}

/** Returns whether the time of last use (RFC 3339; null for never) has to be updated. */
export const isTouchDue = (lastUsedTime: string | null, now: Date): boolean =>
  lastUsedTime === null || now.getTime() - Date.parse(lastUsedTime) >= TOUCH_MS;

function parse(header: string): { scheme: CredentialKind; secret: string } {
  const parsed = parseAuthorization(header);
  if (parsed === null) throw invalid("The Authorization header is malformed.");
  switch (parsed.scheme) {
    case "basic":
      return { scheme: "key", secret: userName(parsed.value) };
    case "token":
      return { scheme: "token", secret: parsed.value };
    default:
      throw invalid("The authentication scheme must be Basic, Token or Bearer.");
  }
}

/** Returns the user name of Basic credentials (RFC 7617). The password has to be empty; its colon may be missing. */
function userName(encoded: string): string {
  try {
    return atob(encoded).replace(/:$/, "");
  } catch {
    throw invalid("The Basic credentials are not base64.");
  }
}

function invalid(detail?: string): DomainError {
  return new DomainError("credentials_invalid", detail);
}
