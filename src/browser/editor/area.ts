/** What ties the editor to the text area that it enhances, and to the form around that. */

import type { Mode } from "./handle.ts";

/** Where the browser keeps which mode somebody chose. */
const STORED = "edgepress-editor";

/** Returns the mode that somebody has chosen in this browser: the rich one, unless they did. */
export function chosenMode(): Mode {
  try {
    return localStorage.getItem(STORED) === "source" ? "source" : "rich";
  } catch {
    // The browser keeps nothing for this site.
    return "rich";
  }
}

export function choose(mode: Mode): void {
  try {
    localStorage.setItem(STORED, mode);
  } catch {
    // It is then the rich one again on the next page.
  }
}

/** Returns the attributes of the rich text: it is called and described as the text area is. */
export function attributesOf(area: HTMLTextAreaElement): Record<string, string> {
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
    ...(/^[A-Za-z][\w-]+$/.test(locale) && { lang: locale }),
  };
}

const localeField = (area: HTMLTextAreaElement) => area.form?.querySelector<HTMLInputElement>("[name=locale]");

type Followers = { readonly focus: () => void; readonly changed: () => void; readonly locale: () => void };

/** Does for the rich text what the browser does for the text area: its label and links to it lead there. */
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
