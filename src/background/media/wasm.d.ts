/** The used part of zlib: workerd has it, but its types do not. */
declare module "node:zlib" {
  export function createInflate(options: {
    chunkSize: number;
  }): AsyncIterable<Uint8Array> & { end(data: Uint8Array): void };
  export function inflateSync(data: Uint8Array, options: { maxOutputLength: number }): Uint8Array;
}

/** A WebAssembly module, which wrangler uploads beside the Worker's script. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
