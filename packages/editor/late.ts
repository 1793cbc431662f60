/** Images whose upload ends after their rich text was closed. */
import { enterText } from "./dom.ts";
import type { Late } from "./images.ts";
import { WHY } from "./why.ts";

/** Adds them at the end of the text, and says so. */
export const lateIn = (area: HTMLTextAreaElement, tell: (why: string) => void): Late => ({
  insert(markdown) {
    const gap = area.value === "" ? "" : area.value.endsWith("\n") ? "\n" : "\n\n";
    enterText(area, `${area.value}${gap}${markdown}\n`);
    tell(WHY["late picture"]);
  },
  tell,
});
