/** From the Authorization header to a principal (contract 10.1). */
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
  /** Notes the use of the credential; to be run after the response. Undefined where that is not due. */
  readonly touch?: () => Promise<void>;
};

const ANONYMOUS: Authenticated = { principal: { kind: "anonymous" }, secret: "" };

/**
 * Resolves the header. Throws `credentials_invalid` for everything that is not a live credential:
 * invalid credentials are never treated as anonymous.
 */
export async function authenticate(db: Database, header: string | null, now: Date): Promise<Authenticated> {
  if (header === null) return ANONYMOUS;
  const { scheme, secret } = parse(header);
  // Shape and checksum first: a mistyped secret costs no query.
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

/** Whether the use of what was last used then has to be noted again. */
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

/** The user name of Basic credentials (RFC 7617); the password has to be empty, its colon may be missing. */
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
