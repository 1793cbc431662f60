/** A file that Vite imports as text. */
declare module "*?raw" {
  const text: string;
  export default text;
}
