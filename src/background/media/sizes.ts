/** Makes the smaller files and the blur hash of a picture after its upload, with pauses for other work. */
import { encode as encodeBlurHash } from "blurhash";
import { inflateSync } from "node:zlib";
import { MEDIA_WIDTHS, type NoSizes } from "../../domain/pictures.ts";
import { decodeJpeg, decodeWebp, webpWriter } from "./codecs.ts";
import { reasonAgainst } from "./cost.ts";
import type { Picture } from "./formats/picture.ts";
import { withProfile } from "./formats/webp.ts";
import { pictureOf, shownSize } from "./read.ts";
import { pausing, type Pause } from "./pause.ts";
import { pngRows } from "./png-rows.ts";
import { shrunk, Shrinker, upright, type Pixels } from "./shrink.ts";

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
export const none = (reason: NoSizes): Sizes => ({ files: [], reason, blurHash: null });

/** Returns the smaller files of a stored picture: those with less width and fewer bytes. */
export async function makeSizes(file: Uint8Array): Promise<Sizes> {
  const picture = pictureOf(file);
  const reason = reasonAgainst(picture);
  if (reason !== null) return none(reason);
  const shown = shownSize(picture);
  const most = widestOf(shown);
  const widths = MEDIA_WIDTHS.filter((width) => width < shown.width && width <= most);
  const pause = pausing();
  await pause();
  let pixels = await decoded(picture, widths.at(-1) ?? Math.min(shown.width, most), pause);
  if (pixels === null) return none("undecodable");
  const write = widths.length === 0 ? null : await webpWriter();
  const profile = profileOf(picture);
  const mostWritten = isOpaque(pixels) ? MOST_PIXELS : MOST_TRANSPARENT;
  const files: { width: number; bytes: Uint8Array<ArrayBuffer> }[] = [];
  for (const width of widths.toReversed()) {
    await pause();
    pixels = shrunk(pixels, width);
    const encoded = pixels.width * pixels.height > mostWritten ? null : write?.(pixels);
    if (!encoded) continue;
    const bytes = profile === null ? new Uint8Array(encoded) : withProfile(encoded, profile);
    if (bytes.length < file.length) files.unshift({ width, bytes });
  }
  await pause();
  return { files, reason: files.length === 0 ? "small" : null, blurHash: blurHashOf(pixels) };
}

/** The most pixels of a smaller file. Writing one is one step; transparency makes it take three times as long. */
const [MOST_PIXELS, MOST_TRANSPARENT] = [5_000_000, 2_000_000];
/** The most pixels of a side of a WebP. */
const WEBP_SIDE = 16_383;

/** Returns the largest width of smaller files. A very tall picture takes long in any width. */
export function widestOf({ width, height }: { readonly width: number; readonly height: number }): number {
  const ratio = width / height;
  return Math.max(1, Math.floor(Math.min(Math.sqrt(MOST_PIXELS * ratio), WEBP_SIDE * ratio)));
}

function isOpaque({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

function blurHashOf(pixels: Pixels): string {
  const part = Math.min(1, BLURRED / Math.max(pixels.width, pixels.height));
  const { data, width, height } = shrunk(pixels, Math.max(1, Math.floor(pixels.width * part)));
  return encodeBlurHash(data, width, height, WAVES_ACROSS, WAVES_DOWN);
}

/** Returns the picture as it is shown, in this width. Null if it cannot be decoded. */
async function decoded(picture: Picture, shownWidth: number, pause: Pause): Promise<Pixels | null> {
  const { mediaType, bytes, orientation } = picture;
  // A turned picture is stored with its width and height swapped.
  const isTurned = orientation >= 5;
  const width = isTurned ? Math.max(1, Math.round((picture.width * shownWidth) / picture.height)) : shownWidth;
  if (mediaType === "image/png") {
    const shrinker = new Shrinker(picture, width);
    return (await pngRows(bytes, (row) => shrinker.add(row), pause)) ? upright(shrinker.end(), orientation) : null;
  }
  const pixels = mediaType === "image/jpeg" ? decodeJpeg(picture, width) : decodeWebp(picture);
  await pause();
  return pixels && upright(shrunk(pixels, width), orientation);
}

/** Larger profiles are for printers, or hold something else. */
const MOST_PROFILE_BYTES = 64 * 1024;

/** Returns the color profile of a picture if its smaller files should have it, too. */
function profileOf({ mediaType, profile }: Picture): Uint8Array | null {
  if (profile === null) return null;
  const plain = mediaType === "image/png" ? unpacked(profile) : profile;
  const isOfScreens = plain !== null && String.fromCharCode(...plain.subarray(16, 20)) === "RGB ";
  return isOfScreens && plain.length <= MOST_PROFILE_BYTES ? plain : null;
}

/** Unpacks the profile in a PNG chunk, after its name. Returns null if it is damaged or too large. */
function unpacked(chunk: Uint8Array): Uint8Array | null {
  try {
    return inflateSync(chunk.subarray(chunk.indexOf(0) + 2), { maxOutputLength: MOST_PROFILE_BYTES });
  } catch {
    return null;
  }
}
