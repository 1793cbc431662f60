/**
 * The codecs of pictures: WebAssembly, and the JavaScript that belongs to it. Each use makes an instance of its own, because
 * the memory of one grows and never shrinks.
 */
import decodeJpegFactory from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js";
import jpegDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm";
import decodeWebpFactory from "@jsquash/webp/codec/dec/webp_dec.js";
import webpDecoder from "@jsquash/webp/codec/dec/webp_dec.wasm";
import encodeWebpFactory from "@jsquash/webp/codec/enc/webp_enc_simd.js";
import webpEncoder from "@jsquash/webp/codec/enc/webp_enc_simd.wasm";
import { defaultOptions } from "@jsquash/webp/meta.js";
import type { Pixels } from "./shrink.ts";

/** Takes the place of `ImageData`, in which the codecs return pixels: browsers have that class, and workerd has not. */
class Decoded {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

type Decoder = { decode(file: Uint8Array, turned?: boolean): Pixels | null };
type Encoder = { encode(data: Uint8ClampedArray, width: number, height: number, options: object): Uint8Array | null };

/**
 * Returns an instance of a codec. `factory` is what its compiler (Emscripten) made to run its module. It defines a global
 * `location`, which a Worker has not. That is removed again, because other libraries would take the Worker for a browser.
 */
function instanceOf<Codec>(factory: unknown, module: WebAssembly.Module): Promise<Codec> {
  const shared = globalThis as { ImageData?: unknown; location?: unknown };
  shared.ImageData ??= Decoded;
  const { location } = shared;
  const instance = (factory as (options: object) => Promise<Codec>)({
    noInitialRun: true,
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, imports);
      receive(instance);
      return instance.exports;
    },
  });
  shared.location = location;
  return instance;
}

/** Returns the pixels of a JPEG, not turned by its orientation; null if it cannot be decoded. */
export const decodeJpeg = async (file: Uint8Array): Promise<Pixels | null> =>
  (await instanceOf<Decoder>(decodeJpegFactory, jpegDecoder)).decode(file, false);

/** Returns the pixels of a WebP of one frame; null if it cannot be decoded. */
export const decodeWebp = async (file: Uint8Array): Promise<Pixels | null> =>
  (await instanceOf<Decoder>(decodeWebpFactory, webpDecoder)).decode(file);

/** How well it is kept: differences are hard to see, at a third of the bytes of a good JPEG. */
const QUALITY = 78;

/** Returns a function that encodes pictures as WebP, one after the other. */
export async function webpWriter(): Promise<(pixels: Pixels) => Uint8Array | null> {
  const encoder = await instanceOf<Encoder>(encodeWebpFactory, webpEncoder);
  return ({ data, width, height }) => encoder.encode(data, width, height, { ...defaultOptions, quality: QUALITY });
}
