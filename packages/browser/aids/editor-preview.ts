/** The live preview beside the text. */
import { makeElement } from "../../editor/dom.ts";
import { area, getLocale, onPause, getValue } from "./page.ts";
import { loadReading, type Reading } from "./load.ts";

/** Makes the form's preview button open a pane. Without this script, it opens a page. */
export function offerPreview(): void {
  const field = area?.closest<HTMLElement>(".field");
  const column = field?.closest<HTMLElement>(".text");
  const button = area?.form?.querySelector<HTMLButtonElement>("button[formaction*='/articles/preview']");
  if (!field || !column || !button) return;
  const text = makeElement("div", { class: "reading" });
  const pane = makeElement("section", {
    class: "pane",
    id: "beside",
    "aria-label": "Preview",
    tabindex: 0,
    hidden: true,
  });
  pane.append(text);
  field.after(pane);
  button.setAttribute("aria-controls", pane.id);
  button.setAttribute("aria-expanded", "false");
  let took = 0;
  const render = async () => {
    if (pane.hidden) return;
    const reading = await loadReading().catch(() => null);
    if (reading === null)
      return text.replaceChildren("The preview could not be loaded. It loads again with your next change.");
    const started = performance.now();
    text.replaceChildren(...makePreview(reading));
    took = performance.now() - started;
  };
  // A text that takes long is rendered less often, so that typing stays fast.
  onPause(render, () => Math.max(120, took * 4));
  button.addEventListener("click", (event) => {
    event.preventDefault();
    pane.toggleAttribute("hidden");
    column.classList.toggle("beside", !pane.hidden);
    button.setAttribute("aria-expanded", String(!pane.hidden));
    void render();
    // On a narrow screen, the pane replaces the text.
    if (!pane.hidden && field.offsetParent === null) pane.focus();
  });
  followScrolling(field, pane);
}

/** Returns what `Reading` (src/surfaces/console/articles/reading.tsx) shows. */
function makePreview({ renderMarkdown, isWebUrl }: Reading): Node[] {
  const [title, description] = [getValue("title").trim(), getValue("description")];
  const [cover, content] = [getValue("coverUrl").trim(), area?.value ?? ""];
  return [
    makeElement("h2", {}, title === "" ? "Untitled" : title),
    ...(isWebUrl(cover)
      ? [makeElement("img", { class: "cover", src: cover, alt: "", referrerpolicy: "no-referrer" })]
      : []),
    ...(description === "" ? [] : [makeElement("p", { class: "lead" }, description)]),
    ...(content.trim() === ""
      ? [makeElement("p", { class: "hint" }, "Nothing to preview yet.")]
      : [renderMarkdown(content, getLocale())]),
  ];
}

/** Scrolls the pane to the visible part of the text, which scrolls with the page. */
function followScrolling(field: HTMLElement, pane: HTMLElement): void {
  addEventListener("scroll", () => {
    const { top, height } = field.getBoundingClientRect();
    const [above, hidden] = [pane.getBoundingClientRect().top - top, height - pane.clientHeight];
    if (hidden > 0) pane.scrollTop = (above / hidden) * (pane.scrollHeight - pane.clientHeight);
  });
}
