/**
 * Decodes PNG row by row, so that a picture is never in memory as a whole and other work can run in between. Stops after
 * the pixels that the header announces, because a small file may unpack to gigabytes.
 */
import { createInflate } from "node:zlib";
import { concatBytes } from "../../lib/bytes.ts";
import { readPngHeader, type PngHeader } from "./formats/png.ts";
import { Bytes } from "./formats/picture.ts";
import type { Pause } from "./pause.ts";

/** Bytes that are unpacked at once, and bytes that are processed between two pauses. */
const [PIECE, STEP] = [64 * 1024, 2 * 1024 * 1024];

/** Calls `take` with each row, as pixels of four bytes. Returns false if the picture cannot be decoded. */
export async function readPngRows(file: Uint8Array, take: (row: Uint8Array) => void, pause: Pause): Promise<boolean> {
  const bytes = new Bytes(file);
  const header = readPngHeader(bytes);
  if (header === null) return false;
  const { data, ...colours } = readChunks(bytes);
  const [paint, pixels, row] = [
    makePainter(header, colours),
    new Uint8Array(header.width * 4),
    new Uint8Array(header.rowBytes + 1),
  ];
  const step = Math.max(1, (header.samples * header.depth) / 8);
  let [above, filled, left, worked] = [new Uint8Array(header.rowBytes), 0, header.height, 0];
  const unpacking = createInflate({ chunkSize: PIECE });
  unpacking.end(concatBytes(data));
  for await (const piece of unpacking) {
    for (let at = 0; at < piece.length;) {
      const some = piece.subarray(at, at + row.length - filled);
      row.set(some, filled);
      filled += some.length;
      at += some.length;
      if (filled < row.length) continue;
      const plain = row.slice(1);
      unfilter(row[0] ?? 0, plain, above, step);
      paint(plain, pixels);
      take(pixels);
      if (--left === 0) return true;
      [above, filled, worked] = [plain, 0, worked + row.length + pixels.length];
      if (worked < STEP) continue;
      worked = 0;
      await pause();
    }
  }
  return false;
}

type Colours = { readonly palette: Uint8Array; readonly transparency: Uint8Array };

/** Returns the packed data and the chunks about colors. */
function readChunks(bytes: Bytes): Colours & { readonly data: readonly Uint8Array[] } {
  let [palette, transparency]: [Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array()];
  const data: Uint8Array[] = [];
  for (let at = 8; at < bytes.length;) {
    const type = bytes.text(at + 4);
    const content = bytes.slice(at + 8, bytes.u32(at));
    if (type === "PLTE") palette = content;
    if (type === "tRNS") transparency = content;
    if (type === "IDAT") data.push(content);
    at += 12 + content.length;
  }
  return { palette, transparency, data };
}

/** Undoes the filter of a row (PNG, 9.2). `step` is the bytes of a pixel. */
function unfilter(filter: number, row: Uint8Array, before: Uint8Array, step: number): void {
  if (filter === 0) return;
  for (let at = 0; at < row.length; at++) {
    const left = at < step ? 0 : (row[at - step] as number);
    const above = before[at] as number;
    const corner = at < step ? 0 : (before[at - step] as number);
    (row[at] as number) += predict(filter, left, above, corner);
  }
}

function predict(filter: number, left: number, above: number, corner: number): number {
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

/** Returns a function that makes pixels of the samples of a row. Of 16 bits, it uses the upper eight. */
function makePainter({ width, depth, samples, isIndexed }: PngHeader, { palette, transparency }: Colours) {
  const values = new Uint16Array(width * samples);
  const scale = depth === 16 ? 1 / 256 : 255 / (2 ** depth - 1);
  const [hasAlpha, green, blue] = [samples % 2 === 0, samples < 3 ? 0 : 1, samples < 3 ? 0 : 2];
  // The transparent color, of which only as many bits count as a sample has. NaN for none, as nothing is equal to it.
  const keys = new Bytes(transparency);
  const key = (sample: number): number =>
    transparency.length < samples * 2 ? Number.NaN : keys.u16(sample * 2) & (2 ** depth - 1);
  const [redKey, greenKey, blueKey] = [key(0), key(green), key(blue)];
  return (row: Uint8Array, pixels: Uint8Array): void => {
    readSamples(row, depth, values);
    for (let from = 0, to = 0; to < pixels.length; from += samples, to += 4) {
      const [first, second, third] = [
        values[from] as number,
        values[from + green] as number,
        values[from + blue] as number,
      ];
      if (isIndexed) {
        for (let part = 0; part < 3; part++) pixels[to + part] = palette[first * 3 + part] ?? 0;
        pixels[to + 3] = transparency[first] ?? 255;
        continue;
      }
      pixels[to] = first * scale;
      pixels[to + 1] = second * scale;
      pixels[to + 2] = third * scale;
      const isHidden = first === redKey && second === greenKey && third === blueKey;
      pixels[to + 3] = hasAlpha ? (values[from + samples - 1] as number) * scale : isHidden ? 0 : 255;
    }
  };
}

function readSamples(row: Uint8Array, depth: number, values: Uint16Array): void {
  if (depth === 8) return values.set(row);
  for (let at = 0; at < values.length; at++) {
    const bit = at * depth;
    const byte = row[bit >> 3] as number;
    values[at] =
      depth === 16 ? (byte << 8) | (row[at * 2 + 1] as number) : (byte >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
  }
}
