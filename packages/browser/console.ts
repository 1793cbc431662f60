/** Enhances every page of the console. Each page also works without it. */
import type * as Left from "./autosave/left.ts";
import { keptBy, keysFrom } from "./autosave/kept.ts";
import { askBefore } from "./autosave/sign-out.ts";
import type * as Palette from "./palette.ts";
import { store, stored } from "../editor/stored.ts";
import { localizeTimes } from "./times.ts";

localizeTimes();

/** How long after its time a deletion has surely happened, unless the service is busy. */
const UNDONE_MS = 4000;

/** Returns the elements that match, of one type. */
const all = <T extends HTMLElement>(selector: string): NodeListOf<T> => document.querySelectorAll<T>(selector);

// A copy button puts the text of its field on the clipboard. It is hidden unless this script runs.
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

// `?done=` makes the page say what was just done. Remove it from the address, so that a reload or a bookmark of the
// page does not say it again.
const address = new URL(location.href);
if (address.searchParams.has("done")) {
  address.searchParams.delete("done");
  history.replaceState(null, "", address);
}

// The browser asks for confirmation before the user leaves a page with unsaved input. `data-guard` says whether there is
// any; autosave.ts changes it, too.
for (const form of all<HTMLFormElement>("form[data-guard]")) {
  form.addEventListener("input", () => (form.dataset["guard"] = "changed"));
  form.addEventListener("submit", () => (form.dataset["guard"] = "unchanged"));
  addEventListener("beforeunload", (event) => {
    if (form.dataset["guard"] === "changed") event.preventDefault();
  });
}

const LEFT = "/console/left.js";
// Text that only this browser has is shown to people before they sign out, and on pages without an editor.
for (const form of all<HTMLFormElement>('form[action="/console/sign-out"]')) {
  const person = form.closest<HTMLElement>("[data-person]")?.dataset["person"];
  if (!person) continue;
  askBefore(form, person);
  const isElsewhere = document.querySelector("[data-editor]") === null && keysFrom(keptBy(person)).length > 0;
  if (isElsewhere)
    void import(LEFT).then(
      (left: typeof Left) => left.showLeft(person),
      () => undefined,
    );
}

// A slow form shows a message while it is being submitted, and its button is disabled to prevent a second submission.
for (const button of all<HTMLButtonElement>("[data-busy]")) {
  const told = document.createElement("p");
  told.setAttribute("role", "status");
  button.after(told);
  const show = (busy: boolean) => {
    button.disabled = busy;
    told.textContent = busy ? (button.dataset["busy"] ?? "") : "";
  };
  button.form?.addEventListener("submit", () => show(true));
  // The browser's back button can restore the page in its submitted state: reset it.
  addEventListener("pageshow", () => show(false));
}

// In a field for a list with commas, only the part that is being typed is completed. Browsers compare options, and
// their labels, with the whole field, so both begin with what stands before that part. Not in the editor: its chips
// (editor/terms.ts) need the options as they are.
for (const input of all<HTMLInputElement>("input[list]:not(.editor *)")) {
  const options = [...(input.list?.options ?? [])].map((option) => [option, option.value, option.label] as const);
  input.addEventListener("input", () => {
    const before = input.value.includes(",") ? `${input.value.replace(/[^,]*$/, "").trimEnd()} ` : "";
    for (const [option, value, label] of options)
      Object.assign(option, { value: before + value, label: before + label });
  });
}

// The time zone of a new schedule is the browser's own. A schedule that exists keeps its zone, or it would move.
for (const input of all<HTMLInputElement>("[data-zone=browser]")) {
  input.value = Intl.DateTimeFormat().resolvedOptions().timeZone || input.value;
}

// Time zones are completed from those that the browser knows.
document
  .getElementById("time-zones")
  ?.append(...Intl.supportedValuesOf("timeZone").map((zone) => new Option("", zone)));

// What can be hidden stays so in this browser.
for (const section of all("[data-hideable]")) {
  const name = `hidden-${section.dataset["hideable"]}`;
  const button = section.querySelector<HTMLButtonElement>("[data-hide]");
  section.hidden = stored(name) !== undefined;
  button?.addEventListener("click", () => {
    store(name, "yes");
    section.hidden = true;
    document.getElementById("main")?.focus();
  });
  if (button) button.hidden = false;
}

// What is being deleted says how long that can still be undone, by the server's clock. Then the page is read again, unless
// somebody is at work in it.
for (const notice of all("[data-undo]")) {
  const told = notice.querySelector<HTMLElement>("[data-seconds]");
  if (!told) continue;
  // Not read out each second.
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

// The palette opens by Ctrl-K or Cmd-K and by its link. Its script is loaded on first use; without it, the link leads to
// the page of the search.
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
    // In the editor of articles, the same keys make a link.
    if (isShortcut && !event.defaultPrevented) openPalette(event);
  });
}
