/** The codecs of pictures, in WebAssembly. Each use makes a new instance, because its memory never shrinks. */
import jpegDecoder from "@cwasm/jpeg-turbo/jpeg-turbo.wasm";
import webpDecoder from "@cwasm/webp/webp.wasm";
import encodeWebpFactory from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import webpEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.wasm";
import { defaultOptions } from "@jsquash/webp/meta.js";
import type { Picture } from "./formats/picture.ts";
import type { Pixels } from "./shrink.ts";

/** The C functions that a decoder exports. They take numbers, and addresses in its memory. */
type Exported = "malloc" | "tjInitDecompress" | "tjDecompress2" | "WebPDecodeRGBA";
type Decoder = Record<Exported, (...values: number[]) => number> & { readonly memory: WebAssembly.Memory };

/** Returns a new instance of a decoder, and the address of the file in its memory. */
function openDecoder(module: WebAssembly.Module, file: Uint8Array): { decoder: Decoder; at: number } {
  // It imports file functions, which it does not use, and `longjmp`, with which libjpeg gives up.
  const imports: Record<string, Record<string, () => number>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = name === "longjmp" ? giveUp : () => 0;
  }
  const decoder = new WebAssembly.Instance(module, imports).exports as unknown as Decoder;
  const at = decoder.malloc(file.length);
  new Uint8Array(decoder.memory.buffer, at, file.length).set(file);
  return { decoder, at };
}

const giveUp = (): never => {
  throw new Error("The picture cannot be decoded.");
};

const readPixels = ({ memory }: Decoder, at: number, width: number, height: number): Pixels => ({
  width,
  height,
  data: new Uint8ClampedArray(memory.buffer, at, width * height * 4),
});

/** The format of pixels of four bytes (turbojpeg.h, TJPF_RGBA). */
const RGBA = 7;

/**
 * Decodes a JPEG without applying its orientation. Scales it to as few eighths of its size as have this width, which
 * takes much less time and memory. Returns null if it cannot be decoded.
 */
export function decodeJpeg(picture: Picture, atLeast: number): Pixels | null {
  const { bytes } = picture;
  const { decoder, at } = openDecoder(jpegDecoder, bytes);
  const eighths = Math.min(8, Math.ceil((8 * atLeast) / picture.width));
  const [width, height] = [Math.ceil((picture.width * eighths) / 8), Math.ceil((picture.height * eighths) / 8)];
  const to = decoder.malloc(width * height * 4);
  decoder.tjDecompress2(decoder.tjInitDecompress(), at, bytes.length, to, width, 0, height, RGBA, 0);
  // It returns the same for a failure and for minor damage. After minor damage, all pixels are opaque.
  const pixels = readPixels(decoder, to, width, height);
  return pixels.data.at(-1) === 255 ? pixels : null;
}

/** Decodes a WebP of one frame. Returns null if it cannot be decoded. */
export function decodeWebp({ bytes, width, height }: Picture): Pixels | null {
  const { decoder, at } = openDecoder(webpDecoder, bytes);
  const size = decoder.malloc(8);
  const to = decoder.WebPDecodeRGBA(at, bytes.length, size, size + 4);
  // The codec determines the size by itself.
  const [foundWidth, foundHeight] = new Uint32Array(decoder.memory.buffer, size, 2);
  return to !== 0 && foundWidth === width && foundHeight === height ? readPixels(decoder, to, width, height) : null;
}

type Encoder = { encode(data: Uint8ClampedArray, width: number, height: number, options: object): Uint8Array | null };

/**
 * Losses are hard to see, at a third of the bytes of a good JPEG. More effort than 1 of 6 takes twice the time to save a
 * tenth of the bytes.
 */
const OPTIONS = { ...defaultOptions, quality: 78, method: 1 };

/**
 * Returns a function that encodes pictures as WebP. The JavaScript that runs the codec (made by Emscripten) defines a
 * global `location`. It is removed again, because other libraries would take the Worker for a browser.
 */
export async function makeWebpEncoder(): Promise<(pixels: Pixels) => Uint8Array | null> {
  const shared = globalThis as { location?: unknown };
  const { location } = shared;
  const making = (encodeWebpFactory as unknown as (options: object) => Promise<Encoder>)({
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(webpEncoder, imports);
      receive(instance);
      return instance.exports;
    },
  });
  shared.location = location;
  const encoder = await making;
  return ({ data, width, height }) => encoder.encode(data, width, height, OPTIONS);
}
