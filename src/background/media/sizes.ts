/** Makes the smaller files and the blur hash of a picture after its upload, with pauses for other work. */
import { encode as encodeBlurHash } from "blurhash";
import { inflateSync } from "node:zlib";
import { MEDIA_WIDTHS, type NoSizes } from "../../domain/pictures.ts";
import { decodeJpeg, decodeWebp, makeWebpEncoder } from "./codecs.ts";
import { findReasonAgainst } from "./cost.ts";
import type { Picture } from "./formats/picture.ts";
import { addProfile } from "./formats/webp.ts";
import { readPicture, getShownSize } from "./read.ts";
import { makePause, type Pause } from "./pause.ts";
import { readPngRows } from "./png-rows.ts";
import { shrink, Shrinker, turnUpright, type Pixels } from "./shrink.ts";

/** WebP files, or why there are none. The blur hash is null if the picture is not decoded. */
export type Sizes = {
  readonly files: readonly { readonly width: number; readonly bytes: Uint8Array<ArrayBuffer> }[];
  readonly reason: NoSizes | null;
  readonly blurHash: string | null;
};

/** The longer side of the picture of which the blur hash is made, and the waves of the hash. */
const BLURRED = 32;
const [WAVES_ACROSS, WAVES_DOWN] = [4, 3];

/** A picture without smaller files is served as it is. */
export const makeNoSizes = (reason: NoSizes): Sizes => ({ files: [], reason, blurHash: null });

/** Returns the smaller files of a stored picture: those with less width and fewer bytes. */
export async function makeSizes(file: Uint8Array): Promise<Sizes> {
  const picture = readPicture(file);
  const reason = findReasonAgainst(picture);
  if (reason !== null) return makeNoSizes(reason);
  const shown = getShownSize(picture);
  const most = computeMaxWidth(shown);
  const widths = MEDIA_WIDTHS.filter((width) => width < shown.width && width <= most);
  const pause = makePause();
  await pause();
  let pixels = await decodePicture(picture, widths.at(-1) ?? Math.min(shown.width, most), pause);
  if (pixels === null) return makeNoSizes("undecodable");
  const write = widths.length === 0 ? null : await makeWebpEncoder();
  const profile = readProfile(picture);
  const mostWritten = isOpaque(pixels) ? MOST_PIXELS : MOST_TRANSPARENT;
  const files: { width: number; bytes: Uint8Array<ArrayBuffer> }[] = [];
  for (const width of widths.toReversed()) {
    await pause();
    pixels = shrink(pixels, width);
    const encoded = pixels.width * pixels.height > mostWritten ? null : write?.(pixels);
    if (!encoded) continue;
    const bytes = profile === null ? new Uint8Array(encoded) : addProfile(encoded, profile);
    if (bytes.length < file.length) files.unshift({ width, bytes });
  }
  await pause();
  return { files, reason: files.length === 0 ? "small" : null, blurHash: makeBlurHash(pixels) };
}

/** The most pixels of a smaller file. Writing one is one step; transparency makes it take three times as long. */
const [MOST_PIXELS, MOST_TRANSPARENT] = [5_000_000, 2_000_000];
/** The most pixels of a side of a WebP. */
const WEBP_SIDE = 16_383;

/** Returns the largest width of smaller files. A very tall picture takes long in any width. */
export function computeMaxWidth({ width, height }: { readonly width: number; readonly height: number }): number {
  const ratio = width / height;
  return Math.max(1, Math.floor(Math.min(Math.sqrt(MOST_PIXELS * ratio), WEBP_SIDE * ratio)));
}

function isOpaque({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

function makeBlurHash(pixels: Pixels): string {
  const part = Math.min(1, BLURRED / Math.max(pixels.width, pixels.height));
  const { data, width, height } = shrink(pixels, Math.max(1, Math.floor(pixels.width * part)));
  return encodeBlurHash(data, width, height, WAVES_ACROSS, WAVES_DOWN);
}

/** Returns the picture as it is shown, in this width. Null if it cannot be decoded. */
async function decodePicture(picture: Picture, shownWidth: number, pause: Pause): Promise<Pixels | null> {
  const { mediaType, bytes, orientation } = picture;
  // A turned picture is stored with its width and height swapped.
  const isTurned = orientation >= 5;
  const width = isTurned ? Math.max(1, Math.round((picture.width * shownWidth) / picture.height)) : shownWidth;
  if (mediaType === "image/png") {
    const shrinker = new Shrinker(picture, width);
    return (await readPngRows(bytes, (row) => shrinker.add(row), pause))
      ? turnUpright(shrinker.end(), orientation)
      : null;
  }
  const pixels = mediaType === "image/jpeg" ? decodeJpeg(picture, width) : decodeWebp(picture);
  await pause();
  return pixels && turnUpright(shrink(pixels, width), orientation);
}

/** Larger profiles are for printers, or hold something else. */
const MOST_PROFILE_BYTES = 64 * 1024;

/** Returns the color profile of a picture if its smaller files should have it, too. */
function readProfile({ mediaType, profile }: Picture): Uint8Array | null {
  if (profile === null) return null;
  const plain = mediaType === "image/png" ? unpackProfile(profile) : profile;
  const isOfScreens = plain !== null && String.fromCharCode(...plain.subarray(16, 20)) === "RGB ";
  return isOfScreens && plain.length <= MOST_PROFILE_BYTES ? plain : null;
}

/** Unpacks the profile in a PNG chunk, after its name. Returns null if it is damaged or too large. */
function unpackProfile(chunk: Uint8Array): Uint8Array | null {
  try {
    return inflateSync(chunk.subarray(chunk.indexOf(0) + 2), { maxOutputLength: MOST_PROFILE_BYTES });
  } catch {
    return null;
  }
}
