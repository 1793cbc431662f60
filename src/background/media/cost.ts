/** Estimates what it takes to decode a picture, so that one picture cannot block an isolate (contract 19.9). */
import type { MediaType, NoSizes } from "../../domain/pictures.ts";
import type { Picture } from "./formats/picture.ts";

/**
 * Milliseconds for a million samples, and for a megabyte of the file. Measured on a virtual machine with two cores, and
 * rounded up. PNG counts a third, because it is decoded in short steps.
 */
const TIMES: Partial<Readonly<Record<MediaType, readonly [samples: number, bytes: number]>>> = {
  "image/jpeg": [3.2, 35],
  "image/png": [4, 15],
  "image/webp": [50, 70],
};

/** The most time and memory. An isolate has 128 MiB; the file, the Worker and the result take the rest. */
const [MOST_MS, MOST_BYTES] = [700, 80_000_000];
/** The most pixels of a side. Only PNG allows more. */
const LONGEST_SIDE = 65_535;

/** Returns why a picture gets no smaller files, as far as its headers tell; otherwise null. */
export function findReasonAgainst({ mediaType, bytes, width, height, decoding }: Picture): NoSizes | null {
  const [ofSamples, ofBytes] = TIMES[mediaType] ?? [];
  if (decoding === null || ofSamples === undefined || ofBytes === undefined) return "kind";
  const time = (decoding.samples * ofSamples + bytes.length * ofBytes) / 1e6;
  const isCostly = time > MOST_MS || decoding.held > MOST_BYTES || Math.max(width, height) > LONGEST_SIDE;
  return isCostly ? "cost" : null;
}
