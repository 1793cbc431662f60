/** Reads the boxes of an AVIF (ISO/IEC 14496-12). Each has a length, a type of four letters, and a body. */
import { makeDamagedError, MOST_PARTS, type Bytes } from "./picture.ts";

export type Box = { readonly type: string; readonly at: number; readonly body: number; readonly end: number };

export function listBoxes(bytes: Bytes, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at < to;) {
    if (boxes.length >= MOST_PARTS) throw makeDamagedError("it has too many boxes");
    const short = bytes.u32(at);
    const isLong = short === 1;
    if (isLong && bytes.u32(at + 8) !== 0) throw makeDamagedError("a box is larger than the file");
    const length = short === 0 ? to - at : isLong ? bytes.u32(at + 12) : short;
    const header = isLong ? 16 : 8;
    if (length < header || at + length > to) throw makeDamagedError("a box ends outside of its own");
    boxes.push({ type: bytes.text(at + 4), at, body: at + header, end: at + length });
    at += length;
  }
  return boxes;
}

/** Returns a function that reads the next number of a box. It takes the bytes of the number. */
export function makeNumberReader(bytes: Bytes, from: number) {
  let at = from;
  return (size: number): number => {
    const start = at;
    at += size;
    switch (size) {
      case 0:
        return 0;
      case 1:
        return bytes.u8(start);
      case 2:
        return bytes.u16(start);
      case 4:
        return bytes.u32(start);
      case 8:
        if (bytes.u32(start) !== 0) throw makeDamagedError("a piece is outside of the file");
        return bytes.u32(start + 4);
      default:
        throw makeDamagedError("a number has an unknown length");
    }
  };
}
