/**
 * What needs the Markdown parser: the preview beside the text, the advice, and pictures of other sites. A bundle of its own, loaded when one of
 * them is opened for the first time (aids/load.ts).
 */
export { elementOf } from "./aids/elements.ts";
export { placesIn, replaced } from "../domain/markdown/picture-addresses.ts";
export { adviceOn } from "../generation/advice.ts";
export { headingsOf, lineOf, parse } from "../generation/markdown.ts";
export { isWebUrl } from "../lib/web-url.ts";
