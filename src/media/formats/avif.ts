/**
 * Reads AVIF (AV1 in ISO/IEC 23008-12, on ISO/IEC 14496-12). The picture is found by places in the file, so nothing is
 * taken out: what is not the picture is overwritten with zeros, and boxes that are not known become `free` ones.
 */
import { broken, Bytes, type Picture } from "./picture.ts";
import { DomainError } from "../../errors.ts";

type Box = { readonly type: string; readonly at: number; readonly body: number; readonly end: number };

const TOP = new Set(["ftyp", "meta", "mdat", "free", "skip"]);
const IN_META = new Set(["hdlr", "pitm", "iloc", "iinf", "iprp", "idat", "iref", "grpl", "dinf", "free", "skip"]);
/** Items that are pictures or parts of them. Others are Exif, XMP and the like. */
const PICTURES = new Set(["av01", "grid", "iovl", "iden", "tmap"]);
/** Of boxes at one level, of items, and of pieces of items. A picture has a few; a large grid has hundreds. */
const MOST = 10_000;

/** Throws `image_invalid`, and `unsupported_image` for an animation. */
export function readAvif(file: Uint8Array): Picture {
  const own = new Uint8Array(file);
  const bytes = new Bytes(own);
  const top = boxesIn(bytes, 0, own.length);
  if (top.some(({ type }) => type === "moov"))
    throw new DomainError("unsupported_image", "An animated AVIF cannot be stored. Send it as GIF or WebP.");
  const meta = top.find(({ type }) => type === "meta");
  if (meta === undefined) throw broken("it has no picture");
  const parts = boxesIn(bytes, meta.body + 4, meta.end);
  const named = (type: string): Box => {
    const found = parts.find((part) => part.type === type);
    if (found === undefined) throw broken(`it has no ${type}`);
    return found;
  };
  const types = itemTypes(bytes, named("iinf"));
  const others = new Set([...types].filter(([, type]) => !PICTURES.has(type)).map(([id]) => id));
  if (others.size > 0) {
    const idat = parts.find(({ type }) => type === "idat");
    for (const [from, length] of placesOf(bytes, named("iloc"), others, idat)) own.fill(0, from, from + length);
  }
  const shown = shownSize(bytes, named("iprp"), primaryItem(bytes, named("pitm")));
  for (const box of top) if (!TOP.has(box.type)) erase(own, box);
  for (const box of parts) if (!IN_META.has(box.type)) erase(own, box);
  for (const box of [...top, ...parts]) if (box.type === "free" || box.type === "skip") own.fill(0, box.body, box.end);
  return {
    mediaType: "image/avif",
    bytes: own,
    ...shown,
    orientation: 1,
    moves: false,
    profile: null,
    printed: false,
  };
}

/** Returns the boxes in a part of the file. */
function boxesIn(bytes: Bytes, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at < to;) {
    if (boxes.length >= MOST) throw broken("it has too many boxes");
    const short = bytes.u32(at);
    const isLong = short === 1;
    if (isLong && bytes.u32(at + 8) !== 0) throw broken("a box is larger than the file");
    const length = short === 0 ? to - at : isLong ? bytes.u32(at + 12) : short;
    const header = isLong ? 16 : 8;
    if (length < header || at + length > to) throw broken("a box ends outside of its own");
    boxes.push({ type: bytes.text(at + 4), at, body: at + header, end: at + length });
    at += length;
  }
  return boxes;
}

function erase(own: Uint8Array, { at, body, end }: Box): void {
  own.set([0x66, 0x72, 0x65, 0x65], at + 4);
  own.fill(0, body, end);
}

function itemTypes(bytes: Bytes, { body, end }: Box): Map<number, string> {
  const types = new Map<number, string>();
  for (const { type, body: at } of boxesIn(bytes, body + (bytes.u8(body) === 0 ? 6 : 8), end)) {
    const version = bytes.u8(at);
    if (type !== "infe" || version < 2) throw broken("it lists its items in an unknown way");
    const isShort = version === 2;
    types.set(isShort ? bytes.u16(at + 4) : bytes.u32(at + 4), bytes.text(at + (isShort ? 8 : 10)));
  }
  return types;
}

