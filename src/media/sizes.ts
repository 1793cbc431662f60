/**
 * Makes the smaller files of a picture, and its blur hash: after the upload, one picture at a time. A picture that moves, or
 * has too many pixels to be decoded in an isolate's memory, gets neither.
 */
import { encode as encodeBlurHash } from "blurhash";
import { LIMITS } from "../domain/limits.ts";
import { DECODING, MEDIA_WIDTHS } from "../domain/pictures.ts";
import type { Picture } from "./formats/picture.ts";
import { withProfile } from "./formats/webp.ts";
import { pictureOf, shownSize } from "./read.ts";
import { shrunk, Shrinker, upright, type Pixels } from "./shrink.ts";

/** The smaller files of a picture, all of them WebP, and its blur hash: null if it cannot be decoded. */
export type Sizes = {
  readonly files: readonly { readonly width: number; readonly bytes: Uint8Array<ArrayBuffer> }[];
  readonly blurHash: string | null;
};

const NONE: Sizes = { files: [], blurHash: null };

/** Pixels in a row of the picture of which the blur hash is made, and its waves in either direction. */
const BLURRED = 32;
const [WAVES_ACROSS, WAVES_DOWN] = [4, 3];

/** Returns the smaller files of a stored picture: those that are narrower and lighter than it. */
export async function makeSizes(file: Uint8Array): Promise<Sizes> {
  const picture = pictureOf(file);
  const shown = shownSize(picture);
  const most = widestOf(shown);
  const widths = MEDIA_WIDTHS.filter((width) => width < shown.width && width <= most);
  const largest = await decoded(picture, widths.at(-1) ?? Math.min(shown.width, most));
  if (largest === null) return NONE;
  const { webpWriter } = await import("./codecs.ts");
  const write = widths.length === 0 ? null : await webpWriter();
  const profile = await profileOf(picture);
  const files: { width: number; bytes: Uint8Array<ArrayBuffer> }[] = [];
  let pixels = largest;
  for (const width of widths.toReversed()) {
    pixels = shrunk(pixels, width);
    const encoded = write?.(pixels);
    if (!encoded) continue;
    const bytes = profile === null ? new Uint8Array(encoded) : withProfile(encoded, profile);
    if (bytes.length < file.length) files.unshift({ width, bytes });
  }
  return { files, blurHash: blurHashOf(pixels) };
}

/** Pixels that a side of a WebP may have. */
const WEBP_SIDE = 16_383;
/** Pixels that a side may have to be decoded. No format but PNG has more, whose single row could take all of the memory. */
const LONGEST_SIDE = 65_535;

/** Returns the width up to which a picture fits into memory and into a WebP: one that is very tall takes much in any width. */
export function widestOf({ width, height }: { readonly width: number; readonly height: number }): number {
  const ratio = width / height;
  return Math.max(1, Math.floor(Math.min(Math.sqrt(LIMITS.decodedPixels * ratio), WEBP_SIDE * ratio)));
}

function blurHashOf(pixels: Pixels): string {
  const { data, width, height } = shrunk(pixels, Math.min(BLURRED, pixels.width));
  return encodeBlurHash(data, width, height, WAVES_ACROSS, WAVES_DOWN);
}

/** Returns the picture as it is shown, in this width; null if it cannot be decoded. */
async function decoded(picture: Picture, shownWidth: number): Promise<Pixels | null> {
  const { mediaType, bytes, orientation, moves, printed } = picture;
  if (moves || printed || Math.max(picture.width, picture.height) > LONGEST_SIDE) return null;
  // What lies on its side is shrunk by its other side.
  const isTurned = orientation >= 5;
  const width = isTurned ? Math.max(1, Math.round((picture.width * shownWidth) / picture.height)) : shownWidth;
  if (DECODING[mediaType] === "rows") {
    const { pngRows } = await import("./png-rows.ts");
    const shrinker = new Shrinker(picture, width);
    const isWhole = await pngRows(bytes, (row) => shrinker.add(row)).catch(() => false);
    return isWhole ? upright(shrinker.end(), orientation) : null;
  }
  if (DECODING[mediaType] === "never" || picture.width * picture.height > LIMITS.decodedPixels) return null;
  const { decodeJpeg, decodeWebp } = await import("./codecs.ts");
  const decode = mediaType === "image/jpeg" ? decodeJpeg : decodeWebp;
  const pixels = await decode(bytes).catch(() => null);
  // A codec decides itself how large a picture is.
  const isAsSaid = pixels?.width === picture.width && pixels.height === picture.height;
  return pixels && isAsSaid ? upright(shrunk(pixels, width), orientation) : null;
}

/** Larger profiles are those of printers, or hold something else. */
const MOST_PROFILE_BYTES = 64 * 1024;

/** Returns the colour profile of a picture, if its smaller files should have it too. */
async function profileOf({ mediaType, profile }: Picture): Promise<Uint8Array | null> {
  if (profile === null) return null;
  const plain = mediaType === "image/png" ? await unpacked(profile).catch(() => null) : profile;
  const isOfScreens = plain !== null && String.fromCharCode(...plain.subarray(16, 20)) === "RGB ";
  return isOfScreens && plain.length <= MOST_PROFILE_BYTES ? plain : null;
}

/** Returns the profile in a chunk of PNG, after its name, as far as it may go. */
async function unpacked(chunk: Uint8Array): Promise<Uint8Array> {
  const packed = chunk.slice(chunk.indexOf(0) + 2);
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const profile = new Uint8Array(MOST_PROFILE_BYTES + 1);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return profile.subarray(0, length);
    const some = value.subarray(0, profile.length - length);
    profile.set(some, length);
    length += some.length;
    if (length === profile.length) {
      await reader.cancel();
      return profile;
    }
  }
}
