/**
 * Finds what is needed to show an AVIF (ISO/IEC 23008-12). Its items are pictures and metadata. The primary item is the
 * picture. References lead to other items: from a grid to its tiles, from a thumbnail to its picture.
 */
import { listBoxes, makeNumberReader, type Box } from "./avif-boxes.ts";
import { makeDamagedError, MOST_PARTS, type Bytes } from "./picture.ts";

/** An item's type, where that is written, and where the item's description ends, which includes a name. */
export type Item = { readonly type: string; readonly typeAt: number; readonly end: number };
type Reference = { readonly type: string; readonly from: number; readonly to: readonly number[] };

/** Types of pictures and their parts. Others are Exif, XMP and the like. */
export const PICTURES = new Set(["av01", "grid", "iovl", "iden", "tmap"]);

export function listItems(bytes: Bytes, { body, end }: Box): Map<number, Item> {
  const items = new Map<number, Item>();
  for (const { type, body: at, end: ofItem } of listBoxes(bytes, body + (bytes.u8(body) === 0 ? 6 : 8), end)) {
    const version = bytes.u8(at);
    if (type !== "infe" || version < 2) throw makeDamagedError("it lists its items in an unknown way");
    const [id, typeAt] = version === 2 ? [bytes.u16(at + 4), at + 8] : [bytes.u32(at + 4), at + 10];
    items.set(id, { type: bytes.text(typeAt), typeAt, end: ofItem });
  }
  return items;
}

/** Returns the references of the box `iref`, which a picture without references does not have. */
export function listReferences(bytes: Bytes, iref: Box | undefined): Reference[] {
  if (iref === undefined) return [];
  const idSize = bytes.u8(iref.body) === 0 ? 2 : 4;
  let references = 0;
  return listBoxes(bytes, iref.body + 4, iref.end).map(({ type, body, end }) => {
    const next = makeNumberReader(bytes, body);
    const [from, count] = [next(idSize), next(2)];
    if (body + idSize + 2 + count * idSize > end) throw makeDamagedError("a reference ends outside of its box");
    references += count;
    if (references > MOST_PARTS) throw makeDamagedError("it has too many references");
    return { type, from, to: Array.from({ length: count }, () => next(idSize)) };
  });
}

/**
 * Returns the items that are needed to show the item `primary`:
 *
 * - itself and its parts (`dimg`), such as the tiles of a grid,
 * - the items of `changing` that change its pixels (`auxl`), such as its transparency,
 * - how it is shown on bright screens (an item `tmap` whose first part is the picture).
 *
 * Thumbnails and further pictures are not needed. A thumbnail may show what was cut off the picture.
 */
export function findNeededItems(
  primary: number,
  items: ReadonlyMap<number, Item>,
  references: readonly Reference[],
  changing: ReadonlySet<number>,
): Set<number> {
  const onward = new Map<number, number[]>();
  const leads = (from: number, to: readonly number[]): void => {
    const known = onward.get(from) ?? [];
    known.push(...to);
    onward.set(from, known);
  };
  for (const { type, from, to } of references) {
    if (type === "dimg") leads(from, to);
    const isBrighter = type === "dimg" && items.get(from)?.type === "tmap";
    if (isBrighter && to[0] !== undefined) leads(to[0], [from]);
    if (type === "auxl" && changing.has(from)) for (const shown of to) leads(shown, [from]);
  }
  const needed = new Set([primary]);
  // The loop also visits items that it adds. A set has each number once, so circles of references end.
  for (const item of needed) {
    for (const other of onward.get(item) ?? []) if (PICTURES.has(items.get(other)?.type ?? "")) needed.add(other);
  }
  return needed;
}
