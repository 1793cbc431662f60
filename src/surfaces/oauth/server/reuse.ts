/**
 * Detects refresh tokens that are used again after they were replaced. Then two parties hold the token, and nobody can
 * tell which one is the thief, so the connection ends (RFC 9700, 4.14.2). The library forgets replaced tokens, so what
 * became of each is noted beside its records, under its hash.
 */
import { sha256 } from "../../../lib/hash.ts";
import { RecordConflict, type Records } from "../../../store/access/system-oauth-records.ts";

/** The first use of a refresh token (Unix milliseconds), and the hash of the token that was issued for it last. */
type Use = { readonly time: number; readonly issued?: string };

/** For this many milliseconds, using a token again is no theft: processes refresh concurrently, and responses get lost. */
const GRACE_MS = 60_000;

/** A client that refreshes every hour has used a hundred tokens since. */
const KEPT_SECONDS = 4 * 24 * 60 * 60;

/** Notes that a refresh token was used, and the token that was issued for it. */
export async function noteRefresh(storage: Records, used: string, issued: string, now: Date): Promise<void> {
  const key = await keyOf(used);
  const before = (await storage.get(key, "json")) as Use | null;
  const time = before?.time ?? now.getTime();
  // Long after its first use the token has replaced its successor, which now proves that two parties hold them.
  const replaced = isLate(before, now) ? before?.issued : undefined;
  if (replaced !== undefined) await put(storage, replaced, { time: 0 });
  await put(storage, key, { time, issued: await keyOf(issued) });
}

/** Ends the connection of a refresh token that the library has refused, if it was used, or replaced, long before. */
export async function endWhereSpent(storage: Records, token: string, now: Date): Promise<void> {
  const [connectionId, grantId, secret, ...rest] = token.split(":");
  if (secret === undefined || rest.length > 0) return;
  const use = (await storage.get(await keyOf(token), "json")) as Use | null;
  if (isLate(use, now)) await storage.delete(`grant:${connectionId}:${grantId}`);
}

const isLate = (use: Use | null, now: Date): boolean => use !== null && now.getTime() - use.time >= GRACE_MS;

const keyOf = async (token: string): Promise<string> => `used:${token.split(":")[0]}:${await sha256(token)}`;

/** Where requests use one token at the same moment, what the first of them notes is enough. */
const put = (storage: Records, key: string, use: Use): Promise<void> =>
  storage.put(key, JSON.stringify(use), { expirationTtl: KEPT_SECONDS }).catch((error: unknown) => {
    if (!(error instanceof RecordConflict)) throw error;
  });
