/** Reads the body of a request, and reserves memory for it until the request ends (contract 14.15). */
import { DomainError } from "../../domain/errors.ts";
import { ARRIVING, hold, type Held } from "../../memory.ts";
import { readBytes, SMALL_BYTES } from "../../lib/body.ts";
import { parseContentType, FORM_TYPE } from "../../lib/content-type.ts";

// Memory, as multiples of the size of the body once it has arrived.
/** JSON: bytes, text, values, the queries that store it, and the response. */
const READ = 8;
/** Forms need less: their bytes are at most three times their text. */
const READ_FORM = 4;

/** `times` is the memory that a body needs, as a multiple of its size. `tooLarge` is an error message. */
type Holds = { readonly times?: number; readonly tooLarge?: string };

const bodies = new WeakMap<Request, Held>();

/**
 * Returns the body of a request, of at most `most` bytes. While it arrives, it holds what has arrived. Throws
 * `body_too_large`, `invalid_request` if the connection breaks or nothing arrives, and `not_ready` without free memory.
 */
export async function readWholeBody(request: Request, most: number, holds: Holds = {}): Promise<Uint8Array> {
  const { times = parseContentType(request.headers).type === FORM_TYPE ? READ_FORM : READ, tooLarge } = holds;
  let held: Held | undefined;
  const onArrived = async (length: number): Promise<void> => {
    if (length <= SMALL_BYTES) return;
    if (held) return held.grow(length);
    held = await hold(length, ARRIVING);
    bodies.set(request, held);
  };
  const bytes = await readBytes(request, most, onArrived).catch((error: unknown) => {
    if (error instanceof DomainError) throw error;
    throw new DomainError("invalid_request", "The body ended early, or nothing of it arrived for ten seconds.");
  });
  await held?.change(bytes === null || bytes.byteLength <= SMALL_BYTES ? 0 : bytes.byteLength * times);
  if (bytes === null) throw new DomainError("body_too_large", tooLarge);
  return bytes;
}

export const releaseBody = (request: Request): void => bodies.get(request)?.end();
