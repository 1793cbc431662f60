/** A WebAssembly module, which wrangler uploads beside the Worker's script. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
