/** Pictures whose upload ends when the rich text that they were put into is not shown any more. */
import { enterText } from "./dom.ts";
import type { Late } from "./images.ts";
import { WHY } from "./why.ts";

/** Puts them at the end of the text, and says so. */
export const lateIn = (area: HTMLTextAreaElement, tell: (why: string) => void): Late => ({
  insert(markdown) {
    const gap = area.value === "" ? "" : area.value.endsWith("\n") ? "\n" : "\n\n";
    enterText(area, `${area.value}${gap}${markdown}\n`);
    tell(WHY["late picture"]);
  },
  tell,
});
