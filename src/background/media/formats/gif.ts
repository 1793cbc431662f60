/** Reads GIF (GIF89a) up to the trailer. Leaves out what follows, comments and texts. */
import { concatBytes } from "../../../lib/bytes.ts";
import { makeDamagedError, Bytes, MOST_PARTS, type Picture } from "./picture.ts";

const [IMAGE, EXTENSION, TRAILER] = [0x2c, 0x21, 0x3b];
const [GRAPHIC_CONTROL, APPLICATION] = [0xf9, 0xff];
/** Applications whose extension says how often the frames repeat. Others hold XMP, or anything. */
const LOOPS = new Set(["NETSCAPE2.0", "ANIMEXTS1.0"]);

/** Throws `image_invalid`. */
export function readGif(file: Uint8Array): Picture {
  const bytes = new Bytes(file);
  let at = 13 + countTableBytes(bytes.u8(10));
  const kept: Uint8Array[] = [bytes.slice(0, at)];
  let hasFrame = false;
  for (let blocks = 0; ; blocks++) {
    if (blocks > MOST_PARTS) throw makeDamagedError("it has too many blocks");
    const [start, kind] = [at, bytes.u8(at)];
    if (kind === TRAILER) break;
    if (kind === IMAGE) {
      // A descriptor, its colors, and a byte about the compression.
      at = findEndOfBlocks(bytes, at + 10 + countTableBytes(bytes.u8(at + 9)) + 1);
      kept.push(file.subarray(start, at));
      hasFrame = true;
    } else if (kind === EXTENSION) {
      at = findEndOfBlocks(bytes, at + 2);
      const end = start + countKeptBytes(bytes, start);
      if (end > start && end < at) kept.push(file.subarray(start, end), Uint8Array.of(0));
    } else throw makeDamagedError("a block does not begin where it should");
  }
  if (!hasFrame) throw makeDamagedError("it has no image");
  return {
    mediaType: "image/gif",
    bytes: concatBytes([...kept, Uint8Array.of(TRAILER)]),
    width: bytes.u16(6, true),
    height: bytes.u16(8, true),
    orientation: 1,
    profile: null,
    decoding: null,
  };
}

/** Returns the bytes of the color table that a descriptor's flags announce. */
const countTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** Returns where a chain of blocks ends. Each block begins with its length; the last one has none. */
function findEndOfBlocks(bytes: Bytes, from: number): number {
  for (let at = from; ;) {
    const length = bytes.u8(at);
    at += 1 + length;
    if (length === 0) return at;
  }
}

/** Returns how many bytes of an extension are kept, without the end of its blocks; 0 to leave it out. */
function countKeptBytes(bytes: Bytes, at: number): number {
  const label = bytes.u8(at + 1);
  // How a frame is shown: one block of 4 bytes.
  if (label === GRAPHIC_CONTROL) return bytes.u8(at + 2) === 4 ? 7 : 0;
  const loops = label === APPLICATION && bytes.u8(at + 2) === 11 && LOOPS.has(bytes.text(at + 3, 11));
  // The number of repetitions: one block of 3 bytes after the name.
  return loops && bytes.u8(at + 14) === 3 ? 18 : 0;
}
