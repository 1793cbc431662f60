/** What the readers of all formats share. */
import { DomainError } from "../../../domain/errors.ts";
import type { MediaType } from "../../../domain/pictures.ts";

export type Picture = {
  readonly mediaType: MediaType;
  /** The file without metadata, such as locations and comments, and without anything before or after the picture. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Pixels of the stored rows and columns, before the orientation is applied. */
  readonly width: number;
  readonly height: number;
  /** How it is turned to be shown: 1 to 8 (Exif 2.32, tag 0x0112). */
  readonly orientation: number;
  /** Its color profile (ICC) as it is in the file, where PNG compresses it. Null if it has none. */
  readonly profile: Uint8Array | null;
  /** What it takes to decode it. Null if it is not decoded, as with several frames or print colors. */
  readonly decoding: Decoding | null;
};

/** The work to decode a picture, as far as its headers tell. */
export type Decoding = {
  /** Samples that a decoder goes through, counted each time. */
  readonly samples: number;
  /** Bytes that it holds in memory at once, besides the file and the result. */
  readonly held: number;
};

/** The most chunks, segments, blocks or boxes of a file. Pictures have some hundreds, and each takes time. */
export const MOST_PARTS = 20_000;

/** Returns the error for a file that breaks the rules of its format. */
export const makeDamagedError = (what: string): DomainError =>
  new DomainError("image_invalid", `The file is damaged: ${what}.`);

/** Reads numbers from a file. Throws {@link makeDamagedError} beyond its end. */
export class Bytes {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    return this.#view.getUint8(this.#within(at, 1));
  }

  u16(at: number, little = false): number {
    return this.#view.getUint16(this.#within(at, 2), little);
  }

  u24(at: number): number {
    return this.u16(at, true) | (this.u8(at + 2) << 16);
  }

  u32(at: number, little = false): number {
    return this.#view.getUint32(this.#within(at, 4), little);
  }

  text(at: number, length = 4): string {
    return String.fromCharCode(...this.slice(at, length));
  }

  slice(at: number, length: number): Uint8Array {
    this.#within(at, length);
    return this.bytes.subarray(at, at + length);
  }

  #within(at: number, length: number): number {
    if (at < 0 || length < 0 || at + length > this.bytes.length) throw makeDamagedError("it ends early");
    return at;
  }
}
