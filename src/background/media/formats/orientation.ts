/**
 * The one thing of Exif that is kept: how a camera was held. Everything else, such as where it was, is left out (Exif
 * 2.32; TIFF 6.0).
 */
import { ascii, joined } from "../../../lib/bytes.ts";
import { Bytes } from "./picture.ts";

const ORIENTATION = 0x0112;
const SHORT = 3;
/** No camera writes more entries than that into the first directory. Any more are not read. */
const MOST_ENTRIES = 500;

/** Returns the orientation in a TIFF block: 1 (upright) if it has none, or cannot be read. */
export function orientationOf(tiff: Uint8Array): number {
  try {
    const bytes = new Bytes(tiff);
    const little = bytes.text(0, 2) === "II";
    const first = bytes.u32(4, little);
    const entries = Math.min(bytes.u16(first, little), MOST_ENTRIES);
    for (let entry = 0; entry < entries; entry++) {
      const at = first + 2 + entry * 12;
      if (bytes.u16(at, little) !== ORIENTATION || bytes.u16(at + 2, little) !== SHORT) continue;
      const value = bytes.u16(at + 8, little);
      return value >= 1 && value <= 8 ? value : 1;
    }
    return 1;
  } catch {
    // A picture is none the worse for it.
    return 1;
  }
}

/** Returns a TIFF block that holds an orientation, and nothing else. */
export const tiffOf = (orientation: number): Uint8Array =>
  // Big-endian, the first directory at 8 with one entry: the tag, one SHORT, its value; and no further directory.
  joined([ascii("MM\0*\0\0\0\b\0\x01\x01\x12\0\x03\0\0\0\x01\0"), Uint8Array.of(orientation, 0, 0, 0, 0, 0, 0)]);
