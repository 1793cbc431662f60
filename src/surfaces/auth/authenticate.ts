/** Resolves the Authorization header to a principal (contract 10.1). */
import { DomainError } from "../../domain/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { SCOPES, type Grant, type OrganizationPrincipal, type Principal } from "../../domain/principal.ts";
import { parseSecretKind, type CredentialKind } from "../../domain/secrets.ts";
import { TOUCH_MS } from "../../lib/time.ts";
import { requireActive } from "../../store/core/suspension.ts";
import type { Database } from "../../store/core/sql.ts";
import {
  attachCredentialLookup,
  findCredential,
  touchCredential,
  type FoundCredential,
} from "../../store/access/system-credentials.ts";
import { parseAuthorization } from "./authorization-header.ts";

export type Authenticated = {
  readonly principal: Principal;
  /** The presented secret, or "" for anonymous callers. */
  readonly secret: string;
  /** Stores in the organization's database that the credential was used. Call it after the response. Undefined if nothing is due. */
  readonly touch?: (db: Database) => Promise<void>;
};

/** Returns the caller of an Authorization header. `open` opens the database of the credential with a hash. Throws `credentials_invalid`: a wrong header is never anonymous; and `organization_suspended`. */
export async function authenticate(
  open: (hash: string) => Database,
  header: string,
  now: Date,
): Promise<Authenticated> {
  const { scheme, secret } = parseSecret(header);
  const hash = await sha256(secret);
  const found = await findCredential(open(hash), hash);
  if (found === null || found.kind !== scheme) throw makeInvalidCredentialsError();
  if (isExpired(found, now)) throw makeInvalidCredentialsError("The credentials have expired.");
  requireActive(found.suspension);
  if (found.rests === 1) throw makeInvalidCredentialsError("The blog to which the key is pinned is deleted.");
  remember(hash, found);
  return toAuthenticated(secret, found, now);
}

/** A caller whose credential an earlier request of this isolate has found. Do not answer before `confirm` succeeds. */
export type Presumed = Omit<Authenticated, "touch"> & {
  readonly principal: OrganizationPrincipal;
  /** Its first query also looks the credential up, in the same round trip. */
  readonly db: Database;
  /** Returns the caller, or null if the credential has changed. Looks it up if no query has done so. */
  readonly confirm: () => Promise<Authenticated | null>;
};

/** Returns null if this isolate does not remember the credential as valid. `open` opens the database of an organization. Throws `credentials_invalid`. */
export async function presume(
  open: (organizationId: string) => D1Database,
  header: string,
  now: Date,
): Promise<Presumed | null> {
  const { scheme, secret } = parseSecret(header);
  const hash = await sha256(secret);
  const known = remembered.get(hash);
  if (known?.kind !== scheme || isExpired(known, now)) return null;
  const db = open(known.organizationId);
  const checked = attachCredentialLookup(db, hash);
  return {
    principal: toPrincipal(known),
    secret,
    db: checked.db,
    async confirm() {
      const found = await checked.credential();
      if (found === null || toComparableText(found) !== toComparableText(known)) {
        remembered.delete(hash);
        return null;
      }
      return toAuthenticated(secret, found, now);
    },
  };
}

/** Credentials that this isolate has looked up, by the hash of the secret, the oldest lookup first. */
const remembered = new Map<string, FoundCredential>();
const MOST_REMEMBERED = 1000;

function remember(hash: string, found: FoundCredential): void {
  remembered.delete(hash);
  remembered.set(hash, found);
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}

const toComparableText = (found: FoundCredential): string => JSON.stringify({ ...found, lastUsedTime: null });

const isExpired = ({ expirationTime }: FoundCredential, now: Date): boolean =>
  expirationTime !== null && expirationTime <= now.toISOString();

const toPrincipal = (found: FoundCredential): OrganizationPrincipal => ({
  kind: found.kind === "token" ? "operator" : "key",
  id: found.id,
  organizationId: found.organizationId,
  grants: new Set<Grant>(found.kind === "token" ? [...SCOPES, "operator"] : found.scopes),
  role: null,
  pinnedBlogId: found.blogId,
});

const toAuthenticated = (secret: string, found: FoundCredential, now: Date): Authenticated => ({
  principal: toPrincipal(found),
  secret,
  ...(isTouchDue(found.lastUsedTime, now) && { touch: (db) => touchCredential(db, found.id, now) }),
});

/** Returns whether the time of last use (RFC 3339; null for never) must be updated. */
export const isTouchDue = (lastUsedTime: string | null, now: Date): boolean =>
  lastUsedTime === null || now.getTime() - Date.parse(lastUsedTime) >= TOUCH_MS;

/** Returns the secret of an Authorization header. A mistyped secret costs no query. Throws `credentials_invalid`. */
function parseSecret(header: string): { scheme: CredentialKind; secret: string } {
  const { scheme, secret } = parseHeader(header);
  const kind = parseSecretKind(secret);
  if (kind !== scheme) throw makeInvalidCredentialsError(kind === null ? undefined : WRONG_SCHEME);
  return { scheme, secret };
}

export const WRONG_SCHEME =
  "An API key is sent as `Authorization: Basic base64(KEY)`, an operator token as `Authorization: Token TOKEN`.";

function parseHeader(header: string): { scheme: CredentialKind; secret: string } {
  const parsed = parseAuthorization(header);
  if (parsed === null) throw makeInvalidCredentialsError("The Authorization header is malformed.");
  switch (parsed.scheme) {
    case "basic":
      return { scheme: "key", secret: parseUserName(parsed.value) };
    case "token":
      return { scheme: "token", secret: parsed.value };
    default:
      throw makeInvalidCredentialsError("The authentication scheme must be Basic, Token or Bearer.");
  }
}

/** Returns the user name of Basic credentials (RFC 7617). The password must be empty; its colon may be missing. */
function parseUserName(encoded: string): string {
  try {
    return atob(encoded).replace(/:$/, "");
  } catch {
    throw makeInvalidCredentialsError("The Basic credentials are not base64.");
  }
}

function makeInvalidCredentialsError(detail?: string): DomainError {
  return new DomainError("credentials_invalid", detail);
}
