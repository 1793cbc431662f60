/** Dialogs of the editor. They are outside of the form, which would submit their fields. */
import { makeElement } from "./dom.ts";

/** Returns a dialog, which a click on its backdrop closes. */
export function addDialog(title: string, ...content: (Node | string)[]): HTMLDialogElement {
  const heading = makeElement("h2", { id: `${title.toLowerCase().replaceAll(/\W+/g, "-")}-title` }, title);
  const made = makeElement("dialog", { class: "of-editor", "aria-labelledby": heading.id }, heading, ...content);
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  document.body.append(made);
  return made;
}

export function makeField(label: string, input: HTMLElement, hint?: string): HTMLElement {
  const text = makeElement("label", { for: input.id }, label);
  if (hint === undefined) return makeElement("div", { class: "field" }, text, input);
  const told = makeElement("p", { class: "hint", id: `${input.id}-hint` }, hint);
  input.setAttribute("aria-describedby", told.id);
  return makeElement("div", { class: "field" }, text, told, input);
}

/** Returns a form that closes its dialog when it is submitted. */
export const makeDialogForm = (...content: (Node | string)[]): HTMLFormElement =>
  makeElement("form", { method: "dialog", class: "stack" }, ...content);
