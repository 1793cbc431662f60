/** Makes AVIF files of items that say in plain text what they are: their boxes are right, their data cannot be decoded. */
import { bytes, concatenated } from "./pictures.ts";

type Data = Uint8Array<ArrayBuffer>;

type AvifItem = {
  readonly type: string;
  /** Its data, in pieces that are one behind the other. */
  readonly data: readonly string[];
  /** It is in the box `idat`, instead of `mdat`. */
  readonly inside?: boolean;
  /** The kind of auxiliary picture that it is. */
  readonly auxiliary?: string;
  /** Its data are, beside its own, those of an item before it. */
  readonly sharing?: number;
};

type AvifFile = {
  /** The items have the numbers 1, 2, and so on. The first is the picture. */
  readonly items: readonly AvifItem[];
  readonly references?: readonly (readonly [type: string, from: number, ...to: number[]])[];
  /** What is behind each piece. */
  readonly gap?: string;
  /** Texts: names of its items and of what handles it, properties and groups that nobody knows, and boxes that come twice. */
  readonly says?: string;
};

export const ALPHA = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha";

const u16 = (value: number): Data => Uint8Array.of(value >> 8, value & 255);
const u32 = (value: number): Data => concatenated(u16(value >>> 16), u16(value & 0xffff));

export function box(type: string, ...content: readonly Data[]): Data {
  const body = concatenated(...content);
  return concatenated(u32(8 + body.length), bytes(type), body);
}
const fullBox = (type: string, version: number, ...content: readonly Data[]): Data =>
  box(type, Uint8Array.of(version, 0, 0, 0), ...content);

const gathered = (file: AvifFile, inside: boolean): string =>
  file.items
    .filter((item) => (item.inside ?? false) === inside)
    .flatMap(({ data }) => data.map((piece) => piece + (file.gap ?? "")))
    .join("");

/** Returns a box `iloc`. The data outside of it begin in the file at a place that is only known when it is written. */
function iloc(file: AvifFile, outside: number): Data {
  const next = { inside: 0, outside };
  const gap = file.gap?.length ?? 0;
  const placed: Data[][] = [];
  const entries = file.items.map(({ data, inside, sharing }, index) => {
    const where = inside === true ? "inside" : "outside";
    const own = data.map((piece) => {
      const at = next[where];
      next[where] += piece.length + gap;
      return concatenated(u32(at), u32(piece.length));
    });
    const pieces = sharing === undefined ? own : [...own, ...(placed[sharing - 1] ?? [])];
    placed.push(pieces);
    return concatenated(u16(index + 1), u16(inside === true ? 1 : 0), u16(0), u16(pieces.length), ...pieces);
  });
  return fullBox("iloc", 1, Uint8Array.of(0x44, 0), u16(entries.length), ...entries);
}

function iprp({ items, says }: AvifFile): Data {
  const size = fullBox("ispe", 0, u32(64), u32(48));
  const kinds = items.map(({ auxiliary = "none" }) => fullBox("auxC", 0, bytes(`${auxiliary}\0`)));
  const belongings = items.map(({ auxiliary }, index) =>
    concatenated(u16(index + 1), auxiliary === undefined ? Uint8Array.of(1, 1) : Uint8Array.of(2, 1, index + 2)),
  );
  const texts = says === undefined ? [] : [fullBox("udes", 0, bytes(`en\0${says}\0`)), box("uuid", bytes(says))];
  return box("iprp", box("ipco", size, ...kinds, ...texts), fullBox("ipma", 0, u32(items.length), ...belongings));
}

/** Returns boxes of the box `meta` in which texts can be. */
function textsOf(says: string): Data[] {
  const handler = concatenated(u32(0), bytes("pict"), new Uint8Array(12), bytes(`${says}\0`));
  return [
    fullBox("hdlr", 0, handler),
    box("grpl", box("note", bytes(says))),
    fullBox("iref", 0, box("thmb", bytes(says))),
  ];
}

/** Returns a file. */
export function avifOf(file: AvifFile): Data {
  const names = file.items.map(({ type }, index) =>
    fullBox("infe", 2, u16(index + 1), u16(0), bytes(`${type}${file.says ?? ""}\0`)),
  );
  const links = (file.references ?? []).map(([type, from, ...to]) =>
    box(type, u16(from), u16(to.length), ...to.map(u16)),
  );
  const start = box("ftyp", bytes("avif\0\0\0\0avifmif1miaf"));
  const meta = (outside: number): Data =>
    fullBox(
      "meta",
      0,
      fullBox("pitm", 0, u16(1)),
      iloc(file, outside),
      fullBox("iinf", 0, u16(names.length), ...names),
      iprp(file),
      fullBox("iref", 0, ...links),
      box("idat", bytes(gathered(file, true))),
      ...(file.says === undefined ? [] : textsOf(file.says)),
    );
  const outside = start.length + meta(0).length + 8;
  return concatenated(start, meta(outside), box("mdat", bytes(gathered(file, false))));
}
