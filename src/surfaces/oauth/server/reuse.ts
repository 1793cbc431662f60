/**
 * Detects refresh tokens that are used again after they were replaced. Then two parties hold the token, and nobody can
 * tell which one is the thief, so the connection ends (RFC 9700, 4.14.2). The library forgets replaced tokens, so this
 * module keeps their hashes in the grant.
 */
import { sha256 } from "../../../lib/hash.ts";
import type { Records } from "../../../store/access/system-oauth-records.ts";

/** The part of the library's grant record that this module uses. */
type Grant = {
  readonly refreshTokenId?: string;
  readonly previousRefreshTokenId?: string;
  /** Added by this module: the spent tokens, and when the previous token was first used (Unix milliseconds). */
  readonly spentRefreshTokens?: readonly Spent[];
  readonly rotationTime?: number;
};

/** A spent token: its hash, and the time from which using it proves that two parties hold it (Unix milliseconds). */
type Spent = { readonly id: string; readonly reuseTime: number };

/** Maximum spent tokens that a grant keeps. A client that refreshes every hour uses as many in four days. */
const MOST_SPENT = 100;

/**
 * For this many milliseconds, using a token again is no theft: processes refresh concurrently, and responses get lost.
 */
const GRACE_MS = 60_000;

/**
 * Returns the grant record to write, with the refresh tokens added that this write makes spent. `read` is the record
 * that the library has read (null or undefined if there was none), `written` the JSON that it wants to write.
 */
export function keepSpent(read: unknown, written: string, now: Date): string {
  if (read === null || read === undefined) return written;
  const before = read as Grant;
  const after = JSON.parse(written) as Grant;
  if (after.refreshTokenId === before.refreshTokenId) return written;
  const time = now.getTime();
  const { rotationTime = 0, refreshTokenId, previousRefreshTokenId } = before;
  const isRepeated = after.previousRefreshTokenId === previousRefreshTokenId;
  if (isRepeated && time - rotationTime < GRACE_MS) {
    // The token that this write replaces went to another process of the client, or was lost. Using it is refused, but
    // does not end the connection. Keep the time of the first use, so that the grace time is not extended.
    return JSON.stringify({ ...after, spentRefreshTokens: before.spentRefreshTokens, rotationTime });
  }
  // If the client used the previous token again, the current token is spent. Otherwise the previous one is.
  const ended = isRepeated ? refreshTokenId : previousRefreshTokenId;
  const reuseTime = isRepeated ? time : Math.max(time, rotationTime + GRACE_MS);
  const spent: readonly Spent[] = [
    ...(before.spentRefreshTokens ?? []),
    ...(ended === undefined ? [] : [{ id: ended, reuseTime }]),
  ];
  return JSON.stringify({ ...after, spentRefreshTokens: spent.slice(-MOST_SPENT), rotationTime: time });
}

/** Ends the connection of a refresh token that the library has refused, if the token is spent. */
export async function endWhereSpent(storage: Records, token: string, now: Date): Promise<void> {
  const [connectionId, grantId, secret, ...rest] = token.split(":");
  if (secret === undefined || rest.length > 0) return;
  const key = `grant:${connectionId}:${grantId}`;
  const grant = (await storage.get(key, "json")) as Grant | null;
  const hash = await sha256(token);
  const spent = grant?.spentRefreshTokens?.find(({ id }) => id === hash);
  if (spent !== undefined && now.getTime() >= spent.reuseTime) await storage.delete(key);
}
