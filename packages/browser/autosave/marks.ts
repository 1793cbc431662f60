/** Shows errors at fields, as the server does (src/surfaces/console/forms.tsx). */
import { element } from "./elements.ts";
import { fieldOf } from "./fields.ts";

/** Marks a field as invalid, with a message. Does nothing if there is no such field. */
export function mark(form: HTMLFormElement, name: string, message: string): void {
  const place = fieldOf(form, name)?.closest(".field");
  if (!place) return;
  unmark(form, name);
  const told = element("p", { id: `${name}-error`, className: "error" }, [message]);
  place.append(told);
  for (const control of controlsIn(form, name)) {
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", [...describedBy(control, told.id), told.id].join(" "));
  }
}

/** Removes the error of a field, also one from the server. */
export function unmark(form: HTMLFormElement, name: string): void {
  const id = `${name}-error`;
  document.getElementById(id)?.remove();
  for (const control of controlsIn(form, name)) {
    control.removeAttribute("aria-invalid");
    const left = describedBy(control, id).join(" ");
    if (left === "") control.removeAttribute("aria-describedby");
    else control.setAttribute("aria-describedby", left);
  }
}

/** Returns the field and, if it is hidden, the control that its label leads to. */
function controlsIn(form: HTMLFormElement, name: string): readonly HTMLElement[] {
  const field = fieldOf(form, name);
  if (field === null) return [];
  const shown = field.closest(".field")?.querySelector("label")?.control ?? field;
  return shown === field ? [field] : [field, shown];
}

const describedBy = (control: HTMLElement, without: string): string[] =>
  (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== "" && id !== without);
