/**
 * Bounds what large things hold in the memory of this isolate at once (contract 14.15). It has 128 MiB in all, of which
 * the code and small requests take some.
 */
import { DomainError } from "./errors.ts";
import { LIMITS } from "./limits.ts";

const MIB = 1024 * 1024;

/** What is fetched from other servers, what arrives from callers, and all else. */
export const [FETCHED, ARRIVING, OTHER] = [0, 1, 2] as const;

/**
 * The most that each of them and those before it may hold together when one more begins. Who sends slowly leaves room for
 * others, and everybody leaves room for what grows.
 */
const MOST = [18 * MIB, 36 * MIB, 54 * MIB] as const;

/** Milliseconds that somebody waits, and after which they ask again: waking them up could need a request that is gone. */
const [PATIENCE_MS, RETRY_MS] = [10_000, 5];
/** A share ends by itself after these milliseconds: the runtime runs no `finally` for a caller who leaves. */
const SHARE_MS = 15_000;

type Share = { bytes: number; part: number; until: number };

const shares = new Set<Share>();

export type Held = {
  /** Holds another number of bytes, for what has arrived. Waits and throws as {@link hold} does if they are more. */
  readonly change: (bytes: number) => Promise<void>;
  readonly end: () => void;
};

/**
 * Waits until so many bytes may be held, and holds them. What is larger than its part has to have it alone. Throws
 * `not_ready` if others hold too much for too long.
 */
export async function hold(bytes: number, part: number = OTHER): Promise<Held> {
  const wanted = Math.min(bytes, MOST[part] ?? 0);
  const share: Share = { bytes: 0, part, until: 0 };
  await take(share, { bytes: wanted, part }, () =>
    MOST.every((most, of) => of < part || heldBytes(of, share) + wanted <= most),
  );
  return {
    change(next) {
      const grown = Math.min(next, LIMITS.heldBytes);
      const fits = () => grown <= heldBy(share) || heldBytes(OTHER, share) + grown <= LIMITS.heldBytes;
      return take(share, { bytes: grown, part: OTHER }, fits);
    },
    end: () => void shares.delete(share),
  };
}

/** Returns the bytes of a share: none if it has ended by itself, so that all of it is needed again. */
const heldBy = (share: Share): number => (share.until > Date.now() ? share.bytes : 0);

/** Returns the bytes that are held by a part and those before it, except for one share. */
export function heldBytes(part: number = OTHER, except?: object): number {
  let bytes = 0;
  for (const share of shares) {
    if (share.until <= Date.now()) shares.delete(share);
    else if (share !== except && share.part <= part) bytes += share.bytes;
  }
  return bytes;
}

/** Waits until it fits, and then holds it at once, before anybody else looks. */
async function take(share: Share, next: Omit<Share, "until">, fits: () => boolean): Promise<void> {
  for (const started = Date.now(); !fits();) {
    if (Date.now() - started >= PATIENCE_MS) throw new DomainError("not_ready", BUSY, { retryAfterSeconds: 2 });
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  shares.add(Object.assign(share, next, { until: Date.now() + SHARE_MS }));
}

const BUSY = "Too many large requests at once. Try again in a moment.";
