/** Pictures of few bytes that take long to walk or to decode, as somebody sends them to hold up the service (contract 19.9). */
import { buf as crc32 } from "crc-32";
import { concatBytes } from "../../src/lib/bytes.ts";

const text = (letters: string): Uint8Array => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));

function u32(value: number, little = false): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, little);
  return bytes;
}

const u16 = (value: number): Uint8Array => u32(value).subarray(2);

/** A zlib stream of the same row, over and over. */
async function deflated(row: Uint8Array<ArrayBuffer>, rows: number): Promise<Uint8Array> {
  let left = rows;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => (left-- > 0 ? controller.enqueue(row) : controller.close()),
  });
  return new Uint8Array(await new Response(source.pipeThrough(new CompressionStream("deflate"))).arrayBuffer());
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = concatBytes([text(type), data]);
  return concatBytes([u32(data.length), body, u32(crc32(body))]);
}

export type PngShape = {
  readonly width: number;
  readonly height: number;
  readonly depth: 1 | 8 | 16;
  /** 0 is grey, 2 red, green and blue, 6 the same with opacity. */
  readonly colour: 0 | 2 | 6;
  readonly filter?: number;
  readonly interlaced?: boolean;
  /** Its one transparent colour: two bytes of each sample. */
  readonly transparent?: readonly number[];
  /** Rows that are packed, if these are not the rows of the picture. */
  readonly rows?: number;
};

/** A PNG of one colour. */
export async function pngOf(shape: PngShape): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, depth, colour, filter = 0, interlaced = false, transparent = [], rows = height } = shape;
  const samples = { 0: 1, 2: 3, 6: 4 }[colour];
  const row = new Uint8Array(1 + Math.ceil((width * samples * depth) / 8)).fill(filter, 0, 1);
  const header = Uint8Array.of(...u32(width), ...u32(height), depth, colour, 0, 0, interlaced ? 1 : 0);
  return concatBytes([
    text("\x89PNG\r\n\x1a\n"),
    chunk("IHDR", header),
    ...(transparent.length === 0 ? [] : [chunk("tRNS", Uint8Array.from(transparent))]),
    chunk("IDAT", await deflated(row, rows)),
    chunk("IEND", new Uint8Array()),
  ]);
}

const segment = (marker: number, ...data: Uint8Array[]): Uint8Array => {
  const content = concatBytes(data);
  return concatBytes([Uint8Array.of(0xff, marker), u16(content.length + 2), content]);
};

/** A table of Huffman codes for these symbols, each as long: in eight bits, fewer than 256 of them. */
const codes = (kind: number, symbols: readonly number[], bits: number): Uint8Array =>
  segment(
    0xc4,
    Uint8Array.of(kind, ...Array.from({ length: 16 }, (_, at) => (at === bits - 1 ? symbols.length : 0)), ...symbols),
  );

export type JpegShape = {
  readonly width: number;
  readonly height: number;
  /** Passes of a progressive picture, each of which says that nothing changes; the first one is grey. */
  readonly scans: number;
  /** Tables of quantization before the first scan. */
  readonly tables?: number;
};

/** A progressive JPEG of one grey, in three components that are not subsampled. */
export function jpegOf({ width, height, scans, tables = 1 }: JpegShape): Uint8Array<ArrayBuffer> {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  // A difference of no bits in each block: the code 0, and ones that fill up the last byte.
  const first = new Uint8Array(Math.ceil((blocks * 3) / 8));
  // "The next 16,384 blocks are at their end": the code 0, then fourteen bits that say how many more.
  const runs = Array.from({ length: Math.ceil(blocks / 0x4000) }, () => "0".padEnd(15, "0")).join("");
  const bits = runs.padEnd(Math.ceil(runs.length / 8) * 8, "1");
  const ends = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  const scan = (components: readonly number[], how: readonly number[], data: Uint8Array): Uint8Array =>
    concatBytes([
      segment(0xda, Uint8Array.of(components.length, ...components.flatMap((id) => [id, 0]), ...how)),
      data,
    ]);
  return concatBytes([
    Uint8Array.of(0xff, 0xd8),
    ...Array.from({ length: tables }, () => segment(0xdb, Uint8Array.of(0), new Uint8Array(64).fill(1))),
    segment(
      0xc2,
      Uint8Array.of(8, ...u16(height), ...u16(width), 3),
      Uint8Array.of(1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0),
    ),
    codes(0x00, [0], 1),
    codes(0x10, [0xe0], 1),
    scan([1, 2, 3], [0, 0, 0], first),
    // The last bits of all coefficients, of which there are none: a decoder looks at each all the same.
    ...Array.from({ length: scans - 1 }, (_, at) => scan([1 + (at % 3)], [1, 63, 0x10], ends)),
    Uint8Array.of(0xff, 0xd9),
  ]);
}

/** A WebP without losses, of one colour: each of its five codes has one symbol, of no bits. */
export function webpOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const size = u32((width - 1) | ((height - 1) << 14), true);
  const data = concatBytes([Uint8Array.of(0x2f), size, Uint8Array.of(0x88, 0x88, 0x08, 0)]);
  const body = concatBytes([text("WEBPVP8L"), u32(data.length, true), data, new Uint8Array(data.length % 2)]);
  return concatBytes([text("RIFF"), u32(body.length, true), body]);
}

/** A GIF of so many frames of one pixel, which have no data. */
export function gifOf(frames: number): Uint8Array<ArrayBuffer> {
  const frame = Uint8Array.of(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0);
  const all = new Uint8Array(frames * frame.length);
  for (let at = 0; at < all.length; at += frame.length) all.set(frame, at);
  return concatBytes([text("GIF89a"), Uint8Array.of(1, 0, 1, 0, 0, 0, 0), all, Uint8Array.of(0x3b)]);
}
