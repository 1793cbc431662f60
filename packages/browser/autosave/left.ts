/** Shows unsaved text on the page of an article that its writer cannot edit any more. */
import { LABELS } from "../../../src/surfaces/console/articles/field-labels.ts";
import { element, makeButton } from "../../editor/dom.ts";
import { heldKeys, keptBy, keysFrom, readKept, removeKept, type Kept } from "./kept.ts";
import { clock } from "./status.ts";

/** Shows the text kept for the article of this page, unless an open page still uses it. */
export async function showLeft(person: string): Promise<void> {
  const [, id] = /^\/console\/articles\/([\da-f-]{36})$/.exec(location.pathname) ?? [];
  const heading = document.querySelector("main h1");
  if (id === undefined || heading === null) return;
  const keys = keysFrom(keptBy(person)).filter((key) => key.includes(`:${id}:`));
  if (keys.length === 0) return;
  const held = await heldKeys();
  for (const key of keys) {
    const record = held.has(key) ? null : readKept(key);
    if (record !== null) heading.after(panelOf(key, record));
  }
}

function panelOf(key: string, { time, values }: Kept): HTMLElement {
  const panel = element(
    "section",
    { class: "alert warn kept", "aria-label": "Unsaved text" },
    element(
      "p",
      {},
      element("strong", {}, `Your text from ${clock(time)} was not saved.`),
      " It is only in this browser. You cannot edit this article here, so copy what you need.",
    ),
    ...Object.entries(values).map(([name, text]) => {
      const area = element("textarea", { readonly: true, rows: name === "content" ? 12 : 2, dir: "auto" }, text);
      return element("label", {}, LABELS[name] ?? name, area);
    }),
    makeButton("Discard", () => {
      removeKept(key);
      panel.remove();
      document.getElementById("main")?.focus();
    }),
  );
  return panel;
}
