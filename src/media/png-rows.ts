/**
 * Decodes PNG by rows: one that says it has few pixels and unpacks to gigabytes is read no further than its pixels go.
 * Interlaced ones are not decoded.
 */
import { Bytes } from "./formats/picture.ts";

type Header = {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colour: number;
  readonly palette: Uint8Array;
  /** Opacities of the palette. */
  readonly opacities: Uint8Array;
  /** The samples of the one colour that is transparent, in a picture without opacities; empty if there is none. */
  readonly transparent: readonly number[];
};

const [GREY, RGB, INDEXED, GREY_ALPHA, RGBA] = [0, 2, 3, 4, 6];
/** Samples of a pixel, by the kind of its colour. */
const SAMPLES: Readonly<Record<number, number>> = { [GREY]: 1, [RGB]: 3, [INDEXED]: 1, [GREY_ALPHA]: 2, [RGBA]: 4 };

/** Calls `take` with each row, as pixels of four bytes. Returns false if the picture cannot be decoded. */
export async function pngRows(file: Uint8Array, take: (row: Uint8Array) => void): Promise<boolean> {
  const { header, data } = partsOf(file);
  if (header === null) return false;
  const samples = SAMPLES[header.colour];
  if (samples === undefined) return false;
  const { width, height, depth } = header;
  const rowBytes = Math.ceil((width * samples * depth) / 8);
  const step = Math.max(1, (samples * depth) / 8);
  let [before, left] = [new Uint8Array(rowBytes), height];
  const pixels = new Uint8Array(width * 4);
  for await (const row of filteredRows(data, rowBytes + 1)) {
    const plain = row.slice(1);
    unfilter(row[0] ?? 0, plain, before, step);
    toPixels(header, samples, plain, pixels);
    take(pixels);
    before = plain;
    if (--left === 0) return true;
  }
  return false;
}

/** Returns the header, and the packed data as a stream. The header is null if the picture cannot be decoded. */
function partsOf(file: Uint8Array): { header: Header | null; data: Uint8Array<ArrayBuffer>[] } {
  const bytes = new Bytes(file);
  let [palette, transparency]: [Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array()];
  const data: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 8; at < file.length;) {
    const length = bytes.u32(at);
    const type = bytes.text(at + 4);
    const content = bytes.slice(at + 8, length) as Uint8Array<ArrayBuffer>;
    if (type === "PLTE") palette = content;
    if (type === "tRNS") transparency = content;
    if (type === "IDAT") data.push(content);
    at += 12 + length;
  }
  const isInterlaced = bytes.u8(28) !== 0;
  const header = { width: bytes.u32(16), height: bytes.u32(20), depth: bytes.u8(24), colour: bytes.u8(25) };
  const isKnown = [1, 2, 4, 8, 16].includes(header.depth);
  if (isInterlaced || !isKnown) return { header: null, data };
  return {
    header: { ...header, palette, opacities: transparency, transparent: samplesIn(transparency, header) },
    data,
  };
}

/** Returns the samples of the transparent colour: two bytes each, of which only as many bits count as a sample has. */
function samplesIn(chunk: Uint8Array, { depth, colour }: Pick<Header, "depth" | "colour">): number[] {
  if (colour !== GREY && colour !== RGB) return [];
  const bytes = new Bytes(chunk);
  return Array.from({ length: chunk.length >> 1 }, (_, index) => bytes.u16(index * 2) & (2 ** depth - 1));
}

/** Unpacks the data, and returns rows of this many bytes as long as somebody asks for them. */
async function* filteredRows(packed: Uint8Array<ArrayBuffer>[], length: number): AsyncGenerator<Uint8Array> {
  const reader = new Blob(packed).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const row = new Uint8Array(length);
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (let at = 0; at < value.length;) {
        const some = value.subarray(at, at + length - filled);
        row.set(some, filled);
        filled += some.length;
        at += some.length;
        if (filled < length) continue;
        yield row;
        filled = 0;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Undoes the filter of a row (PNG, 9.2). `before` is the row above, `step` the bytes of a pixel. */
function unfilter(filter: number, row: Uint8Array, before: Uint8Array, step: number): void {
  if (filter === 0) return;
  for (let at = 0; at < row.length; at++) {
    const left = at < step ? 0 : (row[at - step] as number);
    const above = before[at] as number;
    const corner = at < step ? 0 : (before[at - step] as number);
    (row[at] as number) += predicted(filter, left, above, corner);
  }
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, corner) : 0;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const toLeft = Math.abs(guess - left);
  const toAbove = Math.abs(guess - above);
  const toCorner = Math.abs(guess - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** Converts the samples of a row to pixels. Of 16 bits, the upper eight are shown. */
function toPixels(header: Header, samples: number, row: Uint8Array, pixels: Uint8Array): void {
  const { width, depth, colour, palette, opacities, transparent } = header;
  if (depth === 8 && colour === RGBA) {
    pixels.set(row);
    return;
  }
  const sample = (index: number): number => {
    if (depth === 8) return row[index] ?? 0;
    if (depth === 16) return row[index * 2] ?? 0;
    const bit = index * depth;
    return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
  };
  const whole = (index: number): number =>
    depth === 16 ? (sample(index) << 8) | (row[index * 2 + 1] ?? 0) : sample(index);
  const isTransparent = (first: number): boolean =>
    transparent.length === samples && transparent.every((value, index) => whole(first + index) === value);
  const scale = depth < 8 && colour === GREY ? 255 / (2 ** depth - 1) : 1;
  for (let x = 0; x < width; x++) {
    const first = x * samples;
    const at = x * 4;
    const value = sample(first);
    if (colour === INDEXED) {
      pixels.set(palette.subarray(value * 3, value * 3 + 3), at);
      pixels[at + 3] = opacities[value] ?? 255;
    } else if (colour === GREY || colour === GREY_ALPHA) {
      pixels[at] = pixels[at + 1] = pixels[at + 2] = value * scale;
      pixels[at + 3] = colour === GREY_ALPHA ? sample(first + 1) : isTransparent(first) ? 0 : 255;
    } else {
      pixels[at] = value;
      pixels[at + 1] = sample(first + 1);
      pixels[at + 2] = sample(first + 2);
      pixels[at + 3] = colour === RGBA ? sample(first + 3) : isTransparent(first) ? 0 : 255;
    }
  }
}
