/**
 * Shrinks pictures by averaging areas, row by row: a picture that is decoded by rows is never in memory as a whole, and one
 * that is decoded at once is not copied, which is why this is no codec's own resizing.
 */

/** Pixels of red, green, blue and opacity, 0 to 255 each. */
export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8ClampedArray };

/** Sums of parts are off by less than that. */
const ROUNDING = 1e-6;

/** Takes the rows of a picture, and returns the smaller one. */
export class Shrinker {
  readonly #source: { readonly width: number; readonly height: number };
  readonly #made: Pixels;
  /** Sums for the row that is made: colours by their opacity, and opacity, each by the part of the area. */
  readonly #sums: Float32Array;
  /** For each column of the source: the column in which it begins, its part there, and its part in the next one. */
  readonly #columns: Int32Array;
  readonly #parts: Float32Array;
  readonly #rests: Float32Array;
  #row = 0;

  constructor(source: { readonly width: number; readonly height: number }, width: number) {
    const height = Math.max(1, Math.round((source.height * width) / source.width));
    this.#source = source;
    this.#made = { width, height, data: new Uint8ClampedArray(width * height * 4) };
    this.#sums = new Float32Array(width * 4);
    this.#columns = new Int32Array(source.width);
    this.#parts = new Float32Array(source.width);
    this.#rests = new Float32Array(source.width);
    const ratio = width / source.width;
    for (let x = 0; x < source.width; x++) {
      const column = Math.min(Math.floor(x * ratio + ROUNDING), width - 1);
      const rest = Math.max(0, (x + 1) * ratio - (column + 1));
      const hasRest = rest > ROUNDING && column + 1 < width;
      this.#columns[x] = column;
      this.#parts[x] = ratio - rest;
      this.#rests[x] = hasRest ? rest : 0;
    }
  }

  /** Adds the next row of the source. */
  add(row: Uint8Array | Uint8ClampedArray): void {
    const { height } = this.#source;
    const ratio = this.#made.height / height;
    const [top, bottom] = [this.#row * ratio, (this.#row + 1) * ratio];
    this.#row++;
    const first = Math.min(Math.floor(top + ROUNDING), this.#made.height - 1);
    const within = Math.min(bottom, first + 1) - top;
    this.#accumulate(row, within);
    if (bottom < first + 1 - ROUNDING) return;
    this.#finish(first);
    if (bottom - (first + 1) > ROUNDING) this.#accumulate(row, bottom - (first + 1));
  }

  /** Returns the smaller picture, after the last row. */
  end(): Pixels {
    return this.#made;
  }

  #accumulate(row: Uint8Array | Uint8ClampedArray, weight: number): void {
    const [sums, columns, parts, rests] = [this.#sums, this.#columns, this.#parts, this.#rests];
    // The innermost loop of all: it runs for each pixel of the source, so it calls nothing.
    for (let x = 0, from = 0; x < columns.length; x++, from += 4) {
      const alpha = (row[from + 3] as number) * weight;
      const red = row[from] as number;
      const green = row[from + 1] as number;
      const blue = row[from + 2] as number;
      let at = (columns[x] as number) * 4;
      let opacity = alpha * (parts[x] as number);
      (sums[at] as number) += red * opacity;
      (sums[at + 1] as number) += green * opacity;
      (sums[at + 2] as number) += blue * opacity;
      (sums[at + 3] as number) += opacity;
      const rest = rests[x] as number;
      if (rest === 0) continue;
      at += 4;
      opacity = alpha * rest;
      (sums[at] as number) += red * opacity;
      (sums[at + 1] as number) += green * opacity;
      (sums[at + 2] as number) += blue * opacity;
      (sums[at + 3] as number) += opacity;
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

/** Returns a smaller picture of this width. */
export function shrunk(pixels: Pixels, width: number): Pixels {
  if (width === pixels.width) return pixels;
  const shrinker = new Shrinker(pixels, width);
  const length = pixels.width * 4;
  for (let at = 0; at < pixels.data.length; at += length) shrinker.add(pixels.data.subarray(at, at + length));
  return shrinker.end();
}

/** Returns a picture as it is shown, by the orientation of Exif. */
export function upright({ width, height, data }: Pixels, orientation: number): Pixels {
  if (orientation === 1) return { width, height, data };
  const turned = orientation >= 5;
  const [w, h] = turned ? [height, width] : [width, height];
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const to = new Uint32Array(w * h);
  // 2, 4, 5 and 7 are mirrored; the pixel at x, y comes from where the camera had it.
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const [flippedX, flippedY] = [w - 1 - x, h - 1 - y];
      const sourceX = [x, flippedX, flippedX, x, y, y, flippedY, flippedY][orientation - 1] ?? x;
      const sourceY = [y, y, flippedY, flippedY, x, flippedX, flippedX, x][orientation - 1] ?? y;
      to[y * w + x] = from[sourceY * width + sourceX] ?? 0;
    }
  }
  return { width: w, height: h, data: new Uint8ClampedArray(to.buffer) };
}
