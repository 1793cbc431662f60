/** The elements of the form of "Try it". */

type Field = {
  readonly name: string;
  readonly value?: string;
  readonly required?: boolean;
  readonly isLong?: boolean;
  readonly isSecret?: boolean;
};

/** Returns a labelled field. */
export function field(
  label: string,
  { name, value = "", required = false, isLong = false, isSecret = false }: Field,
): HTMLElement {
  const element = document.createElement("label");
  const control = document.createElement(isLong ? "textarea" : "input");
  control.name = name;
  control.value = value;
  control.required = required;
  control.autocomplete = "off";
  control.spellcheck = false;
  if (control instanceof HTMLInputElement && isSecret) control.type = "password";
  if (control instanceof HTMLTextAreaElement) control.rows = Math.min(14, value.split("\n").length + 1);
  element.append(label, control);
  return element;
}

/** Returns a form with a button, and a place below it that screen readers announce. */
export function newForm(fields: readonly HTMLElement[], button: string) {
  const form = document.createElement("form");
  const submit = document.createElement("button");
  submit.className = "main";
  submit.textContent = button;
  const told = document.createElement("div");
  told.role = "status";
  form.append(...fields, submit, told);
  return { form, submit, told };
}

/** Returns a block of text that can be scrolled by keyboard. */
export function pre(text: string): HTMLPreElement {
  const element = document.createElement("pre");
  element.tabIndex = 0;
  element.textContent = text;
  return element;
}
