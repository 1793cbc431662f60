/**
 * Refresh tokens that are used again after their time: somebody has a copy, and there is no way to tell which
 * of the two is the thief, so the connection ends (RFC 9700, 4.14.2). The library forgets the tokens that it
 * retires.
 */
import { sha256 } from "../../lib/hash.ts";
import type { Records } from "../../store/access/system-oauth-records.ts";

type Grant = {
  readonly refreshTokenId?: string;
  readonly previousRefreshTokenId?: string;
  /** Ours: the tokens that came before, and when the previous one was first used (Unix milliseconds). */
  readonly spentRefreshTokens?: readonly Spent[];
  readonly rotationTime?: number;
};

/** The hash of a token, and the time after which its use means that two parties hold it (Unix milliseconds). */
type Spent = { readonly id: string; readonly reuseTime: number };

/** A client that refreshes every hour uses as many in four days: an older copy is useless to whoever holds it. */
const MOST_SPENT = 100;

/** Two processes of one client may refresh at the same moment, and responses get lost: that is not a theft. */
const GRACE_MS = 60_000;

/** A grant as it will be written, with the refresh tokens that end with this write noted in it. */
export function keepSpent(read: unknown, written: string, now: Date): string {
  if (read === null || read === undefined) return written;
  const before = read as Grant;
  const after = JSON.parse(written) as Grant;
  if (after.refreshTokenId === before.refreshTokenId) return written;
  const time = now.getTime();
  const { rotationTime = 0, refreshTokenId, previousRefreshTokenId } = before;
  const isRepeated = after.previousRefreshTokenId === previousRefreshTokenId;
  if (isRepeated && time - rotationTime < GRACE_MS) {
    // The token that this replaces went to another process of the client, or was lost: its use is refused, and
    // ends nothing. The time stays that of the first use: repetitions do not go on for ever.
    return JSON.stringify({ ...after, spentRefreshTokens: before.spentRefreshTokens, rotationTime });
  }
  // A repetition replaces the token that the previous use returned; otherwise the one that was kept for
  // repetitions is removed.
  const ended = isRepeated ? refreshTokenId : previousRefreshTokenId;
  const reuseTime = isRepeated ? time : Math.max(time, rotationTime + GRACE_MS);
  const spent: readonly Spent[] = [
    ...(before.spentRefreshTokens ?? []),
    ...(ended === undefined ? [] : [{ id: ended, reuseTime }]),
  ];
  return JSON.stringify({ ...after, spentRefreshTokens: spent.slice(-MOST_SPENT), rotationTime: time });
}

/** Ends the connection of a refused refresh token where it is one that was spent before. */
export async function endWhereSpent(storage: Records, token: string, now: Date): Promise<void> {
  const [connectionId, grantId, secret, ...rest] = token.split(":");
  if (secret === undefined || rest.length > 0) return;
  const key = `grant:${connectionId}:${grantId}`;
  const grant = (await storage.get(key, "json")) as Grant | null;
  const hash = await sha256(token);
  const spent = grant?.spentRefreshTokens?.find(({ id }) => id === hash);
  if (spent !== undefined && now.getTime() >= spent.reuseTime) await storage.delete(key);
}
