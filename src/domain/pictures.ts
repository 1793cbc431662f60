/** Uploaded images: formats, URLs, and the widths in which they are served. */
import { sha256 } from "../lib/hash.ts";
import { LIMITS } from "./limits.ts";

/** Raster formats only: an SVG is a document that can run scripts. */
export const MEDIA_TYPES = ["image/avif", "image/gif", "image/jpeg", "image/png", "image/webp"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/**
 * Why an upload has no smaller files: its kind has none; decoding would take too much time or memory; it cannot be
 * decoded; or no smaller file would have both fewer pixels and fewer bytes.
 */
export const NO_SIZES = ["kind", "cost", "undecodable", "small"] as const;
export type NoSizes = (typeof NO_SIZES)[number];

export const MEDIA_WIDTHS = [320, 640, 960, 1280, 1920] as const;

/** Returns the smallest width that is at least the requested one; null for the original. */
export const findServedWidth = (asked: number): number | null => MEDIA_WIDTHS.find((width) => width >= asked) ?? null;

/** The path of an image in a media library (contract 19.6). */
const LIBRARY = /^\/media\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Sized = { readonly url: string; readonly width: number; readonly height: number };

/** Returns the URL of an image with its size as a fragment for renderers (contract 19.10). */
export const toSizedUrl = ({ url, width, height }: Sized): string => `${url}#${width}x${height}`;

/** The `sizes` of an image in a text: how wide texts are on most sites. */
export const TEXT_SIZES = "(min-width: 48rem) 44rem, 100vw";

export type SizedPicture = {
  /** Without the fragment. */
  readonly src: string;
  readonly width: number;
  readonly height: number;
  /** The smaller files and the image itself; null if it has no smaller files, as outside of the media library. */
  readonly srcset: string | null;
};

/** Parses a URL that ends with a size in pixels, such as `#2048x1365` (contract 19.10). Returns null for other URLs. */
export function parseSizedPicture(address: string): SizedPicture | null {
  const [, width, height] = /#(\d{1,5})x(\d{1,5})$/.exec(address) ?? [];
  if (width === undefined) return null;
  return { width: Number(width), height: Number(height), ...makeSources(address, Number(width)) };
}

function makeSources(address: string, width: number): Pick<SizedPicture, "src" | "srcset"> {
  const url = new URL(address);
  url.hash = "";
  const src = url.href;
  const at = (wanted: number): string => {
    url.searchParams.set("w", String(wanted));
    return `${url.href} ${wanted}w`;
  };
  const smaller = LIBRARY.test(url.pathname) ? MEDIA_WIDTHS.filter((wanted) => wanted < width).map(at) : [];
  return { src, srcset: smaller.length === 0 ? null : [...smaller, `${src} ${width}w`].join(", ") };
}

/** Length of the part of the SHA-256 that identifies a version of a file in its URL. */
export const FILE_VERSION = 16;

/** The path always shows the current file, also after a replacement. */
export const mediaPath = (id: string): string => `/media/${id}`;

/** Returns the last part of a path, without control characters and with at most the characters of a name. */
export const toFileName = (path: string): string =>
  (path.split(/[\\/]/).at(-1) ?? "")
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, "")
    .trim()
    .slice(0, LIMITS.mediaName)
    .toWellFormed();

export class UploadedFile {
  readonly bytes: Uint8Array;
  readonly #sha256: string;

  private constructor(bytes: Uint8Array, sha256: string) {
    this.bytes = bytes;
    this.#sha256 = sha256;
  }

  static async of(bytes: Uint8Array<ArrayBuffer>): Promise<UploadedFile> {
    return new UploadedFile(bytes, await sha256(bytes));
  }

  /** For the fingerprint of a request with an Idempotency-Key. */
  toJSON(): string {
    return this.#sha256;
  }
}
