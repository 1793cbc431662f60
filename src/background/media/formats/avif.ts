/**
 * Reads AVIF (AV1 in ISO/IEC 23008-12, on ISO/IEC 14496-12). Such a file refers to positions in itself, so nothing is cut
 * out. Data of items that are not needed (avif-items.ts) become zeros, and unknown boxes become `free` boxes.
 */
import { listBoxes, makeNumberReader, type Box } from "./avif-boxes.ts";
import { listItems, findNeededItems, PICTURES, listReferences } from "./avif-items.ts";
import { readProperties } from "./avif-properties.ts";
import { makeDamagedError, Bytes, MOST_PARTS, type Picture } from "./picture.ts";
import { DomainError } from "../../../domain/errors.ts";

const TOP = new Set(["ftyp", "meta", "mdat", "free", "skip"]);
const IN_META = new Set(["hdlr", "pitm", "iloc", "iinf", "iprp", "idat", "iref", "grpl", "dinf", "free", "skip"]);
/** Boxes with the data of items. They may also have bytes that belong to no item. */
const DATA = new Set(["mdat", "idat"]);
const REPEATED = new Set(["mdat", "free", "skip"]);
/** The offset of the handler's name in its box. It often names the program that wrote the file. */
const NAME_OF_HANDLER = 24;
const FREE = [0x66, 0x72, 0x65, 0x65];

/** Throws `image_invalid`, and `unsupported_image` for an animation. */
export function readAvif(file: Uint8Array): Picture {
  const own = new Uint8Array(file);
  const bytes = new Bytes(own);
  const top = listBoxes(bytes, 0, own.length);
  if (top.some(({ type }) => type === "moov"))
    throw new DomainError("unsupported_image", "An animated AVIF cannot be stored. Send it as GIF or WebP.");
  const meta = top.find(({ type }) => type === "meta");
  if (meta === undefined) throw makeDamagedError("it has no image");
  const parts = listBoxes(bytes, meta.body + 4, meta.end);
  const found = (type: string): Box | undefined => parts.find((part) => part.type === type);
  const named = (type: string): Box => {
    const box = found(type);
    if (box === undefined) throw makeDamagedError(`it has no ${type}`);
    return box;
  };
  const items = listItems(bytes, named("iinf"));
  const primary = readPrimaryItem(bytes, named("pitm"));
  if (!PICTURES.has(items.get(primary)?.type ?? "")) throw makeDamagedError("its image is not AV1");
  const { shown, changing, superfluous } = readProperties(bytes, named("iprp"), primary);
  const needed = findNeededItems(primary, items, listReferences(bytes, found("iref")), changing);
  const kept = listPlaces(bytes, named("iloc"), needed, found("idat"));
  if (kept.length === 0) throw makeDamagedError("it has no image");
  const data = [...top, ...parts].filter(({ type }) => DATA.has(type));
  eraseAllBut(kept, own, file, data);
  for (const [id, { type, typeAt, end }] of items) {
    // Only zeros are left of a picture that is not needed, such as a thumbnail.
    if (PICTURES.has(type) && !needed.has(id)) own.set(FREE, typeAt);
    own.fill(0, typeAt + 4, end);
  }
  const groups = found("grpl");
  const unknownGroups = groups && listBoxes(bytes, groups.body, groups.end).filter(({ type }) => type !== "altr");
  const unread = [...superfluous, ...(unknownGroups ?? []), ...findUnread(TOP, top), ...findUnread(IN_META, parts)];
  for (const box of unread) erase(own, box);
  for (const box of [...top, ...parts]) if (box.type === "free" || box.type === "skip") own.fill(0, box.body, box.end);
  const handler = found("hdlr");
  if (handler !== undefined) own.fill(0, Math.min(handler.body + NAME_OF_HANDLER, handler.end), handler.end);
  return {
    mediaType: "image/avif",
    bytes: own,
    ...shown,
    orientation: 1,
    profile: null,
    decoding: null,
  };
}

/** Returns the boxes of unknown types, and repeated boxes of types of which only the first is read. */
function findUnread(known: ReadonlySet<string>, boxes: readonly Box[]): Box[] {
  const seen = new Set<string>();
  return boxes.filter(({ type }) => {
    const isRead = known.has(type) && (REPEATED.has(type) || !seen.has(type));
    seen.add(type);
    return !isRead;
  });
}

/** Makes a box one that readers skip. */
function erase(own: Uint8Array, { at, body, end }: Box): void {
  own.set(FREE, at + 4);
  own.fill(0, body, end);
}

/** Overwrites the bodies of boxes with zeros, except for the kept places, which are in the order of the file. */
function eraseAllBut(kept: readonly Place[], own: Uint8Array, file: Uint8Array, boxes: readonly Box[]): void {
  for (const { body, end } of boxes) own.fill(0, body, end);
  let done = 0;
  for (const { from, to } of kept) {
    // Places may overlap. To copy thousands that each are the whole file would take seconds.
    const start = Math.max(from, done);
    if (start >= to) continue;
    own.set(file.subarray(start, to), start);
    done = to;
  }
}

const readPrimaryItem = (bytes: Bytes, { body }: Box): number =>
  bytes.u8(body) === 0 ? bytes.u16(body + 4) : bytes.u32(body + 4);

type Place = { readonly from: number; readonly to: number };

/** Returns where the pieces of the wanted items are, in the order of the file. */
function listPlaces(bytes: Bytes, { body }: Box, wanted: ReadonlySet<number>, idat: Box | undefined): Place[] {
  const version = bytes.u8(body);
  const next = makeNumberReader(bytes, body + 4);
  const [sizes, more] = [next(1), next(1)];
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, more >> 4];
  const indexSize = version === 0 ? 0 : more & 15;
  const idSize = version < 2 ? 2 : 4;
  const places: Place[] = [];
  let pieces = 0;
  for (let items = next(idSize); items > 0; items--) {
    const id = next(idSize);
    const method = version === 0 ? 0 : next(2) & 15;
    next(2);
    const base = next(baseSize);
    const count = next(2);
    // Pieces may be empty, so the size of the file does not limit their number.
    pieces += 1 + count;
    if (pieces > MOST_PARTS) throw makeDamagedError("it has too many pieces");
    for (let piece = 0; piece < count; piece++) {
      next(indexSize);
      const [offset, length] = [next(offsetSize), next(lengthSize)];
      if (wanted.has(id)) places.push(toPlace(bytes, { method, from: base + offset, length }, idat));
    }
  }
  return places.sort((one, other) => one.from - other.from);
}

type Piece = { readonly method: number; readonly from: number; readonly length: number };

/** Returns the place of a piece: its offset counts from the start of the file (method 0) or of the box `idat` (1). */
function toPlace(bytes: Bytes, { method, from, length }: Piece, idat: Box | undefined): Place {
  if (method > 1 || (method === 1 && idat === undefined)) throw makeDamagedError("an item is kept in an unknown way");
  const [begin, end] = method === 1 && idat !== undefined ? [idat.body, idat.end] : [0, bytes.length];
  const start = begin + from;
  // A length of 0 means all of the rest.
  const to = length === 0 ? end : start + length;
  if (start > end || to > end) throw makeDamagedError("a piece is outside of the file");
  return { from: start, to };
}
