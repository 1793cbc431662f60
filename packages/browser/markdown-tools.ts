/**
 * What needs the Markdown parser: the preview beside the text, the advice, and pictures of other sites. A bundle of its own, loaded when one of
 * them is opened for the first time (aids/load.ts).
 */
export { elementOf } from "./aids/elements.ts";
export { placesIn, replaced } from "../markdown/picture-addresses.ts";
export { adviceOn } from "../../src/ai/generation/advice.ts";
export { headingsOf, lineOf, parse } from "../../src/ai/generation/markdown.ts";
export { isWebUrl } from "../../src/lib/web-url.ts";
