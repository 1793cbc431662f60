/** The line below the text: words, reading time; and the outline. */
import type { Node } from "prosemirror-model";
import { headingsOf, lengthOf } from "./about.ts";
import { element } from "./dom.ts";

export type Status = {
  readonly root: HTMLElement;
  readonly outline: HTMLElement;
  readonly update: (doc: Node) => void;
};

/** How long after the last change it is counted again, in milliseconds. */
const PAUSE_MS = 300;

export function status(goTo: (at: number) => void): Status {
  const length = element("span", { class: "length" });
  const root = element("p", { class: "hint rich-status" }, length);
  const list = element("ol", { class: "headings" });
  const outline = element("nav", { class: "rich-outline", "aria-label": "Outline", hidden: true }, list);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const count = (doc: Node) => {
    const { words, minutes } = lengthOf(doc);
    length.textContent = `${words.toLocaleString()} ${words === 1 ? "word" : "words"}${words === 0 ? "" : `, ${minutes} min to read`}`;
    const headings = headingsOf(doc).map(({ level, text, at }) => {
      const button = element(
        "button",
        { type: "button", class: "quiet", "data-level": level },
        text.trim() || "Untitled",
      );
      button.addEventListener("click", () => goTo(at));
      return element("li", {}, button);
    });
    list.replaceChildren(...(headings.length > 0 ? headings : [element("li", { class: "hint" }, "No headings yet.")]));
  };
  return {
    root,
    outline,
    update(doc) {
      clearTimeout(timer);
      timer = setTimeout(() => count(doc), PAUSE_MS);
    },
  };
}
