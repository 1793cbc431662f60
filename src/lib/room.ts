/**
 * A bound on the bytes that the large requests of one isolate hold at once. Who finds no room asks again for a while:
 * waking somebody up would need a request that may be gone. A share ends by itself after some seconds, because the
 * runtime drops the work of a caller who leaves, and runs no `finally` for it.
 */
export class Room {
  readonly #shares = new Set<Share>();
  readonly #options: RoomOptions;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** The bytes that are held. */
  get held(): number {
    const now = Date.now();
    let bytes = 0;
    for (const share of this.#shares) {
      if (share.until <= now) this.#shares.delete(share);
      else bytes += share.bytes;
    }
    return bytes;
  }

  /** Returns what one request may hold with. `full` makes the error that is thrown if there is no room for too long. */
  open(full: () => Error): Holding {
    const own: Share[] = [];
    const hold = async (share: Share, wanted: number, most: number): Promise<void> => {
      const { patienceMs, leaseMs } = this.#options;
      // What is larger than that has to have the room alone.
      const bytes = Math.min(wanted, most);
      // What has ended by itself is no longer among what is held, so all of it is needed again.
      const ownBytes = () => (share.until > Date.now() ? share.bytes : 0);
      for (const started = Date.now(); bytes > ownBytes() && this.held - ownBytes() + bytes > most;) {
        if (Date.now() - started >= patienceMs) throw full();
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
      Object.assign(share, { bytes, until: Date.now() + leaseMs });
      this.#shares.add(share);
    };
    return {
      reserve: async (bytes) => {
        const share = { bytes: 0, until: 0 };
        own.push(share);
        await hold(share, bytes, this.#options.bytes * FOR_NEW);
        return { change: (wanted) => hold(share, wanted, this.#options.bytes) };
      },
      end: () => own.forEach((share) => this.#shares.delete(share)),
    };
  }
}

type RoomOptions = {
  readonly bytes: number;
  /** Milliseconds that somebody waits for room. */
  readonly patienceMs: number;
  /** Milliseconds after which a share ends by itself. */
  readonly leaseMs: number;
};

type Share = { bytes: number; until: number };

const RETRY_MS = 5;

/** The part that new shares may take. The rest is for those that grow, so that they do not all wait for each other. */
const FOR_NEW = 0.75;

/** What one request holds. */
export type Holding = {
  readonly reserve: Reserve;
  /** Ends all that was reserved. */
  readonly end: () => void;
};

/** Waits until so many bytes may be held, and throws if that takes too long. */
export type Reserve = (bytes: number) => Promise<Reservation>;

export type Reservation = {
  /** Holds another number of bytes. Waits and throws as {@link Reserve} does if they are more. */
  readonly change: (bytes: number) => Promise<void>;
};
