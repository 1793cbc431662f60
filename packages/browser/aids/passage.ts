/** AI edits of the selected text: a bar below the text, and a dialog that shows the change. */
import { diffWordsWithSpace } from "diff";
import { getLanguageName } from "../../../src/domain/language-name.ts";
import { addDialog } from "../../editor/dialog.ts";
import { makeElement, makeButton } from "../../editor/dom.ts";
import { type Answer, ask } from "./ask.ts";
import { area, focusText, getLocale, listLocales, makeReplacer, getSelectedMarkdown } from "./page.ts";

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
  const others = listLocales().filter((tag) => tag !== getLocale());
  const translations = others.map((tag) => {
    const name = `Translate to ${getLanguageName(tag)}`;
    return button(name, () => run("translate", name, tag));
  });
  const bar = makeElement(
    "div",
    { class: "assist-bar", role: "group", "aria-label": "Edit the selection with AI", hidden: true },
    makeElement("span", { class: "hint" }, "AI:"),
    ...buttons,
    ...(translations.length > 1 ? [choice(others)] : translations),
  );
  area?.closest(".field")?.append(bar);
  const show = () => {
    // The selection still counts while the focus is in the bar.
    if (!bar.contains(document.activeElement)) bar.hidden = !isInText() || getSelectedMarkdown().trim() === "";
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    timer = setTimeout(show, PAUSE_MS);
  });
}

function run(task: string, name: string, targetLocale = ""): void {
  const text = getSelectedMarkdown();
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
  const options = tags.map((tag) => makeElement("option", { value: tag }, getLanguageName(tag)));
  const select = makeElement(
    "select",
    { "aria-label": "Translate to" },
    makeElement("option", { value: "" }, "Translate to…"),
  );
  select.append(...options);
  for (const type of ["input", "change"]) select.addEventListener(type, (event) => event.stopPropagation());
  select.addEventListener("change", () => {
    const tag = select.value;
    select.value = "";
    if (tag !== "") run("translate", `Translate to ${getLanguageName(tag)}`, tag);
  });
  return select;
}

type Asked = { readonly task: string; readonly text: string; readonly targetLocale?: string };

/** How many characters on each side of the passage the model sees. */
const AROUND = 1500;

/** Shows the model's version of a passage. Nothing changes until the user accepts it. */
function showChange(name: string, asked: Asked): void {
  const body = makeElement("div", { class: "change" });
  const told = makeElement("p", { class: "hint", role: "status" });
  const actions = makeElement("div", { class: "actions" });
  const shown = addDialog(name, told, body, actions);
  shown.classList.add("assist");
  const leaving = new AbortController();
  const replace = makeReplacer();
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
    const written = makeElement("p", { class: "writing" });
    body.replaceChildren(written);
    const onText = (text: string) => (written.textContent = text);
    ask({ ...asked, context: findContext(asked.text) }, { signal: leaving.signal, onText }).then(
      (answer) => {
        told.textContent = describeCost(answer);
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
        body.replaceChildren(makeElement("p", { class: "alert bad", role: "alert" }, (error as Error).message));
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
function findContext(passage: string): string {
  const text = area?.value ?? "";
  const at = text.indexOf(passage);
  if (at < 0) return "";
  const end = at + passage.length;
  return `${text.slice(Math.max(0, at - AROUND), at)}[…]${text.slice(end, end + AROUND)}`.toWellFormed();
}

export function describeCost({ model, inputTokens, outputTokens, cost }: Answer): string {
  const tokens = (inputTokens + outputTokens).toLocaleString("en");
  return `${model}: ${tokens} tokens${cost === null ? "" : `, $${cost.toFixed(4)}`}.`;
}

/** Shows what is removed and added; for a translation, only the new text. */
function comparison({ task, text: before }: Asked, { text: after, warnings }: Answer): Node[] {
  const notes = warnings.map((warning) => makeElement("li", {}, warning));
  const alert = notes.length === 0 ? [] : [makeElement("ul", { class: "alert warn" }, ...notes)];
  if (after === before) return [...alert, makeElement("p", { class: "alert" }, "No changes suggested.")];
  if (task === "translate") return [...alert, makeElement("p", { class: "changed", dir: "auto" }, after ?? "")];
  const parts = diffWordsWithSpace(before, after ?? "").map(({ added, removed, value }) =>
    added ? makeElement("ins", {}, value) : removed ? makeElement("del", {}, value) : value,
  );
  return [
    ...alert,
    makeElement("p", { class: "changed", dir: "auto", tabindex: 0, "aria-label": "Changes" }, ...parts),
    makeElement(
      "details",
      {},
      makeElement("summary", {}, "New text"),
      makeElement("p", { class: "changed" }, after ?? ""),
    ),
  ];
}
