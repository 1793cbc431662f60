/** Reads, fills and marks the fields of the editor's form. */
import { LABELS, SEO } from "../../../src/surfaces/console/articles/field-labels.ts";
import { makeElement } from "../../editor/dom.ts";
import { normalizeLineBreaks } from "../../../src/lib/text.ts";

export type Values = Readonly<Record<string, string>>;

const NAMES = Object.keys(LABELS);

export type TextField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export function findField(form: HTMLFormElement, name: string): TextField | null {
  const found = form.elements.namedItem(name);
  const isField =
    found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement || found instanceof HTMLSelectElement;
  return isField ? found : null;
}

export const readValues = (form: HTMLFormElement): Values => readWith(form, ({ value }) => value);

/** Returns the values that the page was loaded with: the user may have typed before the scripts ran. */
export const readInitialValues = (form: HTMLFormElement): Values => readWith(form, receivedValue);

function readWith(form: HTMLFormElement, getValue: (field: TextField) => string): Values {
  const found = NAMES.map((name) => [name, findField(form, name)] as const);
  return Object.fromEntries(found.flatMap(([name, field]) => (field === null ? [] : [[name, getValue(field)]])));
}

function receivedValue(field: TextField): string {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? "";
  }
  // Fields normalize their text, such as line ends. A copy does the same to the default value.
  const copy = field.cloneNode() as HTMLInputElement | HTMLTextAreaElement;
  copy.value = field.defaultValue;
  return copy.value;
}

export const pickChanged = (values: Values, from: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== (from[name] ?? "")));

/** Whether the service would store the same, because it trims values. */
export const isSame = (one: Values, other: Values): boolean =>
  Object.entries(one).every(([name, value]) => trimmed(value) === trimmed(other[name]));

const trimmed = (text = ""): string => normalizeLineBreaks(text).trim();

/** Fills fields of the form and fires their `input` events. The cursor stays at the same words. */
export function fillFields(form: HTMLFormElement, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    const field = findField(form, name);
    if (field === null || field.value === value) continue;
    if (field instanceof HTMLSelectElement) field.value = value;
    else replace(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function replace(field: HTMLInputElement | HTMLTextAreaElement, value: string): void {
  const before = field.value;
  const { selectionStart: start, selectionEnd: end } = field;
  field.value = value;
  if (field !== document.activeElement || start === null || end === null) return;
  let same = 0;
  while (same < before.length && before[same] === value[same]) same++;
  const moved = (place: number) => (place <= same ? place : Math.max(same, place + value.length - before.length));
  field.setSelectionRange(moved(start), moved(end));
}

/**
 * Returns the fields of a request that saves these changes. SEO fields are replaced as a whole, so a change of one
 * sends all: the others as they are stored, because the service may have refused what the form has. Tags and authors
 * are sent with their previous lists, because the service saves only the difference.
 */
export function buildRequest(changes: Values, before: Values): URLSearchParams {
  const fields = new URLSearchParams(changes);
  const told = Object.keys(SEO);
  if (told.some((name) => name in changes)) {
    for (const name of told) fields.set(name, changes[name] ?? before[name] ?? "");
  }
  for (const name of ["tags", "authors"]) {
    if (name in changes) fields.set(`${name}Before`, before[name] ?? "");
  }
  return fields;
}

export function setHidden(form: HTMLFormElement, name: string, value: string): void {
  const known = form.elements.namedItem(name);
  const input = known instanceof HTMLInputElement ? known : document.createElement("input");
  if (!known) form.prepend(Object.assign(input, { type: "hidden", name }));
  input.value = value;
}

/** Marks a field as invalid, as the server does (src/surfaces/console/forms.tsx). Does nothing if there is no such field. */
export function mark(form: HTMLFormElement, name: string, message: string): void {
  const place = findField(form, name)?.closest(".field");
  if (!place) return;
  unmark(form, name);
  const told = makeElement("p", { id: `${name}-error`, class: "error" }, message);
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
  const field = findField(form, name);
  if (field === null) return [];
  const shown = field.closest(".field")?.querySelector("label")?.control ?? field;
  return shown === field ? [field] : [field, shown];
}

const describedBy = (control: HTMLElement, without: string): string[] =>
  (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id !== "" && id !== without);
