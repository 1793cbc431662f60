/** Dialogs of the editor. They are outside of the form, which would submit their fields. */
import { element } from "./dom.ts";

/** Returns a dialog, which a click on its backdrop closes. */
export function dialog(title: string, ...content: (Node | string)[]): HTMLDialogElement {
  const heading = element("h2", { id: `${title.toLowerCase().replaceAll(/\W+/g, "-")}-title` }, title);
  const made = element("dialog", { class: "of-editor", "aria-labelledby": heading.id }, heading, ...content);
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  document.body.append(made);
  return made;
}

export function labelled(label: string, input: HTMLElement, hint?: string): HTMLElement {
  const text = element("label", { for: input.id }, label);
  if (hint === undefined) return element("div", { class: "field" }, text, input);
  const told = element("p", { class: "hint", id: `${input.id}-hint` }, hint);
  input.setAttribute("aria-describedby", told.id);
  return element("div", { class: "field" }, text, told, input);
}

/** Returns a form that closes its dialog when it is submitted. */
export const dialogForm = (...content: (Node | string)[]): HTMLFormElement =>
  element("form", { method: "dialog", class: "stack" }, ...content);
