/**
 * What needs the Markdown parser: preview, advice, and images of other sites. A separate bundle, which aids/load.ts
 * loads on first use.
 */
import { makeElement } from "../editor/dom.ts";
import { getLanguageAttributes, renderPreview } from "../markdown/reading.ts";

export { findPictures, replaceAddresses } from "../markdown/picture-addresses.ts";
export { giveAdvice } from "../../src/ai/generation/advice.ts";
export { listHeadings, toLine, parse } from "../../src/ai/generation/markdown.ts";
export { isWebUrl } from "../../src/lib/web-url.ts";

/** Returns the element that `Markdown` (src/surfaces/console/articles/markdown.tsx) renders on the server. */
export function renderMarkdown(text: string, locale: string): Element {
  const prose = makeElement("div", { class: "prose", ...getLanguageAttributes(locale) });
  prose.innerHTML = renderPreview(text, location.origin);
  return prose;
}
