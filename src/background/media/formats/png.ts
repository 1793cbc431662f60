/** Reads PNG (W3C PNG, third edition) up to IEND. Leaves out what follows. */
import { buf as crc32 } from "crc-32";
import { encodeAscii, concatBytes } from "../../../lib/bytes.ts";
import { readOrientation, makeTiff } from "./orientation.ts";
import { makeDamagedError, Bytes, MOST_PARTS, type Picture } from "./picture.ts";

/**
 * The chunks that are kept, with the most bytes of each: a longer one holds something else. All others are texts, times,
 * Exif, or unknown.
 */
const KEPT: ReadonlyMap<string, number> = new Map([
  ...["IHDR", "IDAT", "IEND", "iCCP", "fdAT"].map((type) => [type, Infinity] as const),
  ["PLTE", 768],
  ["tRNS", 256],
  ["cHRM", 32],
  ["gAMA", 4],
  ["sBIT", 4],
  ["sRGB", 1],
  ["cICP", 4],
  ["mDCV", 24],
  ["cLLI", 8],
  ["bKGD", 6],
  ["pHYs", 9],
  ["acTL", 8],
  ["fcTL", 26],
]);
const HEADER = 8;
/** Samples of a pixel, by color type. */
const [INDEXED, SAMPLES] = [3, [1, 0, 3, 1, 2, 0, 4]];

export type PngHeader = NonNullable<ReturnType<typeof readPngHeader>>;

/** Returns the header of a PNG. Null if it is interlaced or unknown: such a picture is not decoded. */
export function readPngHeader(bytes: Bytes) {
  const [width, height, depth, colour] = [bytes.u32(16), bytes.u32(20), bytes.u8(24), bytes.u8(25)];
  const samples = SAMPLES[colour] ?? 0;
  if (samples === 0 || ![1, 2, 4, 8, 16].includes(depth) || bytes.u8(28) !== 0) return null;
  return {
    width,
    height,
    depth,
    samples,
    rowBytes: Math.ceil((width * samples * depth) / 8),
    isIndexed: colour === INDEXED,
  };
}

/** The cost of a row besides its bytes and its pixels, in samples. */
const ROW = 100;

/** Throws `image_invalid`. */
export function readPng(file: Uint8Array): Picture {
  const bytes = new Bytes(file);
  if (bytes.text(HEADER + 4) !== "IHDR" || bytes.u32(HEADER) !== 13)
    throw makeDamagedError("it does not begin with its header");
  const kept: Uint8Array[] = [file.subarray(0, HEADER)];
  let [orientation, moves, hasData]: [number, boolean, boolean] = [1, false, false];
  let profile: Uint8Array | null = null;
  for (let [at, type, chunks] = [HEADER, "", 0]; type !== "IEND"; chunks++) {
    if (chunks > MOST_PARTS) throw makeDamagedError("it has too many chunks");
    const chunk = bytes.slice(at, 12 + bytes.u32(at));
    type = bytes.text(at + 4);
    const data = chunk.subarray(8, chunk.length - 4);
    if (type === "eXIf") orientation = readOrientation(data);
    if (type === "acTL") moves = true;
    if (type === "IDAT") hasData = true;
    // Decoders ignore a second profile, and frames of a picture that does not move. Anything could hide there.
    const isStray = (type === "iCCP" && profile !== null) || (type === "fdAT" && !moves);
    if (data.length <= (KEPT.get(type) ?? -1) && !isStray) kept.push(chunk);
    if (type === "iCCP") profile ??= data;
    if (type === "IHDR" && at !== HEADER) throw makeDamagedError("it has two headers");
    at += chunk.length;
  }
  if (!hasData) throw makeDamagedError("it has no image");
  const header = readPngHeader(bytes);
  const samples = header === null ? 0 : (header.rowBytes + header.width * 4 + ROW) * header.height;
  if (orientation !== 1) kept.splice(2, 0, makeChunk("eXIf", makeTiff(orientation)));
  return {
    mediaType: "image/png",
    bytes: concatBytes(kept),
    width: bytes.u32(HEADER + 8),
    height: bytes.u32(HEADER + 12),
    orientation,
    profile,
    decoding: moves ? null : { samples, held: 0 },
  };
}

function makeChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = concatBytes([new Uint8Array(4), encodeAscii(type), data, new Uint8Array(4)]);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  view.setInt32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}
