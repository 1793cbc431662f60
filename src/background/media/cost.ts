/** Reckons what it takes to decode a picture, before anything is decoded: an isolate has other things to do (contract 19.9). */
import type { MediaType, NoSizes } from "../../domain/pictures.ts";
import type { Picture } from "./formats/picture.ts";

/**
 * Milliseconds that a million samples take, and a megabyte of the file: measured on two cores of a virtual machine, and rounded up. Of
 * PNG, which is decoded in short steps, it is a third.
 */
const TIMES: Partial<Readonly<Record<MediaType, readonly [samples: number, bytes: number]>>> = {
  "image/jpeg": [3.2, 35],
  "image/png": [4, 15],
  "image/webp": [50, 70],
};

/** The most time, and the most memory: an isolate has 128 MiB, of which the file, the Worker and what is made take the rest. */
const [MOST_MS, MOST_BYTES] = [700, 80_000_000];
/** Pixels that a side may have. No format but PNG has more. */
const LONGEST_SIDE = 65_535;

/** Returns why no smaller files are made of a picture, as far as that is known before it is decoded; otherwise null. */
export function reasonAgainst({ mediaType, bytes, width, height, decoding }: Picture): NoSizes | null {
  const [ofSamples, ofBytes] = TIMES[mediaType] ?? [];
  if (decoding === null || ofSamples === undefined || ofBytes === undefined) return "kind";
  const time = (decoding.samples * ofSamples + bytes.length * ofBytes) / 1e6;
  const isCostly = time > MOST_MS || decoding.held > MOST_BYTES || Math.max(width, height) > LONGEST_SIDE;
  return isCostly ? "cost" : null;
}
