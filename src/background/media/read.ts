/** Reads an uploaded picture: finds its format by its bytes alone, and leaves out what nobody else should learn. */
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { NoSizes, UploadedFile } from "../../domain/pictures.ts";
import { sha256 } from "../../lib/hash.ts";
import { findReasonAgainst } from "./cost.ts";
import { readAvif } from "./formats/avif.ts";
import { readGif } from "./formats/gif.ts";
import { readJpeg } from "./formats/jpeg.ts";
import type { Picture } from "./formats/picture.ts";
import { readPng } from "./formats/png.ts";
import { readWebp } from "./formats/webp.ts";

/** A picture to be stored, with the size in which it is shown, its hash, and why it gets no smaller files. */
export type ReadPicture = Pick<Picture, "mediaType" | "bytes" | "width" | "height"> & {
  readonly sha256: string;
  readonly sizes: readonly [NoSizes] | null;
};

/**
 * Returns the picture in a file. Throws `body_too_large`, `unsupported_image` if it is none of the accepted formats,
 * `image_invalid` if it is damaged, and `image_too_large` for too many pixels.
 */
export async function readUpload({ bytes }: UploadedFile): Promise<ReadPicture> {
  const picture = readPicture(bytes);
  const { mediaType, bytes: stored } = picture;
  const reason = findReasonAgainst(picture);
  return {
    mediaType,
    bytes: stored,
    ...getShownSize(picture),
    sha256: await sha256(stored),
    sizes: reason && [reason],
  };
}

/** Reads a picture. Throws as {@link readUpload} does. */
export function readPicture(bytes: Uint8Array): Picture {
  if (bytes.length > LIMITS.mediaBytes) throw new DomainError("body_too_large", TOO_LARGE);
  const picture = findReader(bytes)(bytes);
  const pixels = picture.width * picture.height;
  if (pixels === 0) throw new DomainError("image_invalid", "The image has no pixels.");
  if (pixels > LIMITS.mediaPixels) {
    const found = `${picture.width} x ${picture.height} pixels`;
    throw new DomainError("image_too_large", `The image has ${found}, more than ${LIMITS.mediaPixels / 1e6} million.`);
  }
  return picture;
}

export const TOO_LARGE = `An image can have at most ${LIMITS.mediaBytes / 1024 / 1024} MiB.`;

/** Returns the size in which a picture is shown, after its orientation is applied. */
export const getShownSize = ({ width, height, orientation }: Picture): { width: number; height: number } =>
  orientation >= 5 ? { width: height, height: width } : { width, height };

/** For each format, a text that its files have at this byte, and its reader. */
const FORMATS: readonly (readonly [at: number, begins: string, read: (bytes: Uint8Array) => Picture])[] = [
  [0, "\x89PNG\r\n\x1a\n", readPng],
  [0, "\xff\xd8\xff", readJpeg],
  [0, "GIF87a", readGif],
  [0, "GIF89a", readGif],
  [8, "WEBP", readWebp],
  [4, "ftypavif", readAvif],
  [4, "ftypmif1", readAvif],
];

function findReader(bytes: Uint8Array): (bytes: Uint8Array) => Picture {
  const start = String.fromCharCode(...bytes.subarray(0, 64));
  const found = FORMATS.find(([at, begins]) => start.startsWith(begins, at));
  const isWebp = found?.[1] === "WEBP";
  // `mif1` is any picture in this container, so the file also has to say that it is an AVIF.
  const isForeign = found?.[1] === "ftypmif1" && !start.includes("avif");
  if (found === undefined || isForeign || (isWebp && !start.startsWith("RIFF")))
    throw new DomainError("unsupported_image", describeFile(bytes));
  return found[2];
}

/** An SVG, after what may come before its element. Other XML and HTML begin in the same way. */
const SVG = /^\s*<(?:(?:\?xml|!--|!doctype svg).*<)?(?:\w+:)?svg\b/is;

/** Says why a file is not accepted. */
function describeFile(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 4096));
  const accepted = "Use PNG, JPEG, GIF, WebP or AVIF.";
  if (/^.{4}ftyp(hei|mif1|msf1)/s.test(start)) return `Few browsers show HEIC. ${accepted}`;
  if (SVG.test(start)) return `An SVG can run scripts, so it is not stored. ${accepted}`;
  return `Whatever its name says, the file has none of the supported formats. ${accepted}`;
}
