/** The library's storage: our records, the client that everybody knows, and grants that end their connections. */
import { OAuthError } from "@cloudflare/workers-oauth-provider";
import { LIMITS } from "../../domain/limits.ts";
import type { Database } from "../../store/core/sql.ts";
import { disconnect } from "../../store/access/system-oauth-connections.ts";
import {
  extendRecord,
  openRecords,
  RecordConflict,
  type PutOptions,
  type Records,
} from "../../store/access/system-oauth-records.ts";
import { keepSpent } from "./reuse.ts";

/** The client of the command line: public, and at home on every machine, so nobody has to register it. */
export const CLI_CLIENT_ID = "edgepress-cli";

const CLI_CLIENT = {
  clientId: CLI_CLIENT_ID,
  clientName: "Edgepress command-line client",
  // Any port goes with a loopback address (RFC 8252, 7.3).
  redirectUris: ["http://127.0.0.1/callback", "http://[::1]/callback"],
  grantTypes: ["authorization_code", "refresh_token"],
  responseTypes: ["code"],
  tokenEndpointAuthMethod: "none",
  authMethodExplicit: true,
};

/** Seconds that a registration lives before somebody has agreed to it: anybody can make one. */
const UNUSED_SECONDS = 24 * 60 * 60;

/** Seconds that it lives after that. Twice as long as refresh tokens, as it is renewed past its half. */
export const CLIENT_SECONDS = 2 * LIMITS.refreshTokenDays * 24 * 60 * 60;

/** Of a registration, what is ever asked for. */
const KEPT: ReadonlySet<string> = new Set([
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

export type StorageSetting = { readonly db: Database; readonly requestId: string; readonly now: () => Date };

/**
 * Opens the storage for one request. Where another request has rotated the refresh token since it was read, the
 * write rejects with a `RecordConflict`.
 */
export function openStorage({ db, requestId, now }: StorageSetting): Records {
  const records = openRecords(db, now);
  /** Grants and clients as they were read; null for those that were not there. */
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
      if (key.startsWith("client:")) return records.put(key, keptOf(value), lifeOf(before, options));
      if (!key.startsWith("grant:")) return records.put(key, value, options);
      const kept = keepSpent(before, value, now());
      await records.put(key, kept, options).catch((error: unknown) => Promise.reject(lossOf(error, before)));
      const { clientId } = JSON.parse(value) as { readonly clientId: string };
      if (before === null) await extendRecord(db, `client:${clientId}`, CLIENT_SECONDS, now());
    },
    async delete(key) {
      const [, connectionId] = /^grant:([^:]+):[^:]+$/.exec(key) ?? [];
      if (connectionId !== undefined) {
        const actor = { kind: "app", id: connectionId } as const;
        await disconnect({ db, id: connectionId, actor, requestId, now: now() });
      }
      await records.delete(key);
    },
    list: (options) => records.list(options),
  };
}

/** The library reads a client before it renews it, and reads nothing before it registers one. */
const lifeOf = (before: unknown, options?: PutOptions): PutOptions | undefined =>
  before === null ? { ...options, expirationTtl: UNUSED_SECONDS } : options;

const keptOf = (client: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(client) as object).filter(([name]) => KEPT.has(name))));

/** The second to use a code has one that is spent (RFC 6749, 5.2). A refresh token may still be good: server.ts. */
function lossOf(error: unknown, grant: unknown): unknown {
  const { refreshTokenId } = (grant ?? {}) as { readonly refreshTokenId?: string };
  if (!(error instanceof RecordConflict) || refreshTokenId !== undefined) return error;
  return new OAuthError("invalid_grant", { description: "It was used by another request at the same moment" });
}
