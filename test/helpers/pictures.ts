/** Pictures as people have them: real files, with the metadata that cameras and programs write. */
import locatedAvif from "../fixtures/pictures/with-location.avif?inline";
import locatedJpeg from "../fixtures/pictures/with-location.jpg?inline";
import locatedPng from "../fixtures/pictures/with-location.png?inline";
import locatedWebp from "../fixtures/pictures/with-location.webp?inline";
import movingGif from "../fixtures/pictures/moving.gif?inline";
import movingWebp from "../fixtures/pictures/moving.webp?inline";
import onItsSide from "../fixtures/pictures/on-its-side.jpg?inline";
import plainGif from "../fixtures/pictures/plain.gif?inline";
import plainWebp from "../fixtures/pictures/plain.webp?inline";
import thumbnailAvif from "../fixtures/pictures/with-thumbnail.avif?inline";
import withTexts from "../fixtures/pictures/with-xmp-and-iptc.jpg?inline";
import { buf as crc32 } from "crc-32";
import { send, sendJson, type Credential, type Send } from "./requests.ts";

const bytesOf = (address: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(address.slice(address.indexOf(",") + 1)), (character) => character.charCodeAt(0));

export const PICTURES = {
  locatedAvif: bytesOf(locatedAvif),
  locatedJpeg: bytesOf(locatedJpeg),
  locatedPng: bytesOf(locatedPng),
  locatedWebp: bytesOf(locatedWebp),
  movingGif: bytesOf(movingGif),
  movingWebp: bytesOf(movingWebp),
  onItsSide: bytesOf(onItsSide),
  plainGif: bytesOf(plainGif),
  plainWebp: bytesOf(plainWebp),
  thumbnailAvif: bytesOf(thumbnailAvif),
  withTexts: bytesOf(withTexts),
} as const;

export const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

export const concatenated = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(parts.flatMap((part) => Array.from(part)));

/** A chunk of PNG. */
export function pngChunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const body = concatenated(bytes(type), data);
  const [length, check] = [new DataView(new ArrayBuffer(4)), new DataView(new ArrayBuffer(4))];
  length.setUint32(0, data.length);
  check.setInt32(0, crc32(body));
  return concatenated(new Uint8Array(length.buffer), body, new Uint8Array(check.buffer));
}

const PNG = bytes("\x89PNG\r\n\x1a\n");

/** A PNG of grey pixels whose level differs with `seed`, so that each seed is another file. `fill` writes the pixels of a row. */
export async function newPng(
  width: number,
  height: number,
  seed = 0,
  fill?: (row: Uint8Array<ArrayBuffer>) => unknown,
): Promise<Uint8Array<ArrayBuffer>> {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8);
  const rows = new Uint8Array((width + 1) * height).map((_, at) =>
    at % (width + 1) === 0 ? 0 : (at * 7 + seed) % 251,
  );
  if (fill !== undefined) {
    for (let at = 0; at < rows.length; at += width + 1) fill(rows.subarray(at + 1, at + 1 + width));
  }
  const packed = new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate"));
  return concatenated(
    PNG,
    pngChunk("IHDR", new Uint8Array(header.buffer)),
    pngChunk("IDAT", new Uint8Array(await new Response(packed).arrayBuffer())),
    pngChunk("IEND", new Uint8Array()),
  );
}

/** An item of the library, as the API shows it. */
export type MediaBody = {
  _id: string;
  blogId: string | null;
  url: string;
  fileUrl: string;
  name: string;
  alt: string;
  mediaType: string;
  bytes: number;
  width: number;
  height: number;
  sizes: "pending" | "made" | "none";
  sizesReason: string | null;
  blurHash: string | null;
  articles: number;
  creationTime: string;
  lastEditTime: string;
};

/** Uploads a file as it is. */
export const upload = (as: Credential, file: Uint8Array, options: Send & { readonly query?: string } = {}) =>
  send(`/api/media${options.query ?? ""}`, { type: "image/png", ...options, as, method: "POST", body: file });

/** Returns a picture that nobody has yet: with another colour in the table of a GIF. */
export function freshGif(): Uint8Array<ArrayBuffer> {
  const gif = new Uint8Array(PICTURES.plainGif);
  new DataView(gif.buffer).setUint32(13, ++seeds);
  return gif;
}

let seeds = 0;

/** Uploads a picture that nobody has yet, and returns its item. */
export async function newMedia(as: Credential, query = ""): Promise<MediaBody> {
  const body = await newPng(8, 6, ++seeds);
  return sendJson<MediaBody>(200, `/api/media${query}`, { as, body, type: "image/png" });
}

/** Returns the path of an address of the service. */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};
