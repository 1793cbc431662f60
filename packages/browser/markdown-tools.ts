/**
 * What needs the Markdown parser: preview, advice, and images of other sites. A separate bundle, which aids/load.ts
 * loads on first use.
 */
export { elementOf } from "./aids/elements.ts";
export { placesIn, replaced } from "../markdown/picture-addresses.ts";
export { adviceOn } from "../../src/ai/generation/advice.ts";
export { headingsOf, lineOf, parse } from "../../src/ai/generation/markdown.ts";
export { isWebUrl } from "../../src/lib/web-url.ts";
