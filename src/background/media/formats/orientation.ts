/** The orientation, the only part of Exif that is kept: the rest may say where a picture was taken (Exif 2.32; TIFF 6.0). */
import { encodeAscii, concatBytes } from "../../../lib/bytes.ts";
import { Bytes } from "./picture.ts";

const ORIENTATION = 0x0112;
const SHORT = 3;
/** No camera writes more entries into the first directory. */
const MOST_ENTRIES = 500;

/** Returns the orientation in a TIFF block; 1 (upright) if it has none or cannot be read. */
export function readOrientation(tiff: Uint8Array): number {
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
    // Damaged Exif does not make a picture unusable.
    return 1;
  }
}

/** Returns a TIFF block with an orientation and nothing else. */
export const makeTiff = (orientation: number): Uint8Array =>
  // Big-endian; at 8 the only directory, with one entry: the tag, the type SHORT, the count 1, the value.
  concatBytes([
    encodeAscii("MM\0*\0\0\0\b\0\x01\x01\x12\0\x03\0\0\0\x01\0"),
    Uint8Array.of(orientation, 0, 0, 0, 0, 0, 0),
  ]);
