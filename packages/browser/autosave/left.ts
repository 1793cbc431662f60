/** Shows unsaved text on the page of an article that its writer cannot edit any more. */
import { LABELS } from "../../../src/surfaces/console/articles/field-labels.ts";
import { makeElement, makeButton } from "../../editor/dom.ts";
import { listLockedKeys, makeKeyPrefix, listKeys, readKept, removeKept, type Kept } from "./kept.ts";
import { formatTime } from "./status.ts";

/** Shows the text kept for the article of this page, unless an open page still uses it. */
export async function showLeft(person: string): Promise<void> {
  const [, id] = /^\/console\/articles\/([\da-f-]{36})$/.exec(location.pathname) ?? [];
  const heading = document.querySelector("main h1");
  if (id === undefined || heading === null) return;
  const keys = listKeys(makeKeyPrefix(person)).filter((key) => key.includes(`:${id}:`));
  if (keys.length === 0) return;
  const held = await listLockedKeys();
  for (const key of keys) {
    const record = held.has(key) ? null : readKept(key);
    if (record !== null) heading.after(makePanel(key, record));
  }
}

function makePanel(key: string, { time, values }: Kept): HTMLElement {
  const panel = makeElement(
    "section",
    { class: "alert warn kept", "aria-label": "Unsaved text" },
    makeElement(
      "p",
      {},
      makeElement("strong", {}, `Your text from ${formatTime(time)} was not saved.`),
      " It is only in this browser. You cannot edit this article here, so copy what you need.",
    ),
    ...Object.entries(values).map(([name, text]) => {
      const area = makeElement("textarea", { readonly: true, rows: name === "content" ? 12 : 2, dir: "auto" }, text);
      return makeElement("label", {}, LABELS[name] ?? name, area);
    }),
    makeButton("Discard", () => {
      removeKept(key);
      panel.remove();
      document.getElementById("main")?.focus();
    }),
  );
  return panel;
}
