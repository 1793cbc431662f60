/** Builds elements. */

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Returns an element. Attributes that are null, undefined or false are left out; true is an empty one. */
export function makeElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/** Returns a button that submits nothing. */
export function makeButton(content: string | Element, run: () => void, className = "quiet"): HTMLButtonElement {
  const button = makeElement("button", { type: "button", class: className || null }, content);
  button.addEventListener("click", run);
  return button;
}

/** Returns a Lucide icon that screen readers skip. The button around it needs a name. */
export function makeIcon(source: string): Element {
  const svg = new DOMParser().parseFromString(source.replace(/^<!--.*?-->\s*/s, ""), "image/svg+xml").documentElement;
  svg.setAttribute("aria-hidden", "true");
  return document.adoptNode(svg);
}

/** Writes into a field as if somebody had typed, so that other scripts notice. */
export function enterText(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/** Keeps the events of fields that do not belong to the form around them from it, such as those of a search. */
export function keepFromForm(part: HTMLElement): void {
  for (const type of ["input", "change"]) part.addEventListener(type, (event) => event.stopPropagation());
  part.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
  });
}

export const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);

/** Returns a shortcut of ProseMirror, such as `Mod-Shift-7`, as people read it. */
export const formatKeys = (shortcut: string): string =>
  shortcut
    .split("-")
    .map(
      (key) =>
        ({ Mod: isMac ? "⌘" : "Ctrl", Alt: isMac ? "⌥" : "Alt" })[key] ?? (key.length === 1 ? key.toUpperCase() : key),
    )
    .join("+");
