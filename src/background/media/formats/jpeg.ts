/** Reads JPEG (ITU T.81) up to the end of the picture. Leaves out what follows, such as a video or a preview. */
import { encodeAscii, concatBytes } from "../../../lib/bytes.ts";
import { readOrientation, makeTiff } from "./orientation.ts";
import { makeDamagedError, Bytes, MOST_PARTS, type Picture } from "./picture.ts";

const [SOI, EOI, SOS, DQT, DNL, DRI, APP0, APP1, APP2, APP14] = [
  0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xe0, 0xe1, 0xe2, 0xee,
];
/** The last marker of frames that are coded from top to bottom. Others are coded in steps over the whole picture. */
const SEQUENTIAL = 0xc1;
/** The most scans of a picture. A progressive one has about ten, and a decoder goes through the picture for each. */
const MOST_SCANS = 100;

type Frame = ReturnType<typeof readFrame>;

/** Components of print colors. */
const PRINTED = 4;
/** Bytes of a coefficient in a decoder's memory. There are as many coefficients as samples. */
const COEFFICIENT = 2;

/** Throws `image_invalid`. */
export function readJpeg(file: Uint8Array): Picture {
  const bytes = new Bytes(file);
  const kept: Uint8Array[] = [];
  const profile: Uint8Array[] = [];
  /** The number of components of each scan. */
  const scans: number[] = [];
  let [frame, orientation]: [Frame | null, number] = [null, 1];
  let at = 2;
  for (let segments = 0; ; segments++) {
    if (segments > MOST_PARTS) throw makeDamagedError("it has too many segments");
    if (bytes.u8(at) !== 0xff) throw makeDamagedError("a segment does not begin where it should");
    while (bytes.u8(at + 1) === 0xff) at++;
    const marker = bytes.u8(at + 1);
    if (marker === EOI) break;
    if (isAlone(marker)) throw makeDamagedError("a segment has no length");
    const segment = bytes.slice(at, 2 + bytes.u16(at + 2));
    if (segment.length < 4) throw makeDamagedError("a segment is shorter than its header");
    at += segment.length;
    if (isFrame(marker)) {
      if (frame !== null) throw makeDamagedError("it has two images in one");
      frame = readFrame(marker, segment);
    }
    if (marker === APP1 && startsWith(segment, EXIF)) orientation = readOrientation(segment.subarray(4 + EXIF.length));
    if (marker === APP2 && startsWith(segment, ICC)) profile.push(segment.subarray(4 + ICC.length + 2));
    const keeps = keepSegment(marker, segment);
    if (keeps !== null) kept.push(keeps);
    if (marker === SOS) {
      const end = findEndOfScan(file, at);
      kept.push(file.subarray(at, end));
      at = end;
      scans.push(segment[4] ?? 0);
      if (scans.length > MOST_SCANS) throw makeDamagedError("it has too many scans");
    }
  }
  if (frame === null || scans.length === 0) throw makeDamagedError("it has no image");
  return {
    mediaType: "image/jpeg",
    bytes: concatBytes([
      Uint8Array.of(0xff, SOI),
      ...(orientation === 1 ? [] : [makeExif(orientation)]),
      ...kept,
      Uint8Array.of(0xff, EOI),
    ]),
    width: frame.width,
    height: frame.height,
    orientation,
    profile: profile.length === 0 ? null : concatBytes(profile),
    decoding: estimateDecoding(frame, scans),
  };
}

const [EXIF, ICC, JFIF, ADOBE] = [
  encodeAscii("Exif\0\0"),
  encodeAscii("ICC_PROFILE\0"),
  encodeAscii("JFIF\0"),
  encodeAscii("Adobe"),
];

const startsWith = (segment: Uint8Array, name: Uint8Array): boolean =>
  name.every((byte, position) => segment[4 + position] === byte);

/** Returns true if a marker has no length: restarts, the beginning, and one for arithmetic coding. */
const isAlone = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= SOI);

/** Returns true if a marker begins a frame: SOF0 to SOF15, without three other markers between them. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readFrame(marker: number, segment: Uint8Array) {
  const bytes = new Bytes(segment);
  return { height: bytes.u16(5), width: bytes.u16(7), components: bytes.u8(9), isSequential: marker <= SEQUENTIAL };
}

/**
 * Returns what it takes to decode a picture. A decoder goes through the picture for each component of each scan. It
 * holds all coefficients, unless one scan has all components.
 */
function estimateDecoding({ width, height, components, isSequential }: Frame, scans: readonly number[]) {
  if (components === PRINTED) return null;
  const passes = scans.reduce((sum, count) => sum + count, 0);
  const isHeld = !isSequential || scans.length > 1 || passes !== components;
  return { samples: width * height * passes, held: isHeld ? width * height * components * COEFFICIENT : 0 };
}

/** Returns the part of a segment that decoders need; null for none. */
function keepSegment(marker: number, segment: Uint8Array): Uint8Array | null {
  if (marker === APP0) return startsWith(segment, JFIF) ? removeThumbnail(segment) : null;
  if (marker === APP2) return startsWith(segment, ICC) ? segment : null;
  if (marker === APP14) return startsWith(segment, ADOBE) ? cutSegment(segment, 16) : null;
  if (marker === DRI) return cutSegment(segment, 6);
  // Frames, Huffman and arithmetic tables (C0 to CF), quantization tables, lines and scans.
  return (marker >= 0xc0 && marker <= 0xcf) || [SOS, DQT, DNL].includes(marker) ? segment : null;
}

/** Returns a segment cut to `length` bytes; null if it is too short. */
function cutSegment(segment: Uint8Array, length: number): Uint8Array | null {
  if (segment.length < length) return null;
  const own = segment.slice(0, length);
  own.set([0, length - 2], 2);
  return own;
}

/** The thumbnail may show what was cut off the picture. */
function removeThumbnail(segment: Uint8Array): Uint8Array | null {
  const header = cutSegment(segment, 18);
  header?.set([0, 0], 16);
  return header;
}

function makeExif(orientation: number): Uint8Array {
  const tiff = makeTiff(orientation);
  return concatBytes([Uint8Array.of(0xff, APP1, 0, 2 + EXIF.length + tiff.length), EXIF, tiff]);
}

/** Returns where the next marker begins after the compressed data of a scan. */
function findEndOfScan(file: Uint8Array, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1];
    if (next === undefined) break;
    // FF 00 is data, FF D0 to FF D7 are restarts, and FF FF is filling.
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw makeDamagedError("it ends early");
}
