/** Reads and writes the container of WebP (RFC 9649): chunks within RIFF. Leaves out what follows. */
import { encodeAscii, concatBytes } from "../../../lib/bytes.ts";
import { readOrientation, makeTiff } from "./orientation.ts";
import { makeDamagedError, Bytes, MOST_PARTS, type Picture } from "./picture.ts";

/** The chunks that are kept. EXIF, XMP and unknown ones are left out. */
const KEPT = new Set(["VP8X", "ICCP", "ANIM", "ANMF", "ALPH", "VP8 ", "VP8L"]);
const PICTURES = ["VP8 ", "VP8L", "ANMF"];
/**
 * The chunks of pictures that are not decoded: several frames, and lossless data, which transparency uses, too. 300 KB of
 * lossless data may take a decoder a gigabyte and two seconds, and no header says so.
 */
const UNDECODED = ["ANMF", "VP8L", "ALPH"];
/** The bytes of chunks with a fixed length. */
const LENGTHS: Readonly<Record<string, number>> = { VP8X: 10, ANIM: 6 };
/** The bytes of a frame before its chunks: place, size and duration. */
const FRAME = 16;
const IN_FRAME = new Set(["ALPH", "VP8 ", "VP8L"]);
const [HAS_PROFILE, HAS_ALPHA, HAS_EXIF, HAS_XMP] = [0x20, 0x10, 0x08, 0x04];

type Size = { readonly width: number; readonly height: number };

/** Throws `image_invalid`. */
export function readWebp(file: Uint8Array): Picture {
  const bytes = new Bytes(file);
  const end = 8 + bytes.u32(4, true);
  if (end > file.length) throw makeDamagedError("it ends early");
  const kept: Chunk[] = [];
  // A set: to search all chunks for each one would take quadratic time.
  const types = new Set<string>();
  let [size, orientation]: [Size | null, number] = [null, 1];
  const parts = { left: MOST_PARTS };
  for (const { type, data } of listChunks(bytes, { from: 12, end, parts })) {
    size ??= readSize(type, data);
    if (type === "EXIF") orientation = readOrientation(removePrefix(data));
    // Only frames come more than once.
    if (!KEPT.has(type) || (type !== "ANMF" && types.has(type))) continue;
    types.add(type);
    kept.push({ type, data: type === "ANMF" ? cleanFrame(data, parts) : data.subarray(0, LENGTHS[type]) });
  }
  const first = kept[0];
  if (size === null || first === undefined || !PICTURES.some((type) => types.has(type)))
    throw makeDamagedError("it has no image");
  const pixels = size.width * size.height;
  const extended = first.type === "VP8X" ? first.data.slice() : null;
  if (extended !== null) {
    const flags = (extended[0] ?? 0) & ~(HAS_EXIF | HAS_XMP);
    extended[0] = orientation === 1 ? flags : flags | HAS_EXIF;
    kept[0] = { type: "VP8X", data: extended };
    if (orientation !== 1) kept.push({ type: "EXIF", data: makeTiff(orientation) });
  }
  return {
    mediaType: "image/webp",
    bytes: makeRiff(kept),
    ...size,
    orientation: extended === null ? 1 : orientation,
    profile: kept.find(({ type }) => type === "ICCP")?.data ?? null,
    decoding: UNDECODED.some((type) => types.has(type)) ? null : { samples: pixels, held: pixels * 4 },
  };
}

type Chunk = { readonly type: string; readonly data: Uint8Array };

/** How many chunks a file may still have, with those in its frames. */
type Parts = { left: number };

/** Returns the chunks in a part of the file. Throws `image_invalid` if it has more than are left. */
function listChunks(bytes: Bytes, { from, end, parts }: { from: number; end: number; parts: Parts }): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = from; at + 8 <= end;) {
    if (--parts.left < 0) throw makeDamagedError("it has too many chunks");
    const data = bytes.slice(at + 8, bytes.u32(at + 4, true));
    chunks.push({ type: bytes.text(at), data });
    // Chunks begin at even places.
    at += 8 + data.length + (data.length % 2);
  }
  return chunks;
}

/** Returns a frame without unknown chunks. */
function cleanFrame(data: Uint8Array, parts: Parts): Uint8Array {
  const found = listChunks(new Bytes(data), { from: FRAME, end: data.length, parts });
  return concatBytes([data.subarray(0, FRAME), ...found.filter(({ type }) => IN_FRAME.has(type)).flatMap(toParts)]);
}

const toParts = ({ type, data }: Chunk): Uint8Array[] => [
  makeHeader(type, data.length),
  data,
  new Uint8Array(data.length % 2),
];

/** Some programs write JPEG's prefix before the TIFF block. */
const removePrefix = (data: Uint8Array): Uint8Array => (data[0] === 0x45 ? data.subarray(6) : data);

/** Returns the size in the chunk that begins a picture; null for other chunks. */
function readSize(type: string, data: Uint8Array): Size | null {
  const bytes = new Bytes(data);
  switch (type) {
    case "VP8X":
      return { width: bytes.u24(4) + 1, height: bytes.u24(7) + 1 };
    case "VP8 ":
      if (bytes.u24(3) !== 0x2a019d) throw makeDamagedError("its image does not begin where it should");
      return { width: bytes.u16(6, true) & 0x3fff, height: bytes.u16(8, true) & 0x3fff };
    case "VP8L": {
      if (bytes.u8(0) !== 0x2f) throw makeDamagedError("its image does not begin where it should");
      const packed = bytes.u32(1, true);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    default:
      return null;
  }
}

function makeRiff(chunks: readonly Chunk[]): Uint8Array<ArrayBuffer> {
  const parts = chunks.flatMap(toParts);
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return concatBytes([makeHeader("RIFF", length), encodeAscii("WEBP"), ...parts]);
}

function makeHeader(type: string, length: number): Uint8Array {
  const bytes = concatBytes([encodeAscii(type), new Uint8Array(4)]);
  new DataView(bytes.buffer).setUint32(4, length, true);
  return bytes;
}

/** Adds a color profile to an encoded picture of one frame. */
export function addProfile(webp: Uint8Array, profile: Uint8Array): Uint8Array<ArrayBuffer> {
  const { bytes, width, height } = readWebp(webp);
  const chunks = listChunks(new Bytes(bytes), { from: 12, end: bytes.length, parts: { left: MOST_PARTS } }).filter(
    ({ type }) => type !== "VP8X",
  );
  const extended = new Uint8Array(10);
  // The flag of transparency is a hint: decoders look at the picture itself.
  extended[0] = HAS_PROFILE | (chunks.some(({ type }) => type === "ALPH" || type === "VP8L") ? HAS_ALPHA : 0);
  const view = new DataView(extended.buffer);
  view.setUint32(4, width - 1, true);
  view.setUint8(7, (height - 1) & 0xff);
  view.setUint16(8, (height - 1) >> 8, true);
  return makeRiff([{ type: "VP8X", data: extended }, { type: "ICCP", data: profile }, ...chunks]);
}
