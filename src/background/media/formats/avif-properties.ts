/** Reads the box `iprp` of an AVIF: a list of properties, and which items have which of them. */
import { listBoxes, makeNumberReader, type Box } from "./avif-boxes.ts";
import { makeDamagedError, MOST_PARTS, type Bytes } from "./picture.ts";

/** The names of auxiliary pictures that hold transparency. */
const ALPHA = new Set([
  "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
  "urn:mpeg:hevc:2015:auxid:1",
  "urn:mpeg:avc:2015:auxid:1",
]);
/** The name of an auxiliary picture that says how much brighter pixels are on a bright screen. */
const GAIN_MAP = "urn:com:apple:photo:2020:aux:hdrgainmap";

/** The properties that change how a picture looks or is decoded. */
const KNOWN = new Set(
  "ispe pixi av1C colr auxC irot imir clap pasp a1op a1lx lsel clli mdcv cclv amve rref iscl".split(" "),
);

export type Properties = {
  /** Properties and other boxes without which the picture looks the same. */
  readonly superfluous: readonly Box[];
  /** The size in which the picture is shown, after it is turned. */
  readonly shown: { readonly width: number; readonly height: number };
  /** The items that change how another item looks. Depth, for example, does not. */
  readonly changing: ReadonlySet<number>;
};

/** Returns the properties of the picture, which is the item `primary`. */
export function readProperties(bytes: Bytes, iprp: Box, primary: number): Properties {
  const boxes = listBoxes(bytes, iprp.body, iprp.end);
  const ipco = boxes.find(({ type }) => type === "ipco");
  if (ipco === undefined) throw makeDamagedError("it does not say how large it is");
  const all = listBoxes(bytes, ipco.body, ipco.end);
  const changes = new Set(all.filter((box) => box.type === "auxC" && changesPixels(bytes, box)));
  const changing = new Set<number>();
  let own: (Box | undefined)[] | null = null;
  for (const [item, positions] of listAssociations(bytes, boxes)) {
    const properties = positions.map((position) => all[position - 1]);
    if (properties.some((box) => box !== undefined && changes.has(box))) changing.add(item);
    if (item === primary) own ??= properties;
  }
  const superfluous = [
    ...all.filter(({ type }) => !KNOWN.has(type)),
    ...boxes.filter((box) => box !== ipco && box.type !== "ipma"),
  ];
  return { superfluous, shown: readShownSize(bytes, own ?? []), changing };
}

function readShownSize(bytes: Bytes, properties: readonly (Box | undefined)[]): Properties["shown"] {
  const size = properties.find((box) => box?.type === "ispe");
  if (size === undefined) throw makeDamagedError("it does not say how large it is");
  const turn = properties.find((box) => box?.type === "irot");
  const [width, height] = [bytes.u32(size.body + 4), bytes.u32(size.body + 8)];
  return turn !== undefined && bytes.u8(turn.body) % 2 === 1 ? { width: height, height: width } : { width, height };
}

/** Returns true if a box `auxC` makes its item an auxiliary picture that changes pixels. */
function changesPixels(bytes: Bytes, { body, end }: Box): boolean {
  // All known names are shorter, and a zero ends them.
  const [name = ""] = bytes.text(body + 4, Math.min(64, Math.max(0, end - body - 4))).split("\0");
  return ALPHA.has(name) || name === GAIN_MAP;
}

/** Yields each item with the positions of its properties in the list, from 1. */
function* listAssociations(bytes: Bytes, boxes: readonly Box[]): Generator<[item: number, positions: number[]]> {
  let items = 0;
  for (const { type, body } of boxes) {
    if (type !== "ipma") continue;
    const [idSize, indexSize] = [bytes.u8(body) === 0 ? 2 : 4, (bytes.u8(body + 3) & 1) === 0 ? 1 : 2];
    const next = makeNumberReader(bytes, body + 4);
    for (let entries = next(4); entries > 0; entries--) {
      items++;
      if (items > MOST_PARTS) throw makeDamagedError("it has properties of too many items");
      const id = next(idSize);
      yield [id, Array.from({ length: next(1) }, () => next(indexSize) & (indexSize === 1 ? 0x7f : 0x7fff))];
    }
  }
}
