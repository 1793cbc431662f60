/**
 * What needs the Markdown parser: preview, advice, and images of other sites. A separate bundle, which aids/load.ts
 * loads on first use.
 */
import { element } from "../editor/dom.ts";
import { attributesOf, previewOf } from "../markdown/reading.ts";

export { placesIn, replaced } from "../markdown/picture-addresses.ts";
export { adviceOn } from "../../src/ai/generation/advice.ts";
export { headingsOf, lineOf, parse } from "../../src/ai/generation/markdown.ts";
export { isWebUrl } from "../../src/lib/web-url.ts";

/** Returns the element that `Markdown` (src/surfaces/console/articles/markdown.tsx) renders on the server. */
export function elementOf(text: string, locale: string): Element {
  const prose = element("div", { class: "prose", ...attributesOf(locale) });
  prose.innerHTML = previewOf(text, location.origin);
  return prose;
}
