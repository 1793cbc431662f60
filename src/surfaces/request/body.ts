/** Reads the body of a request, and holds what it takes in memory until the request ends (contract 14.15). */
import { DomainError } from "../../domain/errors.ts";
import { ARRIVING, hold, type Held } from "../../memory.ts";
import { announcedBytes, bytesWithin, SMALL_BYTES } from "../../lib/body.ts";
import { contentTypeOf, FORM_TYPE } from "../../lib/content-type.ts";

/** A body that arrives is there in pieces, and then in one. */
const PIECES = 2;
/** A JSON body that was read: as bytes, as text, as values, in the queries that store it and in the response. */
const READ = 8;
/** A form takes less: its bytes are three times its text at worst. */
const READ_FORM = 4;

/** What a body takes, in times its bytes, and what to say of one that is too large. */
type Holds = { readonly times?: number; readonly tooLarge?: string };

const bodies = new WeakMap<Request, Held>();

/**
 * Returns the body of a request. One without Content-Length may be the largest. Throws `body_too_large`, `invalid_request`
 * if the connection breaks, and `not_ready`.
 */
export async function heldBody(request: Request, most: number, holds: Holds = {}): Promise<Uint8Array> {
  const { times = contentTypeOf(request.headers).type === FORM_TYPE ? READ_FORM : READ, tooLarge } = holds;
  const length = request.body === null ? 0 : announcedBytes(request.headers, most);
  const held = length <= SMALL_BYTES ? undefined : await hold(length * PIECES, ARRIVING);
  if (held) bodies.set(request, held);
  const bytes = await bytesWithin(request, most).catch(() => {
    throw new DomainError("invalid_request", "The body ended early.");
  });
  await held?.change(bytes === null || bytes.byteLength <= SMALL_BYTES ? 0 : bytes.byteLength * times);
  if (bytes === null) throw new DomainError("body_too_large", tooLarge);
  return bytes;
}

/** Ends what the body of a request holds, once it is answered. */
export const endBody = (request: Request): void => bodies.get(request)?.end();
