/** AI edits of the selected text: a bar below the text, and a dialog that shows the change. */
import { diffWordsWithSpace } from "diff";
import { nameOf } from "../../../src/domain/language-name.ts";
import { dialog } from "../../editor/dialog.ts";
import { element, makeButton } from "../../editor/dom.ts";
import { type Answer, ask } from "./ask.ts";
import { area, focusText, locale, localesOf, replacer, selection } from "./page.ts";

const TASKS = [
  ["shorten", "Shorten"],
  ["rephrase", "Rephrase"],
  ["correct", "Proofread"],
] as const;

/** How long a selection must stay the same before the bar is shown or hidden, in milliseconds. */
const PAUSE_MS = 100;

/** Adds the bar. It is shown at the lower edge of the screen while text is selected. */
export function offerPassages(): void {
  const buttons = TASKS.map(([task, name]) => button(name, () => run(task, name)));
  const others = localesOf().filter((tag) => tag !== locale());
  const translations = others.map((tag) => {
    const name = `Translate to ${nameOf(tag)}`;
    return button(name, () => run("translate", name, tag));
  });
  const bar = element(
    "div",
    { class: "assist-bar", role: "group", "aria-label": "Edit the selection with AI", hidden: true },
    element("span", { class: "hint" }, "AI:"),
    ...buttons,
    ...(translations.length > 1 ? [choice(others)] : translations),
  );
  area?.closest(".field")?.append(bar);
  const show = () => {
    // The selection still counts while the focus is in the bar.
    if (!bar.contains(document.activeElement)) bar.hidden = !isInText() || selection().trim() === "";
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    timer = setTimeout(show, PAUSE_MS);
  });
}

function run(task: string, name: string, targetLocale = ""): void {
  const text = selection();
  if (text.trim() !== "") showChange(name, { task, text, ...(targetLocale !== "" && { targetLocale }) });
}

const isInText = (): boolean => area?.closest(".field")?.contains(document.activeElement) === true;

/** Returns a button that does not clear the selection. */
function button(name: string, run: () => void): HTMLButtonElement {
  const made = makeButton(name, run, "quiet small");
  made.addEventListener("mousedown", (event) => event.preventDefault());
  return made;
}

function choice(tags: readonly string[]): HTMLElement {
  const options = tags.map((tag) => element("option", { value: tag }, nameOf(tag)));
  const select = element("select", { "aria-label": "Translate to" }, element("option", { value: "" }, "Translate to…"));
  select.append(...options);
  for (const type of ["input", "change"]) select.addEventListener(type, (event) => event.stopPropagation());
  select.addEventListener("change", () => {
    const tag = select.value;
    select.value = "";
    if (tag !== "") run("translate", `Translate to ${nameOf(tag)}`, tag);
  });
  return select;
}

type Asked = { readonly task: string; readonly text: string; readonly targetLocale?: string };

/** How many characters on each side of the passage the model sees. */
const AROUND = 1500;

/** Shows the model's version of a passage. Nothing changes until the user accepts it. */
function showChange(name: string, asked: Asked): void {
  const body = element("div", { class: "change" });
  const told = element("p", { class: "hint", role: "status" });
  const actions = element("div", { class: "actions" });
  const shown = dialog(name, told, body, actions);
  shown.classList.add("assist");
  const leaving = new AbortController();
  const replace = replacer();
  let accepted: string | null = null;
  shown.addEventListener("close", () => {
    leaving.abort();
    shown.remove();
    if (accepted !== null) replace(accepted);
    else focusText();
  });
  const end = (text: string | null) => {
    accepted = text;
    shown.close();
  };
  const again = () => {
    told.textContent = "Generating…";
    actions.replaceChildren(makeButton("Cancel", () => end(null)));
    const written = element("p", { class: "writing" });
    body.replaceChildren(written);
    const following = { signal: leaving.signal, wrote: (text: string) => (written.textContent = text) };
    ask({ ...asked, context: contextOf(asked.text) }, following).then(
      (answer) => {
        told.textContent = spentOn(answer);
        body.replaceChildren(...comparison(asked, answer));
        actions.replaceChildren(
          makeButton("Accept", () => end(answer.text ?? asked.text), ""),
          makeButton("Try again", again),
          makeButton("Discard", () => end(null)),
        );
        actions.querySelector("button")?.focus();
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        told.textContent = "";
        body.replaceChildren(element("p", { class: "alert bad", role: "alert" }, (error as Error).message));
        actions.replaceChildren(
          makeButton("Try again", again),
          makeButton("Close", () => end(null)),
        );
      },
    );
  };
  shown.showModal();
  again();
}

/** Returns the text around a passage; "" if the passage is not found. */
function contextOf(passage: string): string {
  const text = area?.value ?? "";
  const at = text.indexOf(passage);
  if (at < 0) return "";
  const end = at + passage.length;
  return `${text.slice(Math.max(0, at - AROUND), at)}[…]${text.slice(end, end + AROUND)}`.toWellFormed();
}

export function spentOn({ model, inputTokens, outputTokens, cost }: Answer): string {
  const tokens = (inputTokens + outputTokens).toLocaleString("en");
  return `${model}: ${tokens} tokens${cost === null ? "" : `, $${cost.toFixed(4)}`}.`;
}

/** Shows what is removed and added; for a translation, only the new text. */
function comparison({ task, text: before }: Asked, { text: after, warnings }: Answer): Node[] {
  const notes = warnings.map((warning) => element("li", {}, warning));
  const alert = notes.length === 0 ? [] : [element("ul", { class: "alert warn" }, ...notes)];
  if (after === before) return [...alert, element("p", { class: "alert" }, "No changes suggested.")];
  if (task === "translate") return [...alert, element("p", { class: "changed", dir: "auto" }, after ?? "")];
  const parts = diffWordsWithSpace(before, after ?? "").map(({ added, removed, value }) =>
    added ? element("ins", {}, value) : removed ? element("del", {}, value) : value,
  );
  return [
    ...alert,
    element("p", { class: "changed", dir: "auto", tabindex: 0, "aria-label": "Changes" }, ...parts),
    element("details", {}, element("summary", {}, "New text"), element("p", { class: "changed" }, after ?? "")),
  ];
}
