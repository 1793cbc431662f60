/** Dialogs of the editor. They stand outside of the form, which would send their fields otherwise. */
import { element } from "./dom.ts";

/** Returns a dialog that closes by Escape and by its button, and gives the focus back. */
export function dialog(title: string, ...content: (Node | string)[]): HTMLDialogElement {
  const heading = element("h2", { id: `${title.toLowerCase().replaceAll(/\W+/g, "-")}-title` }, title);
  const made = element("dialog", { class: "of-editor", "aria-labelledby": heading.id }, heading, ...content);
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  document.body.append(made);
  return made;
}

/** A field with its label. */
export function labelled(label: string, input: HTMLElement, hint?: string): HTMLElement {
  const text = element("label", { for: input.id }, label);
  if (hint === undefined) return element("div", { class: "field" }, text, input);
  const told = element("p", { class: "hint", id: `${input.id}-hint` }, hint);
  input.setAttribute("aria-describedby", told.id);
  return element("div", { class: "field" }, text, told, input);
}

/** A form in a dialog, which its submission closes. */
export const dialogForm = (...content: (Node | string)[]): HTMLFormElement =>
  element("form", { method: "dialog", class: "stack" }, ...content);

export function quietButton(name: string, run: () => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: "quiet" }, name);
  button.addEventListener("click", run);
  return button;
}
