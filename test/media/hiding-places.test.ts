/** Contract 19.3: what was put where decoders do not look is not the picture, either. */
import { expect, it } from "vitest";
import { readPicture } from "../../src/background/media/read.ts";
import { bytes, concatenated, newPng, PICTURES, pngChunk } from "../helpers/pictures.ts";

const SECRET = bytes("secret: 41.14, -8.61");
const of = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.of(...values);

/** Puts bytes into a file at a place. */
const within = (file: Uint8Array<ArrayBuffer>, at: number, ...more: Uint8Array<ArrayBuffer>[]) =>
  concatenated(file.subarray(0, at), ...more, file.subarray(at));

const segment = (marker: number, ...content: Uint8Array<ArrayBuffer>[]) => {
  const data = concatenated(...content);
  return concatenated(of(0xff, marker, 0, data.length + 2), data);
};
const jpeg = (...segments: Uint8Array<ArrayBuffer>[]) => within(PICTURES.locatedJpeg, 2, ...segments);

const block = (data: Uint8Array<ArrayBuffer>) => concatenated(of(data.length), data);
const gif = (...extensions: Uint8Array<ArrayBuffer>[]) =>
  within(PICTURES.plainGif, 13 + 3 * 2 ** (((PICTURES.plainGif[10] ?? 0) & 7) + 1), ...extensions);

const chunk = (type: string, data: Uint8Array<ArrayBuffer>) =>
  concatenated(bytes(type), of(data.length & 255, data.length >> 8, 0, 0), data, new Uint8Array(data.length % 2));
const webp = (...chunks: Uint8Array<ArrayBuffer>[]) => {
  const file = concatenated(bytes("RIFF\0\0\0\0WEBP"), ...chunks);
  new DataView(file.buffer).setUint32(4, file.length - 8, true);
  return file;
};
const extended = concatenated(of(0, 0, 0, 0, 95, 0, 0, 71, 0, 0));
const still = new Uint8Array(PICTURES.plainWebp.subarray(12));
const frame = concatenated(new Uint8Array(6), of(95, 0, 0, 71, 0, 0, 100, 0, 0, 0), still, chunk("EXIF", SECRET));

const png = await newPng(4, 4);
const HIDDEN: Record<string, Uint8Array<ArrayBuffer>> = {
  ...Object.fromEntries(
    ["sBIT", "bKGD", "pHYs", "sRGB", "fdAT"].map((type) => [type, within(png, 33, pngChunk(type, SECRET))]),
  ),
  "a second profile": within(png, 33, pngChunk("iCCP", bytes("sRGB\0\0x")), pngChunk("iCCP", SECRET)),
  "a reserved segment": jpeg(segment(0xbf, SECRET)),
  "the end of Adobe's segment": jpeg(segment(0xee, bytes("Adobe"), new Uint8Array(7), SECRET)),
  "the end of a restart interval": jpeg(segment(0xdd, of(0, 0), SECRET)),
  "a block behind how often a GIF repeats": gif(
    concatenated(of(0x21, 0xff), block(bytes("NETSCAPE2.0")), block(of(1, 0, 0)), block(SECRET), of(0)),
  ),
  "how a frame of a GIF is shown": gif(concatenated(of(0x21, 0xf9), block(SECRET), of(0))),
  "the end of a WebP's header": webp(chunk("VP8X", concatenated(extended, SECRET)), still),
  "a frame of a WebP": webp(chunk("VP8X", extended), chunk("ANIM", new Uint8Array(6)), chunk("ANMF", frame)),
};

it.each(Object.entries(HIDDEN))("%s", (_, file) => {
  expect(String.fromCharCode(...file)).toContain("secret");
  const stored = readPicture(file).bytes;
  expect(String.fromCharCode(...stored)).not.toContain("secret");
  // What is stored is read as the same picture again.
  expect(readPicture(stored).bytes).toEqual(stored);
});
