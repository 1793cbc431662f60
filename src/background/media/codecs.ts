/**
 * The codecs of pictures: WebAssembly. Each use makes an instance of its own, because the memory of one grows and never
 * shrinks.
 */
import jpegDecoder from "@cwasm/jpeg-turbo/jpeg-turbo.wasm";
import webpDecoder from "@cwasm/webp/webp.wasm";
import encodeWebpFactory from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import webpEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.wasm";
import { defaultOptions } from "@jsquash/webp/meta.js";
import type { Picture } from "./formats/picture.ts";
import type { Pixels } from "./shrink.ts";

/** What a decoder exports, as C has it: numbers, and places in its memory. */
type Exported = "malloc" | "tjInitDecompress" | "tjDecompress2" | "WebPDecodeRGBA";
type Decoder = Record<Exported, (...values: number[]) => number> & { readonly memory: WebAssembly.Memory };

/** Returns an instance of a decoder, and where the file is in its memory. */
function decoderOf(module: WebAssembly.Module, file: Uint8Array): { decoder: Decoder; at: number } {
  // It imports files and the like, which it does not use, and libjpeg `longjmp`, by which it gives up.
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

const pixelsAt = ({ memory }: Decoder, at: number, width: number, height: number): Pixels => ({
  width,
  height,
  data: new Uint8ClampedArray(memory.buffer, at, width * height * 4),
});

/** The format of pixels of four bytes (turbojpeg.h, TJPF_RGBA). */
const RGBA = 7;

/**
 * Returns the pixels of a JPEG, not turned by its orientation, in the next eighth of its size that has this width: a few
 * eighths take much less time and memory. Null if it cannot be decoded.
 */
export function decodeJpeg(picture: Picture, atLeast: number): Pixels | null {
  const { bytes } = picture;
  const { decoder, at } = decoderOf(jpegDecoder, bytes);
  const eighths = Math.min(8, Math.ceil((8 * atLeast) / picture.width));
  const [width, height] = [Math.ceil((picture.width * eighths) / 8), Math.ceil((picture.height * eighths) / 8)];
  const to = decoder.malloc(width * height * 4);
  decoder.tjDecompress2(decoder.tjInitDecompress(), at, bytes.length, to, width, 0, height, RGBA, 0);
  // It returns the same for what it could not decode and for damages that it came over: then the pixels are opaque.
  const pixels = pixelsAt(decoder, to, width, height);
  return pixels.data.at(-1) === 255 ? pixels : null;
}

/** Returns the pixels of a WebP of one frame; null if it cannot be decoded. */
export function decodeWebp({ bytes, width, height }: Picture): Pixels | null {
  const { decoder, at } = decoderOf(webpDecoder, bytes);
  const size = decoder.malloc(8);
  const to = decoder.WebPDecodeRGBA(at, bytes.length, size, size + 4);
  // A codec decides itself how large a picture is.
  const [foundWidth, foundHeight] = new Uint32Array(decoder.memory.buffer, size, 2);
  return to !== 0 && foundWidth === width && foundHeight === height ? pixelsAt(decoder, to, width, height) : null;
}

type Encoder = { encode(data: Uint8ClampedArray, width: number, height: number, options: object): Uint8Array | null };

/**
 * How well it is kept: differences are hard to see, at a third of the bytes of a good JPEG. With more effort than 1 of 6, it takes
 * twice the time for a tenth of the bytes.
 */
const OPTIONS = { ...defaultOptions, quality: 78, method: 1 };

/**
 * Returns a function that encodes pictures as WebP, one after the other. Its compiler (Emscripten) made JavaScript to run it,
 * which defines a global `location`, which a Worker has not. That is removed again, because other libraries would take the
 * Worker for a browser.
 */
export async function webpWriter(): Promise<(pixels: Pixels) => Uint8Array | null> {
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
