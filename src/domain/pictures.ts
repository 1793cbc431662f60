/** Pictures that people upload: their formats, their addresses, and the widths in which they are served. */
import { sha256 } from "../lib/hash.ts";
import { LIMITS } from "./limits.ts";

/** The formats that are accepted. Only raster formats: an SVG is a document that can run scripts. */
export const MEDIA_TYPES = ["image/avif", "image/gif", "image/jpeg", "image/png", "image/webp"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/**
 * Why an upload has no smaller files: none are made of such pictures; to decode it would take too much time or memory; it cannot
 * be decoded; or none would have both fewer pixels and fewer bytes.
 */
export const NO_SIZES = ["kind", "cost", "undecodable", "small"] as const;
export type NoSizes = (typeof NO_SIZES)[number];

/** The widths in pixels in which smaller files are served, beside the original. */
export const MEDIA_WIDTHS = [320, 640, 960, 1280, 1920] as const;

/** Returns the width that is served where this one is asked for: the next one that is not smaller, null for the original. */
export const servedWidth = (asked: number): number | null => MEDIA_WIDTHS.find((width) => width >= asked) ?? null;

/** The path of a picture in a library (contract 19.6). */
const LIBRARY = /^\/media\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Sized = { readonly url: string; readonly width: number; readonly height: number };

/** Returns the address of a picture in the library, with its size for renderers (contract 19.10). */
export const sizedAddress = ({ url, width, height }: Sized): string => `${url}#${width}x${height}`;

/** How wide a text is at most on most sites: the `sizes` of a picture within it. */
export const TEXT_SIZES = "(min-width: 48rem) 44rem, 100vw";

/** A picture whose size is known. */
export type SizedPicture = {
  /** Its address, without the fragment that tells its size. */
  readonly src: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Its smaller files and itself; null if there are none, as of every picture that is not in a library. */
  readonly srcset: string | null;
};

/** Returns the picture of an address that ends with its pixels, such as `#2048x1365` (contract 19.10); otherwise null. */
export function sizedPicture(address: string): SizedPicture | null {
  const [, width, height] = /#(\d{1,5})x(\d{1,5})$/.exec(address) ?? [];
  if (width === undefined) return null;
  return { width: Number(width), height: Number(height), ...sourcesOf(address, Number(width)) };
}

function sourcesOf(address: string, width: number): Pick<SizedPicture, "src" | "srcset"> {
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

/** How many characters of the SHA-256 of a file are in the address of exactly this file. */
export const FILE_VERSION = 16;

/** Returns the path of an upload: it shows the current file, also after a replacement. */
export const mediaPath = (id: string): string => `/media/${id}`;

/** Returns the name of a file from its path: the last part, without control characters, in the length that a name may have. */
export const fileNameIn = (path: string): string =>
  (path.split(/[\\/]/).at(-1) ?? "")
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, "")
    .trim()
    .slice(0, LIMITS.mediaName)
    .toWellFormed();

/** A file that was sent along with a request. */
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

  /** What stands for it in the fingerprint of a request with an Idempotency-Key. */
  toJSON(): string {
    return this.#sha256;
  }
}
