/** AI suggestions: titles, descriptions, tags and alt texts. */
import { splitAtCommas } from "../../../src/lib/text.ts";
import { makeElement, makeButton } from "../../editor/dom.ts";
import { ask, type Suggestion } from "./ask.ts";
import { aids, area, enterValue, getValue } from "./page.ts";
import { describeCost } from "./passage.ts";

const TASKS = [
  ["titles", "Titles"],
  ["description", "Description"],
  ["tags", "Tags"],
  ["alternatives", "Alt text"],
] as const;

type Task = (typeof TASKS)[number][0];

export function offerSuggestions(): void {
  const told = makeElement("p", { class: "hint", role: "status" });
  const list = makeElement("ul", { class: "suggestions" });
  let leaving = new AbortController();
  const run = async (task: Task) => {
    leaving.abort();
    leaving = new AbortController();
    const { signal } = leaving;
    const text = area?.value ?? "";
    list.replaceChildren();
    if (text.trim() === "") return void (told.textContent = "Write something first.");
    told.textContent = "Reading the article…";
    try {
      const answer = await ask({ task, text }, { signal });
      told.textContent = [...answer.warnings, describeCost(answer)].join(" ");
      list.replaceChildren(...answer.suggestions.map((suggestion) => item(task, suggestion)));
    } catch (error) {
      if (!signal.aborted) told.textContent = (error as Error).message;
    }
  };
  // A working copy has no field for tags.
  const buttons = TASKS.filter(([task]) => task !== "tags" || area?.form?.elements.namedItem("tags")).map(
    ([task, name]) => makeButton(name, () => void run(task), "quiet small"),
  );
  const group = makeElement("div", { class: "tasks", role: "group", "aria-label": "Generate suggestions" }, ...buttons);
  aids?.append(
    makeElement("details", { class: "aid" }, makeElement("summary", {}, "AI suggestions"), group, told, list),
  );
}

function item(task: Task, { value, picture, known }: Suggestion): HTMLElement {
  const press = () => {
    named(take(task, value, picture) ? "Applied" : "Not found in the text");
    use.disabled = true;
  };
  const use = makeButton("", press, "quiet small");
  const named = (name: string) => Object.assign(use, { textContent: name, ariaLabel: `${name}: ${value}` });
  named(task === "tags" ? "Add" : "Use");
  const about = picture === null ? [] : [makeElement("small", { class: "hint" }, `${picture} `)];
  const mark = known ? [" ", makeElement("span", { class: "badge" }, "Existing")] : [];
  return makeElement("li", {}, ...about, makeElement("span", { dir: "auto" }, value), ...mark, " ", use);
}

/** Applies a suggestion. Returns false if there is no place for it any more. */
function take(task: Task, value: string, picture: string | null): boolean {
  if (task === "alternatives") return describe(picture ?? "", value);
  if (task === "tags") {
    const tags = splitAtCommas(getValue("tags"));
    if (!tags.some((tag) => tag.toLowerCase() === value.toLowerCase())) enterValue("tags", [...tags, value].join(", "));
    return true;
  }
  enterValue(task === "titles" ? "title" : "description", value);
  return true;
}

/** Writes an alt text into the Markdown, wherever the image occurs. Returns whether it does. */
function describe(url: string, alt: string): boolean {
  const text = area?.value ?? "";
  const address = url.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  const image = new RegExp(String.raw`!\[((?:[^\]\\]|\\.)*)\](?=\(\s*<?${address}[>\s)])`, "g");
  const written = text.replaceAll(image, () => `![${alt.replaceAll(/[[\]\\]/g, String.raw`\$&`)}]`);
  if (written === text) return false;
  enterValue("content", written);
  return true;
}
