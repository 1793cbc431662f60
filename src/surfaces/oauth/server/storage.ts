/** Stores the records of the OAuth library in D1. Adds the client of the command line. */
import { OAuthError } from "@cloudflare/workers-oauth-provider";
import { LIMITS } from "../../../domain/limits.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { Database } from "../../../store/core/sql.ts";
import { disconnect } from "../../../store/access/system-oauth-connections.ts";
import {
  incrementRecord,
  extendRecord,
  openRecords,
  RecordConflict,
  type Records,
} from "../../../store/access/system-oauth-records.ts";

/** The command line is a built-in public client: nobody has to register it. */
export const CLI_CLIENT_ID = "edgepress-cli";

const CLI_CLIENT = {
  clientId: CLI_CLIENT_ID,
  clientName: "Edgepress command-line client",
  // A loopback address allows any port (RFC 8252, 7.3).
  redirectUris: ["http://127.0.0.1/callback", "http://[::1]/callback"],
  grantTypes: ["authorization_code", "refresh_token"],
  responseTypes: ["code"],
  tokenEndpointAuthMethod: "none",
  authMethodExplicit: true,
};

/** Lifetime in seconds of a registration after a consent. The library renews it only in its second half. */
export const CLIENT_SECONDS = 2 * LIMITS.refreshTokenDays * 24 * 60 * 60;

/** The fields of a registration that are stored. Nothing reads the others. */
const STORED_FIELDS: ReadonlySet<string> = new Set([
  "clientId",
  "clientName",
  "redirectUris",
  "grantTypes",
  "responseTypes",
  "tokenEndpointAuthMethod",
  "authMethodExplicit",
  "clientSecret",
  "registrationDate",
  "registrationExpiresAt",
]);

export type StorageSetting = TokenSetting & { readonly requestId: string; readonly now: () => Date };

/** Where records of tokens are, and in which database a connection is: in the same one, unless it is said. */
export type TokenSetting = { readonly db: Database; readonly openConnection?: (id: string) => Database };

/**
 * Opens the storage for one request. A write of a grant rejects with a `RecordConflict` if another request has replaced
 * the refresh token since this request read it.
 */
export function openStorage({ db, openConnection = () => db, requestId, now }: StorageSetting): Records {
  const records = openRecords(db, now);
  /** The grants and clients that this request has read, by key. Null if there was none. */
  const read = new Map<string, unknown>();
  return {
    async get(key, options) {
      if (key === `client:${CLI_CLIENT_ID}`) return CLI_CLIENT;
      const found = await records.get(key, options);
      if (/^(grant|client):/.test(key)) read.set(key, structuredClone(found));
      return found;
    },
    async put(key, value, options) {
      const before = read.get(key) ?? null;
      if (key.startsWith("client:")) {
        const stored = pickStoredFields(value);
        if (before !== null) return records.put(key, stored, options);
        await countRegistration(db, now());
        return records.put(key, stored, { ...options, expirationTtl: LIMITS.unusedAppSeconds });
      }
      if (!key.startsWith("grant:")) return records.put(key, value, options);
      await records.put(key, value, options).catch((error: unknown) => Promise.reject(toConflictError(error, before)));
      const { clientId } = JSON.parse(value) as { readonly clientId: string };
      if (before === null) await extendRecord(db, `client:${clientId}`, CLIENT_SECONDS, now());
    },
    async delete(key) {
      // A connection ends with its grant.
      const [, connectionId] = /^grant:([^:]+):[^:]+$/.exec(key) ?? [];
      if (connectionId !== undefined) {
        const actor = { kind: "app", id: connectionId } as const;
        await disconnect({
          db: openConnection(connectionId),
          records: db,
          id: connectionId,
          actor,
          requestId,
          now: now(),
        });
      }
      await records.delete(key);
    },
    list: (options) => records.list(options),
  };
}

const WINDOW_SECONDS = 10 * 60;

/** Counts a registration. Throws `rate_limited` after too many in ten minutes from all addresses: they fill the database. */
async function countRegistration(db: Database, now: Date): Promise<void> {
  const seconds = Math.floor(now.getTime() / 1000);
  const end = seconds - (seconds % WINDOW_SECONDS) + WINDOW_SECONDS;
  const counter = { key: `registrations:${end}`, most: LIMITS.appRegistrationsPerTenMinutes, end };
  if (await incrementRecord(db, counter)) return;
  const message = "Too many applications have registered. Try again in a few minutes.";
  throw new DomainError("rate_limited", message, { retryAfterSeconds: end - seconds });
}

const pickStoredFields = (client: string): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(client) as object).filter(([name]) => STORED_FIELDS.has(name))),
  );

/**
 * Returns the error for a write that lost a race. If the grant has no refresh token yet, two requests used the same
 * code, and the second gets `invalid_grant` (RFC 6749, 5.2). For any other conflict, server.ts tries again.
 */
function toConflictError(error: unknown, grant: unknown): unknown {
  const { refreshTokenId } = (grant ?? {}) as { readonly refreshTokenId?: string };
  if (!(error instanceof RecordConflict) || refreshTokenId !== undefined) return error;
  return new OAuthError("invalid_grant", { description: "It was used by another request at the same time" });
}
