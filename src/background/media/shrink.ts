/**
 * Shrinks pictures by averaging areas, row by row. Unlike the codecs' own resizing, this needs neither a whole picture
 * in memory nor a copy of one.
 */

/** Pixels of red, green, blue and opacity, 0 to 255 each. */
export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8ClampedArray };

/** Sums of fractions are off by less than this. */
const ROUNDING = 1e-6;

export class Shrinker {
  readonly #source: { readonly width: number; readonly height: number };
  readonly #made: Pixels;
  /** Sums for the current row: colors weighted by their opacity, and opacity, each by its part of the area. */
  readonly #sums: Float32Array;
  #row = 0;

  constructor(source: { readonly width: number; readonly height: number }, width: number) {
    const height = Math.max(1, Math.round((source.height * width) / source.width));
    this.#source = source;
    this.#made = { width, height, data: new Uint8ClampedArray(width * height * 4) };
    // One more pixel, for what rounding leaves over.
    this.#sums = new Float32Array((width + 1) * 4);
  }

  add(row: Uint8Array | Uint8ClampedArray): void {
    const ratio = this.#made.height / this.#source.height;
    const [top, bottom] = [this.#row * ratio, (this.#row + 1) * ratio];
    this.#row++;
    const first = Math.min(Math.floor(top + ROUNDING), this.#made.height - 1);
    this.#accumulate(row, Math.min(bottom, first + 1) - top);
    if (bottom < first + 1 - ROUNDING) return;
    this.#finish(first);
    if (bottom - (first + 1) > ROUNDING) this.#accumulate(row, bottom - (first + 1));
  }

  /** Returns the smaller picture. To be called after the last row. */
  end(): Pixels {
    return this.#made;
  }

  #accumulate(row: Uint8Array | Uint8ClampedArray, weight: number): void {
    const sums = this.#sums;
    const ratio = this.#made.width / this.#source.width;
    // The innermost loop: it runs once for each pixel of the source, and twice for a pixel in two columns.
    for (let from = 0, x = 0, left = 0, column = 0; from < row.length;) {
      const right = (x + 1) * ratio;
      const end = Math.min(right, column + 1);
      const opacity = (row[from + 3] as number) * weight * (end - left);
      const at = column * 4;
      (sums[at] as number) += (row[from] as number) * opacity;
      (sums[at + 1] as number) += (row[from + 1] as number) * opacity;
      (sums[at + 2] as number) += (row[from + 2] as number) * opacity;
      (sums[at + 3] as number) += opacity;
      left = end;
      if (right >= column + 1 - ROUNDING) column++;
      if (right - end > ROUNDING) continue;
      left = right;
      x++;
      from += 4;
    }
  }

  #finish(row: number): void {
    const { data, width } = this.#made;
    const sums = this.#sums;
    for (let x = 0, at = row * width * 4; x < width; x++, at += 4) {
      const opacity = sums[x * 4 + 3] ?? 0;
      for (let part = 0; part < 3; part++) data[at + part] = opacity === 0 ? 0 : (sums[x * 4 + part] ?? 0) / opacity;
      data[at + 3] = opacity;
    }
    sums.fill(0);
  }
}

/** Shrinks a picture to this width. */
export function shrink(pixels: Pixels, width: number): Pixels {
  if (width === pixels.width) return pixels;
  const shrinker = new Shrinker(pixels, width);
  const length = pixels.width * 4;
  for (let at = 0; at < pixels.data.length; at += length) shrinker.add(pixels.data.subarray(at, at + length));
  return shrinker.end();
}

/** Turns a picture as it is shown, by its Exif orientation. */
export function turnUpright({ width, height, data }: Pixels, orientation: number): Pixels {
  if (orientation === 1) return { width, height, data };
  const turned = orientation >= 5;
  const [w, h] = turned ? [height, width] : [width, height];
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const to = new Uint32Array(w * h);
  // Returns the position of the pixel that is shown at x, y. Orientations 2, 4, 5 and 7 are mirrored.
  const findSource = (x: number, y: number): number => {
    const [flippedX, flippedY] = [w - 1 - x, h - 1 - y];
    const sourceX = [x, flippedX, flippedX, x, y, y, flippedY, flippedY][orientation - 1] ?? x;
    const sourceY = [y, y, flippedY, flippedY, x, flippedX, flippedX, x][orientation - 1] ?? y;
    return sourceY * width + sourceX;
  };
  // The distance between the sources of two neighbors is the same everywhere.
  const across = findSource(1, 0) - findSource(0, 0);
  for (let y = 0, at = 0; y < h; y++) {
    for (let x = 0, source = findSource(0, y); x < w; x++, at++, source += across) to[at] = from[source] ?? 0;
  }
  return { width: w, height: h, data: new Uint8ClampedArray(to.buffer) };
}
