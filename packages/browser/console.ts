/** Enhances every page of the console. Each page also works without it. */
import type * as Left from "./autosave/left.ts";
import { makeKeyPrefix, listKeys } from "./autosave/kept.ts";
import { askBeforeSignOut } from "./autosave/sign-out.ts";
import type * as Palette from "./palette.ts";
import { makeElement } from "../editor/dom.ts";
import { storeChoice, readChoice } from "../editor/stored.ts";
import { localizeTimes } from "./times.ts";

localizeTimes();

/** How long after the undo period a deletion has surely happened, in milliseconds. */
const UNDONE_MS = 4000;

const all = <T extends HTMLElement>(selector: string): NodeListOf<T> => document.querySelectorAll<T>(selector);

// Copy buttons. They are hidden without this script.
for (const button of all<HTMLButtonElement>("[data-copy]")) {
  const name = button.dataset["copy"] ?? "";
  const field = document.getElementById(name);
  const told = document.querySelector(`[data-copied="${name}"]`);
  button.hidden = false;
  button.addEventListener("click", () => {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    field.select();
    void navigator.clipboard.writeText(field.value).then(() => told?.replaceChildren("Copied."));
  });
}

// `?done=` shows a notice. Remove it, so that a reload or a bookmark does not show it again.
const address = new URL(location.href);
if (address.searchParams.has("done")) {
  address.searchParams.delete("done");
  history.replaceState(null, "", address);
}

// Ask before the user leaves a page with unsaved input. autosave.ts also sets `data-guard`.
for (const form of all<HTMLFormElement>("form[data-guard]")) {
  form.addEventListener("input", () => (form.dataset["guard"] = "changed"));
  form.addEventListener("submit", () => (form.dataset["guard"] = "unchanged"));
  addEventListener("beforeunload", (event) => {
    if (form.dataset["guard"] === "changed") event.preventDefault();
  });
}

const LEFT = "/console/left.js";
// Show text that only this browser has: before sign-out, and on pages without an editor.
for (const form of all<HTMLFormElement>('form[action="/console/sign-out"]')) {
  const person = form.closest<HTMLElement>("[data-person]")?.dataset["person"];
  if (!person) continue;
  askBeforeSignOut(form, person);
  const isElsewhere = document.querySelector("[data-editor]") === null && listKeys(makeKeyPrefix(person)).length > 0;
  if (isElsewhere)
    void import(LEFT).then(
      (left: typeof Left) => left.showLeft(person),
      () => undefined,
    );
}

// Show a message while a slow form is submitted, and prevent a second submission.
for (const button of all<HTMLButtonElement>("[data-busy]")) {
  const told = makeElement("p", { role: "status" });
  button.after(told);
  const show = (busy: boolean, isPressed = busy) => {
    button.disabled = busy;
    told.textContent = isPressed ? (button.dataset["busy"] ?? "") : "";
  };
  button.form?.addEventListener("submit", ({ submitter }) => show(true, (submitter ?? button) === button));
  // The back button may restore the page in its submitted state.
  addEventListener("pageshow", () => show(false));
}

// In a comma-separated field, complete only the part that is being typed. Browsers match options and labels against the
// whole field, so both get what precedes that part. The editor's chips (editor/terms.ts) need the options as they are.
for (const input of all<HTMLInputElement>("input[list]:not(.editor *)")) {
  const options = [...(input.list?.options ?? [])].map((option) => [option, option.value, option.label] as const);
  input.addEventListener("input", () => {
    const before = input.value.includes(",") ? `${input.value.replace(/[^,]*$/, "").trimEnd()} ` : "";
    for (const [option, value, label] of options)
      Object.assign(option, { value: before + value, label: before + label });
  });
}

// A new schedule uses the browser's time zone. An existing one keeps its own, or its time would move.
for (const input of all<HTMLInputElement>("[data-zone=browser]")) {
  input.value = Intl.DateTimeFormat().resolvedOptions().timeZone || input.value;
}

document
  .getElementById("time-zones")
  ?.append(...Intl.supportedValuesOf("timeZone").map((zone) => new Option("", zone)));

for (const section of all("[data-hideable]")) {
  const name = `hidden-${section.dataset["hideable"]}`;
  const button = section.querySelector<HTMLButtonElement>("[data-hide]");
  section.hidden = readChoice(name) !== undefined;
  button?.addEventListener("click", () => {
    storeChoice(name, "yes");
    section.hidden = true;
    document.getElementById("main")?.focus();
  });
  if (button) button.hidden = false;
}

// Count down how long a deletion can be undone. Then reload the page, unless somebody is using it.
for (const notice of all("[data-undo]")) {
  const told = notice.querySelector<HTMLElement>("[data-seconds]");
  if (!told) continue;
  // Screen readers must not announce each second.
  notice.setAttribute("aria-live", "off");
  const end = Date.now() + Number(told.dataset["seconds"]) * 1000;
  const timer = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    told.textContent = left === 1 ? "1 second" : `${left} seconds`;
    if (Date.now() < end + UNDONE_MS) return;
    clearInterval(timer);
    const isAtWork = document.querySelector("input:checked, form[data-guard=changed], dialog[open]") !== null;
    if (!isAtWork) location.reload();
  }, 250);
}

// Ctrl-K, Cmd-K or the link opens the palette. Its script loads on first use; without it, the search page opens.
const opener = document.querySelector<HTMLAnchorElement>("[data-palette]");
const PALETTE = "/console/palette.js";
const openPalette = (event: Event): void => {
  event.preventDefault();
  void import(PALETTE).then(
    (palette: typeof Palette) => palette.togglePalette(),
    () => location.assign("/console/search"),
  );
};
opener?.addEventListener("click", openPalette);
if (opener) {
  addEventListener("keydown", (event) => {
    const isShortcut =
      event.key.toLowerCase() === "k" && event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;
    // In the article editor, the same keys make a link.
    if (isShortcut && !event.defaultPrevented) openPalette(event);
  });
}
