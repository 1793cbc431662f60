/**
 * Ends connections whose refresh token is used again after it was replaced: two parties hold the token, and nobody can
 * tell which one is the thief (RFC 9700, 4.14.2). The library forgets replaced tokens, so this records the use of each
 * token under its hash.
 */
import { sha256 } from "../../../lib/hash.ts";
import { RecordConflict, type Records } from "../../../store/access/system-oauth-records.ts";

/** The first use of a refresh token (Unix milliseconds), and the key of the token that was last issued for it. */
type Use = { readonly time: number; readonly issued?: string };

/** Repeated use within this time is no theft: processes refresh concurrently, and responses get lost. */
const GRACE_MS = 60_000;

/** A client that refreshes every hour uses about a hundred tokens in this time. */
const KEPT_SECONDS = 4 * 24 * 60 * 60;

export async function recordRefresh(storage: Records, used: string, issued: string, now: Date): Promise<void> {
  const key = await toStorageKey(used);
  const before = (await storage.get(key, "json")) as Use | null;
  const time = before?.time ?? now.getTime();
  // A late second use replaces the first successor. If that is used again, two parties hold the tokens.
  const replaced = isLate(before, now) ? before?.issued : undefined;
  if (replaced !== undefined) await put(storage, replaced, { time: 0 });
  await put(storage, key, { time, issued: await toStorageKey(issued) });
}

/** Ends the connection of a refused refresh token if the token was used or replaced long before. */
export async function endIfReused(storage: Records, token: string, now: Date): Promise<void> {
  const [connectionId, grantId, secret, ...rest] = token.split(":");
  if (secret === undefined || rest.length > 0) return;
  const use = (await storage.get(await toStorageKey(token), "json")) as Use | null;
  if (isLate(use, now)) await storage.delete(`grant:${connectionId}:${grantId}`);
}

const isLate = (use: Use | null, now: Date): boolean => use !== null && now.getTime() - use.time >= GRACE_MS;

const toStorageKey = async (token: string): Promise<string> => `used:${token.split(":")[0]}:${await sha256(token)}`;

/** If several requests use one token at the same moment, the first record is enough. */
const put = (storage: Records, key: string, use: Use): Promise<void> =>
  storage.put(key, JSON.stringify(use), { expirationTtl: KEPT_SECONDS }).catch((error: unknown) => {
    if (!(error instanceof RecordConflict)) throw error;
  });
