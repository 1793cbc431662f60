/**
 * Bounds the memory that large requests hold in this isolate at once (contract 14.15). An isolate has 128 MiB; code and
 * small requests take some of it.
 */
import { DomainError } from "./domain/errors.ts";
import { LIMITS } from "./domain/limits.ts";

const MIB = 1024 * 1024;

/** The parts of the memory: responses of other servers, bodies of requests, and everything else. */
export const [FETCHED, ARRIVING, OTHER] = [0, 1, 2] as const;

/**
 * A part may take memory only while it and the parts before it hold at most this together. So slow senders leave room for
 * the largest request of a reader, which holds 32 MiB, and all leave room for shares that change.
 */
const MOST = [11 * MIB, 22 * MIB, 54 * MIB] as const;

/** How long to wait for room, and how often to look. Polling, because a request cannot wake another one that is gone. */
const [PATIENCE_MS, RETRY_MS] = [10_000, 5];
/** A share ends after this time without a change, because the runtime runs no `finally` when a caller disconnects. */
const SHARE_MS = 15_000;

type Share = { bytes: number; part: number; until: number };

const shares = new Set<Share>();

export type Held = {
  /** Sets the number of bytes that have arrived so far. Waits and throws as {@link hold} does. */
  readonly grow: (bytes: number) => Promise<void>;
  /** Sets the number of bytes once all have arrived: no longer of the part. To get more, it waits and throws as `hold` does. */
  readonly change: (bytes: number) => Promise<void>;
  readonly end: () => void;
};

/**
 * Waits until this many bytes fit, and holds them. More than the part's limit counts as the limit. Throws `not_ready` if
 * there is no room for 10 seconds.
 */
export async function hold(bytes: number, part: number = OTHER): Promise<Held> {
  const share: Share = { bytes: 0, part, until: 0 };
  const grow = (next: number) => {
    const wanted = Math.min(next, MOST[part] ?? 0);
    const fits = () => MOST.every((most, of) => of < part || countHeldBytes(of, share) + wanted <= most);
    return take(share, { bytes: wanted, part }, fits);
  };
  await grow(bytes);
  return {
    grow,
    change(next) {
      const grown = Math.min(next, LIMITS.heldBytes);
      const fits = () => grown <= getBytes(share) || countHeldBytes(OTHER, share) + grown <= LIMITS.heldBytes;
      return take(share, { bytes: grown, part: OTHER }, fits);
    },
    end: () => void shares.delete(share),
  };
}

/** Returns the bytes of a share; 0 once it has expired. */
const getBytes = (share: Share): number => (share.until > Date.now() ? share.bytes : 0);

/** Returns the bytes that a part and the parts before it hold, without the share `except`. */
export function countHeldBytes(part: number = OTHER, except?: object): number {
  let bytes = 0;
  for (const share of shares) {
    if (share.until <= Date.now()) shares.delete(share);
    else if (share !== except && share.part <= part) bytes += share.bytes;
  }
  return bytes;
}

/** Waits until `fits` returns true. Takes the share in the same turn of the event loop, so that nothing comes between. */
async function take(share: Share, next: Omit<Share, "until">, fits: () => boolean): Promise<void> {
  for (const started = Date.now(); !fits();) {
    if (Date.now() - started >= PATIENCE_MS) throw new DomainError("not_ready", BUSY, { retryAfterSeconds: 2 });
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  shares.add(Object.assign(share, next, { until: Date.now() + SHARE_MS }));
}

const BUSY = "Too many large requests at once. Try again in a moment.";
