/** Bounds what large requests hold in memory at once (contract 14.15). */
import { DomainError } from "../../domain/errors.ts";
import { announcedBytes, bytesWithin, SMALL_BYTES } from "../../lib/body.ts";
import { contentTypeOf, FORM_TYPE } from "../../lib/content-type.ts";
import { Room, type Holding, type Reservation, type Reserve } from "../../lib/room.ts";
import { LIMITS } from "../../domain/limits.ts";

const TIMES = { patienceMs: 10_000, leaseMs: 15_000 };

/** What the requests of this isolate may hold. It has 128 MiB in all, of which the code and small requests take some. */
export const room = new Room({ bytes: LIMITS.heldBytes, ...TIMES });

/**
 * The parts of it for what arrives from outside, and for what is fetched: who sends slowly must not keep all others waiting. As
 * everywhere, what is new takes three quarters of a room at most (lib/room.ts): 36 MiB of the first, and 18 of the other.
 */
const arrivals = new Room({ bytes: 48 * 1024 * 1024, ...TIMES });
const fetches = new Room({ bytes: 24 * 1024 * 1024, ...TIMES });

/** What one request may hold with. */
export type RequestHolding = Holding & {
  /** For the body of the request. A change says what it takes once it has arrived. */
  readonly reserveArriving: Reserve;
  /** For the body of a response from another server. */
  readonly reserveFetched: Reserve;
};

const full = () =>
  new DomainError("not_ready", "Too many large requests at once. Try again in a moment.", { retryAfterSeconds: 2 });

/** Returns what one request may hold with. It throws `not_ready` if others hold too much for too long. */
export function openHolding(): RequestHolding {
  const all = room.open(full);
  const arriving = arrivals.open(full);
  const fetched = fetches.open(full);
  const reserveArriving = async (bytes: number): Promise<Reservation> => {
    const arrival = await arriving.reserve(bytes);
    const { change } = await all.reserve(bytes);
    return { change: (wanted) => arrival.change(0).then(() => change(wanted)) };
  };
  return {
    reserve: all.reserve,
    reserveArriving,
    async reserveFetched(bytes) {
      const own = await fetched.reserve(bytes);
      const { change } = await reserveArriving(bytes);
      return { change: (wanted) => own.change(0).then(() => change(wanted)) };
    },
    end() {
      for (const { end } of [all, arriving, fetched]) end();
    },
  };
}

/** A body that arrives is there in pieces, and then in one. */
const ARRIVING = 2;
/** A JSON body that was read: as bytes, as text, as values, in the queries that store it and in the response. */
const READ = 8;
/** A form takes less: its bytes are three times its text at worst. */
const READ_FORM = 4;

/** What a body takes, in times its bytes, and what to say of one that is too large. */
type Holds = { readonly times?: number; readonly tooLarge?: string };

/**
 * Returns the body of a request, and holds what it takes until the request ends. A body without Content-Length may be the
 * largest. Throws `body_too_large`, or `invalid_request` if the connection breaks.
 */
export async function heldBody(
  request: Request,
  most: number,
  reserve: Reserve,
  holds: Holds = {},
): Promise<Uint8Array> {
  const { times = contentTypeOf(request.headers).type === FORM_TYPE ? READ_FORM : READ, tooLarge } = holds;
  const length = request.body === null ? 0 : announcedBytes(request.headers, most);
  const held = length <= SMALL_BYTES ? undefined : await reserve(length * ARRIVING);
  const bytes = await bytesWithin(request, most).catch(() => {
    throw new DomainError("invalid_request", "The body ended early.");
  });
  await held?.change(bytes === null || bytes.byteLength <= SMALL_BYTES ? 0 : bytes.byteLength * times);
  if (bytes === null) throw new DomainError("body_too_large", tooLarge);
  return bytes;
}
