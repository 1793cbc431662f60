/** Connects the editor to the text area that it enhances, and to the form around that. */

import { getDirection } from "../../src/lib/direction.ts";
import { storeChoice, readChoice } from "./stored.ts";
import type { Mode } from "./handle.ts";

/** Keys of the browser's storage: the chosen mode, and whether all tools are shown. */
const MODE = "edgepress-editor";
const TOOLS = "edgepress-editor-tools";

/** Returns the mode chosen in this browser; by default, the rich one. */
export const readMode = (): Mode => (readChoice(MODE) === "source" ? "source" : "rich");

export const storeMode = (mode: Mode): void => storeChoice(MODE, mode);

export const hasMoreTools = (): boolean => readChoice(TOOLS) === "all";

export const showMoreTools = (isMore: boolean): void => storeChoice(TOOLS, isMore ? "all" : "few");

/** Returns the attributes of the rich text. It is labelled and described as the text area is. */
export function makeAttributes(area: HTMLTextAreaElement): Record<string, string> {
  const described = area.getAttribute("aria-describedby");
  const locale = localeField(area)?.value.trim() ?? "";
  return {
    id: `${area.id}-rich`,
    class: "rich-text",
    role: "textbox",
    "aria-multiline": "true",
    "aria-labelledby": `${area.id}-label`,
    spellcheck: "true",
    ...(described !== null && { "aria-describedby": described }),
    ...(area.hasAttribute("aria-invalid") && { "aria-invalid": "true" }),
    ...makeLanguageAttributes(locale),
  };
}

/** Returns `lang` and `dir` for a locale; neither while it is not valid, such as half typed. */
function makeLanguageAttributes(locale: string): { readonly lang?: string; readonly dir?: string } {
  try {
    return { lang: locale, dir: getDirection(locale) };
  } catch {
    return {};
  }
}

const localeField = (area: HTMLTextAreaElement) => area.form?.querySelector<HTMLInputElement>("[name=locale]");

type Followers = { readonly focus: () => void; readonly changed: () => void; readonly locale: () => void };

/** Lets the rich text stand in for the text area: its label and links to it focus the rich text. */
export function followArea(area: HTMLTextAreaElement, { focus, changed, locale }: Followers): void {
  area.addEventListener("input", changed);
  for (const label of area.labels) {
    label.id ||= `${area.id}-label`;
    label.addEventListener("click", focus);
  }
  for (const link of document.querySelectorAll(`a[href="#${area.id}"]`)) link.addEventListener("click", focus);
  localeField(area)?.addEventListener("input", locale);
}

/** The keys that work in both modes. */
export function onKeys(part: HTMLElement, { switchMode, help }: { switchMode: () => void; help: () => void }): void {
  part.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.altKey && event.code === "KeyM") switchMode();
    else if (!event.altKey && event.key === "/") help();
    else return;
    event.preventDefault();
  });
}