const primaryItem = (bytes: Bytes, { body }: Box): number =>
  bytes.u8(body) === 0 ? bytes.u16(body + 4) : bytes.u32(body + 4);

/** Reads the numbers of a box one after the other. */
function readerFrom(bytes: Bytes, from: number) {
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
        if (bytes.u32(start) !== 0) throw broken("a piece is outside of the file");
        return bytes.u32(start + 4);
      default:
        throw broken("a number has an unknown length");
    }
  };
}

/** Returns where the pieces of items are: from where in the file, and how many bytes. */
function placesOf(bytes: Bytes, { body }: Box, wanted: ReadonlySet<number>, idat: Box | undefined): [number, number][] {
  const version = bytes.u8(body);
  const next = readerFrom(bytes, body + 4);
  const [sizes, more] = [next(1), next(1)];
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, more >> 4];
  const indexSize = version === 0 ? 0 : more & 15;
  const idSize = version < 2 ? 2 : 4;
  const places: [number, number][] = [];
  let [pieces, covered] = [0, 0];
  for (let items = next(idSize); items > 0; items--) {
    const id = next(idSize);
    const method = version === 0 ? 0 : next(2) & 15;
    next(2);
    const base = next(baseSize);
    const count = next(2);
    // Pieces may take no bytes at all, so that their number is not bounded by the file.
    pieces += 1 + count;
    if (pieces > MOST) throw broken("it has too many pieces");
    for (let piece = 0; piece < count; piece++) {
      next(indexSize);
      const [offset, length] = [next(offsetSize), next(lengthSize)];
      if (!wanted.has(id)) continue;
      const place = placeOf(bytes, { method, from: base + offset, length }, idat);
      places.push(place);
      // Each is overwritten: thousands that all are the whole file would take seconds.
      covered += place[1];
      if (covered > bytes.length) throw broken("its pieces overlap");
    }
  }
  return places;
}

type Piece = { readonly method: number; readonly from: number; readonly length: number };

/** Returns the place of a piece in the file: its places are those of the file (0), or of the box `idat` (1). */
function placeOf(bytes: Bytes, { method, from, length }: Piece, idat: Box | undefined): [number, number] {
  if (method > 1 || (method === 1 && idat === undefined)) throw broken("an item is kept in an unknown way");
  const start = method === 1 && idat !== undefined ? idat.body + from : from;
  // A length of 0 is the rest.
  const bytesLong = length === 0 ? bytes.length - start : length;
  bytes.slice(start, bytesLong);
  return [start, bytesLong];
}

/** Returns the size in which an item is shown: its own, turned if it is to be. */
function shownSize(bytes: Bytes, iprp: Box, item: number): { width: number; height: number } {
  const boxes = boxesIn(bytes, iprp.body, iprp.end);
  const ipco = boxes.find(({ type }) => type === "ipco");
  const ipma = boxes.find(({ type }) => type === "ipma");
  if (ipco === undefined || ipma === undefined) throw broken("it does not say how large it is");
  const all = boxesIn(bytes, ipco.body, ipco.end);
  const own = propertiesOf(bytes, ipma, item).map((index) => all[index - 1]);
  const size = own.find((box) => box?.type === "ispe");
  if (size === undefined) throw broken("it does not say how large it is");
  const turn = own.find((box) => box?.type === "irot");
  const [width, height] = [bytes.u32(size.body + 4), bytes.u32(size.body + 8)];
  return turn !== undefined && bytes.u8(turn.body) % 2 === 1 ? { width: height, height: width } : { width, height };
}

/** Returns the properties of an item, as positions in their list, from 1. */
function propertiesOf(bytes: Bytes, { body }: Box, item: number): number[] {
  const [idSize, indexSize] = [bytes.u8(body) === 0 ? 2 : 4, (bytes.u8(body + 3) & 1) === 0 ? 1 : 2];
  const next = readerFrom(bytes, body + 4);
  for (let entries = next(4); entries > 0; entries--) {
    const id = next(idSize);
    const indices = Array.from({ length: next(1) }, () => next(indexSize) & (indexSize === 1 ? 0x7f : 0x7fff));
    if (id === item) return indices;
  }
  return [];
}
