/** Renders Markdown as an element of the page, with the renderer of the console's pages. */
import { attributesOf, previewOf } from "../../markdown/reading.ts";

/** Returns the element that `Markdown` (src/surfaces/console/articles/markdown.tsx) renders on the server. */
export function elementOf(text: string, locale: string): Element {
  const prose = document.createElement("div");
  prose.className = "prose";
  for (const [name, value] of Object.entries(attributesOf(locale))) prose.setAttribute(name, value);
  prose.innerHTML = previewOf(text, location.origin);
  return prose;
}
