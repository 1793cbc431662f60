/** A file that Vite imports as text. */
declare module "*?raw" {
  const text: string;
  export default text;
}

/** A file that Vite imports as a `data:` address. */
declare module "*?inline" {
  const address: string;
  export default address;
}
